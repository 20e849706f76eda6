// Choosing many cards: a click, a range with Shift, a frame drawn with the mouse, all of them.

import { buttonsOf, focused, placeAfter, rove } from "./cards.js";
import { h } from "../dom.js";

const DRAG_PX = 6; // less than this was a click

export class Selection {
  /** `list` holds the cards; `changed` is called when others are chosen. */
  constructor(list, changed) {
    this.list = list;
    this.changed = changed;
    this.items = new Map(); // by index, the item
    this.shown = [];
    this.anchor = 0;
    list.addEventListener("pointerdown", (event) => this.drag(event));
    list.addEventListener("mousedown", (event) => event.shiftKey && event.preventDefault()); // no text is selected
  }

  /** Another page: nothing of it is chosen, and the focus goes where it was. */
  show(items, at = 0, focus = false) {
    this.shown = items;
    this.items.clear();
    this.anchor = rove(this.list, at, focus);
    this.mark();
  }

  get chosen() {
    return [...this.items.values()];
  }

  /** What a command is about: what is chosen, or else the card with the focus. */
  get meant() {
    const at = focused(this.list);
    return this.items.size ? this.chosen : at < 0 ? [] : [this.shown[at]];
  }

  /** A click or Space on a card: choose it or not; with Shift, all from the last one to it. */
  click(place, shift) {
    const item = this.shown[place];
    if (shift) this.choose(this.between(this.anchor, place));
    else if (!this.items.delete(item.item)) this.items.set(item.item, item);
    if (!shift) this.anchor = place;
    rove(this.list, place, shift);
    this.mark();
  }

  /** An arrow key: move the focus, and with Shift choose what lies between; whether it was one. */
  move(event) {
    const from = focused(this.list);
    const to = placeAfter(this.list, event.key);
    if (to === null) return false;
    if (event.shiftKey && from >= 0) this.choose(this.between(from, to));
    rove(this.list, to, true);
    if (!event.shiftKey) this.anchor = to;
    this.mark();
    return true;
  }

  /** Choose every card of the page; or none, if all are chosen. */
  all() {
    if (this.items.size === this.shown.length) this.items.clear();
    else this.choose(this.shown);
    this.mark();
  }

  clear() {
    this.items.clear();
    this.mark();
  }

  between(one, other) {
    return this.shown.slice(Math.min(one, other), Math.max(one, other) + 1);
  }

  choose(items) {
    for (const item of items) this.items.set(item.item, item);
  }

  mark() {
    buttonsOf(this.list).forEach((one, place) => one.setAttribute("aria-pressed", this.items.has(this.shown[place].item)));
    this.changed();
  }

  /** Draw a frame with the mouse; what it touches is chosen besides what was. A finger scrolls. */
  drag(down) {
    if (down.pointerType !== "mouse" || down.button !== 0) return;
    const before = new Map(this.items);
    const band = h("div", { class: "band" });
    const move = (event) => {
      if (!band.isConnected && Math.hypot(event.pageX - down.pageX, event.pageY - down.pageY) < DRAG_PX) return;
      if (!band.isConnected) {
        document.body.append(band);
        this.list.setPointerCapture(down.pointerId); // so that no card is clicked in the end
        getSelection()?.removeAllRanges();
      }
      const [left, right] = [down.pageX, event.pageX].sort((a, b) => a - b);
      const [top, bottom] = [down.pageY, event.pageY].sort((a, b) => a - b);
      Object.assign(band.style, { left: `${left}px`, top: `${top}px`, width: `${right - left}px`, height: `${bottom - top}px` });
      this.items = new Map(before);
      buttonsOf(this.list).forEach((one, place) => {
        const box = one.getBoundingClientRect();
        const [x, y] = [box.left + scrollX, box.top + scrollY];
        if (x < right && x + box.width > left && y < bottom && y + box.height > top) this.choose([this.shown[place]]);
      });
      this.mark();
    };
    const end = () => {
      band.remove();
      for (const [name, listener] of listeners) removeEventListener(name, listener);
    };
    const listeners = [["pointermove", move], ["pointerup", end], ["pointercancel", end]];
    for (const [name, listener] of listeners) addEventListener(name, listener);
  }
}
