"""Which question goes to whom, and what comes after it.

A question is leased to one window, and its items to no other. What comes next is planned while
the person is still looking (`QuestionQueue.plan_ahead`), with the newest probabilities there are.
`Session.queue` hands it to whoever serves windows; tested in tests/session/test_question_queue.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from askless.core.event import Event
from askless.core.events import Asked
from askless.core.question import Answer, Question
from askless.core.state import State
from askless.errors import Refused
from askless.seams import Clock, Planner
from askless.session.chooser import Chooser
from askless.session.current_probs import ProbsInUse
from askless.session.leases import Lease, Leases
from askless.session.log import Log
from askless.session.options import SessionOptions
from askless.session.plan_ahead import plan_ahead
from askless.session.validation import check_question, may_be_asked


class QuestionQueue:
    """Puts questions to people.

    Parameters
    ----------
    log
        Keeps what is asked.
    probs
        The probabilities questions are planned with.
    planner
        Chooses questions.
    options
        How to behave.
    clock
        Tells when a lease runs out.
    """

    def __init__(
        self, log: Log, probs: ProbsInUse, planner: Planner, options: SessionOptions, clock: Clock
    ) -> None:
        self._log, self._history = log, log.history
        self._probs = probs
        self._clock = clock
        self._leases = Leases(options.lease_s)
        self._chooser = Chooser(self._history.state.n, planner, options)

    @property
    def planner(self) -> Planner:
        """Chooses questions."""
        return self._chooser.planner

    @property
    def leases(self) -> list[Lease]:
        """What everybody is looking at."""
        return list(self._leases)

    def use_planner(self, planner: Planner) -> None:
        """Go on with another planner; what is leased stays so, what was planned ahead does not."""
        self._chooser.planner = planner
        for lease in self._leases:
            lease.planned_from = None

    def ask(self, annotator: str, tab: str) -> Asked | None:
        """The question to put to this window now (`Session.ask`)."""
        now_s = self._clock.steady_s()
        self._leases.expire(now_s)
        state = self._history.state
        lease = self._leases.renew(annotator, tab, now_s)
        if lease is not None and may_be_asked(state, lease.asked.question, frozenset()):
            return lease.asked
        self._leases.release(annotator, tab)
        self._probs.refresh()
        question = self._choose(state, self._leases.items, annotator)
        return None if question is None else self.hand_out(question, annotator, tab)

    def plan_ahead(self, question_id: int, depth: int = 1) -> Mapping[str, Question]:
        """Plan what to ask after each answer to a leased question, so that nobody waits later.

        Parameters
        ----------
        question_id
            A question somebody is looking at; for any other there is nothing to plan.
        depth
            How many answers to plan ahead.

        Returns what would be asked after ``yes`` and after ``no``; with a depth of 2 also after
        ``yes yes``, ``yes no`` and so on. A path is missing where nothing would be asked.
        """
        lease = self._leases.by_id(question_id)
        if lease is None:
            return {}
        self._probs.refresh()
        asked, state = lease.asked, self._history.state
        leased = self._leases.items_of_others(asked.annotator, asked.tab)
        number = self._log.next_number

        def state_after(answer: Answer) -> State | None:
            return self._history.state_after(answer, number)

        def choose(state: State, next_one: bool) -> Question | None:
            return self._choose(state, leased, asked.annotator, audits=next_one)

        lease.planned_from, lease.planned = state.key, {}
        found: dict[str, Question] = {}
        for path, after, question in plan_ahead(asked.question, state, state_after, choose, depth):
            found[path] = question
            if " " not in path:
                what = self._asking(question, asked.tab, after)
                lease.planned[path] = self._log.event(what, asked.annotator)
        return found

    def spare(
        self, annotator: str, count: int, excluded: AbstractSet[int] = frozenset()
    ) -> list[Question]:
        """Questions that could be asked beside all that are leased, and beside one another.

        For somebody who will be out of reach for a while. Nothing is stored or leased; what is
        answered comes back through `Session.tell` without an id.

        Parameters
        ----------
        annotator
            Who will be asked.
        count
            How many at most.
        excluded
            Items not to ask about.
        """
        self._probs.follow()
        leased = self._leases.items | excluded
        found: list[Question] = []
        while len(found) < count:
            question = self._choose(self._history.state, leased, annotator, audits=False)
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
        check_question(self._history.state, question)
        now_s = self._clock.steady_s()
        self._leases.expire(now_s)
        lease = self._leases.renew(annotator, tab, now_s)
        if lease is not None and lease.asked.question == question:
            return lease.asked
        if not self.may_put(question, annotator, tab):
            raise Refused(
                "A question is about open items that nobody else is looking at, whose labels do "
                f"not follow; {list(question.items)} are not such. Ask for another."
            )
        return self.hand_out(question, annotator, tab)

    def may_put(self, question: Question, annotator: str, tab: str) -> bool:
        """Whether asking this window this now says something and gets in nobody's way."""
        leased = self._leases.items_of_others(annotator, tab)
        return may_be_asked(self._history.state, question, leased)

    def in_test_sample(self, question: Question) -> bool:
        """Whether a question, asked or only planned, shows an item of the test sample alone."""
        return self._chooser.in_test_sample(question)

    def leave(self, annotator: str, *, but_for: str | None = None) -> None:
        """Return what the annotator's windows hold to the pool, since they are closed.

        Parameters
        ----------
        annotator
            Whose windows.
        but_for
            The tab of one that is still open; None if none is.
        """
        for lease in self.leases:
            if lease.asked.annotator == annotator and lease.asked.tab != but_for:
                self._leases.release(annotator, lease.asked.tab)

    def asking(self, question: Question, annotator: str, tab: str) -> Event:
        """The event of asking this now."""
        return self._log.event(self._asking(question, tab, self._history.state), annotator)

    def asking_next(
        self, asked: Asked, answer: Answer, then: Question | None, before: int
    ) -> Event | None:
        """The event of asking what follows this answer, if that is planned and may still be asked.

        Parameters
        ----------
        asked, answer
            What is answered, and how.
        then
            What the person sees next already; None for whatever was planned.
        before
            How many events are committed before the answer.
        """
        state = self._history.state
        leased = self._leases.items_of_others(asked.annotator, asked.tab)
        if then is not None and max(then.items) < state.n:
            after: State | None = state
            if asked.question.purpose == "label":
                after = self._history.state_after(answer, self._log.next_number + before)
            if after is not None and may_be_asked(after, then, leased):
                return self._log.event(self._asking(then, asked.tab, after), asked.annotator)
        lease = self._leases.by_id(asked.id)
        return None if lease is None else lease.planned_after(answer.kind, state.key, leased)

    def release(self, asked: Asked) -> None:
        """The question was answered; its window is free, if it still held it."""
        if self._leases.by_id(asked.id) is not None:
            self._leases.release(asked.annotator, asked.tab)

    def lease(self, question_id: int) -> Asked:
        """Lease a question that was stored to its window."""
        asked = self._history.asked[question_id]
        self._leases.grant(asked, self._clock.steady_s())
        return asked

    def hand_out(self, question: Question, annotator: str, tab: str) -> Asked:
        """Store that this is asked, and lease it."""
        (stored,) = self._log.commit(self.asking(question, annotator, tab))
        return self.lease(stored.number)

    def _choose(
        self, state: State, leased: AbstractSet[int], annotator: str, *, audits: bool = True
    ) -> Question | None:
        return self._chooser.next(
            self._history,
            state,
            self._probs.probs,
            leased,
            annotator,
            priority=self._probs.priority,
            audits=audits,
        )

    def _asking(self, question: Question, tab: str, state: State) -> Asked:
        return self._chooser.describe(question, state, self._probs, tab)
