// Numbers and durations as people read them, and the sentence of a question.

import { h } from "./dom.js";

const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const hundredth = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });
const tenth = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** While nobody can tell how many answers are to come. */
export const NO_FORECAST = "no forecast yet: questions may still grow";

/** What one item of a session is, by its kind. */
export const KINDS = { images: "picture", texts: "text", rows: "row" };

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
export function percent(value, places = 1) {
  return value === null || value === undefined ? "–" : `${(places > 1 ? hundredth : tenth).format(100 * value)} %`;
}

/** A sentence in which no number stands apart from its % sign. */
export function unbroken(text) {
  return text.replaceAll(" %", "\u00a0%");
}

/** How many answers stand, of all kinds. */
export function answersGiven({ answers }) {
  return answers.yes + answers.no + answers.pointed;
}

/** A range of a forecast: 40 to 60, or one figure where both ends read the same. */
export function range(forecast, show = count) {
  if (!forecast) return "–";
  const [low, high] = [show(forecast.low), show(forecast.high)];
  return low === high ? low : `${low} to ${high}`;
}

const FEW = 12; // so few items may well be asked one at a time

/** Will every open item be asked alone? Then groups would save no time, as with texts that take long to read. */
export function oneAtATime({ open, questions_left: left }) {
  return open > FEW && Boolean(left) && left.low >= open;
}

/** What is still to come: the forecast, or what the random draws before it are for. */
export function toGo({ open, draws_left: draws, questions_left: left, minutes_left: time }) {
  if (!open) return "";
  if (draws) return `${many(draws, "random item")} first, to start and test the model`;
  if (!left) return NO_FORECAST;
  const answers = range(left) === "1" ? "1 answer" : `${range(left)} answers`;
  return `likely ${answers} to go${time ? ` (${minutesRange(time)})` : ""}`;
}

/** A range of minutes: 4 to 9 min, or hours where there are many. */
export function minutesRange(time) {
  return time.high < 90 ? `${range(time)} min` : `${range(time, (value) => decimal(value / 60))} h`;
}

/** The likely range of the share of hidden wrong items that are overlooked, where there were enough. */
export function missRate({ low, high }) {
  return low === null ? "too few for a rate" : `likely ${percent(low)} to ${percent(high)}`;
}

/** How long ago a moment was, given in seconds since 1970. */
export function ago(at_s) {
  const past = Math.max(0, Date.now() / 1000 - at_s);
  if (past < 60) return "just now";
  if (past < 3600) return `${Math.floor(past / 60)} min ago`;
  if (past < 86400) return `${Math.floor(past / 3600)} h ago`;
  return new Date(1000 * at_s).toLocaleDateString();
}

/** The file's name without its folders. */
export function shortName({ name }) {
  return name.slice(name.lastIndexOf("/") + 1) || name;
}

/** What items with this label are called: several of them, or one. */
export function labelName(session, label, size = 2) {
  if (label === null || label === undefined) return "no label";
  return (label ? session.positive : session.negative)[size === 1 ? "one" : "many"];
}

/** A question's sentence with the name of the guessed label made strong. */
export function sentence({ sentence: { before, name, after }, guess }) {
  return [before, h("strong", { class: guess ? "is-positive" : "is-negative" }, name), after];
}

/** The same as plain text. */
export function sentenceText({ sentence: { before, name, after } }) {
  return `${before}${name}${after}`;
}
