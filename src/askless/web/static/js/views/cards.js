// A page of labelled items as cards, for the gallery and the review.

import { summary } from "../asking/facts.js";
import { picture } from "../asking/pictures.js";
import { app } from "../app.js";
import { button, h, KEYBOARD } from "../dom.js";
import { labelName, percent } from "../words.js";

/** How a label came about, in words. */
export const HOW = {
  alone: "asked alone", group: "in a group", pointed: "pointed out", deduced: "deduced",
  given: "given beforehand", accepted: "accepted", unsure: "unsure", "": "not settled",
};

const END = 8; // characters of a name that are always shown
const WHY = { model: "the model disagrees", overlooked: "perhaps overlooked in its group", deduced: "only deduced", definition: "older definition", denied: "you said otherwise when asked again" };

/** What is known of an item: its label, or the model's guess, and why. */
export function standing(item) {
  if (item.how === "unsure") return ["unsure", item.note || "no label"];
  const guess = item.probability >= 0.5;
  const believed = percent(guess ? item.probability : 1 - item.probability);
  if (item.label === null && believed === percent(0.5)) return ["open", "no guess yet"];
  if (item.label === null) return [`${labelName(app.session, guess)}?`, `a guess, ${believed}`];
  const why = (item.why ?? []).map((one) => WHY[one]).filter(Boolean).join(", ");
  return [labelName(app.session, item.label), why || HOW[item.how]];
}

/**
 * One item as a card; `press` is what a click does, `name` what that is called.
 * With `closer`, a second button looks closer.
 */
export function card(item, { name, press, closer = null, pressed = false, whole = false }) {
  const [label, how] = standing(item);
  const kind = item.label === true ? "positive" : item.label === false ? "negative" : "none";
  return h("li", { class: "card", data: { item: String(item.item), label: kind } },
    button([
      h("span", { class: whole ? "card-face whole" : "card-face" }, item.picture ? lazily(picture(item)) : summary(item)),
      h("span", { class: "card-label" }, label),
      h("span", { class: "card-how muted" }, how),
      h("span", { class: "card-name middle-cut muted" }, ...headAndEnd(item.name)),
      h("span", { class: "tick", "aria-hidden": "true" }),
    ], press, { class: "card-button", "aria-pressed": String(pressed), "aria-label": `${name}: ${item.name}, ${label}, ${how}`, title: item.name }),
    closer ? button("⤢", closer, { class: "card-closer", tabindex: "-1", "aria-label": `Look closer at ${item.name}`, title: KEYBOARD ? "Look closer (i)" : "Look closer" }) : null);
}

/** Previous and next, and where one is. */
export function pager(page, pages, go) {
  if (pages <= 1) return null;
  return h("nav", { class: "row pager", "aria-label": "Pages" },
    button("Previous", () => go(page - 1), { disabled: page <= 1 }),
    h("span", {}, `Page ${page} of ${pages}`),
    button("Next", () => go(page + 1), { disabled: page >= pages }));
}

/** The cards' buttons, in order. */
export function buttonsOf(list) {
  return [...list.querySelectorAll(".card-button")];
}

/** Let one card alone be reached by Tab; arrows go to the others. */
export function rove(list, to = 0, focus = false) {
  const buttons = buttonsOf(list);
  const at = Math.max(0, Math.min(buttons.length - 1, to));
  buttons.forEach((one, place) => (one.tabIndex = place === at ? 0 : -1));
  if (focus) {
    buttons[at]?.focus({ preventScroll: true });
    buttons[at]?.scrollIntoView({ block: "nearest" });
  }
  return at;
}

/** Which card has the focus; -1 for none. */
export function focused(list) {
  return buttonsOf(list).findIndex((one) => one.closest(".card").contains(document.activeElement));
}

/** Where an arrow key leads from a card, or the first one; null if the key is no such key. */
export function placeAfter(list, key) {
  const buttons = buttonsOf(list);
  const at = focused(list);
  if (!buttons.length) return null;
  if (at < 0) return key.startsWith("Arrow") ? 0 : null;
  if (key === "Home") return 0;
  if (key === "End") return buttons.length - 1;
  const tops = buttons.map((one) => one.closest(".card").offsetTop);
  const columns = Math.max(1, tops.filter((top) => top === tops[0]).length);
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[key];
  const to = at + step;
  return step === undefined ? null : to >= 0 && to < buttons.length ? to : at;
}

/** A name in two parts: its beginning, which is cut where there is no room, and its end, which is not. */
function headAndEnd(name) {
  const letters = [...name];
  return [letters.slice(0, -END), letters.slice(-END)].map((part) => h("span", {}, part.join("")));
}

function lazily(image) {
  image.loading = "lazy";
  return image;
}
