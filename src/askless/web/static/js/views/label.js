// The question view: one question, its tiles, the three answers.

import { app, hear } from "../app.js";
import { showDefinition } from "../asking/definition.js";
import { proposal } from "../asking/enough.js";
import { Grid } from "../asking/grid.js";
import { help } from "../asking/help.js";
import { listen } from "../asking/keys.js";
import { isHere, ready } from "../asking/pictures.js";
import { Reader } from "../asking/reader.js";
import { unsure } from "../asking/unsure.js";
import { zoom } from "../asking/zoom.js";
import { button, fill, h, key, KEYBOARD } from "../dom.js";
import { focused, host, see } from "../host.js";
import { dropPlain, notice, say } from "../notices.js";
import { answersGiven, count, KINDS, many, sentence, sentenceText, toGo, unbroken } from "../words.js";

const NOTICE_MS = 300; // to notice that the question has changed by itself
const BOUNCE_MS = 120; // a second click sooner than this was meant for the question before
const CHECK_MS = 50; // until the answer before has gone through, or has not
const SETTLE_MS = 200; // a window that is being resized has its new size
const MARK = "Not all are right, you said: mark the wrong ones you see here";
const ANSWERS = ["yes", "no", "pointed", "none"];
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
  const none = button("", () => click("none"), { class: "answer none", id: "answer-none" });
  const invert = button(["Invert ", key("⇧i")], () => click("invert"), { class: "answer unmark", id: "invert" });
  const unmark = button(["Unmark ", key("Esc")], () => click("clear"), { class: "answer unmark", id: "unmark" });
  const tools = h("div", { class: "tools", role: "group", "aria-label": "Tools" },
    ...TOOLS.map(([text, name, command]) => button([text, key(name)], () => act(command), { class: "quiet", id: `tool-${command}` })));
  const left = h("p", { class: "left muted" });
  const answers = h("div", { class: "answers" }, no, none, only, yes, invert, unmark);
  const body = h("section", { class: "ask" }, h("div", { class: "ask-head" }, heading, chips), area, answers, h("div", { class: "ask-foot" }, tools, left));
  const end = h("section", { class: "screen", hidden: true });
  fill(root, body, end);
  const grid = new Grid(area, app.session.kind !== "images", { marked, picked, resized });
  const reader = new Reader(grid, marked);
  let settling = 0;
  let advice = ""; // why nothing came of the last key
  let shown_ms = 0;
  let shown = 0;

  function question({ after = "same", instead = false } = {}) {
    const { flow } = app;
    if (after !== "same") dropPlain();
    body.hidden = ["done", "elsewhere", "enough"].includes(flow.phase);
    if (!body.hidden && end.contains(focused())) heading.focus(); // a button that is hidden takes no keys
    end.hidden = !body.hidden;
    body.classList.toggle("waiting", flow.phase === "waiting");
    end.dataset.phase = flow.phase;
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
    const guess = asked.guess ? "positive" : "negative";
    if (after === "undo" || guess !== body.dataset.guess) grid.wrong.clear(); // asked again, or marks would say the opposite
    body.dataset.guess = guess;
    const stay = ["no", "undo", "unsure", "same"].includes(after);
    if (display(asked, stay)) heading.focus();
    area.dataset.shown = ++shown; // counts what was shown, for whoever measures
    host.toTop();
    shown_ms = performance.now();
    hints();
    hold(asked, instead ? NOTICE_MS : 0);
    check();
    const kind = asked.items[0]?.picture ? "picture" : "text";
    say(`${sentenceText(asked)} ${many(asked.items.length, kind)}.`);
    return undefined;
  }

  function display(asked, stay) {
    const hadFocus = grid.show(asked, stay);
    reader.begin(asked);
    marked();
    return hadFocus;
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
      display(asked, true);
    }
    body.classList.remove("loading");
    grid.resize();
    app.flow.seen();
  }

  /** Nobody is asked about what they cannot see: have fewer items where the window is too small. */
  function check() {
    const { flow } = app;
    if (flow.phase === "asking" && (grid.cut || (!app.outbox.lost && !flow.fits(flow.question)))) flow.refit();
  }

  function resized() {
    reader.update();
    hints();
    clearTimeout(settling);
    settling = setTimeout(check, SETTLE_MS);
  }

  /** Why nobody may answer yet; empty if they may. */
  function obstacle() {
    if (grid.cut) return app.outbox.lost || app.server !== "here" ? "This question needs a larger window" : "Fitting the question to the window …";
    if (host.hidden()) return host.hidden();
    return reader.unread ? `Read the text to its end first: scroll${KEYBOARD ? ", or press Space" : " to it"}` : "";
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
    body.classList.toggle("several", !single);
    const unread = reader.unread ? h("small", {}, "after the end of the text") : null;
    fill(no, key("n"), h("span", {}, single || marks ? "No" : "No, not all", unread));
    fill(none, h("span", {}, "None of them"), key("⇧n"));
    fill(yes, h("span", {}, single ? "Yes" : "Yes, all of them", unread?.cloneNode(true)), key("y"));
    const all = marks > 1 && marks === asked?.items.length;
    fill(only, h("span", {}, all ? "None of them is right" : marks === 1 ? "Only this one is wrong" : `Only these ${marks} are wrong`), key("Enter"));
    only.hidden = invert.hidden = unmark.hidden = marks === 0;
    yes.hidden = marks > 0;
    none.hidden = single || marks > 0;
    hints();
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
    const why = obstacle();
    body.classList.toggle("fitting", grid.cut);
    for (const one of [no, none, only, yes]) one.disabled = idle || why !== "";
    for (const one of [invert, unmark]) one.disabled = idle;
    const marking = Boolean(asked?.marks) && asked.items.length > 1;
    if (marking) no.disabled = true;
    const { progress } = app;
    const trainer = progress?.trainer;
    if (grid.picking) fill(chips, chip("Which one can you not tell?", "pick"), button(["Never mind", key("Esc")], () => pick(false), { class: "quiet" }));
    else if (why) fill(chips, chip(why, "pick"));
    else fill(chips,
      advice ? chip(advice, "pick") : marking ? chip(MARK, "pick") : null,
      app.flow.full ? chip("This page can hold no more answers until they are saved", "bad") : null,
      app.flow.phase === "waiting" && app.outbox.lost ? chip("No further question is here without the connection", "bad") : null,
      asked?.drawn ? chip("For your test split", "drawn", "Drawn at random, before anything was learnt") : null,
      asked?.learning ? learning(trainer) : null,
      trainer?.last_failure ? chip(failureOf(trainer), "bad", trainer.last_failure) : null);
    if (!progress) return;
    const rest = toGo(progress);
    const { enough } = progress;
    const bound = !enough ? null : enough.holds && host.go ? h("a", { href: "#finish", id: "bound" }, unbroken(enough.short)) : h("span", { id: "bound" }, unbroken(enough.short));
    const parts = [bound, bound && rest.startsWith("likely") ? null : rest].filter(Boolean);
    fill(left, h("span", { class: "settled" }, `${count(progress.settled)} of ${count(progress.items)} settled${parts.length ? " · " : ""}`), parts.flatMap((part, at) => (at ? [" · ", part] : [part])));
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
    if (ANSWERS.includes(command) && obstacle()) return advise(obstacle());
    if (grid.picking && ANSWERS.includes(command)) return say("First choose the one you cannot tell, or press Escape.");
    if (flow.full && [...ANSWERS, "unsure"].includes(command)) return say("This page can hold no more answers until they are saved.");
    if (command === "yes" && marks.length) return advise(`${many(marks.length, "tile")} marked as wrong. Enter: only these are wrong. Escape: unmark.`);
    if (flow.question.marks && !single && command === "no") return advise(MARK);
    if (command === "yes" || command === "no") return flow.answer(command);
    if (command === "pointed") return marks.length ? flow.answer("pointed", marks) : advise(single ? "Answer yes or no." : "Mark the wrong ones first, or answer yes or no.");
    if (command === "none") return flow.answer(single ? "no" : "pointed", single ? [] : grid.shown);
    if (command === "invert") return single ? undefined : grid.invert();
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
    unsure(item, (said) => app.flow.unsure(item.item, said));
  }

  async function undo() {
    try {
      if (!(await app.flow.undo())) notice("This window has no answer to take back.", { act: app.progress && answersGiven(app.progress) ? see("Answers", "answers") : null });
    } catch (problem) {
      notice(problem.lost ? "Undo needs the connection: the last answer may be on its way already." : problem.message, { kind: "bad" });
    }
  }

  const stops = [
    hear("question", question), hear("progress", hints), hear("ahead", hints), hear("ahead", check), hear("saving", hints),
    listen(act, (letter, range) => !body.classList.contains("loading") && app.flow.phase === "asking" && app.flow.question.items.length > 1 && grid.toggleLetter(letter, range), (name) => reader.scroll(name)),
  ];
  app.flow.view = grid;
  marked();
  question();
  return () => {
    app.flow.view = null;
    stops.forEach((stop) => stop());
  };
}

