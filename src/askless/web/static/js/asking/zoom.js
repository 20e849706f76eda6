// One item, as large as the window allows. Marks and the question stay as they were.

import { call } from "../api.js";
import { app, update } from "../app.js";
import { button, dialog, fill, h, key } from "../dom.js";
import { focused } from "../host.js";
import { notice } from "../notices.js";
import { many } from "../words.js";
import { links, reading } from "./facts.js";
import { Pan } from "./pan.js";
import { decoded, picture } from "./pictures.js";

/** Every key of the zoom with its meaning, for the help. */
export const ZOOM_HELP = [
  [["←", "→"], "while looking closer: the item before or after"],
  [["+", "-"], "larger, smaller; so do the wheel and two fingers"],
  [["⇧←", "⇧↑"], "move an enlarged picture; so does dragging it"],
  [["0"], "the whole picture in its own light"],
];

/** Open the zoom on one of these items; arrows go to the others. */
export function zoom(items, at = 0, extra = () => []) {
  const frame = h("div", { class: "zoom-frame" });
  const pan = new Pan(frame);
  const caption = h("p", { class: "zoom-name" });
  const actions = h("div", { class: "row" });
  const box = dialog("Look closer", frame, caption, pan.controls, actions);
  box.classList.add("zoom");
  let place = at;
  const show = () => {
    const item = items[place];
    fill(frame, item.picture ? fill(pan.content, wholePicture(item)) : wholeText(item));
    frame.classList.toggle("pannable", item.picture);
    pan.controls.hidden = !item.picture;
    pan.fit();
    caption.textContent = `${item.name}${items.length > 1 ? ` (${place + 1} of ${items.length})` : ""}${copies(item)}`;
    fill(actions,
      items.length > 1 ? button("‹", () => step(-1), { "aria-label": "Previous" }) : null,
      items.length > 1 ? button("›", () => step(1), { "aria-label": "Next" }) : null,
      extra(item, box), pinButton(item, show),
      button(["Close ", key("Esc")], () => box.close(), { class: "primary" }));
  };
  const step = (by) => {
    place = (place + by + items.length) % items.length;
    const held = [...actions.children].indexOf(focused());
    show();
    if (held >= 0) (actions.children[held] ?? actions.lastChild).focus(); // the button itself is a new one
  };
  box.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input")) return;
    const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 }[event.key];
    const scrolls = !items[place].picture && ["ArrowDown", "ArrowUp"].includes(event.key);
    if (by && !scrolls && !event.shiftKey) step(by);
    else if (event.key === "i" && !event.repeat) box.close();
    else if (!pan.key(event)) return;
    event.preventDefault();
    event.stopPropagation(); // the page behind it does not hear of it
  });
  show();
  actions.lastChild.focus();
  return box;
}

/** The exact copies of an item, which have its label; a question does not tell them. */
function copies({ copies: number, copy_names: names }) {
  if (!number) return "";
  const more = number - names.length;
  return `; ${many(number, "exact copy", "exact copies")}: ${names.join(", ")}${more ? ` and ${many(more, "more", "more")}` : ""}`;
}

/** The picture in full; the small one until that has come. */
function wholePicture(item) {
  const [small, full] = [picture(item), picture(item, "full")];
  decoded(full).then(() => small.replaceWith(full)).catch(() => {});
  return small;
}

/** A text in full; with a question only its beginning is sent. */
function wholeText(item) {
  const box = h("div", { class: "whole-text", tabindex: "0" });
  const show = (one) => fill(box, reading(one), links(one));
  show(item);
  if (item.cut) call(`items/${item.item}`).then(show).catch(() => {});
  return box;
}

/** Is this item pinned as an example? */
function isPinned(item) {
  return (app.session.pinned ?? []).some((one) => (one.item ?? one) === item.item);
}

function pinButton(item, after) {
  const pinned = isPinned(item);
  return button(pinned ? "Unpin" : "Pin as an example", async () => {
    try {
      const reply = await call("pin", { item: item.item, pinned: !pinned });
      const session = reply.pinned ? reply : await call("session");
      update("session", { pinned: session.pinned });
      after();
    } catch (problem) {
      notice(problem.message, { kind: "bad" });
    }
  });
}
