// What the label means: written or confirmed in the first minute, one key away ever after.

import { call } from "../api.js";
import { app, update } from "../app.js";
import { button, dialog, h, KEYBOARD } from "../dom.js";
import { host } from "../host.js";
import { count, KINDS, labelName, many } from "../words.js";
import { enoughField } from "./enough.js";
import { picture } from "./pictures.js";

/** The first minute: names, definition, and what is good enough. Resolves when they are confirmed. */
export async function firstMinute() {
  const { session } = app;
  const names = nameFields(session);
  const enough = await enoughField();
  const words = h("textarea", { id: "definition", rows: "3", maxlength: "20000", value: session.definition ?? "", placeholder: "Anything worn on the feet: shoes, sandals, boots. Socks are not." });
  const wrong = h("p", { class: "bad", role: "alert" });
  const given = session.labels_given ? `, ${count(session.labels_given)} came with labels` : "";
  return new Promise((resolve) => {
    const form = h("form", { class: "stack", novalidate: true },
      h("p", {}, `${many(session.items - session.labels_given, KINDS[session.kind])} to label${given}. What are you looking for in them?`),
      ...names.box,
      h("label", { for: "definition" }, "What counts, and what does not ", h("span", { class: "muted light" }, "in a sentence or two; you can change it later")),
      words, enough.box, aside(session), wrong,
      h("div", { class: "row" }, h("button", { type: "submit", class: "primary big" }, "Start")));
    const box = dialog("What does the label mean?", form);
    box.dataset.stay = "yes";
    box.addEventListener("close", () => {
      if (!app.session.definition_confirmed) resolve(firstMinute()); // Escape, pressed twice
    });
    box.classList.add("first");
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      try {
        const named = names.read();
        await enough.save();
        await confirm(named, words.value.trim());
        resolve();
        box.close();
      } catch (problem) {
        wrong.textContent = problem.message;
      }
    });
    names.first.focus();
    names.first.select();
  });
}

/** The definition and the pinned examples. */
export function showDefinition() {
  const { session } = app;
  const { pinned } = session;
  const box = dialog(labelName(session, true),
    h("p", { class: "definition" }, session.definition || "No definition has been written yet."),
    h("p", { class: "muted" }, `The others are ${labelName(session, false)}.`),
    pinned.length ? h("ul", { class: "examples" }, ...pinned.map(example)) : h("p", { class: "muted" }, `No examples are pinned. Look closer at a tile${KEYBOARD ? " (i)" : ""} to pin it here.`),
    h("div", { class: "row" },
      host.go && button("Change it in the settings", () => {
        box.close();
        host.go("settings");
      }),
      button("Close", () => box.close(), { class: "primary", autofocus: true })));
}

/** Send names where they changed, and the definition, which confirms it. */
export async function confirm(names, text) {
  if (JSON.stringify(names) !== JSON.stringify(givenNames(app.session))) await call("names", names);
  const reply = await call("definition", { text: text || names.positive.many });
  update("session", await call("session"));
  return reply;
}

/** Fields for the names of both labels, for one item and for several; and how to read them. */
export function nameFields(session) {
  const { positive, negative } = givenNames(session);
  const many = field("positive", "They are", positive?.many, "for example: cats");
  const one = field("positive-one", "One of them is", positive?.one, "for example: a cat");
  const others = field("negative", "The others are", negative?.many, "for example: everything else");
  const other = field("negative-one", "One of those is", negative?.one, "for example: something else");
  const name = (several, single) => {
    const [plural, singular] = [several, single].map((of) => of.input.value.trim());
    if (`${plural}${singular}`.includes("|")) throw new Error("A name holds no bar (|): there is a field for several and one for one of them.");
    return plural || singular ? { many: plural || singular, one: plural && singular !== plural ? singular || null : null } : null;
  };
  const read = () => {
    const names = { positive: name(many, one), negative: name(others, other) };
    many.input.setAttribute("aria-invalid", String(!names.positive));
    if (names.positive) return names;
    many.input.focus();
    throw new Error("The label needs a name: say what “They are”.");
  };
  return {
    first: many.input,
    box: [h("div", { class: "pair" }, many.box, one.box), h("div", { class: "pair" }, others.box, other.box)],
    read,
  };
}

/** The names that somebody gave; the server makes up the others. */
function givenNames({ positive, negative, positive_given, negative_given }) {
  const shown = ({ given_one: one, many }) => ({ many, one: one === many ? null : one });
  return {
    positive: positive_given ? shown(positive) : null,
    negative: negative_given ? shown(negative) : null,
  };
}

function example(item) {
  const name = labelName(app.session, item.label);
  return h("li", {}, item.picture ? picture(item) : h("p", { class: "words" }, item.text ?? item.name), h("span", { class: "tag" }, name));
}

function field(id, label, value, hint) {
  const input = h("input", { id, type: "text", maxlength: "80", autocomplete: "off", value: value ?? "", placeholder: hint });
  return { input, box: h("div", {}, h("label", { for: id }, label), input) };
}

/** What was left out of the pool, said once. */
function aside(session) {
  const parts = [];
  const [unread, copies] = [session.unreadable?.length ?? 0, session.duplicates ?? 0];
  if (unread) parts.push(`${many(unread, "could not be read and is", "could not be read and are")} left out`);
  if (copies) parts.push(`${many(copies, "is an exact copy and is", "are exact copies and are")} asked once`);
  parts.push(...(session.notices ?? []).map((text) => text.replace(/\.$/, "")));
  return parts.length ? h("p", { class: "muted" }, `${parts.join("; ")}.`) : null;
}
