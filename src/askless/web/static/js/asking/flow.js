// From question to question without a wait. The question to show after each answer is already
// here; the answer goes through the outbox, and the server is told which question is being
// shown, so that it puts exactly that one. When nothing is prepared the page waits for the reply.

import { call, newKey, Problem } from "../api.js";
import { app, hear, update, tell } from "../app.js";
import { sentenceText } from "../words.js";
import { fetched, isHere, ready } from "./pictures.js";
import { onlyWindow } from "./tab.js";

const POLL_MS = 2000;
const KINDS = ["yes", "no", "pointed"];
const IN_ADVANCE = 600; // pictures fetched for questions that may come, at most

export class Flow {
  /** `outbox` sends; it reports back through `saved` and `refused`. */
  constructor(outbox) {
    this.outbox = outbox;
    this.question = null;
    this.phase = "waiting"; // waiting, asking, elsewhere (others hold the rest), done
    this.spare = [];
    this.looking = 0; // looks ahead under way: until they end, room may shrink
    this.looked_s = 0;
    this.away = false;
    this.undoing = null; // the key of an undo of which nobody knows whether it arrived
    document.addEventListener("visibilitychange", () => this.mindTheClock());
    hear("view", (name) => {
      this.away = name !== "label";
      this.mindTheClock();
    });
  }

  /** Ask for the question to show now; with `alone`, also what one's other windows hold. */
  async start(alone = false) {
    if (this.outbox.size) {
      const showing = this.outbox.entries.at(-1).showing;
      if (showing) this.show(showing, "same");
      this.outbox.pump();
      return;
    }
    const before = this.question;
    try {
      let reply = await call("ask", { tab: app.tab, alone });
      if (!reply.question && !reply.done && !alone && (await onlyWindow(app.tab))) {
        reply = await call("ask", { tab: app.tab, alone: true }); // the other window has closed
      }
      if (this.outbox.size || this.question !== before) return; // answered meanwhile
      this.accept(reply, "same");
    } catch (problem) {
      if (!problem.lost) throw problem;
      this.wait("lost");
      this.again = setTimeout(() => this.start(), POLL_MS);
    }
  }

  /** Answer what is shown: "yes", "no", or "pointed" with the items that are wrong. */
  answer(kind, wrong = []) {
    const question = this.question;
    if (this.phase !== "asking" || this.full) return;
    const next = this.prepared(kind);
    this.undoing = null; // the next undo means this answer
    const body = {
      tab: app.tab,
      question_id: question.id ?? null,
      ticket: question.ticket,
      kind,
      wrong,
      key: newKey(),
      showing: next?.ticket ?? null,
      seconds: Math.round(1000 * this.seconds()) / 1000,
    };
    if (next) this.show(next, kind);
    else this.wait("answered");
    this.outbox.push({ path: "tell", body, question: bare(question), showing: bare(next), after: kind });
  }

  /** Set an item aside. */
  unsure(item, note) {
    const body = { tab: app.tab, item, note, key: newKey() };
    this.undoing = null;
    const question = this.question;
    const next = this.outbox.lost ? this.prepared("unsure") : null; // the server says what is left of this one
    if (next) this.show(next, "answered");
    else this.wait("answered");
    this.outbox.push({ path: "unsure", body, question: bare(question), showing: bare(next), after: "unsure" });
  }

  /** Take back the latest answer of this window; whether there was one. */
  async undo() {
    const dropped = this.outbox.dropLast();
    if (dropped) {
      this.show(dropped.question, "undo");
      return true;
    }
    const { phase } = this;
    this.wait("undo");
    while (this.outbox.size && !this.outbox.lost) await new Promise((resolve) => setTimeout(resolve, 20));
    try {
      if (this.outbox.size) throw new Problem(0);
      this.undoing ??= newKey();
      const reply = await call("undo", { tab: app.tab, key: this.undoing });
      this.undoing = null;
      this.accept(reply, "undo");
      return reply.undone;
    } catch (problem) {
      if (!problem.lost) this.undoing = null;
      this.phase = phase;
      tell("question", { after: "same" });
      throw problem;
    }
  }

  /** Does the browser hold as many answers as it may? */
  get full() {
    return this.outbox.lost && this.outbox.size >= app.session.offline_answers;
  }

  /** How many answers the page can hold: those unsaved, and those it has questions for, pictures and all. */
  get room() {
    if (this.phase !== "asking") return this.outbox.size;
    const shown = isHere(this.question) ? 1 + steps(this.question) : 0;
    const spare = this.spare.filter(isHere).length;
    return Math.min(app.session.offline_answers, this.outbox.size + shown + spare);
  }

