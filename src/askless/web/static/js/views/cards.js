// A page of labelled items as cards, for the gallery and the review.

import { picture } from "../asking/pictures.js";
import { button, h } from "../dom.js";
import { app } from "../app.js";
import { labelName } from "../words.js";

/** How a label came about, in words. */
export const HOW = {
  alone: "asked alone", group: "in a group", pointed: "pointed out", deduced: "deduced",
  unsure: "unsure", open: "not settled",
};

/** One item as a card; `press` is what a click does, `name` what it is called. */
export function card(item, press, name) {
  const label = labelName(app.session, item.label);
  const how = HOW[item.how];
  const kind = item.label === true ? "positive" : item.label === false ? "negative" : "none";
  return h("li", { class: "card", data: { item: String(item.item), label: kind } },
    button([
      h("span", { class: "card-face" }, item.picture ? lazily(picture(item)) : h("span", { class: "words" }, item.text ?? item.name)),
      h("span", { class: "card-label" }, item.label === null ? how : label),
      h("span", { class: "card-how muted" }, item.label === null ? item.name : why(item, how)),
    ], press, { class: "card-button", "aria-label": `${name}: ${item.name}, ${label}, ${how}`, title: item.name }));
}

/** Previous and next, and where one is. */
export function pager(page, pages, go) {
  if (pages <= 1) return null;
  return h("nav", { class: "row pager", "aria-label": "Pages" },
    button("Previous", () => go(page - 1), { disabled: page <= 1 }),
    h("span", {}, `Page ${page} of ${pages}`),
    button("Next", () => go(page + 1), { disabled: page >= pages }));
}

function why(item, how) {
  const reasons = { model: "the model disagrees", deduced: "only deduced", definition: "older definition" };
  const named = [item.why ?? []].flat().map((one) => reasons[one]).filter(Boolean);
  return named.join(", ") || how;
}

function lazily(image) {
  image.loading = "lazy";
  return image;
}