function pause(wait_ms) {
  return new Promise((resolve) => setTimeout(resolve, wait_ms));
}

function chip(text, kind, title = null) {
  return h("span", { class: "chip", title, data: { kind } }, text);
}

/** How far the model is: it looks at every item first, then it learns. */
function learning(trainer) {
  const looked = trainer?.preparing ?? 1;
  if (looked >= 1) return chip("The model is still learning", "learning", "Questions grow as it gets better");
  return chip([`Looking at your ${KINDS[app.session.kind]}s: ${Math.floor(100 * looked)} %`, h("span", { class: "more" }, "; then the model learns")], "learning");
}

/** What a failure of the trainer means for the questions. */
function failureOf(trainer) {
  if (trainer.retry_in_s !== null) return "Training failed, trying again";
  return trainer.checkpoint ? "A simpler model is at work: see Progress" : "No model: questions go on without one";
}

/** Nothing to ask: finished, or others are looking at the rest. */
function closing(end, phase, undo) {
  if (phase === "enough") return void proposal(end, undo);
  if (phase === "elsewhere") {
    fill(end, h("h1", {}, "The last items are being looked at elsewhere"),
      h("p", {}, "Another window of yours has them. This page goes on by itself when one comes back."),
      button("Ask them here", () => app.flow.start(true)));
    return;
  }
  fill(end, h("h1", {}, "Everything is settled"),
    h("p", {}, host.end),
    h("div", { class: "row" }, host.go && h("a", { class: "as-button", href: "#review" }, "Review"), host.go && h("a", { class: "as-button primary", href: "#finish" }, "Finish"),
      button(["Undo the last answer", key("z")], undo, { class: "quiet" })));
  say("Everything is settled.");
}
