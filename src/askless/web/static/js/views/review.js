// Before the labels leave: those worth a second look, the likeliest to be wrong first, with what that
// is worth and an end, as a grid that stays put or one at a time. A
// label that is turned stays where it is, marked, until one goes on. Only what was on the screen,
// from its beginning to its end, can be said to be right.

import { call } from "../api.js";
import { app } from "../app.js";
import { showDefinition } from "../asking/definition.js";
import { help } from "../asking/help.js";
import { zoom, ZOOM_HELP } from "../asking/zoom.js";
import { button, fill, h, key } from "../dom.js";
import { notice } from "../notices.js";
import { shortcuts } from "../shortcuts.js";
import { labelName, many } from "../words.js";
import { card, focused, placeAfter, rove } from "./cards.js";
import { NO_STEP, revise, undo } from "./revising.js";

const COMMANDS = {
  ArrowLeft: "move", ArrowRight: "move", ArrowUp: "move", ArrowDown: "move", Home: "move", End: "move",
  t: "turn", u: "unsure", i: "zoom", y: "right", z: "undo", g: "mode", d: "definition", "?": "help",
};
const HELP = [
  [["y"], "what was on the screen is right: go on"],
  [["t", "Space"], "turn a label round, or back; so does a click"],
  [["u"], "cannot tell: set it aside"],
  [["z"], "undo the last change made here"],
  [["i"], "look closer"],
  [["←", "→"], "go from one to the next"],
  [["g"], "one at a time, or a grid"],
  [["d"], "the definition and the pinned examples"], [["?"], "this help"],
];
const CARD = 4000; // characters of a text, at most; a longer one ends with an ellipsis
const NOTE = "What was turned or set aside stays in its place, marked, until you go on.";
const CLICK = "Click what is wrong to turn its label round. Click it again to turn it back.";
const AGAIN = 20; // labels asked again at a time
const FEWEST = 10; // labels that must have been given, as the server has it
const SOON = 1000; // ms until the model is asked again whether it has had its say
const PATIENCE = 5; // times; then the list is shown without it, and stays

const UNREAD = "The model has not gone through these labels yet; what it finds is listed when you go on.";

let single = false; // stays as it was chosen while the page is open

