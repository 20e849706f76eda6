// From question to question without a wait. The question to show after each answer is already
// here; the answer goes through the outbox, and the server is told which question is being
// shown, so that it puts exactly that one. When nothing is prepared the page waits for the reply.

import { call, newKey, Problem } from "../api.js";
import { app, hear, update, tell } from "../app.js";
import { sentenceText } from "../words.js";
import { goesOn, goOn } from "./enough.js";
import { fetched, isHere, ready } from "./pictures.js";

const POLL_MS = 2000;
const KINDS = ["yes", "no", "pointed"];
const IN_ADVANCE = 600; // pictures fetched for questions that may come, at most

export class Flow {
  /** `outbox` sends; it reports back through `saved` and `refused`. `alone` says whether no other window is open. */
  constructor(outbox, alone) {
    this.outbox = outbox;
    this.alone = alone;
    this.question = null;
    this.phase = "waiting"; // waiting, asking, enough (until one goes on), elsewhere (others hold the rest), done
    this.spare = [];
    this.waits = false;
    this.answered = []; // items, in the order in which they were answered here
    this.unknown = 0; // from which of them on the spare questions were planned without
    this.looking = 0; // looks ahead under way: until they end, room may shrink
    this.looked_s = 0;
    this.away = false;
    this.view = null; // shows questions: it knows what fits, `capacity()`, and how many items of one, `room(question)`
    this.capacity = null; // what it said last
    this.undoing = null; // the key of an undo of which nobody knows whether it arrived
    this.goingBack = false; // an undo is under way: until it ends nothing else is shown
    this.late = null; // what was to be shown meanwhile
    document.addEventListener("visibilitychange", () => this.mindTheClock());
    hear("view", (name) => {
      this.away = name !== "label";
      this.mindTheClock();
    });
    hear("progress", (progress) => this.phase === "enough" && goesOn(progress) && this.resume()); // something was taken back elsewhere
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
      let reply = await call("ask", this.said({ alone }));
      if (!reply.question && !reply.done && !alone && (await this.alone())) {
        reply = await call("ask", this.said({ alone: true })); // the other window has closed
      }
      if (this.outbox.size || this.question !== before) return; // answered meanwhile
      this.accept(reply, "same");
    } catch (problem) {
      if (!problem.lost) throw problem;
      this.wait("lost");
      this.again = setTimeout(() => this.start(), POLL_MS);
    }
  }

  /** Have a question with fewer items in place of one that does not fit the window. */
  async refit() {
    const before = this.question;
    if (this.outbox.lost && this.outbox.size && this.view?.cut) return void this.showAnother();
    if (this.phase !== "asking" || this.outbox.size || this.refitting) return; // what comes is looked at again
    this.refitting = true;
    try {
      const body = this.said({ refit: true });
      if (body.capacity) body.capacity = { ...body.capacity, items: Math.min(body.capacity.items, this.view.room(before)) };
      const reply = await call("ask", body);
      this.refitting = false;
      if (this.question !== before) tell("ahead"); // another is shown by now: does it fit?
      else if (!this.outbox.size) this.accept(reply, "same");
    } catch {
      this.refitting = false;
      if (this.question !== before) return void tell("ahead");
      if (!this.view?.cut || this.showAnother()) return;
      setTimeout(() => this.question === before && tell("ahead"), POLL_MS); // whoever listens tries again
    }
  }

  /** What every request says about this window. */
  said(more) {
    this.capacity = this.view?.capacity() ?? this.capacity;
    return { tab: app.tab, capacity: this.capacity, ...more };
  }

  /** Answer what is shown: "yes", "no", or "pointed" with the items that are wrong. */
  answer(kind, wrong = []) {
    const question = this.question;
    if (this.phase !== "asking" || this.full) return;
    const next = this.prepared(kind);
    this.answered.push(...question.items.map((item) => item.item));
    this.undoing = null; // the next undo means this answer
    const body = this.said({
      question_id: question.id ?? null,
      ticket: question.ticket,
      kind,
      wrong,
      key: newKey(),
      showing: next?.ticket ?? null,
      seconds: Math.round(1000 * this.seconds()) / 1000,
    });
    if (next) this.show(next, kind);
    else this.wait("answered");
    this.outbox.push({ path: "tell", body, question: bare(question), showing: bare(next), after: kind });
  }

  /** Set an item aside; `said`: what the person says about it. */
  unsure(item, said) {
    const body = this.said({ item, ...said, key: newKey() });
    this.undoing = null;
    const question = this.question;
    this.answered.push(item);
    const next = this.outbox.lost ? this.prepared("unsure") : null; // the server says what is left of this one
    if (next) this.show(next, "answered");
    else this.wait("answered");
    this.outbox.push({ path: "unsure", body, question: bare(question), showing: bare(next), after: "unsure" });
  }

  /** Take back the latest answer of this window; whether there was one. */
  async undo() {
    if (this.goingBack) return true; // pressed twice
    const dropped = this.outbox.dropLast();
    if (dropped) {
      this.show(dropped.question, "undo");
      return true;
    }
    const { phase } = this;
    this.goingBack = true;
    this.wait("undo");
    while (this.outbox.size && !this.outbox.lost) await new Promise((resolve) => setTimeout(resolve, 20));
    try {
      if (this.outbox.size) throw new Problem(0);
      this.undoing ??= newKey();
      const reply = await call("undo", this.said({ key: this.undoing }));
      this.undoing = this.late = null;
      this.goingBack = false;
      this.accept(reply, reply.undone ? "undo" : "same");
      return reply.undone;
    } catch (problem) {
      if (!problem.lost) this.undoing = null;
      this.goingBack = false;
      this.phase = phase;
      tell("question", { after: "same" });
      if (this.late) this.accept(...this.late);
      this.late = null;
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
    const spare = this.spare.filter((one) => isHere(one) && this.isFree(one) && (!this.outbox.lost || this.fits(one))).length;
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
    if (this.goingBack) return void (this.late = [reply, after]);
    clearTimeout(this.again);
    if (reply.question && !goesOn(reply.progress)) {
      this.question = reply.question;
      this.phase = "enough";
      tell("question", { after });
    } else if (reply.question) {
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

  /** It is enough, and one goes on all the same. */
  goOn() {
    goOn(app.progress);
    this.resume();
  }

  resume() {
    this.show(this.question, "same");
    this.lookAhead();
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

  /** What to show after such an answer: what fits, and without a connection only what can be seen. */
  prepared(kind) {
    const seen = (one) => this.fits(one) && (!this.outbox.lost || isHere(one));
    const next = this.question.ahead?.[kind];
    if (next && seen(next)) return next;
    if (this.waits && !this.outbox.lost) return null;
    const at = this.spare.findIndex((one) => seen(one) && this.isFree(one));
    return at < 0 ? null : this.spare.splice(at, 1)[0];
  }

  /** Is a spare question about none of what is shown, or was answered since it was planned? */
  isFree(question) {
    const busy = new Set([...this.question.items.map((item) => item.item), ...this.answered.slice(this.unknown)]);
    return !question.items.some((item) => busy.has(item.item));
  }

  /** Can all of a question be shown? */
  fits(question) {
    return !this.view || this.view.room(question, this.outbox.lost) === question.items.length;
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
    const answered = this.answered.length; // so many answers the server has when it plans
    let ahead;
    try {
      ahead = await call("ahead", this.said({ question_id: question.id }));
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
    this.waits = ahead.wait; // for the server's reply, rather than show a spare question
    this.unknown = answered;
    await Promise.all(near.map((kind) => ready(ahead[kind])));
    for (const kind of near) this.fits(ahead[kind]); // measured now, shown at once later
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
