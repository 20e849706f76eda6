// How high each text is when it is laid out, found in a box that nobody sees. Heights are kept, so
// that a question that was measured while it was prepared is shown without a second look.

import { h } from "../dom.js";
import { GAP } from "./room.js";

const SAMPLE = "The quick reader saw that all of it was here and, in time, went on to the next one.";
const KEPT = 4000; // heights
const LIKE = 1000; // characters
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/gu;

export class Measure {
  /** `root` is where the box may stand, `card` makes the element of an item. */
  constructor(root, card) {
    this.box = h("div", { class: "measure of-texts", "aria-hidden": "true", inert: true });
    root.append(this.box);
    this.card = card;
    this.heights = new Map(); // "width style item" -> CSS pixels
    this.types = new Map(); // width -> {like, type}
    this.seen = ""; // some of the texts
  }

  /** The heights of these items as cards of this width, in the type of this `style`: roomy, usual or tight. */
  of(items, width, style) {
    if (this.heights.size > KEPT) this.heights.clear();
    const key = (item) => `${width} ${style} ${item.item}`;
    const unknown = items.filter((item) => !this.heights.has(key(item)));
    if (unknown.length) {
      this.dress(width, style);
      const cards = unknown.map((item) => this.card(item));
      this.box.replaceChildren(...cards);
      for (const [at, item] of unknown.entries()) this.heights.set(key(item), cards[at].getBoundingClientRect().height);
      this.box.replaceChildren();
      for (const item of unknown) if (this.seen.length < LIKE) this.seen += ` ${(item.text ?? "").slice(0, LIKE)}`;
    }
    return items.map((item) => Math.ceil(this.heights.get(key(item)) ?? Infinity));
  }

  /** What the server needs to know to tell heights from lengths, by the texts that were shown here. */
  type(width) {
    const like = this.seen.replace(/\s+/g, " ") || SAMPLE;
    const known = this.types.get(width);
    if (known?.like === like) return known.type;
    this.dress(width, "usual");
    const one = this.card({ item: -1, name: "", text: "I", picture: false });
    const line = h("span", { class: "one-line" }, like);
    this.box.replaceChildren(one);
    const words = one.querySelector(".words");
    const { height } = one.getBoundingClientRect();
    const lineHeight = parseFloat(getComputedStyle(words).lineHeight);
    const room = words.getBoundingClientRect().width;
    words.replaceChildren(line);
    const each = line.getBoundingClientRect().width / (like.length + (like.match(WIDE)?.length ?? 0));
    this.box.replaceChildren();
    const type = { line: lineHeight, card: Math.max(1, height - lineHeight + GAP), characters: Math.max(1, room / each) };
    this.types.set(width, { like, type });
    return type;
  }

  dress(width, style) {
    this.box.style.width = `${width}px`;
    this.box.dataset.style = style;
  }
}
