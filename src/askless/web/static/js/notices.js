// Short messages: some for the live region, and some on the screen that go away by themselves.

import { button, fill, h } from "./dom.js";
import { host } from "./host.js";

const STAY_MS = 7000;

/** Say something to those who listen instead of look. */
export function say(text) {
  const live = host.root.getElementById("live");
  live.textContent = live.textContent === text ? `${text} ` : text;
}

/** Show a message and say it: for a while in place of the one before, or if it is to stay, above the view until it is dismissed. `act` adds a button: [text, what it does]; `code` a command. */
export function notice(text, { kind = "plain", act = null, code = null, stay = false } = {}) {
  const box = h("div", { class: "notice", data: { kind } }, h("p", {}, text, code ? h("code", {}, code) : null));
  const close = () => box.remove();
  if (act) box.append(button(act[0], () => (close(), act[1]()), { class: "quiet" }));
  box.append(button("×", close, { class: "quiet close", "aria-label": "Dismiss" }));
  const area = host.root.getElementById(stay ? "standing" : "notices");
  if (kind !== "bad") dropWarnings();
  for (const old of area.children) if (old.firstChild.textContent === text) old.remove(); // once is enough
  while (area.children.length > (stay ? 2 : 0)) area.firstChild.remove();
  area.append(box);
  say(code ? `${text} ${code}` : text);
  if (!stay) setTimeout(close, STAY_MS);
  return close;
}

/** Take away what went wrong before: something has worked since, or another view is shown. What is to stay stays. */
export function dropWarnings() {
  for (const old of host.root.querySelectorAll('#notices .notice[data-kind="bad"]')) old.remove();
}

/** Take away what was said about the question before. */
export function dropPlain() {
  for (const old of host.root.querySelectorAll('#notices .notice[data-kind="plain"]')) old.remove();
}

/** A whole screen that says what to do, in place of a view. */
export function screen(root, title, ...lines) {
  fill(root, h("section", { class: "screen" }, h("h1", {}, title),
    ...lines.map((line) => (typeof line === "string" ? h("p", {}, line) : line))));
}
