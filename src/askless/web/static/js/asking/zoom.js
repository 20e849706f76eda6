// One item, as large as the window allows. Marks and the question stay as they were.

import { call } from "../api.js";
import { app, update } from "../app.js";
import { button, dialog, fill, h, key } from "../dom.js";
import { notice } from "../notices.js";
import { picture } from "./pictures.js";

/** Open the zoom on one of these items; arrows go to the others. */
export function zoom(items, at = 0, extra = () => []) {
  const frame = h("div", { class: "zoom-frame" });
  const caption = h("p", { class: "zoom-name" });
  const actions = h("div", { class: "row" });
  const box = dialog("Look closer", frame, caption, actions);
  box.classList.add("zoom");
  let place = at;
  const show = () => {
    const item = items[place];
    fill(frame, item.picture ? wholePicture(item) : wholeText(item));
    caption.textContent = items.length > 1 ? `${item.name} (${place + 1} of ${items.length})` : item.name;
    fill(actions,
      items.length > 1 ? button("‹", () => step(-1), { "aria-label": "Previous" }) : null,
      items.length > 1 ? button("›", () => step(1), { "aria-label": "Next" }) : null,
      extra(item, box), pinButton(item, show),
      button(["Close ", key("Esc")], () => box.close(), { class: "primary" }));
  };
  const step = (by) => {
    place = (place + by + items.length) % items.length;
    show();
  };
  box.addEventListener("keydown", (event) => {
    if (event.key === "ArrowRight" || event.key === "ArrowDown") step(1);
    else if (event.key === "ArrowLeft" || event.key === "ArrowUp") step(-1);
    else if (event.key === "i" && !event.repeat) box.close();
    else return;
    event.preventDefault();
  });
  show();
  actions.lastChild.focus();
  return box;
}

/** The picture in full; the small one until that has come. */
function wholePicture(item) {
  const [small, full] = [picture(item), picture(item, "full")];
  full.decode().then(() => small.replaceWith(full)).catch(() => {});
  return small;
}

/** A text in full; with a question only its beginning is sent. */
function wholeText(item) {
  const words = h("p", { class: "words", tabindex: "0" }, item.text ?? item.name);
  if (item.text?.endsWith("…")) {
    call(`items/${item.item}`).then((whole) => (words.textContent = whole.text)).catch(() => {});
  }
  return words;
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
