// Every item with its label and how it came about. A wrong label can be corrected: the group's
// yes becomes "only this one is wrong", and the others stay settled.

import { call, newKey } from "../api.js";
import { app, hear } from "../app.js";
import { zoom } from "../asking/zoom.js";
import { button, fill, h } from "../dom.js";
import { notice } from "../notices.js";
import { labelName, many } from "../words.js";
import { card, HOW, pager } from "./cards.js";

/** Show the view; returns how to take it away. */
export function mount(root) {
  const { session } = app;
  const label = choice("label", "Label", [["", "any"], ["positive", labelName(session, true)], ["negative", labelName(session, false)], ["unsure", "unsure"], ["open", "not settled"]]);
  const how = choice("how", "How", [["", "any way"], ...["alone", "group", "pointed", "deduced"].map((one) => [one, HOW[one]])]);
  const q = h("input", { id: "q", type: "search", placeholder: "name or text" });
  const total = h("p", { class: "muted", role: "status" });
  const cards = h("ul", { class: "cards" });
  const pages = h("div");
  fill(root, h("section", { class: "page" }, h("h1", {}, "Gallery"),
    h("form", { class: "filters", role: "search", on: { submit: (event) => event.preventDefault() } },
      label.box, how.box, h("div", {}, h("label", { for: "q" }, "Search"), q)), total, cards, pages));
  let page = 1;
  let asked = 0;

  async function load() {
    const mine = ++asked;
    const query = new URLSearchParams({ label: label.select.value, how: how.select.value, q: q.value.trim(), page });
    for (const [name, value] of [...query]) if (!value) query.delete(name);
    try {
      const got = await call(`gallery?${query}`);
      if (mine !== asked) return;
      total.textContent = many(got.total, "item");
      fill(cards, got.items.map((item) => card(item, () => open(item, load), "Look closer")));
      fill(pages, pager(got.page, got.pages, (to) => {
        page = to;
        load();
        scrollTo(0, 0);
      }));
    } catch (problem) {
      notice(problem.message, { kind: "bad" });
    }
  }

  const anew = () => {
    page = 1;
    load();
  };
  label.select.addEventListener("change", anew);
  how.select.addEventListener("change", anew);
  q.addEventListener("input", anew);
  load();
  return hear("session", load);
}

/** Correct a label; whether it was done. */
export async function correct(item, label) {
  try {
    await call("correct", { item: item.item, label, key: newKey(), tab: app.tab });
    app.flow.start();
    notice(`${item.name} is now ${labelName(app.session, label)}.`);
    return true;
  } catch (problem) {
    notice(problem.lost ? "Correcting needs the connection." : problem.message, { kind: "bad" });
    return false;
  }
}

function open(item, after) {
  const corrections = (one, box) => {
    const others = one.label === null ? [] : [!one.label];
    return others.map((label) => button(`This is ${labelName(app.session, label)}`, async () => {
      box.close();
      if (await correct(one, label)) after();
    }, { class: "correct" }));
  };
  zoom([item], 0, corrections);
}

function choice(id, name, options) {
  const select = h("select", { id }, ...options.map(([value, text]) => h("option", { value }, text)));
  return { select, box: h("div", {}, h("label", { for: id }, name), select) };
}
