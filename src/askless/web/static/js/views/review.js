// Before the labels leave: those worth a second look. A click turns a label round; a button says
// that the rest of the page is right.

import { call } from "../api.js";
import { app } from "../app.js";
import { button, fill, h } from "../dom.js";
import { notice } from "../notices.js";
import { labelName, many } from "../words.js";
import { card, pager } from "./cards.js";
import { correct } from "./gallery.js";

/** Show the view. */
export function mount(root) {
  const body = h("div");
  fill(root, h("section", { class: "page" }, h("h1", {}, "Worth a second look"),
    h("p", { class: "muted" }, "Labels that surprise the model, that were only deduced, or that were given under an older definition. Click one to turn its label round."), body));

  async function load(page = 1) {
    try {
      const got = await call(`review?page=${page}`);
      fill(body, got.total ? grids(got, load) : nothing());
    } catch (problem) {
      notice(problem.message, { kind: "bad" });
    }
  }

  load();
}

function grids(got, load) {
  const turn = (item) => () => correct(item, !item.label, () => load(got.page));
  const groups = [true, false].map((label) => [label, got.items.filter((item) => item.label === label)]);
  const looked = button(["These are right"], async () => {
    try {
      await call("reviewed", { items: got.items.map((item) => item.item) });
      notice(`${many(got.items.length, "label")} looked at.`);
      load(1);
    } catch (problem) {
      notice(problem.message, { kind: "bad" });
    }
  }, { class: "primary" });
  return [
    h("p", { role: "status" }, `${many(got.total, "label")} to look at.`),
    ...groups.filter(([, items]) => items.length).map(([label, items]) => h("section", {},
      h("h2", { class: label ? "is-positive" : "is-negative" }, `Labelled ${labelName(app.session, label)}`),
      h("ul", { class: "cards" }, ...items.map((item) => card(item, turn(item), "Turn round"))))),
    h("div", { class: "row sticky" }, looked, pager(got.page, got.pages, load)),
  ];
}

function nothing() {
  return h("div", { class: "calm" }, h("p", {}, "Nothing here asks for a second look."),
    h("a", { class: "as-button primary", href: "#finish" }, "Finish"));
}
