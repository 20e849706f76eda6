// How far it is, how long it may take, whether the model learns and how well one pays attention.

import { call } from "../api.js";
import { app, hear, update } from "../app.js";
import { fill, h } from "../dom.js";
import { count, decimal, labelName, many, minutes, percent, range, seconds } from "../words.js";
import { curve } from "./curve.js";
import { stat } from "./stat.js";

/** Show the view; returns how to take it away. */
export function mount(root) {
  const figures = h("div", { class: "figures" });
  const figure = h("figure", { class: "panel" }, h("h2", {}, "Labels against answers"));
  const more = h("div", { class: "panels" });
  fill(root, h("section", { class: "page" }, h("h1", {}, "Progress"), figures, figure, more));
  const show = (progress) => {
    if (!progress) return;
    fill(figures, headline(progress));
    fill(more, balance(progress), model(progress), audits(progress), trainer(progress));
  };
  const stops = [hear("progress", show), curve(figure)];
  show(app.progress);
  call("progress").then((progress) => update("progress", progress)).catch(() => {});
  return () => stops.forEach((stop) => stop());
}

function headline(progress) {
  const given = Object.values(progress.answers ?? {}).reduce((sum, one) => sum + one, 0);
  const left = progress.open ? progress.questions_left : null;
  const time = progress.open ? progress.minutes_left : null;
  const rest = progress.open ? "known after a few more answers" : "nothing is open";
  return [
    stat("Settled", count(progress.settled), `of ${count(progress.items)}; ${count(progress.open)} open, ${count(progress.unsure)} unsure`),
    stat("Answers given", count(given), spread(progress.answers)),
    stat("Labels per answer", decimal(progress.labels_per_answer), "one by one it would be 1"),
    stat("Seconds per label", seconds(progress.seconds_per_label), progress.group ? `groups of up to ${progress.group.max_n}` : ""),
    stat("Still to answer", left ? count(left.expected) : progress.open ? "–" : "0", left ? `likely ${range(left)}` : rest),
    stat("Time left", time ? minutes(time.expected) : progress.open ? "–" : "0", time ? (time.high < 1 ? "" : `likely ${range(time)} min`) : rest),
  ];
}

function balance({ positives, negatives }) {
  const all = positives + negatives;
  const part = all ? positives / all : 0;
  const bar = h("div", { class: "split", role: "img", "aria-label": `${percent(part)} ${labelName(app.session, true)}` }, h("div", { class: "split-part" }));
  bar.firstChild.style.width = `${100 * part}%`;
  return panel("Balance", all ? bar : null,
    facts([[labelName(app.session, true), count(positives)], [labelName(app.session, false), count(negatives)]]));
}

function model({ model: m }) {
  if (!m) return null;
  if (!m.labels_predicted) return panel("Is the model learning?", h("p", {}, "Too early to say: it has predicted no label yet."));
  return panel("Is the model learning?",
    h("p", {}, m.learning ? "It is still learning; questions grow as it gets better." : "Yes: it predicts your answers well enough for larger groups."),
    facts([["Labels it predicted", count(m.labels_predicted)], ["of which right", percent(m.accuracy)], ["off in its chances by", percent(m.calibration_error)]]));
}

function audits({ audits: a }) {
  if (!a) return null;
  const text = a.asked ? `${count(a.missed)} of ${many(a.asked, "planted check")} missed.` : "None yet: now and then a known item is planted, to keep attention honest.";
  return panel("Attention", h("p", {}, text),
    a.asked ? facts([["Miss rate, likely", `${percent(a.low)} to ${percent(a.high)}`]]) : null);
}

function trainer({ trainer: t }) {
  if (!t) return null;
  const words = { idle: "waiting for answers", fitting: "learning from your answers", waiting: "waiting to try again", closed: "off" };
  const part = t.preparing < 1 ? t.preparing : null;
  const doing = part !== null && t.state === "idle" ? "getting to know the pool" : words[t.state] ?? t.state;
  return panel("Trainer",
    h("p", {}, `It is ${doing}.`),
    facts([["Items it has looked at", part === null ? null : `${Math.round(100 * part)} %`], ["Checkpoint", t.checkpoint ? `${t.checkpoint}, from ${many(t.answers ?? 0, "answer")}` : null], ["Last fit took", t.fit_s ? `${decimal(t.fit_s)} s` : null]]),
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
