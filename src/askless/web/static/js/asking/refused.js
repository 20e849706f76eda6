// Answers that are not in the store and will not get there by themselves: the server refused them,
// or they belong to another session than the one served here. They stay in this browser, each with
// the reason, until the person has read them and lets them go.

import { tell } from "../app.js";
import { local } from "../storage.js";
import { sentenceText } from "../words.js";

const KEPT = "askless.kept.";
export const OUTBOX = "askless.outbox.";

const unwritten = new Map(); // where the browser has no room

/** Keep an answer that `session` refused. The same one again is kept once. */
export function keepRefused(session, entry, why) {
  const name = `${KEPT}${session}.${entry.body.key}`;
  const record = JSON.stringify({ entry, why });
  try {
    local.setItem(name, record);
  } catch {
    unwritten.set(name, record);
  }
  tell("refused");
}

/** Everything kept, for this session and for others, oldest first: {name, entry, why, mine}. */
export function refusedAnswers(session) {
  const refused = [...stored(KEPT), ...unwritten].flatMap(([name, text]) => parsed(text).map((one) => (
    { name, ...one, mine: name.startsWith(`${KEPT}${session}.`) })));
  const waiting = stored(OUTBOX).filter(([name]) => !name.startsWith(`${OUTBOX}${session}.`))
    .flatMap(([name, text]) => parsed(text).flat().map((entry) => ({
      name, entry, mine: false,
      why: "It belongs to another session, and is sent when that one is served here again.",
    })));
  return [...refused, ...waiting].filter((one) => one.entry?.body)
    .sort((one, other) => (one.entry.at_s ?? 0) - (other.entry.at_s ?? 0));
}

/** Let one go. */
export function dismiss({ name, entry }) {
  if (name.startsWith(KEPT)) {
    local.removeItem(name);
    unwritten.delete(name);
  } else {
    const others = parsed(local.getItem(name)).flat().filter((one) => one.body?.key !== entry.body.key);
    if (others.length) local.setItem(name, JSON.stringify(others));
    else local.removeItem(name);
  }
  tell("refused");
}

/** An answer in words: what was asked, and what was said. */
export function inWords({ question, body }) {
  const shown = question?.items ?? [];
  const called = (item) => shown.find((one) => one.item === item)?.name ?? `item ${item}`;
  if ("note" in body) return [`Cannot tell: ${called(body.item)}`, body.note ? `Note: ${body.note}` : ""];
  const said = { yes: "Yes", no: "No", pointed: `All but ${(body.wrong ?? []).map(called).join(", ")}` }[body.kind];
  return [`${question ? sentenceText(question) : "A question"} ${said}.`, `Shown: ${shown.map((one) => one.name).join(", ")}`];
}

function stored(prefix) {
  return Object.keys(local).filter((name) => name.startsWith(prefix)).map((name) => [name, local.getItem(name)]);
}

/** What a text holds, in a list; nothing if it is not ours. */
function parsed(text) {
  try {
    return [JSON.parse(text) ?? []];
  } catch {
    return [];
  }
}
