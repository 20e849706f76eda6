"""The half of a session that asks: which question goes to whom, and what comes after it.

A question is live in one window, and its items in no other. What comes next is planned while
the person is still looking (`Asking.prepare`), with the newest probabilities there are.
`askless.session.session` adds the other half; tested in tests/session.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from askless.core.event import Event
from askless.core.probability import Probs
from askless.core.question import Answer, Question
from askless.core.state import State
from askless.errors import Refused
from askless.seams import Calibrator, Checkpoint, Clock, Planner, Schedule, Store, Trainer
from askless.session import deciding
from askless.session.ahead import look_ahead
from askless.session.beliefs import Beliefs
from askless.session.choosing import Chooser
from askless.session.leases import Leases
from askless.session.log import Log
from askless.session.manners import Manners
from askless.session.progress import ProgressMeter
from askless.session.record import Asked, Record


class Asking:
    """Puts questions to people. Its parameters are those of `askless.session.session.Session`."""

    def __init__(
        self,
        store: Store,
        opening: Mapping[str, Any],
        planner: Planner,
        probs: Probs,
        clock: Clock,
        *,
        trainer: Trainer | None = None,
        calibrator: Calibrator | None = None,
        schedule: Schedule | None = None,
        manners: Manners | None = None,
        checkpoint: Checkpoint | None = None,
        method: Mapping[str, Any] | None = None,
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
        self._beliefs = Beliefs(probs, trainer, calibrator, schedule, checkpoint)
        self._log = Log(store, opening, clock, method)
        self._record = self._log.record
        self._meter = ProgressMeter(len(probs))
        self._noted = (self._record.checkpoint, self._record.checksum)
        if self._record.asked:
            self._beliefs.take_up(self._record.version)
        if checkpoint is not None:
            self._note(checkpoint)
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
    def calibrator(self) -> Calibrator | None:
        """What corrects the probabilities by what is known; None if nothing does."""
        return self._beliefs.calibrator

    @property
    def record(self) -> Record:
        """Everything that has happened; for reading only."""
        return self._record

    def use(
        self,
        *,
        planner: Planner | None = None,
        trainer: Trainer | None = None,
        calibrator: Calibrator | None = None,
    ) -> None:
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
        if calibrator is not None:
            self._beliefs.calibrator = calibrator

    def replan(self, planner: Planner, method: Mapping[str, Any]) -> None:
        """Go on with another planner, and store how it was made (`Record.method`)."""
        self._log.commit(self._log.event("planned", "", {"method": dict(method)}))
        self.use(planner=planner)

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
        question = self._chooser.next(
            self._record, self.state, probs, leased, annotator, priority=self._beliefs.priority
        )
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
        priority = self._beliefs.priority
        taken = self._leases.taken(asked.annotator, asked.tab)
        number = self._log.next_number

        def foresee(answer: Answer) -> State | None:
            return self._record.foresee(answer, number)

        def choose(state: State, next_one: bool) -> Question | None:
            return self._chooser.next(
                self._record,
                state,
                probs,
                taken,
                asked.annotator,
                priority=priority,
                audits=next_one,
            )

        live.ahead_of, live.ahead = self.state.key, {}
        found: dict[str, Question] = {}
        for path, state, question in look_ahead(asked.question, self.state, foresee, choose, depth):
            found[path] = question
            if " " not in path:
                live.ahead[path] = self._asking(question, asked.annotator, asked.tab, state)
        return found

    def spare(
        self, annotator: str, count: int, taken: AbstractSet[int] = frozenset()
    ) -> list[Question]:
        """Questions that could be asked beside all that are live, and beside one another.

        For somebody who will be out of reach for a while. Nothing is stored or leased; what is
        answered comes back through `tell` without an id.

        Parameters
        ----------
        annotator
            Who will be asked.
        count
            How many at most.
        taken
            Items not to ask about.
        """
        probs, state = self._beliefs.follow(self.state), self.state
        leased = self._leases.items | taken
        found: list[Question] = []
        while len(found) < count:
            question = self._chooser.next(
                self._record,
                state,
                probs,
                leased,
                annotator,
                priority=self._beliefs.priority,
                audits=False,
            )
            if question is None:
                break
            found.append(question)
            leased = leased.union(question.items)
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

    def draws(self, question: Question) -> bool:
        """Whether a question, asked or only prepared, is about a drawn item alone."""
        return self._chooser.draws(question)

    def leave(self, annotator: str, *, but_for: str | None = None) -> None:
        """Return what the annotator's windows hold to the pool, since they are closed.

        Parameters
        ----------
        annotator
            Whose windows.
        but_for
            The tab of one that is still open; None if none is.
        """
        for live in list(self._leases):
            if live.asked.annotator == annotator and live.asked.tab != but_for:
                self._leases.release(annotator, live.asked.tab)

    def refresh(self) -> bool:
        """Take the trainer's newest probabilities, if there are any; whether there were."""
        changed = False
        while (fresh := self._beliefs.take()) is not None:
            changed = True
            self._note(fresh)
            if fresh.answers < len(self._record.given):
                self._teach()  # one that fits here and now has better ones at once
        self._beliefs.catch_up(self.state, len(self._record.given))
        if changed:
            self._beliefs.follow(self.state)
        return changed

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

    def _note(self, checkpoint: Checkpoint) -> None:
        """Have the log say which checkpoint is in use, unless it does."""
        if self._noted != (noted := (checkpoint.number, checkpoint.checksum)):
            self._noted = noted
            body = dict(zip(("number", "checksum"), noted, strict=True))
            self._log.put_off(self._log.event("checkpoint", "", body))

    def _teach(self) -> None:
        self._beliefs.teach(self.state, len(self._record.given))
