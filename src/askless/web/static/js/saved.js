// The mark that says whether answers are in the store. It says "saved" only after the server has.

import { app, hear, tell } from "./app.js";
import { refusedAnswers } from "./asking/refused.js";
import { host, see } from "./host.js";
import { notice, say } from "./notices.js";
import { many } from "./words.js";

let outage = false;
let explained = null;
let closeEnded = null; // takes away the message that askless has ended
let toldKept = ""; // what it says about the answers

/** Begin to show what is saved, what was refused, and whether the server is there. */
export function watch() {
  hear("server", server);
  if (host.go) watchRefused();
  addEventListener("beforeunload", (event) => app.outbox.unkept && app.outbox.size && event.preventDefault());
  status();
}

/** What the outbox reports. */
export function onOutbox(what, entry, reply) {
  if (what === "saved") {
    app.flow.saved(entry, reply);
    tell("saved");
  } else if (what === "refused") {
    const where = host.go ? "It is kept under Answers, with the reason." : reply.message;
    notice(`An answer was not taken. ${where}`, { kind: "bad", act: see("See it", "answers") });
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
  if (app.server === "ended") sayEnded();
  if (unsaved && app.outbox.lost) return show("lost", lostText(unsaved));
  if (app.server !== "here") return show("lost", app.server === "ended" ? "askless has ended" : "Not connected");
  if (unsaved) return show("saving", unsaved > 1 ? `Saving ${many(unsaved, "answer")} …` : "Saving …");
  explained = null;
  return show("saved", app.flow?.question || app.progress ? "Saved" : "");
}

function lostText(unsaved) {
  const more = app.flow.room - unsaved;
  return `${app.outbox.why ? "Not saved" : app.server === "ended" ? "askless has ended" : host.silent}: ${many(unsaved, "answer")} kept here, ${more > 0 ? `room for ${more} more` : "no room for more"}`;
}

/** The server has ended, or is back: say so, and how to go on. */
function server() {
  closeEnded?.();
  closeEnded = null;
  toldKept = "";
  status();
}

/** Say that it has ended, and again when what is said about the answers is no longer true. */
function sayEnded() {
  const kept = app.outbox.size ? "Answers that are not saved yet stay in this browser and are sent then." : "Every answer is saved.";
  if (kept === toldKept) return;
  toldKept = kept;
  closeEnded?.();
  closeEnded = notice(`askless has ended. ${kept} ${host.ended}`, { code: host.go && app.session.command, stay: true });
}

/** Say once why answers do not get through. */
function explain(why) {
  if (why === explained) return;
  explained = why;
  notice(why, { kind: "bad", stay: true });
}

/** Say how many answers were refused, where there is a view that has them. */
function watchRefused() {
  hear("refused", refused);
  addEventListener("storage", refused); // another window keeps or dismisses one
  refused();
}

function refused() {
  const number = refusedAnswers(app.outbox.session).length;
  const link = host.root.getElementById("refused");
  link.hidden = number === 0;
  link.textContent = `${many(number, "answer")} not taken`;
}

function show(state, text) {
  const mark = host.root.getElementById("saved");
  const words = host.root.getElementById("saved-text");
  if (state === "lost" ? !outage : outage && state === "saved") say(text);
  if (state !== "saving") outage = state === "lost";
  mark.dataset.state = state;
  if (words.textContent !== text) words.textContent = text;
}