  /** The server has an entry. */
  saved(entry, reply) {
    update("progress", reply.progress);
    if (reply.dispute) tell("dispute", reply.dispute);
    if (this.outbox.size) return;
    if (entry.body.tab === app.tab) this.accept(reply, entry.after);
    else this.start(); // it was another window's, which has closed
  }

  /** The server will not take an entry; begin again from what it knows. */
  refused() {
    if (!this.outbox.size) this.start();
  }

  // --- what is shown ------------------------------------------------------------------------

  accept(reply, after) {
    update("progress", reply.progress);
    clearTimeout(this.again);
    if (reply.question) {
      if (this.phase === "asking" && same(this.question, reply.question)) {
        const { id, ticket, learning, drawn } = reply.question;
        Object.assign(this.question, { id, ticket, learning, drawn });
        tell("ahead");
      } else {
        this.show(reply.question, after, this.phase === "asking");
      }
      this.lookAhead();
    } else {
      this.question = null;
      this.phase = reply.done ? "done" : "elsewhere";
      tell("question", { after });
      if (!reply.done) this.again = setTimeout(() => this.start(), after === "same" ? POLL_MS : 0);
    }
  }

  /** `instead`: of another one that the person may be answering just now. */
  show(question, after, instead = false) {
    this.question = question;
    this.phase = "asking";
    this.seen();
    tell("question", { after, instead });
  }

  /** Show a question that can be seen in place of one that cannot; whether there is one. */
  showAnother() {
    const other = this.prepared("another");
    if (other) this.show(other, "answered");
    return Boolean(other);
  }

  wait(why) {
    this.phase = "waiting";
    tell("question", { after: why });
  }

  /** The question can be seen only now: its pictures have come. Time counts from here. */
  seen() {
    this.looked_s = 0;
    this.since = this.hidden ? null : performance.now();
  }

  /** What to show after such an answer. Without a connection only what can be seen. */
  prepared(kind) {
    const seen = (one) => !this.outbox.lost || isHere(one);
    const next = this.question.ahead?.[kind];
    if (next && seen(next)) return next;
    const busy = new Set(this.question.items.map((item) => item.item));
    const at = this.spare.findIndex((one) => seen(one) && !one.items.some((item) => busy.has(item.item)));
    return at < 0 ? null : this.spare.splice(at, 1)[0];
  }

  /** Have the questions that may come, and their pictures. */
  async lookAhead() {
    this.looking += 1;
    try {
      await this.prepare(this.question);
    } finally {
      this.looking -= 1;
    }
  }

  async prepare(question) {
    if (question.id === null || question.id === undefined) return;
    let ahead;
    try {
      ahead = await call("ahead", { tab: app.tab, question_id: question.id });
    } catch {
      return; // without it the page waits for the reply to each answer
    }
    question.ahead = ahead;
    const near = KINDS.filter((kind) => ahead[kind]);
    for (const kind of near) {
      ahead[kind].ahead = ahead.ahead?.[kind] ?? null;
      if (this.question?.ticket === ahead[kind].ticket) this.question.ahead ??= ahead[kind].ahead;
    }
    this.spare = ahead.spare ?? [];
    await Promise.all(near.map((kind) => ready(ahead[kind])));
    tell("ahead", question);
    await this.fetchLater(question, near.flatMap((kind) => KINDS.map((then) => ahead[kind].ahead?.[then])));
  }

  /** Fetch what may be needed while the server cannot be reached, the likelier first. */
  async fetchLater(question, further) {
    let pictures = 0;
    for (const later of [...further.filter(Boolean), ...this.spare]) {
      pictures += later.items.length;
      if (this.question !== question || pictures > IN_ADVANCE) break; // out of date, or enough
      await fetched(later);
    }
    tell("ahead", question);
  }

  // --- seconds ------------------------------------------------------------------------------

  /** Seconds that the question has been looked at; time in a hidden window or another view does not count. */
  seconds() {
    const now_s = this.since === null ? 0 : (performance.now() - this.since) / 1000;
    return this.looked_s + now_s;
  }

  mindTheClock() {
    this.looked_s = this.seconds();
    this.since = this.hidden ? null : performance.now();
  }

  get hidden() {
    return document.hidden || this.away;
  }
}

/** Is it the question that is already shown, in the same words? */
function same(shown, given) {
  const items = (question) => question.items.map((item) => item.item).join();
  return sentenceText(shown) === sentenceText(given) && items(shown) === items(given);
}

/** How many questions are prepared after this one whatever is answered, pictures and all. */
function steps(question) {
  const kinds = question.items.length === 1 ? ["yes", "no"] : KINDS;
  return Math.min(...kinds.map((kind) => {
    const next = question.ahead?.[kind];
    return next && isHere(next) ? 1 + steps(next) : 0;
  }));
}

/** A question without what was prepared after it. */
function bare(question) {
  if (!question) return null;
  const { ahead, ...rest } = question;
  return rest;
}