/** Show the view; returns how to take it away. */
export function mount(root) {
  const status = h("p", { role: "status" });
  const cards = h("ul", { class: "cards review", "aria-label": "Labels to look at" });
  const bar = h("div", { class: "row sticky actions" });
  const body = h("div", { class: "stack" });
  const worth = h("p", { class: "muted", id: "review-worth" });
  const again = h("section", { class: "stack", id: "review-again", hidden: true });
  const mode = button("", () => act("mode"), { class: "quiet" });
  fill(root, h("section", { class: "page wide" },
    h("div", { class: "row between" }, h("h1", {}, "Worth a second look"), h("div", { class: "row" }, mode, button(["Keys", key("?")], () => act("help"), { class: "quiet" }))),
    worth, body, again));
  let items = [];
  let total = 0;
  let at = 0; // the one that is shown, or has the focus
  const seen = new Set(); // items that were on the screen whole
  const became = new Map(); // what was changed here: item -> "positive", "negative" or "unsure"
  const steps = [];
  let watcher = null;
  let later = null; // asks again for what the model says

  async function load(asked = 1) {
    clearTimeout(later);
    try {
      const got = await call("review");
      if (!got.ready && asked < PATIENCE) {
        items = [];
        fill(body, h("p", { role: "status" }, "Looking through your labels …"));
        later = setTimeout(() => load(asked + 1), SOON);
        return;
      }
      [items, total, at] = [got.items, got.total, 0];
      worth.textContent = [got.ready ? "" : UNREAD, ...got.says].join(" ").trim();
      fill(again, asking(got));
      again.hidden = got.given < FEWEST;
      seen.clear();
      became.clear();
      show();
      scrollTo(0, 0);
    } catch (problem) {
      notice(problem.message, { kind: "bad" });
    }
  }

  /** Draw what there is; the order never changes until one goes on. */
  function show(focus = false) {
    watcher?.disconnect();
    worth.hidden = single;
    mode.hidden = !items.length;
    fill(mode, single ? "As a grid" : "One at a time", key("g"));
    if (!items.length) return void fill(body, nothing());
    cards.classList.toggle("single", single);
    const shown = single ? [items[at]] : items;
    fill(cards, shown.map((item, place) => drawn(item, single ? at : place)));
    fill(body, status, h("p", {}, CLICK), cards, bar);
    rove(cards, single ? 0 : at, focus);
    counts();
    const head = document.querySelector(".head").offsetHeight;
    watcher = new IntersectionObserver(onScreen, { rootMargin: `-${head}px 0px -${bar.offsetHeight}px 0px` }); // what lies under those is not seen
    for (const one of cards.querySelectorAll(".edge")) watcher.observe(one);
  }

  function drawn(item, place) {
    const change = became.get(item.item);
    const now = change ? { ...item, label: change === "unsure" ? null : change === "positive", how: change === "unsure" ? "unsure" : "alone", why: [] } : item;
    const made = card(now, { name: "Turn round", press: () => ((at = place), turn(item)), closer: () => look(place), pressed: Boolean(change), whole: true });
    made.dataset.changed = change ?? "";
    if (isCut(item)) made.querySelector(".card-face").append(h("span", { class: "card-more" }, "The text goes on: look closer (⤢) to read it to its end."));
    if (change) made.querySelector(".card-how").textContent = change === "unsure" ? "set aside here" : `turned here; it was ${labelName(app.session, item.label)}`;
    for (const end of ["first", "last"]) made.append(h("span", { class: "edge", "aria-hidden": "true", data: { item: String(item.item), end } }));
    return made;
  }

  /** Note what was on the screen, from its top to its bottom. */
  function onScreen(entries) {
    for (const { isIntersecting, target } of entries) {
      const item = Number(target.dataset.item);
      const whole = items.find((one) => one.item === item);
      if (!isIntersecting || !whole) continue;
      target.dataset.seen = "yes";
      if (!isCut(whole) && target.parentElement.querySelectorAll(".edge[data-seen]").length === 2) seen.add(item);
    }
    counts();
  }

  function counts() {
    const approved = mine();
    const unseen = items.length - items.filter((item) => seen.has(item.item)).length;
    status.textContent = `${single ? `${at + 1} of ${items.length} here, ` : ""}${many(total, "label")} to look at.`;
    const right = single || approved.length === 1 ? "This one is right" : approved.length ? `These ${approved.length} are right` : "These are right";
    fill(bar,
      button([right, key("y")], () => act("right"), { class: "primary", id: "review-right", disabled: approved.length === 0 }),
      single ? button(["Turn round", key("t")], () => act("turn")) : null,
      single ? button(["Cannot tell", key("u")], () => act("unsure")) : null,
      single ? button("Previous", () => step(-1), { disabled: at === 0 }) : null,
      single ? button("Next", () => step(1), { disabled: at === items.length - 1 }) : null,
      !single && unseen ? h("span", { class: "muted" }, `${many(unseen, "was", "were")} not on the screen yet`) : null,
      (single ? [items[at]] : items).some((item) => isCut(item) && !seen.has(item.item)) ? h("span", { class: "muted" }, "A text that goes on is read by looking closer.") : null);
  }

  /** The items that a yes is about. */
  function mine() {
    return (single ? [items[at]] : items).filter((item) => item && seen.has(item.item));
  }

  async function approve() {
    const approved = mine();
    if (!approved.length) return notice("Look at it to its end first.");
    try {
      await call("reviewed", { items: approved.map((item) => item.item) });
      if (single && at < items.length - 1) return step(1);
      if (!single) notice(`${many(approved.length, "label")} looked at.`);
      return load();
    } catch (problem) {
      return notice(problem.message, { kind: "bad" });
    }
  }

  /** Turn a label round; if that was done here already, back. */
  function turn(item) {
    const turned = became.get(item.item);
    const label = turned ? turned === "negative" : !item.label;
    if (turned === "unsure") return notice("It is set aside. Undo that first.");
    return change(item, label ? "positive" : "negative");
  }

  async function change(item, what) {
    const before = became.get(item.item);
    const mark = (to) => () => {
      if (to === undefined || to === (item.label ? "positive" : "negative")) became.delete(item.item);
      else became.set(item.item, to);
      show(true);
    };
    const made = await revise([item], what, mark(what), mark(before));
    if (made !== null) steps.push([made, mark(before)]);
  }

  function look(place) {
    at = place;
    const box = zoom(items, place, (item, open) => [
      became.get(item.item) === "unsure" ? null : button("Turn round", () => (open.close(), turn(item))),
      button("Cannot tell", () => (open.close(), change(item, "unsure")))]);
    if (isCut(items[place])) seen.add(items[place].item); // all of it is shown there
    box.addEventListener("close", counts);
  }

  function step(by) {
    at = Math.max(0, Math.min(items.length - 1, at + by));
    show(true);
  }

  function act(command, event = null) {
    if (command === "help") return help([...HELP, ...ZOOM_HELP], NOTE);
    if (command === "definition") return showDefinition();
    if (!items.length) return false;
    if (command === "mode") return void ((single = !single), show(true));
    if (command === "right") return void approve();
    if (command === "undo") return steps.length ? void undo(...steps.pop()) : notice(NO_STEP);
    if (command === "move") {
      if (single) return event.key === "ArrowRight" ? step(1) : event.key === "ArrowLeft" ? step(-1) : false;
      const to = placeAfter(cards, event.key);
      return to === null ? false : void (at = rove(cards, to, true));
    }
    const place = single ? at : focused(cards);
    if (place < 0) return notice("Go to a card first.");
    at = place;
    if (command === "turn") return void turn(items[place]);
    if (command === "unsure") return void change(items[place], "unsure");
    return void look(place);
  }

  load();
  const stop = shortcuts(COMMANDS, act);
  return () => {
    stop();
    clearTimeout(later);
    watcher?.disconnect();
  };
}

