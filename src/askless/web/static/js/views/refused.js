// Answers that are not in the store: what was said, why it was not taken, and what can be done.

import { app, hear } from "../app.js";
import { dismiss, inWords, refusedAnswers } from "../asking/refused.js";
import { button, fill, h } from "../dom.js";
import { notice } from "../notices.js";
import { ago, many } from "../words.js";

/** Fill an element with them, now and whenever they change; returns how to stop. */
export function refusedList(root) {
  const show = () => {
    const refused = refusedAnswers(app.outbox.session);
    root.hidden = refused.length === 0;
    fill(root, h("h2", {}, `${many(refused.length, "answer")} not taken`),
      h("p", {}, "These are not among your labels. They stay in this browser until you dismiss them."),
      h("ol", { class: "refused-list" }, ...refused.map(row)),
      h("div", { class: "row" }, button("Download them", () => save(refused))));
  };
  show();
  const stops = [hear("refused", show)];
  addEventListener("storage", show);
  return () => {
    stops.forEach((stop) => stop());
    removeEventListener("storage", show);
  };
}

function row(one) {
  const [said, more] = inWords(one.entry);
  const again = () => {
    dismiss(one);
    app.outbox.push(one.entry);
  };
  return h("li", {},
    h("div", {}, h("p", {}, h("strong", {}, said)), more ? h("p", { class: "muted" }, more) : null,
      h("p", { class: "bad" }, one.why),
      one.entry.at_s ? h("p", { class: "muted" }, ago(one.entry.at_s)) : null),
    h("div", { class: "row" },
      one.mine ? button("Send again", again) : null,
      button("Copy", () => copy([said, more, one.why].filter(Boolean).join("\n"))),
      button("Dismiss", () => dismiss(one), { "aria-label": `Dismiss: ${said}` })));
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    notice("Copied.");
  } catch {
    notice("This browser lets no page copy here; download them instead.", { kind: "bad" });
  }
}

function save(refused) {
  const plain = refused.map(({ entry, why }) => ({ said: inWords(entry)[0], why, at_s: entry.at_s, ...entry.body, items: entry.question?.items }));
  const blob = new Blob([`${JSON.stringify(plain, null, 1)}\n`], { type: "application/json" });
  const link = h("a", { href: URL.createObjectURL(blob), download: "answers-not-taken.json" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
