// The mark that says whether answers are in the store. It says "saved" only after the server has.

import { app, tell } from "./app.js";
import { notice, say } from "./notices.js";
import { many } from "./words.js";

const SLOW_MS = 600; // sooner than this there is nothing worth saying

let slow = null;

/** What the outbox reports. */
export function heard(what, entry, reply) {
  if (what === "saved") {
    app.flow.saved(entry, reply);
    tell("saved");
  } else if (what === "refused") {
    notice(`An answer was not taken: ${reply.message}`, { kind: "bad", stay: true });
    app.flow.refused(entry);
  } else if (what === "locked") {
    notice("The server wants its link again: open the address that the command printed. Unsaved answers stay in this browser.", { kind: "bad" });
  }
  status();
  tell("saving");
}

/** Show how things are. */
export function status() {
  const unsaved = app.outbox.size;
  if (!unsaved) {
    clearTimeout(slow);
    slow = null;
    return show("saved", app.flow?.question || app.progress ? "Saved" : "");
  }
  if (app.outbox.lost) return show("lost", lostText(unsaved));
  slow ??= setTimeout(() => {
    slow = null;
    if (app.outbox.size && !app.outbox.lost) show("saving", `Saving ${many(app.outbox.size, "answer")} …`);
  }, SLOW_MS);
  return undefined;
}

function lostText(unsaved) {
  const room = app.session.offline_answers;
  const most = room ? ` (room for ${room})` : "";
  return `Offline: ${many(unsaved, "answer")} unsaved, kept here${most}`;
}

function show(state, text) {
  const mark = document.getElementById("saved");
  const words = document.getElementById("saved-text");
  if (mark.dataset.state !== state && (state === "lost" || mark.dataset.state === "lost")) say(text);
  mark.dataset.state = state;
  if (words.textContent !== text) words.textContent = text;
}
