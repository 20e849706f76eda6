// The mark that says whether answers are in the store. It says "saved" only after the server has.

import { app, hear, tell } from "./app.js";
import { keptAnswers } from "./asking/kept.js";
import { notice, say } from "./notices.js";
import { many } from "./words.js";

const SEE = ["See it", () => (location.hash = "#answers")];

let outage = false;
let explained = null;

/** Begin to show what is saved, and what is kept because it cannot be. */
export function watch() {
  hear("kept", kept);
  addEventListener("storage", kept); // another window keeps or dismisses one
  addEventListener("beforeunload", (event) => app.outbox.unkept && app.outbox.size && event.preventDefault());
  kept();
  status();
}

/** What the outbox reports. */
export function heard(what, entry, reply) {
  if (what === "saved") {
    app.flow.saved(entry, reply);
    tell("saved");
  } else if (what === "refused") {
    notice("An answer was not taken. It is kept under Answers, with the reason.", { kind: "bad", act: SEE });
    app.flow.refused(entry);
  } else if (what === "lost" || what === "locked") {
    if (app.outbox.why) explain(`${app.outbox.why} Unsaved answers stay in this browser.`);
  } else if (what === "unkept") {
    explain("This browser has no room to keep unsaved answers: leave the page open until it says Saved.");
  }
  status();
  tell("saving");
}

/** Show how things are. */
export function status() {
  const unsaved = app.outbox.size;
  if (unsaved && app.outbox.lost) return show("lost", lostText(unsaved));
  if (unsaved) return show("saving", unsaved > 1 ? `Saving ${many(unsaved, "answer")} …` : "Saving …");
  explained = null;
  return show("saved", app.flow?.question || app.progress ? "Saved" : "");
}

function lostText(unsaved) {
  return `${app.outbox.why ? "Not saved" : "Offline"}: ${many(unsaved, "answer")} kept here, room for ${app.flow.room}`;
}

/** Say once why answers do not get through. */
function explain(why) {
  if (why === explained) return;
  explained = why;
  notice(why, { kind: "bad", stay: true });
}

function kept() {
  const number = keptAnswers(app.outbox.session).length;
  const link = document.getElementById("kept");
  link.hidden = number === 0;
  link.textContent = `${many(number, "answer")} not taken`;
}

function show(state, text) {
  const mark = document.getElementById("saved");
  const words = document.getElementById("saved-text");
  if (state === "lost" ? !outage : outage && state === "saved") say(text);
  if (state !== "saving") outage = state === "lost";
  mark.dataset.state = state;
  if (words.textContent !== text) words.textContent = text;
}
