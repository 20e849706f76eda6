"""One pool from the first question to the last.

    asked = session.ask("ann")                       # a question nobody else is looking at
    session.tell(asked.id, asked.question.yes(), key="...")   # durable when it returns

Every change is an event. A method decides whether it may happen, stores it, and only
then believes it (`Record.apply`); if storing fails, nothing has changed. What the session works
with it is given: a store, a planner, probabilities, a clock, a trainer.

Nobody waits. `prepare` plans the next question for both answers while the person is still
looking; `tell` then commits the answer and the next question together, and `ask` returns it.
The trainer works elsewhere; `refresh` takes its newest probabilities when there are some.

A session belongs to one thread at a time; a server takes a lock. Tested in tests/session.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from askless.core.event import Event
from askless.core.event import Kind as EventKind
from askless.core.probability import Probs, chance
from askless.core.question import Answer, Question
from askless.core.record import answer_record, question_record
from askless.core.state import State, undecided
from askless.errors import Refused
from askless.seams import Clock, Planner, Store, Trainer
from askless.session.audit import audit_is_due, choose_audit
from askless.session.labels import Labelled, labelled
from askless.session.leases import Leases, Live
from askless.session.progress import Progress, progress_of
from askless.session.record import Asked, Record, Told

Calibrate = Callable[[Probs, State], Probs]


@dataclass(frozen=True, slots=True)
class Manners:
    """How a session behaves.

    Parameters
    ----------
    lease_s
        Seconds until a question that was not answered returns to the pool.
    audit_every
        One audit after so many questions, per annotator; 0 for none.
    seed
        Fixes which items are audited.
    """

    lease_s: float = 600.0
    audit_every: int = 0
    seed: int = 0


class Session:
    """Ask, tell, undo.

    Parameters
    ----------
    store
        Keeps the events; what it already holds is taken up.
    opening
        What identifies the pool: at least ``n``; must equal what the store was opened with.
    planner
        Chooses questions.
    probs
        What the predictor said before anything was asked.
    clock
        Tells the time.
    trainer
        Makes better probabilities in the background; None for fixed ones.
    calibrate
        Corrects probabilities by what is known so far; None to take them as they are.
    manners
        How to behave.
    """

    def __init__(
        self,
        store: Store,
        opening: Mapping[str, Any],
        planner: Planner,
        probs: Probs,
        clock: Clock,
        *,
        trainer: Trainer | None = None,
        calibrate: Calibrate | None = None,
        manners: Manners | None = None,
    ) -> None:
        self._store = store
        self._planner = planner
        self._raw = self._probs = probs
        self._clock = clock
        self._trainer = trainer
        self._calibrate = calibrate
        self._manners = manners or Manners()
        self._leases = Leases(self._manners.lease_s)
        self._pending: list[Event] = []
        self._checkpoint = 0  # whose probabilities are in use; 0 for those given at first
        if len(probs) != opening["n"]:
            raise Refused(
                f"A session needs one probability per item; got {len(probs)} for "
                f"{opening['n']} items."
            )
        self._record = Record.of(int(opening["n"]), store.read())
        if self._record.opening is None:
            self._commit(self._event("opened", "", dict(opening)))
        elif dict(opening) != self._record.opening:
            raise Refused(
                "A session belongs to the pool it was opened with; "
                f"it was opened with {self._record.opening} and got {dict(opening)}."
            )
        self._recalibrate()

    @property
    def state(self) -> State:
        """What the answers imply."""
        return self._record.state

    @property
    def probs(self) -> Probs:
        """The probabilities questions are planned with."""
        return self._probs

    @property
    def record(self) -> Record:
        """Everything that has happened; for reading only."""
        return self._record

    def ask(self, annotator: str, tab: str = "") -> Asked | None:
        """The question to put to this window now; None when no open item is free.

        The same window gets the same question until it answers, so a reload loses nothing.
        """
        now_s = self._clock.steady_s()
        self._leases.expire(now_s)
        live = self._leases.of(annotator, tab, now_s)
        if live is not None and self._still_asks(live.asked.question):
            return live.asked
        self._leases.release(annotator, tab)
        self.refresh()
        event = self._next(annotator, tab)
        if event is None:
            return None
        return self._hand_out(event)

    def prepare(self, question_id: int) -> None:
        """Plan what to ask after each answer to a live question, so that nobody waits later."""
        live = self._leases.by_id(question_id)
        if live is None or live.asked.question.purpose == "audit":
            return
        self._recalibrate()
        live.ahead_of, live.ahead = self.state.key, {}
        leased = self._leases.items.difference(live.asked.question.items)
        number = self._record.last + 1 + len(self._pending)
        for answer in (live.asked.question.yes(), live.asked.question.no()):
            ahead = self._record.foresee(answer, number)
            if ahead is None:
                continue
            question = self._planner.plan(self._probs, ahead, leased)
            if question is not None:
                asking = self._asking(question, live.asked.annotator, live.asked.tab, ahead)
                live.ahead[answer.kind] = asking

    def tell(
        self, question_id: int, answer: Answer, key: str, annotator: str | None = None
    ) -> Told:
        """Take an answer; it is durable when this returns.

        Parameters
        ----------
        question_id
            The id `ask` gave.
        answer
            The answer to exactly that question.
        key
            Made up by the caller for this answer. The same key again is the same answer: nothing
            happens twice.
        annotator
            Who answers, if that is known; must be who was asked.

        Raises
        ------
        Refused
            Nobody was asked this, or it was somebody else, or it has another answer already.
        """
        asked = self._asked(question_id, annotator)
        if (number := self._record.by_key.get(key)) is not None:
            return self._told_before(number, question_id, answer, key)
        if answer.question != asked.question:
            raise Refused(
                f"An answer must be to the question that was asked; question {question_id} "
                f"is about items {list(asked.question.items)}."
            )
        given = self._record.answer_to.get(question_id)
        if given is not None and given not in self._record.retracted:
            raise Refused(
                f"A question has one answer; question {question_id} has answer {given}. "
                "Retract it first to change it."
            )
        kind: EventKind = "answered" if asked.question.purpose == "label" else "audited"
        body = {
            "question_id": question_id,
            **question_record(asked.question),
            **answer_record(answer),
        }
        events = [self._event(kind, asked.annotator, body, key)]
        live = self._leases.by_id(question_id)
        if (ahead := self._ahead(live, answer)) is not None:
            events.append(ahead)
        before, disputes = self.state.n_settled, len(self._record.disputes)
        stored = self._commit(*events)
        if live is not None:
            self._leases.release(asked.annotator, asked.tab)
        if ahead is not None:
            following = self._record.asked[stored[1].number]
            self._leases.grant(following, self._clock.steady_s())
        self._teach()
        clash = self._record.disputes[-1] if len(self._record.disputes) > disputes else None
        return Told(stored[0].number, self.state.n_settled - before, clash)

    def unsure(
        self, item: int, note: str = "", annotator: str = "", key: str | None = None
    ) -> None:
        """Set an item aside: it gets no label and proves nothing."""
        if not 0 <= item < self.state.n:
            raise Refused(f"Items of this pool are 0 to {self.state.n - 1}; got {item}.")
        if self.state.is_unsure(item) or key in self._record.by_key:
            return
        self._commit(self._event("unsure", annotator, {"item": item, "note": note}, key))

    def undo(self, annotator: str, tab: str = "", key: str | None = None) -> Asked | None:
        """Take back the annotator's latest answer, and put its question to them again.

        Returns the question, or what there is to ask instead if others have answered it.
        Nothing to undo is no error. The same `key` again undoes nothing more.
        """
        latest = self._record.latest_of(annotator)
        if latest is None or key in self._record.by_key:
            return self.ask(annotator, tab)
        what, which = latest
        if what == "unsure":
            self._commit(self._event("taken_back", annotator, {"item": which}, key))
            return self.ask(annotator, tab)
        question = self._record.given[which].answer.question
        self._commit(self._event("retracted", annotator, {"answer": which}, key))
        self._teach()
        self._leases.release(annotator, tab)
        if self._leases.items & set(question.items) or not undecided(self.state, question):
            return self.ask(annotator, tab)
        return self._hand_out(self._asking(question, annotator, tab))

    def retract(self, answer: int, annotator: str = "", key: str | None = None) -> None:
        """Take any answer back; the state is then that of a replay without it."""
        if key in self._record.by_key:
            return
        if answer not in self._record.given or answer in self._record.retracted:
            raise Refused(f"Only an answer that stands can be retracted; answer {answer} does not.")
        self._commit(self._event("retracted", annotator, {"answer": answer}, key))
        self._teach()

    def define(self, text: str, annotator: str = "") -> None:
        """Say what a True label means, from now on."""
        self._commit(self._event("defined", annotator, {"text": text}))

    def exported(self, what: Mapping[str, Any], annotator: str = "") -> None:
        """Note that labels were written somewhere."""
        self._commit(self._event("exported", annotator, dict(what)))

    def labels(self) -> Iterator[Labelled]:
        """Every item with its label and why it is final, or what is believed until then."""
        return labelled(self._record, self._probs)

    def progress(self) -> Progress:
        """How far it is and how long it may take."""
        return progress_of(self._record, self._probs, self._planner.max_n)

    def refresh(self) -> bool:
        """Take the trainer's newest probabilities, if there are any; whether there were."""
        checkpoint = self._trainer.poll() if self._trainer else None
        if checkpoint is None:
            return False
        if checkpoint.answers < len(self._record.given):
            self._teach()
        self._raw, self._checkpoint = checkpoint.probs, checkpoint.number
        if checkpoint.number > self._record.checkpoint:
            body = {"number": checkpoint.number, "checksum": checkpoint.checksum}
            self._pending.append(self._event("checkpoint", "", body))
        self._recalibrate()
        return True

    # --- deciding -----------------------------------------------------------------------------

    def _asked(self, question_id: int, annotator: str | None) -> Asked:
        asked = self._record.asked.get(question_id)
        if asked is None or annotator not in (None, asked.annotator):
            raise Refused(
                "An answer needs a question that was put to the annotator; "
                f"question {question_id} was not. Ask for the next one."
            )
        return asked

    def _told_before(self, number: int, question_id: int, answer: Answer, key: str) -> Told:
        before: tuple[int, Answer] | None = None
        if (given := self._record.given.get(number)) is not None:
            before = given.question_id, given.answer
        elif (audit := self._record.audits.get(number)) is not None:
            before = audit[0].id, audit[1]
        if before != (question_id, answer):
            raise Refused(f"A key stands for one thing; key {key!r} came with another before.")
        return Told(number, 0)

    def _next(self, annotator: str, tab: str) -> Event | None:
        if audit_is_due(self._record, annotator, self._manners.audit_every):
            rng = np.random.default_rng([self._manners.seed, self._record.last])
            audit = choose_audit(self.state, rng, self._planner.max_n)
            if audit is not None:
                question, planted = audit
                return self._asking(question, annotator, tab, planted=planted)
        self._recalibrate()
        planned = self._planner.plan(self._probs, self.state, self._leases.items)
        return None if planned is None else self._asking(planned, annotator, tab)

    def _ahead(self, live: Live | None, answer: Answer) -> Event | None:
        """The question prepared for this answer, if nothing has happened since."""
        if live is None or live.ahead_of != self.state.key:
            return None
        asking = live.ahead.get(answer.kind)
        every = self._manners.audit_every
        if asking is None or audit_is_due(self._record, live.asked.annotator, every):
            return None
        elsewhere = self._leases.items.difference(live.asked.question.items)
        return asking if elsewhere.isdisjoint(asking.payload["items"]) else None

    def _still_asks(self, question: Question) -> bool:
        return question.purpose == "audit" or undecided(self.state, question)

    # --- doing --------------------------------------------------------------------------------

    def _asking(
        self,
        question: Question,
        annotator: str,
        tab: str,
        state: State | None = None,
        planted: tuple[int, ...] = (),
    ) -> Event:
        body: dict[str, Any] = {
            **question_record(question),
            "probs_version": self._checkpoint,
        }
        if tab:
            body["tab"] = tab
        if question.purpose == "audit":
            body["planted"] = list(planted)
        else:
            clauses = (state or self.state).clauses
            right = chance(self._probs.values, question.items, question.guess, clauses)
            body["chance"] = round(right, 6)
        return self._event("asked", annotator, body)

    def _event(
        self, kind: EventKind, annotator: str, payload: dict[str, Any], key: str | None = None
    ) -> Event:
        return Event(kind, annotator, payload, self._clock.wall_s(), key)

    def _hand_out(self, asking: Event) -> Asked:
        (stored,) = self._commit(asking)
        asked = self._record.asked[stored.number]
        self._leases.grant(asked, self._clock.steady_s())
        return asked

    def _commit(self, *events: Event) -> tuple[Event, ...]:
        stored = self._store.append([*self._pending, *events])
        self._pending.clear()
        for event in stored:
            self._record.apply(event)
        return stored[-len(events) :]

    def _teach(self) -> None:
        if self._trainer is not None and self._trainer.free:
            answers = len(self._record.given)
            self._trainer.submit(self.state.labels(), self.state.clauses, answers)

    def _recalibrate(self) -> None:
        if self._calibrate is not None:
            self._probs = self._calibrate(self._raw, self.state)
        else:
            self._probs = self._raw
