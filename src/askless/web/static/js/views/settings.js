// Names, the definition, how many items to a question, and keys.

import { call } from "../api.js";
import { app, update } from "../app.js";
import { confirm, nameFields } from "../asking/definition.js";
import { enoughChoices } from "../asking/enough.js";
import { fill, h } from "../dom.js";
import { notice } from "../notices.js";
import { local } from "../storage.js";
import { many } from "../words.js";

/** Show the view. */
export function mount(root) {
  const promise = h("div", { class: "slot" });
  fill(root, h("section", { class: "page narrow" }, h("h1", {}, "Settings"), meaning(), promise, groups(), keys(), offline(), left()));
  call("enough").then((offers) => fill(promise, enough(offers, promise))).catch((problem) => notice(problem.message, { kind: "bad" }));
}

/** What is to hold before it is enough, with what each choice takes. */
function enough(offers, place) {
  const choices = enoughChoices(offers);
  return panel("How good is good enough?", async () => {
    const now = await call("enough", { promise: choices.read() });
    fill(place, enough(now, place));
    app.flow.start();
    return "Saved.";
  }, ...choices.box);
}

function meaning() {
  const { session } = app;
  const names = nameFields(session);
  const text = h("textarea", { id: "definition", rows: "4", maxlength: "20000", value: session.definition ?? "" });
  return panel("What the label means", async () => {
    const changed = text.value.trim() !== (app.session.definition ?? "");
    const reply = await confirm(names.read(), text.value.trim());
    app.flow.start();
    if (!changed) return "Saved.";
    return reply.queued ? `Saved. ${many(reply.queued, "label")} given under the older definition can be looked over in Review.` : "Saved.";
  },
  ...names.box,
  h("label", { for: "definition" }, "Definition"), text,
  h("p", { class: "muted" }, "If the meaning changes, write the new one here. Answers remember under which version they were given, and those most likely affected are queued for review."));
}

function groups() {
  const most = h("input", { id: "most", type: "number", min: "1", max: "200", inputmode: "numeric", value: app.session.max_n ?? "", placeholder: "let askless choose" });
  return panel("Items to a question", async () => {
    const value = most.value.trim() === "" ? null : Number(most.value);
    if (value !== null && !(Number.isInteger(value) && value >= 1 && value <= 200)) throw new Error("Items to a question must be a whole number from 1 to 200, or empty.");
    update("session", await call("group", { max_n: value }));
    app.flow.start();
    return "Saved.";
  }, h("label", { for: "most" }, "At most"), most,
  h("p", { class: "muted" }, "Within this, the size follows from how quickly you answer and how sure the model is."));
}

function keys() {
  const box = h("input", { id: "shortcuts", type: "checkbox", checked: app.shortcuts });
  box.addEventListener("change", () => {
    app.shortcuts = box.checked;
    local.setItem("askless.shortcuts", box.checked ? "on" : "off");
  });
  return h("section", { class: "panel" }, h("h2", {}, "Keys"),
    h("div", { class: "check" }, box, h("label", { for: "shortcuts" }, "Answer with single letters (y, n, a, b, …)")),
    h("p", { class: "muted" }, "Turn this off if you dictate or use another tool that types. Arrow keys, Enter and the buttons go on working."));
}

function offline() {
  const room = () => app.session.done || app.flow.phase === "done" ? "Nothing is left to ask, so nothing is kept here." : `This page has questions for ${many(app.flow.room, "answer")} now${app.session.kind === "images" ? ", pictures included" : ""}. It keeps the answers and sends each of them once when the server is back.`;
  return h("section", { class: "panel" }, h("h2", {}, "Without a connection"), h("p", { id: "room" }, room()));
}

function left() {
  const { unreadable = [], duplicates = 0, notices = [] } = app.session;
  if (!unreadable.length && !duplicates && !notices.length) return null;
  return h("section", { class: "panel" }, h("h2", {}, "About the source"),
    ...notices.map((text) => h("p", {}, text)),
    duplicates ? h("p", {}, `${many(duplicates, "exact copy", "exact copies")}: asked once, labelled together.`) : null,
    unreadable.length ? h("p", {}, `${many(unreadable.length, "item")} could not be read:`) : null,
    unreadable.length ? h("ul", { class: "plain" }, ...unreadable.slice(0, 200).map((one) => h("li", {}, h("code", {}, one.id), ` ${one.reason}`))) : null);
}

function panel(title, save, ...children) {
  const form = h("form", { class: "panel stack", novalidate: true }, h("h2", {}, title), ...children,
    h("div", { class: "row" }, h("button", { type: "submit", class: "primary" }, "Save")));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      notice(await save());
    } catch (problem) {
      notice(problem.message, { kind: "bad" });
    }
  });
  return form;
}
