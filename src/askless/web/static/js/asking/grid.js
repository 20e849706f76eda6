// The tiles of a question in their places, which of them are marked wrong, and which one a key
// for a single tile (unsure, zoom) is about. Every tile is shown whole; where that cannot be,
// `cut` says so, and nobody is to answer.

import { h, KEYBOARD } from "../dom.js";
import { focused, host } from "../host.js";
import { links, reading } from "./facts.js";
import { Marking } from "./marking.js";
import { Measure } from "./measure.js";
import { LETTERS, shape, slotsFor } from "./places.js";
import { tilePicture } from "./pictures.js";
import { GAP, layoutsIn, pack, PICTURE, picturesIn, STILL } from "./room.js";

const PADDING = 4; // as in question.css
const ENLARGED = 12; // times its pixels, at most
const MOST_TEXTS = 200;

export class Grid {
  /**
   * `texts` says whether items are texts or pictures. `marked` is called whenever the marks change, `picked` with the item chosen while `picking`, and
   * `resized` when the room for the tiles has changed.
   */
  constructor(root, texts, { marked, picked, resized }) {
    this.root = root;
    this.marked = marked;
    this.picked = picked;
    this.picking = false;
    this.slots = [];
    this.tiles = new Map(); // item -> element
    this.cards = new Map(); // item -> the same with its links, if it has some
    this.items = new Map(); // item -> Item
    this.wrong = new Set();
    this.hovered = null;
    this.texts = texts;
    this.cut = false; // whether some of a group cannot be seen whole, or told apart
    this.least = { window: "", height: Infinity }; // the lowest this was since the window changed
    this.measure = new Measure(root.parentElement, (item) => withLinks(this.tile(item, ""), item));
    this.marking = new Marking(this);
    new ResizeObserver(() => {
      this.resize();
      resized();
    }).observe(root);
  }

  /** Show a question; with `stay`, tiles that were there keep their places and marks. */
  show(question, stay) {
    const hadFocus = this.root.contains(focused());
    const marks = stay ? [...this.wrong] : [];
    this.items = new Map(question.items.map((item) => [item.item, item]));
    const most = this.texts ? this.items.size : Math.max(this.items.size, picturesIn(...this.space()));
    this.slots = slotsFor([...this.items.keys()], this.texts ? [] : this.slots, stay, most);
    this.wrong = new Set(this.items.size > 1 ? marks.filter((item) => this.items.has(item)) : []);
    this.hovered = null;
    this.marking.begin();
    this.root.classList.toggle("of-texts", this.texts);
    this.root.classList.toggle("single", this.items.size === 1);
    this.tiles.clear();
    this.cards.clear();
    for (const item of this.shown) {
      const tile = this.tile(this.items.get(item));
      this.tiles.set(item, tile);
      this.cards.set(item, this.items.size > 1 ? withLinks(tile, this.items.get(item)) : tile);
    }
    if (!this.texts) this.root.replaceChildren(...this.slots.map((item) => this.tiles.get(item) ?? h("div", { class: "place" })));
    this.laid = null;
    this.resize();
    this.root.scrollTop = 0;
    return hadFocus;
  }

  /** Mark a tile as wrong, or unmark it; or choose it. */
  toggle(item) {
    if (this.picking) return void (this.tiles.has(item) && this.picked(item));
    this.mark([item], !this.wrong.has(item));
  }

  /** Mark these as wrong, or unmark them. */
  mark(items, wrong) {
    for (const item of items) {
      if (!this.tiles.has(item)) continue;
      if (wrong) this.wrong.add(item);
      else this.wrong.delete(item);
      this.tiles.get(item).setAttribute("aria-pressed", wrong);
      this.marking.last = item;
    }
    this.marked();
  }

  /** Mark or unmark the tile with this letter, or with `range` all from the last one; whether there is one. */
  toggleLetter(letter, range = false) {
    const item = this.slots[LETTERS.indexOf(letter)];
    if (item === undefined || item === null) return false;
    this.tiles.get(item).focus();
    if (range && !this.picking) this.marking.rangeTo(item);
    else this.toggle(item);
    return true;
  }

