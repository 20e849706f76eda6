// What every view shares: the session, the latest progress, and who wants to hear of changes.

import { local } from "./storage.js";

const listeners = new Map();

/** The shared facts. `progress` is null until the server has said something. */
export const app = {
  session: null,
  progress: null,
  tab: "",
  flow: null,
  outbox: null,
  server: "here", // or "ended", by itself, or "lost": it does not answer
  shortcuts: local.getItem("askless.shortcuts") !== "off",
};

/**
 * Hear of something; returns how to stop hearing. What there is to hear of:
 *   session, progress    newer facts, see `update`
 *   question             another question is shown, or none
 *   ahead                questions that may come next have arrived
 *   saving, saved        something is on its way to the store, or in it
 *   refused              an answer was refused and is kept, or was dismissed
 *   dispute              answers contradict each other
 *   server               whether the server answers has changed, see `app.server`
 *   view                 another view is shown
 */
export function hear(what, listener) {
  if (!listeners.has(what)) listeners.set(what, new Set());
  listeners.get(what).add(listener);
  return () => listeners.get(what).delete(listener);
}

/** Tell whoever listens. */
export function tell(what, detail) {
  for (const listener of [...(listeners.get(what) ?? [])]) listener(detail);
}

/** Take newer facts and tell of them. */
export function update(what, value) {
  if (!value) return;
  app[what] = what === "session" ? { ...app.session, ...value } : value;
  tell(what, app[what]);
}
