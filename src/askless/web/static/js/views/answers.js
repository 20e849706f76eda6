// Recent answers, newest first; any one can be taken back. Above them, those that were not taken.

import { call, newKey } from "../api.js";
import { app, hear } from "../app.js";
import { picture } from "../asking/pictures.js";
import { button, fill, h } from "../dom.js";
import { notice } from "../notices.js";
import { ago, count, labelName, many } from "../words.js";
import { refusedList } from "./refused.js";

const PAGE = 20;
const SHOWN = 24;

/** Show the view; returns how to take it away. */
export function mount(root) {
  const list = h("ol", { class: "history" });
  const more = button("Show older ones", () => load(last), { hidden: true });
  const empty = h("p", { class: "muted", hidden: true }, "No answers yet.");
  const refused = h("section", { class: "panel not-taken" });
  fill(root, h("section", { class: "page" }, h("h1", {}, "Your answers"), refused,
    h("p", { class: "muted" }, "Taking an answer back undoes what followed from it, and nothing else."), empty, list, h("div", { class: "row" }, more)));
  let last = null;

  async function load(before) {
    try {
      const answers = await call(`answers?limit=${PAGE}${before === null ? "" : `&before=${before}`}`);
      if (before === null) fill(list);
      list.append(...answers.map((answer) => row(answer, () => load(null))));
      last = answers.at(-1)?.answer ?? last;
      more.hidden = answers.length < PAGE;
      empty.hidden = list.children.length > 0;
    } catch (problem) {
      notice(problem.message, { kind: "bad" });
    }
  }

  load(null);
  const stops = [hear("saved", () => load(null)), refusedList(refused)];
  return () => stops.forEach((stop) => stop());
}

function row(answer, after) {
  const name = labelName(app.session, answer.guess);
  const wrong = new Set(answer.wrong ?? []);
  const said = { yes: "yes", no: "no", pointed: `all but ${wrong.size}` }[answer.kind] ?? answer.kind;
  const extra = answer.size - SHOWN;
  const asked = [answer.size === 1 ? "? " : ", all? ", h("strong", {}, said)];
  return h("li", { class: answer.retracted ? "taken-back" : "", data: { answer: String(answer.answer) } },
    h("div", { class: "history-text" },
      h("p", {}, h("strong", { class: answer.guess ? "is-positive" : "is-negative" }, name), answer.given ? ": came with the source" : asked),
      h("p", { class: "muted" }, `${many(answer.size, "item")} · ${ago(answer.at_s)}`),
      answer.disputed ? h("p", { class: "bad" }, "Contradicts another answer") : null),
    h("ul", { class: "thumbs" }, ...answer.items.slice(0, SHOWN).map((item) => thumb(item, wrong.has(item.item))),
      extra > 0 ? h("li", { class: "muted" }, `+${count(extra)}`) : null),
    answer.retracted ? h("p", { class: "tag" }, "taken back")
      : answer.given ? h("p", { class: "tag" }, "correct it in the Gallery")
      : button("Take back", () => retract(answer, after), { "aria-label": `Take back: ${name}, ${said}, ${many(answer.size, "item")}` }));
}

function thumb(item, wrong) {
  const text = wrong ? `${item.name}, wrong` : item.name;
  return h("li", { class: wrong ? "thumb wrong" : "thumb", title: text },
    item.picture ? described(picture(item), text) : h("span", { class: "words" }, item.text ?? item.name));
}

function described(image, text) {
  image.alt = text;
  image.loading = "lazy";
  return image;
}

async function retract(answer, after) {
  try {
    await call("retract", { answer: answer.answer, key: newKey() });
    notice("Taken back, with what followed from it.");
    app.flow.start();
    after();
  } catch (problem) {
    notice(problem.lost ? "Taking back needs the connection." : problem.message, { kind: "bad" });
  }
}