  /** Unmark everything. */
  clear() {
    this.mark([...this.wrong], false);
  }

  /** Mark what is not marked, and unmark the rest. */
  invert() {
    const before = new Set(this.wrong);
    for (const item of this.shown) this.mark([item], !before.has(item));
  }

  /** The items in the order in which they are seen. */
  get shown() {
    return this.slots.filter((item) => item !== null);
  }

  /** The item a key is about: the focused tile, else the one under the pointer, else the only one. */
  get pointedAt() {
    const held = [...this.tiles].find(([, tile]) => tile === focused())?.[0];
    const only = this.items.size === 1 ? [...this.items.keys()][0] : null;
    return this.items.get(held ?? this.hovered ?? only) ?? null;
  }

  /** Move the focus to the next or previous tile. */
  move(step) {
    const order = this.shown;
    const at = order.findIndex((item) => this.tiles.get(item) === focused());
    const next = at < 0 ? (step > 0 ? 0 : order.length - 1) : (at + step + order.length) % order.length;
    this.tiles.get(order[next])?.focus();
  }

  // --- what fits ----------------------------------------------------------------------------

  /** What this window can show in full, for the server; null while nobody knows. */
  capacity() {
    const [width, now] = this.space();
    if (width <= 0 || now <= 0) return null;
    const height = this.lowest(now);
    if (!this.texts) return { items: picturesIn(width, height) };
    const layout = (one) => ({ number: one.number, height: height + GAP, ...this.measure.type(one.width) });
    return { items: MOST_TEXTS, layouts: layoutsIn(width, rem()).map(layout) };
  }

  /** How many of a question's items can be shown in full; without a connection, in tiles a little smaller. */
  room(question, lost = false) {
    const [width, height] = this.space();
    if (question.items.length === 1 || width <= 0 || height <= 0) return question.items.length;
    if (question.items[0].picture) return Math.min(question.items.length, picturesIn(width, height, lost ? STILL : PICTURE));
    let fitting = question.items.length;
    while (fitting > 1 && !this.packed(question.items.slice(0, fitting))) fitting -= 1;
    return fitting;
  }

  /** Where these texts stand in columns, and in which type: large if one column is enough; null if there is no room. */
  packed(items) {
    const [width, height] = this.space();
    const layouts = layoutsIn(width, rem());
    const roomy = items.length > 8 ? [] : [{ style: "roomy", number: 1, width: layouts.at(-1).width }];
    const ways = ["usual", "tight"].flatMap((style) => layouts.map((one) => ({ style, ...one })));
    for (const { style, number, width: wide } of [...roomy, ...ways]) {
      const places = pack(this.measure.of(items, wide, style), number, height);
      if (places) return { places, style, width: wide };
    }
    return null;
  }

  /** Width and height of the room for tiles. */
  space() {
    return [this.root.clientWidth - 2 * PADDING, this.root.clientHeight - 2 * PADDING];
  }

  /** The lowest this room was since the window changed: the next sentence may be as long again. */
  lowest(height) {
    const box = host.box();
    const window = `${box.width} ${box.height}`;
    if (this.least.window !== window) this.least = { window, height };
    this.least.height = Math.min(this.least.height, height);
    return this.least.height;
  }

  // --- layout -------------------------------------------------------------------------------

  tile(item, letter = LETTERS[this.slots.indexOf(item.item)]) {
    const kind = item.picture ? "picture" : "text";
    const alone = this.items.size === 1 && letter !== "";
    const tile = h(
      alone ? "div" : "button",
      {
        class: `tile ${kind}`,
        type: alone ? null : "button",
        "aria-pressed": alone ? null : String(this.wrong.has(item.item)),
        "aria-label": item.picture ? `${alone ? "" : `${letter}: `}${item.name}` : null,
        role: alone && item.picture ? "img" : null,
        tabindex: "0",
        title: item.name,
        data: { item: String(item.item), letter: letter ?? "" },
      },
      alone || letter === undefined ? null : h("span", { class: "letter", "aria-hidden": "true" }, letter),
      ...(item.picture ? [tilePicture(item), h("span", { class: "failed" }, `This picture cannot be shown. Cannot tell${KEYBOARD ? " (u)" : ""} sets it aside.`)] : reading(item)),
      alone && !item.picture ? links(item) : null,
      item.picture ? h("span", { class: "cross", "aria-hidden": "true" }) : null,
    );
    if (letter === "") return tile; // to be measured
    if (!alone) this.marking.listen(tile, item.item);
    tile.addEventListener("pointerenter", () => (this.hovered = item.item));
    tile.addEventListener("pointerleave", () => (this.hovered = null));
    return tile;
  }

