// Making elements. Text only ever enters through textContent, so that a file name or a
// text item is never read as markup.

import { host } from "./host.js";

/** An element: h("p", {class: "note", on: {click}}, "text", child). Null children are left out. */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    } else if (name === "data") {
      Object.assign(element.dataset, value);
    } else if (name === "value" || name === "checked") {
      element[name] = value;
    } else {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** Put these children, and nothing else, into an element. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** Whether there may be a keyboard: a device with fingers alone has none that shows. */
export const KEYBOARD = matchMedia("(any-pointer: fine)").matches;

/** A key cap. */
export function key(name) {
  return h("kbd", {}, name);
}

/** A button with what it does when pressed. */
export function button(text, press, props = {}) {
  const children = Array.isArray(text) ? text : [text];
  return h("button", { type: "button", ...props, on: { click: press } }, ...children);
}

/** A modal dialog with a heading, put into the page and opened; removed when it closes. */
export function dialog(title, ...children) {
  const heading = h("h2", { id: `dialog-${++dialogs}` }, title);
  const box = h("dialog", { "aria-labelledby": heading.id }, heading, ...children);
  box.addEventListener("close", () => box.remove());
  box.addEventListener("click", (event) => {
    if (event.target === box && !box.dataset.stay) box.close();
  });
  box.addEventListener("cancel", (event) => {
    if (box.dataset.stay) event.preventDefault();
  });
  host.dialogs.append(box);
  box.showModal();
  return box;
}

/** Is a dialog open? Then keys are not answers. */
export function dialogOpen() {
  return host.root.querySelector("dialog[open]") !== null;
}

let dialogs = 0;
