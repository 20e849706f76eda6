// What every view shares: the session, the latest progress, and who wants to hear of changes.

const listeners = new Map();

/** The shared facts. `progress` is null until the server has said something. */
export const app = {
  session: null,
  progress: null,
  tab: "",
  flow: null,
  outbox: null,
  shortcuts: localStorage.getItem("askless.shortcuts") !== "off",
};

/** Hear of "session", "progress", "question", "saved" or "view"; returns how to stop hearing. */
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
export function learnt(what, value) {
  if (!value) return;
  app[what] = what === "session" ? { ...app.session, ...value } : value;
  tell(what, app[what]);
}
