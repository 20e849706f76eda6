// The end: what was done, in a paragraph for a methods section, and the labels as files.

import { call, download } from "../api.js";
import { app } from "../app.js";
import { button, fill, h } from "../dom.js";
import { notice, say } from "../notices.js";
import { count, labelName, many, percent } from "../words.js";
import { stat } from "./stat.js";

/** Show the view. */
export function mount(root) {
  const title = h("h1", {}, "Your labels");
  const state = h("p", { class: "muted" });
  const text = h("p", { class: "methods", id: "methods" }, "…");
  const numbers = h("div", { class: "figures" });
  const copy = button("Copy the paragraph", () => copied(text.textContent));
  const files = h("ul", { class: "files" });
  fill(root, h("section", { class: "page" }, title, state, numbers,
    h("h2", {}, "Downloads"), files,
    h("h2", {}, "For the methods section"), h("div", { class: "panel" }, text, h("div", { class: "row" }, copy)),
    h("p", { class: "muted" }, "Your answers stay in the session folder. From the command line, ", h("code", {}, "askless export"), " also writes image folders sorted by label.")));

  call("export").then((formats) => fill(files, formats.map(file)))
    .catch((problem) => notice(problem.message, { kind: "bad" }));
  call("summary").then((summary) => {
    const { progress } = app;
    const open = summary.items - summary.settled - summary.unsure;
    title.textContent = open ? "Your labels so far" : "Finished";
    state.textContent = open ? `${many(open, "item")} still open: in the file, open items have the model's guess and are marked as not final. You can come back at any time.` : "Every item is settled or set aside.";
    text.textContent = summary.text;
    fill(numbers, figures(summary, progress));
  }).catch((problem) => notice(problem.message, { kind: "bad" }));
}

function file({ name, title, purpose }) {
  return h("li", { class: "panel file" }, h("h3", {}, title), h("p", { class: "muted" }, purpose),
    button(`Download ${title}`, (event) => take(name, event.currentTarget), { class: "primary", id: `download-${name}` }));
}

function figures(summary, progress) {
  const { audits } = summary;
  return [
    stat("Items", count(summary.items), `${count(summary.positives)} ${labelName(app.session, true)}`),
    stat("Answers", count(summary.answers), progress?.labels_per_answer ? `${progress.labels_per_answer.toFixed(1)} labels each` : ""),
    stat("Test split", count(summary.test_split), "drawn at random, unbiased"),
    audits.asked ? stat("Checks missed", `${count(audits.missed)} of ${count(audits.asked)}`, `likely ${percent(audits.low)} to ${percent(audits.high)}`) : null,
  ];
}

async function take(format, pressed) {
  pressed.disabled = true;
  try {
    const { name, blob } = await download("export", { format });
    const link = h("a", { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    say(`${name} downloaded.`);
  } catch (problem) {
    notice(problem.message, { kind: "bad", stay: true });
  }
  pressed.disabled = false;
}

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    notice("Copied.");
  } catch {
    const range = document.createRange();
    range.selectNodeContents(document.getElementById("methods"));
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    notice("Selected: copy it with your keyboard.");
  }
}
