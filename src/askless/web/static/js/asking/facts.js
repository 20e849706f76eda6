// Named values that are shown with an item. One that is a web address is a link; it opens in a window
// of its own, when somebody follows it, and tells nobody where it was found.

import { app } from "../app.js";
import { h } from "../dom.js";

/** What is read of an item: its text and its values; of a row the values are all there is. */
export function reading(item) {
  const facts = item.facts ?? [];
  const plain = facts.filter((fact) => !address(fact.value));
  return [
    facts.length && app.session.kind === "rows" ? null : h("span", { class: "words" }, item.text ?? item.name),
    plain.length ? h("span", { class: "beside" }, plain.map((fact) => named(fact, fact.value))) : null,
  ];
}

/** All that is read of an item as one, on a card: a link is no link there. */
export function summary(item) {
  const facts = app.session.kind === "rows" ? [] : item.facts ?? []; // the text of a row has them
  return [
    h("span", { class: "words" }, item.text ?? item.name),
    facts.length ? h("span", { class: "beside" }, facts.map((fact) => named(fact, fact.value))) : null,
  ];
}

/** The links of an item; null if it has none. */
export function links(item) {
  const found = (item.facts ?? []).filter((fact) => address(fact.value));
  return found.length ? h("p", { class: "links" }, found.map((fact) => named(fact, link(fact.value)))) : null;
}

function named({ name }, value) {
  return h("span", { class: "fact" }, h("span", { class: "fact-name" }, name), h("span", { class: "fact-value" }, value));
}

function link(value) {
  return h("a", { href: address(value), target: "_blank", rel: "noopener noreferrer", referrerpolicy: "no-referrer" }, value);
}

/** The address, if that is what a value is; null otherwise. */
function address(value) {
  if (!/^https?:\/\/\S+$/i.test(value) || !URL.canParse(value)) return null;
  const found = new URL(value);
  return found.protocol === "http:" || found.protocol === "https:" ? found.href : null;
}
