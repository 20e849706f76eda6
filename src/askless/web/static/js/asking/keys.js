// What each key means in the question view. Keys are single characters; the settings can turn
// them off for people whose tools type for them.

import { app } from "../app.js";
import { dialogOpen } from "../dom.js";
import { host } from "../host.js";

const COMMANDS = {
  y: "yes", ArrowRight: "yes", n: "no", ArrowLeft: "no", Enter: "pointed",
  u: "unsure", z: "undo", i: "zoom", d: "definition", "?": "help", Escape: "clear",
  ArrowDown: "next", ArrowUp: "previous",
};
const SHIFTED = { n: "none", i: "invert" };

/**
 * Listen for keys. `act` gets a command; `letter` a tile's letter, and whether it was typed with Shift,
 * and says whether there is one; `scroll` a key that may scroll a long text, and says whether it did.
 */
export function listen(act, letter, scroll) {
  const pressed = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || dialogOpen() || typing(event)) return;
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (!app.shortcuts && event.key.length === 1) return;
    if ((name === "Enter" || name === " ") && presses(name, event)) return;
    if (scroll(name)) return void event.preventDefault();
    if (event.repeat) {
      if (COMMANDS[name] || name === "Enter") event.preventDefault(); // a held key is one answer
      return;
    }
    const command = (event.shiftKey && SHIFTED[name]) || COMMANDS[name];
    if (command) {
      event.preventDefault();
      act(command);
    } else if (name.length === 1 && letter(name, event.shiftKey)) {
      event.preventDefault();
    }
  };
  host.keys.addEventListener("keydown", pressed);
  return () => host.keys.removeEventListener("keydown", pressed);
}

/** Every key with its meaning, for the help. */
export const HELP = [
  [["y", "→"], "all of these are right"],
  [["n", "←"], "something is wrong, without saying what"],
  [["a", "b", "…"], "mark the tile with that letter as wrong; so does a click or a touch"],
  [["Shift"], "with a letter or a click: mark all from the one marked last; or draw over several"],
  [["Enter"], "only the marked ones are wrong, the others are right"],
  [["Shift", "n"], "none of these is right: all of them are wrong"],
  [["Shift", "i"], "invert the marks: the marked ones are right, the others wrong"],
  [["Esc"], "unmark everything"],
  [["u"], "cannot tell: set a tile aside, with a note if you like"],
  [["z"], "undo the last answer"],
  [["i"], "look closer at a tile"],
  [["d"], "the definition and the pinned examples"],
  [["↑", "↓"], "move from tile to tile; in a long text, scroll"],
  [["Space", "End"], "in a long text: a page further, to its end"],
  [["?"], "this help"],
];

function typing(event) {
  return Boolean(event.target.closest?.("input, textarea, select, [contenteditable]"));
}

/** Does the key press what has the focus? Enter a link, both a button other than a tile. */
function presses(name, event) {
  const controls = "button:not(.tile), summary";
  return Boolean(event.target.closest?.(name === "Enter" ? `${controls}, a[href]` : controls));
}
