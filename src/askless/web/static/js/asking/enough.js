// What is to hold before it is enough: chosen in the first minute or in the settings, proposed to
// stop at when it does. Who goes on is not asked again for the same promise.

import { call } from "../api.js";
import { app } from "../app.js";
import { button, fill, h, key } from "../dom.js";
import { host } from "../host.js";
import { say } from "../notices.js";
import { local } from "../storage.js";
import { unbroken } from "../words.js";

const NOTICE_MS = 300; // to notice that no question is shown any more

/** Is there nothing to propose: it is not enough, or one has chosen to go on? */
export function goesOn(progress) {
  const enough = progress?.enough;
  return !enough?.holds || local.getItem(place()) === named(enough);
}

/** Remember that one goes on. */
export function goOn({ enough }) {
  if (enough) local.setItem(place(), named(enough));
}

const place = () => `askless.went-on.${app.session.id}`;
const named = ({ claim, promise }) => `${claim} ${promise}`;

/** The proposal to stop. */
export function proposal(end, undo) {
  const { says, meaning } = app.progress.enough;
  const title = h("h1", { tabindex: "-1", id: "enough-title" }, "Enough");
  const on = button("Go on", () => app.flow.goOn(), { id: "go-on", disabled: true });
  const text = unbroken(says).replace(/^Enough\. /, "");
  fill(end, title, h("p", { class: "promised", id: "promised" }, text), slips(),
    exactly(meaning),
    h("div", { class: "row" }, host.go && h("a", { class: "as-button primary", href: "#finish", id: "stop" }, "Stop and export"), on,
      button(["Undo the last answer", key("z")], undo, { class: "quiet" })),
    h("p", { class: "muted" }, "If you go on nothing is lost: what you answer makes labels certain, and the bound goes on falling."));
  setTimeout(() => (on.disabled = false), NOTICE_MS); // a click meant for the question before
  title.focus();
  say(`Enough. ${text}`);
}

/** What is left if slips are counted too, once that is known and measured. */
export function slips() {
  const place = h("p", { class: "slips", role: "status" });
  call("certificate/slips").then(({ says }) => (place.textContent = unbroken(says))).catch(() => {});
  return place;
}

/** What a bound means exactly, for those who want to know. */
export function exactly(meaning) {
  if (!meaning.length) return null;
  return h("details", { class: "meaning" }, h("summary", {}, "What this means exactly"), h("ul", { class: "plain" }, ...meaning.map((text) => h("li", {}, unbroken(text)))));
}

/** A field to choose with, for the first minute; `save` sends what was chosen. */
export async function enoughField() {
  const { promise, offers, note } = await call("enough");
  const options = offers.map((offer) => h("option", { value: offer.promise ?? "" }, offer.title));
  const choice = h("select", { id: "enough", "aria-describedby": "enough-note" }, ...options);
  choice.value = promise ?? "";
  const told = h("p", { class: "muted", id: "enough-note" });
  let words = note;
  const tell = () => (told.textContent = choice.value ? unbroken(words) : "");
  choice.addEventListener("change", tell);
  tell();
  call("enough/costs").then((known) => {
    known.offers.forEach(({ title, cost }, at) => (options[at].textContent = cost ? `${title} · ${cost}` : title));
    words = known.note;
    tell();
  }).catch(() => {}); // nobody knows yet
  return {
    box: h("div", {}, h("label", { for: "enough" }, "Good enough at"), choice, told),
    save: () => (choice.value === (promise ?? "") ? null : call("enough", { promise: choice.value || null })),
  };
}

/** The same for the settings, where all are seen with what they take. */
export function enoughChoices({ promise, offers, note }) {
  const costs = offers.map(() => h("span", { class: "muted light cost" }));
  const row = (offer, at) => {
    const input = h("input", { type: "radio", name: "enough", id: `enough-${at}`, value: offer.promise ?? "", checked: (offer.promise ?? null) === promise });
    return h("div", { class: "check" }, input, h("label", { for: input.id }, offer.title, " ", costs[at]));
  };
  const box = h("fieldset", { class: "choices-of-one" }, h("legend", {}, "Good enough at"), ...offers.map(row));
  const told = h("p", { class: "muted", id: "enough-note" }, unbroken(note));
  call("enough/costs").then((known) => {
    known.offers.forEach(({ cost }, at) => (costs[at].textContent = cost ? `· ${cost}` : ""));
    told.textContent = unbroken(known.note);
  }).catch(() => {});
  return { box: [box, told], read: () => box.querySelector("input:checked")?.value || null };
}
