// Every item with its label and how it came about. A wrong label can be corrected: the group's
// yes becomes "only this one is wrong", and the others stay settled.

import { call, newKey } from "../api.js";
import { app, hear } from "../app.js";
import { zoom } from "../asking/zoom.js";
import { button, fill, h } from "../dom.js";
import { notice } from "../notices.js";
import { labelName, many } from "../words.js";
import { card, HOW, pager } from "./cards.js";

const TYPING_MS = 150; // a search looks at every text, so it waits until the typing pauses

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
      if (mine === asked) notice(problem.message, { kind: "bad" });
    }
  }

  let typing;
  const reload = (wait_ms = 0) => {
    page = 1;
    asked += 1; // what is on its way answers an older request
    clearTimeout(typing);
    typing = setTimeout(load, wait_ms);
  };
  label.select.addEventListener("change", () => reload());
  how.select.addEventListener("change", () => reload());
  q.addEventListener("input", () => reload(TYPING_MS));
  load();
  const deaf = hear("session", load);
  return () => {
    clearTimeout(typing);
    asked += 1; // the view is gone
    deaf();
  };
}

/** Correct a label, then do what comes `after`. */
export async function correct(item, label, after) {
  try {
    await call("correct", { item: item.item, label, key: newKey(), tab: app.tab });
    app.flow.start();
    notice(`${item.name} is now ${labelName(app.session, label)}.`, { act: ["Turn back", () => correct(item, !label, after)] });
    after();
  } catch (problem) {
    notice(problem.lost ? "Correcting needs the connection." : problem.message, { kind: "bad" });
  }
}

/** Have an unsure item asked again, whenever and in whichever window it was marked. */
async function askAgain(item, after) {
  try {
    await call("undo", { item: item.item, key: newKey(), tab: app.tab });
    app.flow.start();
    notice(`${item.name} will be asked again.`);
    after();
  } catch (problem) {
    notice(problem.lost ? "This needs the connection." : problem.message, { kind: "bad" });
  }
}

function open(item, after) {
  const choices = (one) => {
    if (one.how === "unsure") return [["Ask me again", () => askAgain(one, after)]];
    if (one.label === null) return [];
    return [[`This is ${labelName(app.session, !one.label)}`, () => correct(one, !one.label, after)]];
  };
  zoom([item], 0, (one, box) => choices(one).map(([text, act]) => button(text, () => (box.close(), act()))));
}

function choice(id, name, options) {
  const select = h("select", { id }, ...options.map(([value, text]) => h("option", { value }, text)));
  return { select, box: h("div", {}, h("label", { for: id }, name), select) };
}
