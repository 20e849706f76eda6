// The question view: one question, its tiles, the three answers.

import { app, hear } from "../app.js";
import { showDefinition } from "../asking/definition.js";
import { Grid } from "../asking/grid.js";
import { help } from "../asking/help.js";
import { listen } from "../asking/keys.js";
import { isHere, ready } from "../asking/pictures.js";
import { unsure } from "../asking/unsure.js";
import { zoom } from "../asking/zoom.js";
import { button, fill, h, key } from "../dom.js";
import { notice, say } from "../notices.js";
import { count, many, minutes, range, sentence, sentenceText } from "../words.js";

const NOTICE_MS = 300; // to notice that the question has changed by itself
const BOUNCE_MS = 120; // a second click sooner than this was meant for the question before
const CHECK_MS = 50; // until the answer before has gone through, or has not
const ANSWERS = ["yes", "no", "pointed"];
const TOOLS = [
  ["Undo", "z", "undo"], ["Cannot tell", "u", "unsure"], ["Look closer", "i", "zoom"],
  ["Definition", "d", "definition"], ["Keys", "?", "help"],
];

/** Show the view; returns how to take it away. */
export function mount(root) {
  const heading = h("h1", { class: "sentence", id: "sentence", tabindex: "-1" });
  const chips = h("p", { class: "chips" });
  const area = h("div", { class: "grid", role: "group", "aria-labelledby": "sentence" });
  const no = button("", () => click("no"), { class: "answer no", id: "answer-no" });
  const only = button("", () => click("pointed"), { class: "answer only", id: "answer-only" });
  const yes = button("", () => click("yes"), { class: "answer yes", id: "answer-yes" });
  const unmark = button(["Unmark all ", key("Esc")], () => click("clear"), { class: "answer unmark", id: "unmark" });
  const tools = h("div", { class: "tools", role: "group", "aria-label": "Tools" },
    ...TOOLS.map(([text, name, command]) => button([text, key(name)], () => act(command), { class: "quiet", id: `tool-${command}` })));
  const left = h("p", { class: "left muted" });
  const answers = h("div", { class: "answers" }, no, only, yes, unmark);
  const body = h("section", { class: "ask" }, h("div", { class: "ask-head" }, heading, chips), area, answers, h("div", { class: "ask-foot" }, tools, left));
  const end = h("section", { class: "screen", hidden: true });
  fill(root, body, end);
  const grid = new Grid(area, marked, picked);
  let advice = ""; // why nothing came of the last key
  let shown_ms = 0;
  let shown = 0;

  function question({ after = "same", instead = false } = {}) {
    const { flow } = app;
    body.hidden = flow.phase === "done" || flow.phase === "elsewhere";
    end.hidden = !body.hidden;
    body.classList.toggle("waiting", flow.phase === "waiting");
    if (!end.hidden) return closing(end, flow.phase, undo);
    if (flow.phase !== "asking") {
      body.classList.remove("loading");
      if (!grid.items.size) heading.textContent = "The first question is on its way …";
      return hints();
    }
    const asked = flow.question;
    fill(heading, sentence(asked));
    advice = "";
    pick(false);
    body.dataset.guess = asked.guess ? "positive" : "negative";
    const stay = ["no", "undo", "unsure", "same"].includes(after);
    if (grid.show(asked, stay)) heading.focus();
    area.dataset.shown = ++shown; // counts what was shown, for whoever measures
    shown_ms = performance.now();
    hints();
    hold(asked, instead ? NOTICE_MS : 0);
    const kind = asked.items[0]?.picture ? "picture" : "text";
    say(`${sentenceText(asked)} ${many(asked.items.length, kind)}.`);
    return undefined;
  }

  /** Nobody answers what cannot be seen yet, or what came in place of what they looked at. */
  async function hold(asked, wait_ms) {
    body.classList.toggle("loading", wait_ms > 0 || !isHere(asked));
    if (!body.classList.contains("loading")) return;
    await Promise.all([ready(asked), pause(wait_ms)]);
    let again = false;
    while (app.flow.question === asked && app.outbox.size && !isHere(asked)) {
      // Perhaps the connection went before its pictures came: nobody answers what they cannot see.
      if (app.outbox.lost) return app.flow.showAnother() || app.flow.wait("lost");
      await pause(CHECK_MS);
      again = true;
    }
    if (app.flow.question !== asked) return;
    if (again) {
      await ready(asked);
      grid.show(asked, true);
    }
    body.classList.remove("loading");
    grid.resize();
    app.flow.seen();
  }

  function advise(text) {
    advice = text;
    hints();
    say(text);
  }

  function marked() {
    if (advice) advise("");
    const asked = app.flow.question;
    const single = asked?.items.length === 1;
    const marks = grid.wrong.size;
    body.classList.toggle("marking", marks > 0);
    fill(no, key("n"), h("span", {}, single ? "No" : "No, something is wrong"));
    fill(yes, h("span", {}, single ? "Yes" : "Yes, all of them"), key("y"));
    fill(only, h("span", {}, marks === 1 ? "Only this one is wrong" : `Only these ${marks} are wrong`), key("Enter"));
    only.hidden = unmark.hidden = marks === 0;
    yes.hidden = marks > 0;
  }

  /** Let the person choose the tile that they cannot tell. */
  function pick(on) {
    grid.picking = on;
    body.classList.toggle("picking", on);
    hints();
    if (on) say("Which one can you not tell? Press its letter or click it. Escape: none.");
  }

  function picked(item) {
    pick(false);
    markUnsure(grid.items.get(item));
  }

  function hints() {
    const { question: asked } = app.flow;
    const idle = grid.picking || (app.flow.phase === "waiting" && app.outbox.lost);
    for (const one of [no, only, yes, unmark]) one.disabled = idle;
    const { progress } = app;
    const trainer = progress?.trainer;
    if (grid.picking) fill(chips, chip("Which one can you not tell?", "pick"), button(["Never mind", key("Esc")], () => pick(false), { class: "quiet" }));
    else fill(chips,
      advice ? chip(advice, "pick") : null,
      grid.scrolls ? chip(`${many(grid.items.size, "text")}: scroll to see all of them`, "pick") : null,
      app.flow.full ? chip("This page can hold no more answers until they are saved", "bad") : null,
      app.flow.phase === "waiting" && app.outbox.lost ? chip("No further question is here without the connection", "bad") : null,
      asked?.drawn ? chip("For your test split", "drawn", "Drawn at random, before anything was learnt") : null,
      asked?.learning ? chip(`The model is still learning${seenPart(trainer)}`, "learning", "Questions grow as it gets better") : null,
      trainer?.last_failure ? chip(failureOf(trainer), "bad", trainer.last_failure) : null);
    if (!progress) return;
    const time = progress.minutes_left ? `, ${minutes(progress.minutes_left.expected)}` : "";
    const questions = progress.questions_left ? ` · ${range(progress.questions_left)} ${range(progress.questions_left) === "1" ? "answer" : "answers"} to go${time}` : "";
    left.textContent = `${count(progress.settled)} of ${count(progress.items)} settled${questions}`;
  }

  function click(answer) {
    if (performance.now() - shown_ms > BOUNCE_MS) act(answer);
  }

  function act(command) {
    const { flow } = app;
    if (command === "definition") return showDefinition();
    if (command === "help") return help();
    if (command === "undo") return undo();
    if (flow.phase !== "asking") return undefined;
    if (body.classList.contains("loading") && ANSWERS.includes(command)) return say("One moment.");
    const marks = [...grid.wrong];
    const single = flow.question.items.length === 1;
    if (grid.picking && ANSWERS.includes(command)) return say("First choose the one you cannot tell, or press Escape.");
    if (flow.full && [...ANSWERS, "unsure"].includes(command)) return say("This page can hold no more answers until they are saved.");
    if (command === "yes" && marks.length) return advise(`${many(marks.length, "tile")} marked as wrong. Enter: only these are wrong. Escape: unmark.`);
    if (command === "yes" || command === "no") return flow.answer(command);
    if (command === "pointed") return marks.length ? flow.answer("pointed", marks) : advise(single ? "Answer yes or no." : "Mark the wrong ones first, or answer yes or no.");
    if (command === "clear") return grid.picking ? pick(false) : grid.clear();
    if (command === "next" || command === "previous") return grid.move(command === "next" ? 1 : -1);
    const item = grid.pointedAt;
    if (command === "zoom") {
      const items = flow.question.items;
      return zoom(items, Math.max(0, items.indexOf(item)), (one, box) => [
        single ? null : button(grid.wrong.has(one.item) ? "Not wrong" : "Mark as wrong", () => (box.close(), grid.toggle(one.item))),
        button("Cannot tell", () => (box.close(), markUnsure(one))),
      ]);
    }
    const meant = item ?? (marks.length === 1 ? grid.items.get(marks[0]) : null);
    return meant ? markUnsure(meant) : pick(!grid.picking);
  }

  function markUnsure(item) {
    unsure(item, (note) => app.flow.unsure(item.item, note));
  }

  async function undo() {
    try {
      if (!(await app.flow.undo())) notice("This window has no answer to take back. Older ones are in Answers.");
    } catch (problem) {
      notice(problem.lost ? "Undo needs the connection: the last answer may be on its way already." : problem.message, { kind: "bad" });
    }
  }

  const stops = [
    hear("question", question), hear("progress", hints), hear("ahead", hints), hear("saving", hints),
    listen(act, (letter) => !body.classList.contains("loading") && app.flow.phase === "asking" && app.flow.question.items.length > 1 && grid.toggleLetter(letter)),
  ];
  marked();
  question();
  return () => stops.forEach((stop) => stop());
}

