// The end: what was done, in a paragraph for a methods section, and the labels as files.

import { call, download } from "../api.js";
import { app } from "../app.js";
import { exactly, slips } from "../asking/enough.js";
import { button, fill, h } from "../dom.js";
import { notice, say } from "../notices.js";
import { count, labelName, many, missRate, unbroken } from "../words.js";
import { stat } from "./stat.js";

/** Show the view. */
export function mount(root) {
  const title = h("h1", {}, "Your labels");
  const state = h("p", { class: "muted" });
  const text = h("p", { class: "methods", id: "methods" }, "…");
  const numbers = h("div", { class: "figures" });
  const copy = button("Copy the paragraph", () => copied(text.textContent));
  const files = h("ul", { class: "files" });
  const missing = h("p", { class: "muted" });
  const asked = choices();
  const bound = certificate();
  fill(root, h("section", { class: "page" }, title, state, numbers, bound,
    h("h2", {}, "Downloads"),
    h("p", { class: "muted" }, `${app.session.folder ? "A row for each of your files, with its name and four columns" : "Your own rows and columns, in your order, with four columns behind"}: label, certain, how, probability. A label is there where your answers entail it.`),
    asked.box, files, missing,
    h("h2", {}, "For the methods section"), h("div", { class: "panel" }, text, h("div", { class: "row" }, copy)),
    h("p", { class: "muted" }, "Your answers stay in the session folder. ", h("code", {}, "askless export"), " writes the same files from the command line.")));

  call("export").then((formats) => {
    fill(files, formats.filter((one) => !one.needs).map((one) => file(one, asked.options)));
    missing.textContent = formats.filter((one) => one.needs).map(({ title, needs }) => `${title} needs the package ${needs}, which comes with askless[tables].`).join(" ");
  }).catch((problem) => notice(problem.message, { kind: "bad" }));
  call("summary").then((summary) => {
    const { progress } = app;
    const open = summary.items - summary.settled - summary.unsure;
    title.textContent = open ? "Your labels so far" : "Finished";
    asked.guesses.hidden = !open;
    const unless = progress?.enough?.accepted ? ", unless you choose so below" : "";
    state.textContent = open ? `${many(open, "item")} still open: in the file, open items have no label${unless}. You can come back at any time.` : "Every item is settled or set aside.";
    text.textContent = summary.text;
    fill(numbers, figures(summary, progress));
  }).catch((problem) => notice(problem.message, { kind: "bad" }));
}

function file({ name, title, purpose, file: called }, options) {
  return h("li", { class: "panel file" }, h("h3", {}, title), h("p", { class: "muted" }, purpose),
    button(`Download ${called}`, (event) => take({ format: name, ...options() }, event.currentTarget), { class: "primary", id: `download-${name}` }));
}

/** What can be said of the labels that are the model's; null where nothing was promised. */
function certificate() {
  const enough = app.progress?.enough;
  if (!enough || enough.share === null) return null;
  return h("section", { class: "panel", id: "certificate" }, h("h2", {}, enough.holds ? "Enough" : "Not enough yet"),
    h("p", { class: "promised" }, unbroken(enough.says).replace(/^Enough\. /, "")), slips(), exactly(enough.meaning),
    enough.accepted ? h("p", {}, h("a", { class: "as-button", href: "api/certificate", download: "certificate.json", id: "download-certificate" }, "Download certificate.json")) : null,
    h("p", { class: "muted" }, "Every number it rests on, and the draws of the checks; ", h("code", {}, "askless verify"), " computes it again. In words it stands below, for the methods section."));
}

/** Whether the model's labels go into the files: never unless that is asked for. */
function acceptedChoice() {
  const enough = app.progress?.enough;
  if (!enough?.accepted) return { box: null, wanted: () => false };
  const { settled } = app.progress;
  const input = (id, checked) => h("input", { type: "radio", name: "accepted", id, checked });
  const [no, yes] = [input("accepted-no", true), input("accepted-yes", false)];
  const row = (one, ...text) => h("div", { class: "check" }, one, h("label", { for: one.id }, ...text));
  return {
    box: h("fieldset", { class: "choices-of-one" }, h("legend", {}, "Which labels go into the files?"),
      row(no, `Only the ${count(settled)} that follow from your answers`),
      row(yes, `All ${count(settled + enough.accepted)}: also the ${many(enough.accepted, "label")} of the model that you accept, marked as accepted and not certain`)),
    wanted: () => yes.checked,
  };
}

/** What is asked of the files: accepted labels, guesses above a cut-off, and whether to tell probabilities. */
function choices() {
  const wanted = h("input", { type: "checkbox", id: "guesses" });
  const above = h("input", { type: "number", id: "guess-above", min: "50", max: "99.9", step: "any", value: "95", "aria-label": "Per cent" });
  const told = h("p", { class: "muted", id: "guesses-told", role: "status" });
  const probability = h("input", { type: "checkbox", id: "probability", checked: true });
  const share = () => (wanted.checked && above.checkValidity() && above.value ? Number(above.value) / 100 : null);
  let latest = 0;
  const tell = async () => {
    const number = ++latest;
    told.textContent = wanted.checked && share() === null ? "A guess is the likelier label: name a number from 50 to less than 100." : "";
    if (share() === null) return;
    await new Promise((done) => setTimeout(done, 200)); // whoever types is not done yet
    if (number !== latest) return;
    try {
      const { rows, expected_wrong: wrong } = await call(`export/guesses?above=${share()}`);
      if (number === latest) told.textContent = counted(rows, wrong, above.value);
    } catch (problem) {
      if (number === latest) told.textContent = problem.message;
    }
  };
  wanted.addEventListener("change", tell);
  above.addEventListener("input", tell);
  const guesses = h("div", { hidden: true },
    h("div", { class: "row" }, wanted, h("label", { for: "guesses" }, "Add the model's guesses for open items, only those above"), above, "%"), told);
  const accepted = acceptedChoice();
  return {
    box: h("div", { class: "panel choices" }, accepted.box, guesses,
      h("div", { class: "row" }, probability, h("label", { for: "probability" }, "Fill in the column probability"))),
    guesses,
    options: () => ({ guess_above: share(), probability: probability.checked, ...(accepted.wanted() ? { accepted: true } : {}) }),
  };
}

function counted(rows, wrong, above) {
  if (!rows) return `No open item has a guess above ${above} % yet.`;
  const expected = wrong < 0.5 ? "fewer than one" : `about ${count(wrong)}`;
  return `${many(rows, "row has", "rows have")} a guess above ${above} %, in a column of its own. By the model's probabilities, ${expected} of these guesses will be wrong.`;
}

function figures(summary, progress) {
  const { audits } = summary;
  return [
    stat("Items", count(summary.items), `${count(summary.positives)} ${labelName(app.session, true)}`),
    stat("Answers", count(summary.answers), progress?.labels_per_answer ? `${progress.labels_per_answer.toFixed(1)} labels each` : ""),
    stat("Test split", count(summary.test_split), "drawn at random, unbiased"),
    audits.asked ? stat("Audits missed", `${count(audits.missed)} of ${count(audits.asked)}`, missRate(audits)) : null,
  ];
}

async function take(wanted, pressed) {
  pressed.disabled = true;
  try {
    const { name, blob, notes } = await download("export", wanted);
    const link = h("a", { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    say(`${name} downloaded.`);
    if (notes) notice(`${name}: ${notes}`, { stay: true });
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
