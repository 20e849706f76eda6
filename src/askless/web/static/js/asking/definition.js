// What the label means: written or confirmed in the first minute, one key away ever after.

import { call } from "../api.js";
import { app, update } from "../app.js";
import { button, dialog, h } from "../dom.js";
import { labelName, many } from "../words.js";
import { picture } from "./pictures.js";

/** The first minute: names and definition. Resolves when they are confirmed. */
export function firstMinute() {
  const { session } = app;
  const named = session.positive === "positive" ? "" : session.positive; // nobody has named it yet
  const positive = field("positive", "They are", named, "footwear");
  const negative = field("negative", "The others are", givenNegative(session), "everything else");
  const words = h("textarea", { id: "definition", rows: "3", maxlength: "20000", value: session.definition ?? "", placeholder: "Anything worn on the feet: shoes, sandals, boots. Socks are not." });
  const wrong = h("p", { class: "bad", role: "alert" });
  const kinds = { images: "pictures", texts: "texts", rows: "rows" };
  return new Promise((resolve) => {
    const form = h("form", { class: "stack", novalidate: true },
      h("p", {}, `${session.items.toLocaleString()} ${kinds[session.kind] ?? "items"} wait. What are you looking for in them?`),
      h("div", { class: "pair" }, positive.box, negative.box),
      h("label", { for: "definition" }, "What counts, and what does not ", h("span", { class: "muted light" }, "in a sentence or two; you can change it later")),
      words, aside(session), wrong,
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
        await confirm(positive.input.value.trim(), negative.input.value.trim(), words.value.trim());
        resolve();
        box.close();
      } catch (problem) {
        wrong.textContent = problem.message;
      }
    });
    positive.input.focus();
    positive.input.select();
  });
}

/** The definition and the pinned examples. */
export function showDefinition() {
  const { session } = app;
  const { pinned } = session;
  const box = dialog(labelName(session, true),
    h("p", { class: "definition" }, session.definition || "No definition has been written yet."),
    h("p", { class: "muted" }, `The others are ${labelName(session, false)}.`),
    pinned.length ? h("ul", { class: "examples" }, ...pinned.map(example)) : h("p", { class: "muted" }, "No examples are pinned. Look closer at a tile (i) to pin it here."),
    h("div", { class: "row" },
      button("Change it in the settings", () => {
        box.close();
        location.hash = "#settings";
      }),
      button("Close", () => box.close(), { class: "primary", autofocus: true })));
}

/** Send names where they changed, and the definition, which confirms it. */
export async function confirm(positive, negative, text) {
  const { session } = app;
  if (!positive) throw new Error("The label needs a name.");
  if (positive !== session.positive || negative !== givenNegative(session)) {
    await call("names", { positive, negative: negative || null });
  }
  const reply = await call("definition", { text: text || positive });
  update("session", await call("session"));
  return reply;
}

/** The negative name if somebody gave one; the server makes one up otherwise. */
export function givenNegative(session) {
  return session.negative_given ? session.negative : "";
}

function example(item) {
  const name = labelName(app.session, item.label);
  return h("li", {}, item.picture ? picture(item) : h("p", { class: "words" }, item.text ?? item.name), h("span", { class: "tag" }, name));
}

function field(id, label, value, hint) {
  const input = h("input", { id, type: "text", required: true, maxlength: "80", autocomplete: "off", value: value ?? "", placeholder: hint });
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