function pause(wait_ms) {
  return new Promise((resolve) => setTimeout(resolve, wait_ms));
}

function chip(text, kind, title = null) {
  return h("span", { class: "chip", title, data: { kind } }, text);
}

/** What a failure of the trainer means for the questions. */
function failureOf(trainer) {
  if (trainer.retry_in_s !== null) return "Training failed, trying again";
  return trainer.checkpoint ? "A simple model asks: Progress says why" : "No model: asking without one";
}

/** How much of the pool the model has seen, while it is still looking. */
function seenPart(trainer) {
  const part = trainer?.preparing ?? 1;
  return part < 1 ? ` (${Math.round(100 * part)} %)` : "";
}

/** Nothing to ask: finished, or others are looking at the rest. */
function closing(end, phase, undo) {
  if (phase === "elsewhere") {
    fill(end, h("h1", {}, "The last items are being looked at elsewhere"),
      h("p", {}, "Another window of yours has them. This page goes on by itself when one comes back."),
      button("Ask them here", () => app.flow.start(true)));
    return;
  }
  fill(end, h("h1", {}, "Everything is settled"),
    h("p", {}, "Look over the few labels worth a second glance, then take your labels home."),
    h("div", { class: "row" }, h("a", { class: "as-button", href: "#review" }, "Review"), h("a", { class: "as-button primary", href: "#finish" }, "Finish"),
      button(["Undo the last answer", key("z")], undo, { class: "quiet" })));
  say("Everything is settled.");
}
