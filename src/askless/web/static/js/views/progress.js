// How far it is, how long it may take, whether the model learns and how well one pays attention.

import { call } from "../api.js";
import { app, hear, update } from "../app.js";
import { fill, h } from "../dom.js";
import { answersGiven, count, decimal, labelName, many, minutesRange, missRate, NO_FORECAST, oneAtATime, percent, range, seconds } from "../words.js";
import { bounds } from "./bounds.js";
import { curve } from "./curve.js";
import { stat } from "./stat.js";

const WELL = 0.9; // of the labels right
const ALONE = "one item at a time: groups would save you no time here";

/** Show the view; returns how to take it away. */
export function mount(root) {
  const figures = h("div", { class: "figures" });
  const figure = h("figure", { class: "panel" }, h("h2", {}, "Labels against answers"));
  const promised = h("figure", { class: "panel", hidden: true, id: "if-you-stopped" }, h("h2", {}, "If you stopped now"));
  const more = h("div", { class: "panels" });
  fill(root, h("section", { class: "page" }, h("h1", {}, "Progress"), figures, promised, figure, more));
  const show = (progress) => {
    if (!progress) return;
    fill(figures, headline(progress));
    fill(more, balance(progress), model(progress), audits(progress), trainer(progress));
  };
  const stops = [hear("progress", show), bounds(promised), curve(figure)];
  show(app.progress);
  call("progress").then((progress) => update("progress", progress)).catch(() => {});
  return () => stops.forEach((stop) => stop());
}

function headline(progress) {
  const left = progress.open ? progress.questions_left : null;
  const time = progress.open ? progress.minutes_left : null;
  const all = progress.enough ? ", for every label" : ""; // what is promised is told below
  const rest = !progress.open ? "nothing is open" : progress.draws_left ? `after ${many(progress.draws_left, "more random item")}` : NO_FORECAST;
  return [
    stat("Settled", count(progress.settled), `of ${count(progress.items)}; ${count(progress.open)} open, ${count(progress.unsure)} unsure${progress.gone ? `; ${count(progress.gone)} gone from the source` : ""}`),
    stat("Answers given", count(answersGiven(progress)), spread(progress.answers)),
    stat("Labels per answer", decimal(progress.labels_per_answer), "asked one by one: 1"),
    stat("Seconds per label", seconds(progress.seconds_per_label), size(progress.group)),
    stat("Still to answer", left ? range(left) : progress.open ? "–" : "0", oneAtATime(progress) ? ALONE : left ? `answers${all}, nine times in ten` : rest),
    stat("Time left", time ? minutesRange(time) : progress.open ? "–" : "0", time ? `at your pace so far${all}` : rest),
  ];
}

/** How large questions are. */
function size({ max_n: most }) {
  if (!most) return "";
  const fewer = app.session.kind === "images" || most === 1 ? "" : ", fewer where they take long to read";
  return `questions of up to ${many(most, "item")}${fewer}`;
}

function balance({ positives, negatives }) {
  const all = positives + negatives;
  const part = all ? positives / all : 0;
  const bar = h("div", { class: "split", role: "img", "aria-label": `${percent(part)} ${labelName(app.session, true)}` }, h("div", { class: "split-part" }));
  bar.firstChild.style.width = `${100 * part}%`;
  return panel("Balance", all ? bar : null,
    facts([[labelName(app.session, true), count(positives)], [labelName(app.session, false), count(negatives)]]));
}

function model({ model: m, open }) {
  if (!m) return null;
  return panel("How good is the model?", h("p", {}, verdict(m, open)),
    m.labels_predicted ? facts([["Latest labels it predicted", count(m.labels_predicted)], ["of these it had right", percent(m.accuracy)], ["the commoner label alone would have", percent(m.commoner_share)], ["its probabilities are off by", percent(m.calibration_error)]]) : null);
}

/** What the figures of the model say, in a sentence that they bear out. */
export function verdict(m, open) {
  if (!m.labels_predicted) return "Too early to say: it has predicted no label yet.";
  if (m.learning && open) return "It is still learning. Questions grow as it gets better.";
  if (m.accuracy === m.commoner_share) return "It was right as often as the commoner label alone.";
  if (m.accuracy < m.commoner_share) return "The items that came lately were hard for it; it knew the earlier ones better.";
  return m.accuracy >= WELL ? "It predicts your answers well." : "It predicts your answers better than the commoner label alone would.";
}

function audits({ audits: a }) {
  if (!a) return null;
  const text = a.asked ? `${count(a.missed)} of ${many(a.asked, "audit")} missed.` : "No audit yet. Now and then you are asked about items whose labels are known, to see how often a slip happens.";
  return panel("Attention", h("p", {}, text),
    a.planted ? facts([["Hidden wrong items overlooked", `${count(a.overlooked)} of ${count(a.planted)}, ${missRate(a)}`]]) : null);
}

function trainer({ trainer: t }) {
  if (!t) return null;
  const words = { idle: "waiting for answers", fitting: "learning from your answers", waiting: "waiting to try again", closed: "off" };
  const part = t.preparing < 1 ? t.preparing : null;
  const doing = part !== null && t.state === "idle" ? "looking at the items" : words[t.state] ?? t.state;
  return panel("Trainer",
    h("p", {}, `It is ${doing}.`),
    facts([["Items it has looked at", part === null ? null : `${Math.floor(100 * part)} %`], ["The model was fitted", t.answers ? `${many(t.checkpoint, "time")}, last to ${many(t.answers, "answer")}` : null], ["The last fit took", t.fit_s ? `${seconds(t.fit_s)} s` : null]]),
    t.last_failure ? h("p", { class: "bad" }, `The last attempt failed: ${t.last_failure}${t.retry_in_s ? ` Trying again in ${Math.ceil(t.retry_in_s)} s.` : ""} Your answers are safe and questions go on.`) : null,
    t.note ? h("p", { class: "muted" }, t.note) : null);
}

function panel(title, ...children) {
  return h("section", { class: "panel" }, h("h2", {}, title), ...children);
}

function facts(rows) {
  const known = rows.filter(([, value]) => value !== null && value !== undefined);
  return known.length ? h("dl", { class: "facts" }, ...known.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])) : null;
}

function spread(answers) {
  if (!answers) return "";
  return `${count(answers.yes)} yes, ${count(answers.no)} no, ${count(answers.pointed)} pointed`;
}