/** Was only the beginning of its text sent? Then it is read by looking closer. */
function isCut(item) {
  return item.text?.length >= CARD && item.text.endsWith("…");
}

/** Would you say the same again? What asking has shown, and a way to ask. */
function asking(got) {
  const count = Math.min(AGAIN, got.given);
  const begin = async () => {
    try {
      await call("reask", { count });
      app.flow.start();
      location.hash = "#label";
    } catch (problem) {
      notice(problem.message, { kind: "bad" });
    }
  };
  return [h("h2", {}, "Would you say the same again?"),
    h("p", {}, got.consistency.length ? got.consistency.join(" ") : `askless puts ${many(count, "label")} you gave to you again, drawn at random, like any other question. What you say is compared and changes nothing. It shows how many labels you would change. A mistake that you would make again cannot be seen in this way.`),
    got.reasks_to_come ? h("p", { class: "muted" }, `${many(got.reasks_to_come, "label")} still to be asked again: one question in three, or all when nothing else is left.`) : null,
    h("div", { class: "row" }, got.reasks_to_come ? h("a", { class: "as-button", href: "#label" }, "Go on") : button(`Ask me again about ${many(count, "label")}`, begin, { id: "review-ask-again" }))];
}

function nothing() {
  return h("div", { class: "calm" }, h("p", {}, "Nothing here asks for a second look."),
    app.progress?.open ? h("a", { class: "as-button primary", href: "#label" }, "Go on labelling") : h("a", { class: "as-button primary", href: "#finish" }, "Finish"));
}
