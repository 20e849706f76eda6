// Every item with its label and how it came about: sorted, filtered, looked at closely. Many can be
// chosen and corrected, asked again or set aside in one step.

import { call } from "../api.js";
import { app, hear } from "../app.js";
import { showDefinition } from "../asking/definition.js";
import { help } from "../asking/help.js";
import { zoom, ZOOM_HELP } from "../asking/zoom.js";
import { button, fill, h, key } from "../dom.js";
import { notice } from "../notices.js";
import { shortcuts } from "../shortcuts.js";
import { labelName, many } from "../words.js";
import { card, focused, HOW, pager } from "./cards.js";
import { NO_STEP, revise, undo } from "./revising.js";
import { Selection } from "./selecting.js";

const LOOK_MS = 700; // until near-duplicates may have been found
const TYPING_MS = 150; // a search looks at every text, so it waits until the typing pauses
const ARROWS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"];
const COMMANDS = {
  ...Object.fromEntries(ARROWS.map((name) => [name, "move"])),
  a: "all", Escape: "clear", 1: "positive", 2: "negative", r: "ask_again", u: "unsure", i: "zoom",
  m: "like", z: "undo", ",": "before", ".": "after", d: "definition", "?": "help", "/": "search",
};
const HELP = [
  [["←", "↑"], "go from card to card; with Shift, choose them on the way"],
  [["Space"], "choose a card, or not; so does a click"],
  [["a"], "choose every card on this page, or none"],
  [["Esc"], "choose nothing"],
  [["1", "2"], "give what is chosen the first or the second label"],
  [["r"], "ask about what is chosen again"],
  [["u"], "cannot tell: set what is chosen aside"],
  [["z"], "undo the last step made here"],
  [["i"], "look closer"],
  [["m"], "more like this one; Esc goes back"],
  [[",", "."], "the page before or after"],
  [["/"], "search"], [["d"], "the definition and the pinned examples"], [["?"], "this help"],
];
const NOTE = "Shift and a click choose a range. With the mouse, draw a frame around cards to choose them.";

const asked = {}; // what was chosen last stays chosen while the page is open
const steps = []; // what was changed here while the page is open

