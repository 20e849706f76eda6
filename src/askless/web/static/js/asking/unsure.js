// "I cannot tell": sets one item aside, with a note if there is something to say.

import { button, dialog, h, key } from "../dom.js";
import { picture } from "./pictures.js";

/** Ask what there is to say about it, then call `aside` with that: fields of the request. */
export function unsure(item, aside) {
  const note = h("input", { id: "unsure-note", type: "text", maxlength: "2000", autocomplete: "off" });
  const form = h("form", { method: "dialog" },
    h("div", { class: "unsure-item" }, item.picture ? picture(item) : h("p", { class: "words" }, item.text ?? item.name)),
    h("label", { for: "unsure-note" }, "A note, if you like"), note,
    h("div", { class: "row" },
      button("Cancel", () => box.close()),
      h("button", { type: "submit", class: "primary" }, "Set aside ", key("Enter"))));
  const box = dialog("You cannot tell?", h("p", {}, "It gets no label and is not asked again. You can undo this."), form);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    box.close();
    aside({ note: note.value.trim() });
  });
  note.focus();
}
