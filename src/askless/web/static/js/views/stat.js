// One figure with its name above and a remark below, for the views of progress and of the finish.

import { h } from "../dom.js";

/** A figure, as text. */
export function stat(name, value, note = "") {
  return h("div", { class: "stat" }, h("h2", {}, name), h("p", { class: "value" }, value), h("p", { class: "muted" }, note));
}
