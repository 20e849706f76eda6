// The help: every key, on one screen.

import { button, dialog, h, key } from "../dom.js";
import { HELP } from "./keys.js";

const NOTE = "A yes settles every tile at once. A no without marks is enough too: the next questions find out which one it was.";

/** Show the keys of a view: [keys, meaning] each; those of the question unless it says others. */
export function help(keys_of_view = HELP, note = NOTE) {
  const rows = keys_of_view.map(([keys, meaning]) =>
    h("div", { class: "help-row" }, h("dt", {}, ...keys.map(key)), h("dd", {}, meaning)));
  const box = dialog("Keys", h("dl", { class: "help" }, ...rows),
    h("p", { class: "muted" }, note),
    h("div", { class: "row" }, button("Close", () => box.close(), { class: "primary" })));
  box.classList.add("keys");
  box.scrollTop = 0; // the button below has the focus
}