  /** How large the smallest picture may be shown: a tiny one is hard to read when blown up. */
  enlarged() {
    const sides = [...this.root.querySelectorAll("img")].map((image) => Math.max(image.naturalWidth, image.naturalHeight));
    return Math.max(160, ENLARGED * Math.min(...sides.filter((side) => side > 0)));
  }

  /** Give the tiles their places and sizes in the room there is. */
  resize() {
    const [width, height] = this.space();
    if (!this.slots.length || width <= 0 || height <= 0) return;
    this.lowest(height);
    this.cut = false;
    if (this.texts && this.items.size > 1) this.setTexts();
    else if (this.texts) this.setText();
    else this.setPictures(width, height);
  }

  setPictures(width, height) {
    const largest = Math.min(this.slots.length === 1 ? 560 : 420, this.enlarged());
    const { columns, width: tile } = shape(this.slots.length, width, height, { gap: GAP, largest });
    this.root.style.setProperty("--columns", columns);
    this.root.style.setProperty("--tile", `${tile}px`);
    this.cut = this.items.size > 1 && tile < STILL;
  }

  /** Texts in columns; where they do not fit, all in one, to be scrolled until a smaller question comes. */
  setTexts() {
    const items = [...this.items.values()];
    const found = this.packed(items);
    this.cut = found === null;
    const places = found?.places ?? [items.map((_, place) => place)];
    const laid = JSON.stringify(places);
    this.root.dataset.style = found?.style ?? "usual";
    this.root.style.setProperty("--column", `${found?.width ?? layoutsIn(this.space()[0], rem()).at(-1).width}px`);
    if (laid !== this.laid) {
      this.laid = laid;
      const held = focused();
      this.slots = places.flat().map((place) => items[place].item);
      for (const [place, item] of this.slots.entries()) {
        const tile = this.tiles.get(item);
        tile.dataset.letter = LETTERS[place] ?? "";
        const letter = tile.querySelector(".letter");
        if (letter) letter.textContent = LETTERS[place] ?? "";
      }
      const columns = places.map((column) => h("div", { class: "column" }, column.map((place) => this.cards.get(items[place].item))));
      this.root.replaceChildren(h("div", { class: "columns" }, columns));
      if (this.root.contains(held)) held.focus();
    }
    this.cut ||= this.outside();
  }

  /** One text: large if that fits, else smaller, else in columns of its own, else to be scrolled. */
  setText() {
    const [tile] = this.tiles.values();
    if (!tile.isConnected) this.root.replaceChildren(tile);
    const [, height] = this.space();
    const { scrollTop } = tile;
    for (const way of ["large", "small", "spread", "long"]) {
      tile.dataset.way = way;
      if (way === "long" || tile.scrollHeight <= height) break;
    }
    tile.scrollTop = scrollTop;
  }

  /** Must the only text be scrolled to be seen? */
  get long() {
    const [tile] = this.tiles.values();
    return this.texts && this.items.size === 1 && tile?.dataset.way === "long";
  }

  /** Does a tile reach beyond the room for tiles, or the window? */
  outside() {
    const bottom = Math.min(this.root.getBoundingClientRect().bottom, host.box().bottom) + 1;
    return [...this.cards.values()].some((card) => card.getBoundingClientRect().bottom > bottom);
  }
}

/** A tile with its links below it: a button holds none. */
function withLinks(tile, item) {
  const below = item.picture ? null : links(item);
  return below ? h("div", { class: "slot" }, tile, below) : tile;
}

function rem() {
  return parseFloat(getComputedStyle(document.documentElement).fontSize);
}
