// What each key means in the question view. Keys are single characters; the settings can turn
// them off for people whose tools type for them.

import { app } from "../app.js";
import { dialogOpen } from "../dom.js";

const COMMANDS = {
  y: "yes", ArrowRight: "yes", n: "no", ArrowLeft: "no", Enter: "pointed",
  u: "unsure", z: "undo", i: "zoom", d: "definition", "?": "help", Escape: "clear",
  ArrowDown: "next", ArrowUp: "previous",
};

/** Listen for keys; `act` gets a command, `letter` a tile's letter and says whether it was one. */
export function listen(act, letter) {
  const pressed = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || dialogOpen() || typing(event)) return;
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (!app.shortcuts && event.key.length === 1) return;
    if (name === "Enter" && control(event)) return;
    if (event.repeat) {
      if (COMMANDS[name] || name === "Enter") event.preventDefault(); // a held key is one answer
      return;
    }
    if (COMMANDS[name]) {
      event.preventDefault();
      act(COMMANDS[name]);
    } else if (name.length === 1 && letter(name)) {
      event.preventDefault();
    }
  };
  document.addEventListener("keydown", pressed);
  return () => document.removeEventListener("keydown", pressed);
}

/** Every key with its meaning, for the help. */
export const HELP = [
  [["y", "→"], "all of these are right"],
  [["n", "←"], "something is wrong, without saying what"],
  [["a", "b", "…"], "mark the tile with that letter as wrong; so does a click or a touch"],
  [["Enter"], "only the marked ones are wrong, the others are right"],
  [["Esc"], "unmark everything"],
  [["u"], "cannot tell: set a tile aside, with a note if you like"],
  [["z"], "undo the last answer"],
  [["i"], "look closer at a tile"],
  [["d"], "the definition and the pinned examples"],
  [["↑", "↓"], "move from tile to tile"],
  [["?"], "this help"],
];

function typing(event) {
  return Boolean(event.target.closest?.("input, textarea, select, [contenteditable]"));
}

/** Is it a link or button other than a tile? Then Enter presses it. */
function control(event) {
  return Boolean(event.target.closest?.("a[href], button:not(.tile), summary"));
}
