// The help: every key, on one screen.

import { button, dialog, h, key } from "../dom.js";
import { HELP } from "./keys.js";

/** Show the keys. */
export function help() {
  const rows = HELP.map(([keys, meaning]) =>
    h("div", { class: "help-row" }, h("dt", {}, ...keys.map(key)), h("dd", {}, meaning)));
  const box = dialog("Keys", h("dl", { class: "help" }, ...rows),
    h("p", { class: "muted" }, "A yes settles every tile at once. A no without marks is enough too: the next questions find out which one it was."),
    h("div", { class: "row" }, button("Close", () => box.close(), { class: "primary" })));
}
