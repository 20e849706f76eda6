// The tiles of a question in their places, which of them are marked wrong, and which one a key
// for a single tile (unsure, zoom) is about.

import { h } from "../dom.js";
import { LETTERS, shape, slotsFor } from "./places.js";
import { tilePicture } from "./pictures.js";

const GAP = 12; // as in question.css
const PADDING = 4;
const ENLARGED = 12; // times its pixels, at most
const CARD_ASPECT = 1.7; // text cards are wider than high

export class Grid {
  /** `marked` is called whenever the marks change, `picked` with the item chosen while `picking`. */
  constructor(root, marked, picked) {
    this.root = root;
    this.marked = marked;
    this.picked = picked;
    this.picking = false;
    this.slots = [];
    this.tiles = new Map(); // item -> element
    this.items = new Map(); // item -> Item
    this.wrong = new Set();
    this.hovered = null;
    new ResizeObserver(() => this.resize()).observe(root);
  }

  /** Show a question; with `stay`, tiles that were there keep their places. */
  show(question, stay) {
    const hadFocus = this.root.contains(document.activeElement);
    this.items = new Map(question.items.map((item) => [item.item, item]));
    this.slots = slotsFor([...this.items.keys()], this.slots, stay);
    this.wrong.clear();
    this.tiles.clear();
    this.hovered = null;
    this.texts = question.items.some((item) => !item.picture);
    this.root.classList.toggle("of-texts", this.texts);
    this.root.classList.toggle("single", this.slots.length === 1);
    this.root.replaceChildren(...this.slots.map((item, place) => this.place(item, place)));
    this.resize();
    this.marked();
    return hadFocus;
  }

  /** Mark a tile as wrong, or unmark it; or choose it. */
  toggle(item) {
    const tile = this.tiles.get(item);
    if (!tile) return;
    if (this.picking) return void this.picked(item);
    if (!this.wrong.delete(item)) this.wrong.add(item);
    tile.setAttribute("aria-pressed", this.wrong.has(item));
    this.marked();
  }

  /** Mark or unmark the tile with this letter; whether there is one. */
  toggleLetter(letter) {
    const item = this.slots[LETTERS.indexOf(letter)];
    if (item === undefined || item === null) return false;
    this.tiles.get(item).focus();
    this.toggle(item);
    return true;
  }

  /** Unmark everything. */
  clear() {
    for (const item of [...this.wrong]) this.toggle(item);
  }

  /** The item a key is about: the focused tile, else the one under the pointer, else the only one. */
  get pointedAt() {
    const focused = [...this.tiles].find(([, tile]) => tile === document.activeElement)?.[0];
    const only = this.items.size === 1 ? [...this.items.keys()][0] : null;
    return this.items.get(focused ?? this.hovered ?? only) ?? null;
  }

  /** Move the focus to the next or previous tile. */
  move(step) {
    const order = this.slots.filter((item) => item !== null);
    const at = order.findIndex((item) => this.tiles.get(item) === document.activeElement);
    const next = at < 0 ? (step > 0 ? 0 : order.length - 1) : (at + step + order.length) % order.length;
    this.tiles.get(order[next])?.focus();
  }

  place(item, place) {
    if (item === null) return h("div", { class: "place" });
    const shown = this.items.get(item);
    const letter = LETTERS[place];
    const kind = shown.picture ? "picture" : "text";
    const alone = this.items.size === 1;
    const tile = h(
      alone ? "div" : "button",
      {
        class: `tile ${kind}`,
        type: alone ? null : "button",
        "aria-pressed": alone ? null : "false",
        "aria-label": shown.picture ? `${alone ? "" : `${letter}: `}${shown.name}` : null,
        role: alone && shown.picture ? "img" : null,
        tabindex: "0",
        title: shown.name,
        data: { item: String(item), letter: letter ?? "" },
      },
      ...(shown.picture ? [tilePicture(shown), h("span", { class: "failed" }, "This picture cannot be shown. Cannot tell (u) sets it aside.")] : [h("span", { class: "words" }, shown.text ?? shown.name)]),
      h("span", { class: "cross", "aria-hidden": "true" }),
      alone || !letter ? null : h("span", { class: "letter", "aria-hidden": "true" }, letter),
    );
    if (!alone) tile.addEventListener("click", () => this.toggle(item));
    tile.addEventListener("pointerenter", () => (this.hovered = item));
    tile.addEventListener("pointerleave", () => (this.hovered = null));
    this.tiles.set(item, tile);
    return tile;
  }

  /** How large the smallest picture may be shown: a tiny one is hard to read when blown up. */
  enlarged() {
    const sides = [...this.root.querySelectorAll("img")].map((image) => Math.max(image.naturalWidth, image.naturalHeight));
    return Math.max(160, ENLARGED * Math.min(...sides.filter((side) => side > 0)));
  }

  /** Are some of the tiles out of sight? */
  get scrolls() {
    return this.root.scrollHeight > this.root.clientHeight + GAP;
  }

  /** Size the tiles to the room there is. */
  resize() {
    const width = this.root.clientWidth - 2 * PADDING;
    const height = this.root.clientHeight - 2 * PADDING;
    if (!this.slots.length || width <= 0 || height <= 0) return;
    const aspect = this.texts ? CARD_ASPECT : 1;
    const largest = this.texts ? 760 : Math.min(this.slots.length === 1 ? 560 : 420, this.enlarged());
    let { columns, width: tile } = shape(this.slots.length, width, height, { gap: GAP, aspect, largest });
    const wide = () => Math.min(largest, Math.floor((width - GAP * (columns - 1)) / columns));
    let high = Math.floor(tile / aspect);
    if (this.texts && tile < 200) {
      columns = Math.max(1, Math.floor((width + GAP) / (200 + GAP))); // readable, even if it scrolls
      const rows = Math.ceil(this.slots.length / columns);
      const fits = Math.floor((height - GAP * (rows - 1)) / rows);
      high = Math.max(columns > 1 ? 112 : 150, Math.min(fits, Math.floor(wide() / aspect)));
    }
    if (this.texts) tile = wide(); // lines may be as long as there is room
    this.root.style.setProperty("--columns", columns);
    this.root.style.setProperty("--tile", `${tile}px`);
    this.root.style.setProperty("--tile-high", `${high}px`);
  }
}
