// Numbers and durations as people read them, and the sentence of a question.

import { h } from "./dom.js";

const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const tenth = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** 1234 as 1,234. */
export function count(value) {
  return value === null || value === undefined ? "–" : whole.format(value);
}

/** 1 picture, 2 pictures. */
export function many(value, one, more = `${one}s`) {
  return `${count(value)} ${value === 1 ? one : more}`;
}

/** One decimal place. */
export function decimal(value) {
  return value === null || value === undefined ? "–" : tenth.format(value);
}

/** Seconds, with more places where there are few of them. */
export function seconds(value) {
  if (value === null || value === undefined) return "–";
  return value >= 1 ? tenth.format(value) : value.toFixed(2);
}

/** 0.034 as 3.4 %. */
export function percent(value) {
  return value === null || value === undefined ? "–" : `${tenth.format(100 * value)} %`;
}

/** A range of a forecast: 40 to 60, or one figure where both ends read the same. */
export function range(forecast, show = count) {
  if (!forecast) return "–";
  const [low, high] = [show(forecast.low), show(forecast.high)];
  return low === high ? low : `${low} to ${high}`;
}

/** Minutes as people say them. */
export function minutes(value) {
  if (value === null || value === undefined) return "–";
  if (value < 1) return "< 1 min";
  if (value < 90) return `${count(value)} min`;
  return `${tenth.format(value / 60)} h`;
}

/** How long ago a moment was, given in seconds since 1970. */
export function ago(at_s) {
  const past = Math.max(0, Date.now() / 1000 - at_s);
  if (past < 60) return "just now";
  if (past < 3600) return `${Math.floor(past / 60)} min ago`;
  if (past < 86400) return `${Math.floor(past / 3600)} h ago`;
  return new Date(1000 * at_s).toLocaleDateString();
}

/** The name of a label; of "a shoe|shoes" the second. */
export function labelName(session, label) {
  if (label === null || label === undefined) return "no label";
  return (label ? session.positive : session.negative).split("|").at(-1).trim();
}

/** A question's sentence with the name of the guessed label made strong. */
export function sentence({ sentence: { before, name, after }, guess }) {
  return [before, h("strong", { class: guess ? "is-positive" : "is-negative" }, name), after];
}

/** The same as plain text. */
export function sentenceText({ sentence: { before, name, after } }) {
  return `${before}${name}${after}`;
}
