// Marking tiles with the pointer: one by a click, a range by a click with Shift, several by drawing
// over them.

import { host } from "../host.js";

const STEP = 12; // CSS pixels between the points of a stroke that are looked at

export class Marking {
  /** `grid` has the tiles and the marks. */
  constructor(grid) {
    this.grid = grid;
    this.begin();
  }

  /** A new question: nothing was marked last. */
  begin() {
    this.last = null; // the item that was marked or unmarked last
    this.stroke = null; // {item, wrong, x, y} while the pointer is down; `drawn` once it has left its tile
  }

  /** Mark, or unmark, everything between what was marked last and this item. */
  rangeTo(item) {
    const order = this.grid.shown;
    const [from, to] = [order.indexOf(this.last ?? item), order.indexOf(item)];
    const wrong = this.last === null ? !this.grid.wrong.has(item) : this.grid.wrong.has(this.last);
    this.grid.mark(order.slice(Math.min(from, to), Math.max(from, to) + 1), wrong);
    this.last = item;
  }

  /** Hear of what the pointer does on a tile. */
  listen(tile, item) {
    tile.addEventListener("click", (event) => {
      const drawn = this.stroke?.drawn;
      this.stroke = null;
      if (drawn) return;
      if (event.shiftKey && !this.grid.picking) this.rangeTo(item);
      else this.grid.toggle(item);
    });
    tile.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || this.grid.picking || event.shiftKey) return;
      if (tile.hasPointerCapture(event.pointerId)) tile.releasePointerCapture(event.pointerId); // a finger's
      this.stroke = { item, wrong: !this.grid.wrong.has(item), x: event.clientX, y: event.clientY, drawn: false };
      const move = (moved) => this.draw(moved);
      const end = () => {
        removeEventListener("pointermove", move);
        if (this.stroke?.drawn) setTimeout(() => (this.stroke = null)); // after the click that may follow
      };
      addEventListener("pointermove", move);
      addEventListener("pointerup", end, { once: true });
      addEventListener("pointercancel", end, { once: true });
    });
  }

  /** The pointer has moved: mark what lies on its way. */
  draw({ clientX, clientY }) {
    const { stroke } = this;
    if (!stroke) return;
    const steps = Math.max(1, Math.ceil(Math.hypot(clientX - stroke.x, clientY - stroke.y) / STEP));
    for (let step = 1; step <= steps; step += 1) {
      const at = (from, to) => from + ((to - from) * step) / steps;
      const over = host.root.elementFromPoint(at(stroke.x, clientX), at(stroke.y, clientY))?.closest?.(".grid .tile");
      const item = over ? Number(over.dataset.item) : null;
      if (item === null || (item === stroke.item && !stroke.drawn)) continue;
      if (!stroke.drawn) this.grid.mark([stroke.item], stroke.wrong);
      stroke.drawn = true;
      if (this.grid.wrong.has(item) !== stroke.wrong) this.grid.mark([item], stroke.wrong);
    }
    Object.assign(stroke, { x: clientX, y: clientY });
  }
}
