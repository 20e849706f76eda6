// Changing labels while looking back: one step on the server, which one undo takes back.

import { call, newKey } from "../api.js";
import { app } from "../app.js";
import { notice } from "../notices.js";
import { labelName, many, shortName } from "../words.js";

/** What undo says where nothing was changed. */
export const NO_STEP = "Nothing was changed here since the page was opened. Older answers are under Answers.";

const closing = new Map(); // by step, how to close what says that it was done

/** What a step says was done, by what it is. */
function done(items, what) {
  const which = items.length === 1 ? shortName(items[0]) : many(items.length, "item");
  const is = items.length === 1 ? "is" : "are";
  if (what === "unsure") return `${which} ${is} set aside: no label.`;
  if (what === "ask_again") return `${which} will be asked again.`;
  return `${which} ${is} now ${labelName(app.session, what === "positive", items.length)}.`;
}

/** Why a step cannot be taken, in words that name the items; null if it can. */
function hindrance(items, what) {
  const unsure = items.filter((item) => item.how === "unsure");
  const listed = unsure.slice(0, 3).map(shortName).join(", ") + (unsure.length > 3 ? `, and ${unsure.length - 3} more` : "");
  if ((what === "positive" || what === "negative") && unsure.length) {
    return `Nothing was changed, since these are set aside: ${listed}. Ask about them again first.`;
  }
  if (what === "unsure" && unsure.length === items.length) return "These are set aside already.";
  if (what === "ask_again" && items.every((item) => item.how === "" || item.how === "accepted")) return "These are not settled and will be asked anyway.";
  return null;
}

/**
 * Change these items in one step, then do what comes `after`. The reply is the step, or null if
 * nothing was changed. `undone` is called if the person takes it back.
 */
export async function revise(items, what, after, undone = after) {
  const against = hindrance(items, what);
  if (against) return notice(against, { kind: "bad" }) && null;
  try {
    const { step } = await call("revise", { items: items.map((item) => item.item), what, key: newKey(), tab: app.tab });
    app.flow.start();
    closing.set(step, notice(done(items, what), { act: ["Undo", () => undo(step, undone)] }));
    after();
    return step;
  } catch (problem) {
    notice(problem.lost ? "This needs the connection." : problem.message, { kind: "bad" });
    return null;
  }
}

/** Take a step back, if nothing came after it, then do what comes `after`. */
export async function undo(step, after) {
  closing.get(step)?.();
  closing.delete(step);
  try {
    await call("undo", { step, key: newKey(), tab: app.tab });
    app.flow.start();
    notice("Undone.");
    after();
  } catch (problem) {
    notice(problem.lost ? "Undo needs the connection." : problem.message, { kind: "bad" });
  }
}
