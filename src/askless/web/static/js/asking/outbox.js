// Answers on their way to the store. Each is written to local before it is sent, sent in
// order, one at a time, and sent again with the same key until the server has acknowledged it,
// so that neither a lost network nor a reload nor a restarted server loses or doubles one. One
// that the server refuses for good is kept for the person to see.

import { call } from "../api.js";
import { lasts, local } from "../storage.js";
import { keepRefused, OUTBOX } from "./refused.js";
import { hold } from "./tab.js";

const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 4000;

export class Outbox {
  /**
   * `report` is called with ("saved", entry, reply), ("refused", entry, problem), ("lost"),
   * ("locked", null, problem), ("unkept") where the browser has no room, or ("changed").
   */
  constructor(session, tab, report) {
    this.session = session;
    this.prefix = `${OUTBOX}${session}.`;
    this.name = this.prefix + tab;
    this.report = report;
    this.entries = read(this.name);
    this.lost = false;
    this.why = null; // what the server says, if it is there and cannot take them
    this.unkept = false;
    this.busy = false;
    this.wait_ms = FIRST_WAIT_MS;
    addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => this.hurry());
  }

  get size() {
    return this.entries.length;
  }

  /** Take an entry {path, body, question}; it is kept before anything is sent. */
  push(entry) {
    this.entries.push({ at_s: Date.now() / 1000, ...entry, tried: false });
    this.keep();
    this.pump();
  }

  /** Take back the newest entry, if it has certainly not reached the server. */
  dropLast() {
    const last = this.entries.at(-1);
    if (!last || last.tried) return null;
    this.entries.pop();
    this.keep();
    return last;
  }

  /** Bring in what closed windows left unsent. */
  async adopt() {
    const names = Object.keys(local).filter((name) => name.startsWith(this.prefix));
    for (const name of names) {
      if (name === this.name || !(await hold(name.slice(this.prefix.length)))) continue;
      this.entries.unshift(...read(name));
      this.keep();
      local.removeItem(name);
    }
  }

  /** Send now rather than after the wait. */
  hurry() {
    this.wait_ms = FIRST_WAIT_MS;
    this.wake?.();
  }

  /** Send what there is, until there is nothing. */
  async pump() {
    if (this.busy) return;
    this.busy = true;
    try {
      while (this.entries.length) {
        const entry = this.entries[0];
        if (!entry.tried) {
          entry.tried = true;
          this.keep();
        }
        await this.attempt(entry);
      }
    } finally {
      this.busy = false; // also when whoever hears of it stumbles
    }
  }

  async attempt(entry) {
    let reply;
    try {
      reply = await call(entry.path, entry.body);
    } catch (problem) {
      if (!problem.refused) {
        this.lost = true;
        this.why = problem.offline === false ? problem.message : null;
        this.report(problem.locked ? "locked" : "lost", null, problem);
        await this.pause();
        return;
      }
      keepRefused(this.session, entry, problem.message);
      this.done(entry);
      this.report("refused", entry, problem);
      return;
    }
    this.done(entry);
    this.report("saved", entry, reply);
  }

  done(entry) {
    this.entries.splice(this.entries.indexOf(entry), 1);
    this.lost = false;
    this.wait_ms = FIRST_WAIT_MS;
    this.keep();
  }

  pause() {
    const wait_ms = this.wait_ms;
    this.wait_ms = Math.min(2 * wait_ms, LONGEST_WAIT_MS);
    return new Promise((resolve) => {
      this.wake = resolve;
      setTimeout(resolve, wait_ms);
    });
  }

  keep() {
    try {
      if (this.entries.length) local.setItem(this.name, JSON.stringify(this.entries));
      else local.removeItem(this.name);
      this.unkept = !lasts;
    } catch {
      this.unkept = true; // the answer is still sent, but a reload would lose it
    }
    if (this.unkept && this.entries.length) this.report("unkept");
    this.report("changed");
  }
}

function read(name) {
  try {
    return JSON.parse(local.getItem(name) ?? "[]");
  } catch {
    return []; // not ours
  }
}