/** Show the view; returns how to take it away. */
export function mount(root) {
  const { session } = app;
  const names = [labelName(session, true), labelName(session, false)];
  const choices = [
    choice("label", "Label", [["", "any"], ["positive", names[0]], ["negative", names[1]], ["unsure", "unsure"]]),
    choice("certain", "Certainty", [["", "any"], ["yes", "certain"], ["no", "a guess"]]),
    choice("how", "How", [["", "any way"], ...["alone", "group", "pointed", "deduced", "given"].map((one) => [one, HOW[one]])]),
    choice("definition", "Definition", [["", "any"]]),
    choice("annotator", "Answered by", [["", "anybody"]]),
    choice("sort", "Sort by", [["", "as in the source"], ["probability", `probability of ${names[0]}`], ...(session.kind === "images" ? [["folder", "folder"]] : []), ["when", "when, newest first"], ["near", "near-duplicates, in groups"]]),
    choice("reverse", "Order", [["", "as it is"], ["true", "the other way round"]]),
  ];
  const [definition, annotator] = [choices[3], choices[4]];
  const q = h("input", { id: "q", type: "search", placeholder: "name or text", maxlength: "200", value: asked.q ?? "" });
  const total = h("p", { class: "muted", role: "status" });
  const cards = h("ul", { class: "cards", "aria-label": "Items" });
  const pages = h("div");
  const every = button("", () => act("all"), { class: "quiet" });
  const likeness = h("div", { class: "row", hidden: true });
  const bar = h("div", { class: "row sticky actions", role: "group", "aria-label": "What to do with what is chosen" });
  const selection = new Selection(cards, chosen);
  const filters = h("details", { class: "filters-box", open: matchMedia("(min-width: 760px)").matches },
    h("summary", {}, "Filter and sort"),
    h("form", { class: "filters", role: "search", on: { submit: (event) => event.preventDefault() } },
      ...choices.map((one) => one.box), h("div", {}, h("label", { for: "q" }, "Search"), q)));
  fill(root, h("section", { class: "page wide" },
    h("div", { class: "row between" }, h("h1", {}, "Gallery"), button(["Keys", key("?")], () => act("help"), { class: "quiet" })),
    filters, likeness, h("div", { class: "row between counts" }, total, every), cards, pages, bar));
  let page = 1;
  let like = null; // the item that the others are compared with
  let request = 0;
  let got = { total: 0, pages: 1, items: [] };

  /** Load the page; the focus stays in its place, or goes to the first card. */
  async function load({ first = false } = {}) {
    const mine = ++request;
    for (const { select } of choices) asked[select.id] = select.value;
    asked.q = q.value.trim();
    const query = new URLSearchParams({ ...asked, ...(like ? { like: like.item } : {}), page });
    for (const [name, value] of [...query]) if (!value) query.delete(name);
    try {
      const reply = await call(`gallery?${query}`);
      if (mine !== request) return;
      got = reply;
      page = got.page;
      offer(definition, Array.from({ length: got.definitions }, (_, at) => [String(at + 1), at + 1 === got.definitions ? `version ${at + 1}, the newest` : `version ${at + 1}`]));
      offer(annotator, got.annotators.map((name) => [name, name]));
      const held = focused(cards);
      fill(cards, got.items.map((item, place) => [
        item.near !== null && item.near !== got.items[place - 1]?.near ? groupHead(item.near) : null,
        card(item, { name: "Choose", press: (event) => selection.click(place, event.shiftKey), closer: () => look(place) }),
      ]).flat());
      if (got.alike === "working") setTimeout(() => mine === request && load(), LOOK_MS);
      fill(pages, pager(page, got.pages, go));
      selection.show(got.items, first ? 0 : held, held >= 0);
    } catch (problem) {
      if (mine === request) notice(problem.message, { kind: "bad" });
    }
  }

  function go(to) {
    if (to < 1 || to > got.pages) return;
    page = to;
    load({ first: true });
    scrollTo(0, 0);
  }

  function chosen() {
    const { size } = selection.items;
    total.textContent = missing() ?? (size ? `${many(got.total, "item")}, ${many(size, "chosen", "chosen")}` : many(got.total, "item"));
    const step = (text, name, command) => button([text, key(name)], () => act(command), { disabled: size === 0 });
    bar.classList.toggle("idle", size === 0);
    fill(bar, got.total === 0 ? null : [
      step(are(true, size), "1", "positive"), step(are(false, size), "2", "negative"),
      step("Ask again", "r", "ask_again"), step("Cannot tell", "u", "unsure"),
      size === 1 ? step("More like this", "m", "like") : null,
    ]);
    fill(every, size && size === got.items.length ? "Choose none" : "Choose all on this page", key("a"));
    every.hidden = got.items.length === 0;
  }

  /** Why nothing can be compared, if that was asked for. */
  function missing() {
    if (!like && asked.sort !== "near") return null;
    if (got.alike === "none") return "There is nothing to compare items by yet: the model has not looked at them. Progress says how far it is.";
    return got.alike === "working" ? "Looking for near-duplicates …" : null;
  }

  /** What stands above a group of near-duplicates. */
  function groupHead(near) {
    const group = got.items.filter((item) => item.near === near);
    const labels = new Set(group.filter((item) => item.label !== null).map((item) => item.label));
    const copies = group.reduce((sum, item) => sum + item.copies, 0);
    return h("li", { class: "near-head row" }, h("strong", {}, `${many(group.length, "near-duplicate")}${copies ? `, and ${many(copies, "exact copy", "exact copies")}` : ""}`),
      labels.size > 1 ? h("span", { class: "bad" }, "their labels differ") : null,
      button("Choose these", () => (selection.choose(group), selection.mark()), { class: "quiet" }));
  }

  /** Show what is most like an item, or everything again. */
  function compare(item) {
    like = item;
    likeness.hidden = !item;
    fill(likeness, item ? [h("p", {}, "Most like ", h("strong", {}, item.name), " first"), button(["Back", key("Esc")], () => compare(null), { class: "quiet" })] : []);
    page = 1;
    load({ first: true });
    scrollTo(0, 0);
  }

  function look(place) {
    const options = (item, box) => {
      const then = (what) => () => (box.close(), change([item], what));
      const more = button("More like this", () => (box.close(), compare(item)));
      if (item.how === "unsure") return [button("Ask me again", then("ask_again")), more];
      const labels = item.label === null ? [true, false] : [!item.label];
      return [...labels.map((label) => button(`This is ${labelName(session, label, 1)}`, then(label ? "positive" : "negative"))),
        item.label === null ? null : button("Ask again", then("ask_again")), button("Cannot tell", then("unsure")), more];
    };
    zoom(got.items, place, options);
  }

  async function change(items, what) {
    if (!items.length) return notice("Choose some cards first.");
    const step = await revise(items, what, load);
    if (step !== null) steps.push(step);
    return undefined;
  }

  function act(command, event = null) {
    if (command === "move") return selection.move(event);
    if (command === "all") return selection.all();
    if (command === "clear") return selection.items.size || !like ? selection.clear() : compare(null);
    if (command === "help") return help([...HELP, ...ZOOM_HELP], NOTE);
    if (command === "definition") return showDefinition();
    if (command === "search") return void ((filters.open = true), q.focus());
    if (command === "before" || command === "after") return go(page + (command === "after" ? 1 : -1));
    if (command === "undo") return steps.length ? undo(steps.pop(), load) : notice(NO_STEP);
    if (command === "zoom" || command === "like") {
      const place = focused(cards) >= 0 ? focused(cards) : got.items.indexOf(selection.chosen[0]);
      if (place < 0) return notice("Go to a card first.");
      return command === "zoom" ? look(place) : compare(got.items[place]);
    }
    return void change(selection.meant, command);
  }

  let typing;
  const reload = (wait_ms = 0) => {
    page = 1;
    if (like) compare(null);
    request += 1; // what is on its way answers an older request
    clearTimeout(typing);
    typing = setTimeout(load, wait_ms);
  };
  for (const { select } of choices) select.addEventListener("change", () => reload());
  q.addEventListener("input", () => reload(TYPING_MS));
  load();
  const stops = [hear("session", () => load()), shortcuts(COMMANDS, act)];
  return () => {
    clearTimeout(typing);
    request += 1; // the view is gone
    stops.forEach((stop) => stop());
  };
}

/** Items of a label: this is a cat, these are cats. */
function are(label, size) {
  return `${size === 1 ? "This is" : "These are"} ${labelName(app.session, label, size)}`;
}

function choice(id, name, options) {
  const select = h("select", { id }, ...options.map(option));
  select.value = asked[id] ?? "";
  return { select, any: options[0], box: h("div", {}, h("label", { for: id }, name), select) };
}

function option([value, text]) {
  return h("option", { value }, text);
}

/** Offer what there is to choose from; nothing to choose is not shown. */
function offer({ select, any, box }, options) {
  const value = asked[select.id] ?? "";
  fill(select, [any, ...options].map(option));
  select.value = value;
  box.hidden = options.length < 2;
}
