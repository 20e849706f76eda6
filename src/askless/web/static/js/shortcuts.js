// Single keys that do something in a view other than the question. The settings can turn letters off.

import { app } from "./app.js";
import { dialogOpen } from "./dom.js";

/** Listen for the keys of `commands`, by name; `act` gets the command and the event. Returns how to stop. */
export function shortcuts(commands, act) {
  const pressed = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || dialogOpen() || typing(event)) return;
    if (!app.shortcuts && event.key.length === 1 && event.key !== " ") return;
    const command = commands[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!command || (event.repeat && event.key.length === 1)) return;
    if (act(command, event) !== false) event.preventDefault();
  };
  document.addEventListener("keydown", pressed);
  return () => document.removeEventListener("keydown", pressed);
}

function typing(event) {
  return Boolean(event.target.closest?.("input, textarea, select, [contenteditable]"));
}
