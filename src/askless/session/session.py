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

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from askless.core.event import Event
from askless.core.event import Kind as EventKind
from askless.core.probability import Probs
from askless.core.question import Answer, Question
from askless.core.state import State
from askless.errors import Refused
from askless.seams import Clock, Planner, Store, Trainer
from askless.session import deciding
from askless.session.ahead import look_ahead
from askless.session.beliefs import Beliefs, Calibrate
from askless.session.choosing import Chooser
from askless.session.correcting import correction
from askless.session.labels import Labelled, labelled
from askless.session.leases import Leases
from askless.session.log import Log
from askless.session.manners import Manners
from askless.session.progress import Progress, progress_of
from askless.session.record import Asked, Record, Told

__all__ = ["Calibrate", "Manners", "Session"]


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
        manners = manners or Manners()
        if len(probs) != opening["n"]:
            raise Refused(
                f"A session needs one probability per item; got {len(probs)} for "
                f"{opening['n']} items."
            )
        self._clock = clock
        self._leases = Leases(manners.lease_s)
        self._chooser = Chooser(len(probs), planner, manners)
        self._beliefs = Beliefs(probs, trainer, calibrate)
        self._log = Log(store, opening, clock)
        self._record = self._log.record
        self._beliefs.follow(self.state)

    @property
    def state(self) -> State:
        """What the answers imply."""
        return self._record.state

    @property
    def probs(self) -> Probs:
        """The probabilities questions are planned with."""
        return self._beliefs.probs

    @property
    def record(self) -> Record:
        """Everything that has happened; for reading only."""
        return self._record

    def use(self, *, planner: Planner | None = None, trainer: Trainer | None = None) -> None:
        """Go on with another planner, or with a trainer that has only now become possible.

        What is live stays so. Neither is kept: who takes the session up again chooses anew.
        """
        if planner is not None:
            self._chooser.planner = planner
            for live in self._leases:
                live.ahead_of = None
        if trainer is not None:
            self._beliefs.trainer = trainer
            self._teach()

    def ask(self, annotator: str, tab: str = "") -> Asked | None:
        """The question to put to this window now; None when no open item is free.

        The same window gets the same question until it answers, so a reload loses nothing.
        """
        now_s = self._clock.steady_s()
        self._leases.expire(now_s)
        live = self._leases.of(annotator, tab, now_s)
        if live is not None and deciding.may_be_asked(self.state, live.asked.question, frozenset()):
            return live.asked
        self._leases.release(annotator, tab)
        self.refresh()
        probs, leased = self._beliefs.follow(self.state), self._leases.items
        question = self._chooser.next(self._record, self.state, probs, leased, annotator)
        return None if question is None else self._hand_out(question, annotator, tab)

    def prepare(self, question_id: int, depth: int = 1) -> Mapping[str, Question]:
        """Plan what to ask after each answer to a live question, so that nobody waits later.

        Parameters
        ----------
        question_id
            A question somebody is looking at; for any other there is nothing to prepare.
        depth
            How many answers to look ahead.

        Returns what would be asked after ``yes`` and after ``no``; with a depth of 2 also after
        ``yes yes``, ``yes no`` and so on. A path is missing where nothing would be asked.
        """
        live = self._leases.by_id(question_id)
        if live is None:
            return {}
        self.refresh()
        asked, probs = live.asked, self._beliefs.follow(self.state)
        taken = self._leases.taken(asked.annotator, asked.tab)
        number = self._log.next_number

        def foresee(answer: Answer) -> State | None:
            return self._record.foresee(answer, number)

        def choose(state: State, next_one: bool) -> Question | None:
            return self._chooser.next(
                self._record, state, probs, taken, asked.annotator, audits=next_one
            )

        live.ahead_of, live.ahead = self.state.key, {}
        found: dict[str, Question] = {}
        for path, state, question in look_ahead(asked.question, self.state, foresee, choose, depth):
            found[path] = question
            if " " not in path:
                live.ahead[path] = self._asking(question, asked.annotator, asked.tab, state)
        return found

    def put(self, question: Question, annotator: str, tab: str = "") -> Asked:
        """Put exactly this question to a window, which may be showing it already.

        Raises
        ------
        Refused
            It is not about this pool, or somebody else is looking at one of its items, or
            its answer would say nothing any more.
        """
        deciding.check_items(self.state, question)
        now_s = self._clock.steady_s()
        self._leases.expire(now_s)
        live = self._leases.of(annotator, tab, now_s)
        if live is not None and live.asked.question == question:
            return live.asked
        taken = self._leases.taken(annotator, tab)
        if not deciding.may_be_asked(self.state, question, taken):
            raise Refused(
                "A question is about open items that nobody else is looking at, whose labels do "
                f"not follow; {list(question.items)} are not such. Ask for another."
            )
        return self._hand_out(question, annotator, tab)

    def tell(
        self,
        question_id: int | None,
        answer: Answer,
        key: str,
        annotator: str | None = None,
        *,
        tab: str = "",
        seconds: float | None = None,
        then: Question | None = None,
    ) -> Told:
        """Take an answer; it is durable when this returns.

        Parameters
        ----------
        question_id
            The id `ask` gave. None for a question that was handed out ahead of time and answered
            before anybody asked for it: the caller vouches that it was, and it is stored with
            its answer.
        answer
            The answer to exactly that question.
        key
            Made up by the caller for this answer. The same key again is the same answer: nothing
            happens twice.
        annotator
            Who answers, if that is known; must be who was asked.
        tab
            Which window answers; only without `question_id`, otherwise that is known.
        seconds
            How long the person looked, if somebody measured it.
        then
            What the person sees next already; it becomes the window's question, in the same
            commit, if it may still be asked.

        Raises
        ------
        Refused
            Nobody was asked this, or it was somebody else, or it has another answer already.
        """
        events: list[Event] = []
        if question_id is None:
            number = self._log.next_number
            asked = deciding.foretold(self._record, answer, key, annotator, tab, number)
            if asked.id == number:
                events.append(self._asking(asked.question, asked.annotator, tab))
        else:
            asked = deciding.asked_of(self._record, question_id, annotator)
        if deciding.done_before(self._record, key, ("tell", asked.id, answer)):
            return Told(self._record.by_key[key], 0)
        deciding.check_answer(self._record, asked, answer)
        body = deciding.answered(asked, answer, seconds)
        kind: EventKind = "answered" if asked.question.purpose == "label" else "audited"
        events.append(self._log.event(kind, asked.annotator, body, key))
        following = self._following(asked, answer, then, len(events) - 1)
        if following is not None:
            events.append(following)
        before, disputes = self.state.n_settled, len(self._record.disputes)
        stored = self._log.commit(*events)
        if self._leases.by_id(asked.id) is not None:
            self._leases.release(asked.annotator, asked.tab)
        if following is not None:
            shown = self._record.asked[stored[-1].number]
            self._leases.grant(shown, self._clock.steady_s())
        self._teach()
        clash = self._record.disputes[-1] if len(self._record.disputes) > disputes else None
        return Told(self._record.by_key[key], self.state.n_settled - before, clash)

    def unsure(
        self, item: int, note: str = "", annotator: str = "", key: str | None = None
    ) -> None:
        """Set an item aside: it gets no label and proves nothing. Again: note something else."""
        item = deciding.item_of(self.state, item)
        before = deciding.done_before(self._record, key, ("unsure", item, note))
        if before or self._record.notes.get(item) == note:
            return
        body = {"item": item, "note": note}
        self._log.commit(self._log.event("unsure", annotator, body, key))
        self._teach()

    def undo(self, annotator: str, tab: str = "", key: str | None = None) -> Asked | None:
        """Take back the annotator's latest answer, and put its question to them again.

        Returns the question, or what there is to ask instead if others have answered it.
        Nothing to undo is no error. The same `key` again undoes nothing more.
        """
        if deciding.done_before(self._record, key, ("undo", annotator)):
            return self.ask(annotator, tab)
        latest = self._record.latest_of(annotator)
        if latest is None:
            return self.ask(annotator, tab)
        what, which = latest
        if what == "unsure":
            self._log.commit(self._log.event("taken_back", annotator, {"item": which}, key))
            return self.ask(annotator, tab)
        given = self._record.answers[which]
        body: dict[str, Any] = {"answer": which, "undo": True}
        if given.replaces:
            body["reinstates"] = list(given.replaces)
        self._log.commit(self._log.event("retracted", annotator, body, key))
        self._teach()
        question = given.answer.question
        taken = self._leases.taken(annotator, tab)
        if given.corrects is None and deciding.may_be_asked(self.state, question, taken):
            return self._hand_out(question, annotator, tab)
        return self.ask(annotator, tab)

    def retract(self, answer: int, annotator: str = "", key: str | None = None) -> None:
        """Take any answer back; the state is then that of a replay without it."""
        if deciding.done_before(self._record, key, ("retract", answer)):
            return
        if not self._record.stands(answer):
            raise Refused(f"Only an answer that stands can be retracted; answer {answer} does not.")
        self._log.commit(self._log.event("retracted", annotator, {"answer": answer}, key))
        self._teach()

    def correct(self, item: int, label: bool, annotator: str, key: str | None = None) -> Told:
        """Give an item this label, whatever was answered before; other labels stay.

        The answers that say otherwise are retracted and said again but for this item, all in one
        commit (`askless.session.correcting`). `undo` brings them back.

        Raises
        ------
        Refused
            There is no such item, or it is set aside.
        """
        item, label = deciding.item_of(self.state, item), bool(label)
        if deciding.done_before(self._record, key, ("correct", item, label)):
            return Told(self._record.by_key[str(key)], 0)
        if self.state.is_unsure(item):
            raise Refused(f"Item {item} is set aside and has no label; undo that first.")
        if (why := self.state.provenance(item)) and self.state.label(item) is label:
            return Told(max(why.answers), 0)
        change = correction(self.state, item, label)
        bodies = change.payloads(self._log.next_number, self._beliefs.checkpoint)
        events = [self._log.event(kind, annotator, body) for kind, body in bodies]
        events[-1] = replace(events[-1], key=key)
        before = self.state.n_settled
        stored = self._log.commit(*events)
        self._teach()
        return Told(stored[-1].number, self.state.n_settled - before)

    def define(self, text: str, annotator: str = "") -> None:
        """Say what a True label means, from now on; answers know which definition they had."""
        self._log.commit(self._log.event("defined", annotator, {"text": text}))

    def exported(self, what: Mapping[str, Any], annotator: str = "") -> None:
        """Note that labels were written somewhere."""
        self._log.commit(self._log.event("exported", annotator, dict(what)))

    def labels(self) -> Iterator[Labelled]:
        """Every item with its label and why it is final, or what is believed until then."""
        return labelled(self._record, self.probs)

    def progress(self) -> Progress:
        """How far it is and how long it may take."""
        return progress_of(self._record, self.probs, self._chooser.planner)

    def refresh(self) -> bool:
        """Take the trainer's newest probabilities, if there are any; whether there were."""
        fresh = self._beliefs.take()
        if fresh is None:
            return False
        if fresh.answers < len(self._record.given):
            self._teach()
        if fresh.number > self._record.checkpoint:
            body = {"number": fresh.number, "checksum": fresh.checksum}
            self._log.put_off(self._log.event("checkpoint", "", body))
        self._beliefs.follow(self.state)
        return True

    def _following(
        self, asked: Asked, answer: Answer, then: Question | None, before: int
    ) -> Event | None:
        """What to ask after this answer, if that is known already and may still be asked."""
        taken = self._leases.taken(asked.annotator, asked.tab)
        if then is not None and max(then.items) < self.state.n:
            after: State | None = self.state
            if asked.question.purpose == "label":
                after = self._record.foresee(answer, self._log.next_number + before)
            if after is not None and deciding.may_be_asked(after, then, taken):
                return self._asking(then, asked.annotator, asked.tab, after)
        live = self._leases.by_id(asked.id)
        return None if live is None else live.following(answer.kind, self.state.key, taken)

    def _asking(
        self, question: Question, annotator: str, tab: str, state: State | None = None
    ) -> Event:
        body = self._chooser.payload(question, state or self.state, self._beliefs)
        if tab:
            body["tab"] = tab
        return self._log.event("asked", annotator, body)

    def _hand_out(self, question: Question, annotator: str, tab: str) -> Asked:
        (stored,) = self._log.commit(self._asking(question, annotator, tab))
        asked = self._record.asked[stored.number]
        self._leases.grant(asked, self._clock.steady_s())
        return asked

    def _teach(self) -> None:
        self._beliefs.teach(self.state, len(self._record.given))
