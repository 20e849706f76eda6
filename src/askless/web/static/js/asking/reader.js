// A text that is longer than the window stands alone and is scrolled. Nobody answers before its end
// was in view, or before they say that they have read it: a screen reader reads without scrolling.

import { call } from "../api.js";
import { button, h } from "../dom.js";
import { focused } from "../host.js";
import { say } from "../notices.js";
import { links, reading } from "./facts.js";

const NEAR = 8; // CSS pixels from the end count as the end
const AGAIN_MS = 2000;
const PAGE = 0.85; // of what is seen, so that some lines stay

export class Reader {
  /** `changed` is called when the end has been seen, or can no longer be. */
  constructor(grid, changed) {
    this.grid = grid;
    this.changed = changed;
    this.item = null;
    this.ended = true;
  }

  /** A question is shown: what is there to read of it? */
  begin(question) {
    const [item] = question.items;
    const tile = question.items.length === 1 && !item.picture ? this.grid.tiles.get(item.item) : null;
    if (this.item !== item) this.ended = false;
    if (this.tile === tile && this.item === item) return;
    Object.assign(this, { item, tile, end: null });
    if (!tile) return;
    this.tile.addEventListener("scroll", () => this.look());
    if (item.cut) this.fetchRest(item);
    this.update();
  }

  /** Is there something that nobody has seen yet? */
  get unread() {
    return Boolean(this.tile) && !this.ended && (this.grid.long || this.item.cut);
  }

  /** The window has changed, or the text. */
  update() {
    if (!this.tile) return;
    const long = this.grid.long || this.item.cut;
    this.tile.classList.toggle("goes-on", this.unread);
    if (long) {
      this.tile.setAttribute("role", "region");
      this.tile.setAttribute("aria-label", "The text, longer than the window");
    } else {
      this.tile.removeAttribute("role");
      this.tile.removeAttribute("aria-label");
    }
    if (long && !this.end) {
      this.end = h("p", { class: "end" });
      this.tile.append(this.end);
    }
    if (!long) this.end?.remove();
    if (!long) this.end = null;
    this.end?.replaceChildren(this.item.cut ? "The rest of the text is on its way …"
      : this.ended ? "This is the end of the text." : button("I have read it to the end", () => this.finish()));
    this.look();
  }

  /** Scroll by a key; whether it was one for this. */
  scroll(name) {
    if (!this.tile || !this.grid.long) return false;
    const page = PAGE * this.tile.clientHeight;
    const line = parseFloat(getComputedStyle(this.tile).lineHeight) || 24;
    const by = { " ": page, PageDown: page, PageUp: -page, ArrowDown: 2 * line, ArrowUp: -2 * line, End: 1e9, Home: -1e9 }[name];
    if (by === undefined) return false;
    this.tile.scrollTop += by;
    return true;
  }

  look() {
    if (!this.unread || this.item.cut) return;
    const { scrollTop, clientHeight, scrollHeight } = this.tile;
    if (scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - NEAR) this.finish();
  }

  finish() {
    if (this.ended) return;
    this.ended = true;
    const held = this.end?.contains(focused());
    this.update();
    if (held) this.tile.focus();
    say("This is the end of the text. You can answer.");
    this.changed();
  }

  /** Only the beginning of a very long text comes with its question. */
  async fetchRest(item) {
    try {
      const whole = await call(`items/${item.item}`);
      Object.assign(item, { text: whole.text, facts: whole.facts, cut: false });
      if (this.item !== item) return; // another question is shown by now
      this.tile.replaceChildren(...[...reading(item), links(item), this.end].filter(Boolean));
      this.grid.resize();
      this.update();
      this.changed();
    } catch {
      setTimeout(() => this.item === item && this.fetchRest(item), AGAIN_MS);
    }
  }
}
