"""Which question goes to whom, and what comes after it.

A question is leased to one window, and its items to no other. It is no larger than what the window
can show (`askless.seams.Fit`); a part of a question that may be asked may be asked too. What comes
next is planned while the person is still looking (`QuestionQueue.plan_ahead`), with the newest
probabilities there are. What a promise calls for (`askless.session.certifying`) comes first.
`Session.queue` hands it to whoever serves windows; tested in tests/session/test_question_queue.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Final

import numpy as np

from askless.certificates.policy import Check, Learn, Settle
from askless.core.events import Asked
from askless.core.question import Answer, Question
from askless.core.state import State
from askless.errors import Refused
from askless.seams import Clock, Fit, Planner, Priority
from askless.session.certifying import Certifier
from askless.session.chooser import Chooser
from askless.session.current_probs import ProbsInUse
from askless.session.leases import Lease, Leases
from askless.session.log import Log
from askless.session.options import SessionOptions
from askless.session.plan_ahead import plan_ahead
from askless.session.reasking import Reasker
from askless.session.validation import check_question, may_be_asked

_KNOWN_DRAWS: Final = 64
"""After this many draws whose outcome is known without asking, an ordinary question is asked."""


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
    certifier
        Says what a promise calls for.
    reasker
        Says when somebody is asked again.
    """

    def __init__(
        self,
        log: Log,
        probs: ProbsInUse,
        planner: Planner,
        options: SessionOptions,
        clock: Clock,
        certifier: Certifier,
        reasker: Reasker,
    ) -> None:
        self._log, self._history = log, log.history
        self._probs = probs
        self._certifier, self._reasker = certifier, reasker
        self._clock = clock
        self._leases = Leases(options.lease_s)
        self._chooser = Chooser(self._history.source.sizes, planner, options)
        self.fit: Fit = lambda question, tab: question
        """Says what a window can show; everything, until somebody knows better."""

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
        lease = self._leases.renew(annotator, tab, now_s)
        if lease is not None and self._says_something(lease.asked.question):
            return lease.asked
        self._leases.release(annotator, tab)
        self._probs.refresh()
        return self._ask_next(annotator, tab)

    def ask_again(self, question: Question | None, annotator: str, tab: str) -> Asked | None:
        """Put this to the window if that may be asked now; otherwise what there is to ask.

        A check of a claim that is void is an ordinary question.
        """
        if question is not None:
            if question.purpose == "check" and not self._says_something(question):
                question = Question(question.items, question.guess)
            question = self.fit(question, tab)
            if self.may_put(question, annotator, tab):
                return self.hand_out(question, annotator, tab)
        return self.ask(annotator, tab)

    def refit(self, annotator: str, tab: str) -> None:
        """Put the part that fits of what a window holds to it, since it cannot show all of it."""
        lease = self._leases.renew(annotator, tab, self._clock.steady_s())
        if lease is None or not self._says_something(lease.asked.question):
            return
        shown = self.fit(lease.asked.question, tab)
        if shown is not lease.asked.question:
            self.hand_out(shown, annotator, tab)

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
        asked = self._history.asked.get(question_id)
        lease = None if asked is None else self._leases.of(asked)
        if asked is None or lease is None:
            return {}
        self._probs.refresh()
        state = self._history.state
        leased = self._leases.items_of_others(asked.annotator, asked.tab)
        number = self._log.next_number

        def state_after(answer: Answer) -> State | None:
            return self._history.state_after(answer, number)

        def choose(state: State, next_one: bool) -> Question | None:
            wanted = self._certifier.decide_ahead(state)
            if wanted is None or (next_one and self._reasker.due(asked.annotator)):
                return None
            return self._choose(
                state, leased, asked.annotator, asked.tab, wanted.priority, audits=next_one
            )

        lease.planned_from, lease.planned = state.key, {}
        found: dict[str, Question] = {}
        for path, after, question in plan_ahead(asked.question, state, state_after, choose, depth):
            found[path] = question
            if " " not in path:
                lease.planned[path] = self.asking(question, asked.tab, after)
        return found

    def spare(
        self,
        annotator: str,
        count: int,
        excluded: AbstractSet[int] = frozenset(),
        tab: str = "",
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
        tab
            The window they are for.
        """
        self._probs.follow()
        leased = self._leases.items | excluded
        found: list[Question] = []
        while len(found) < count:
            question = self._choose(self._history.state, leased, annotator, tab, audits=False)
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
        if question.purpose == "check":
            return self._says_something(question)
        leased = self._leases.items_of_others(annotator, tab)
        return may_be_asked(self._history.state, question, leased)

    def in_test_sample(self, question: Question) -> bool:
        """Whether a question, asked or only planned, shows an item of the test sample alone."""
        return self._chooser.in_test_sample(question)

    def held_test_items(self) -> frozenset[int]:
        """The items of the test sample that a window holds while another is past the sample.

        Nothing waits for these: they are asked, and the questions that follow are being asked too.
        """
        asked = [lease.asked.question for lease in self._leases]
        labels = [question for question in asked if question.purpose == "label"]
        held = {one.items[0] for one in labels if self.in_test_sample(one)}
        return frozenset(held if len(held) < len(labels) else ())

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

    def asking(self, question: Question, tab: str, state: State | None = None) -> Asked:
        """What there is to store when this is asked, now or in a state that lies ahead."""
        check = None
        if question.purpose != "label":  # drawn before, perhaps, and still without an answer
            check = self._certifier.place(question) or self._reasker.place(question)
        state = self._history.state if state is None else state
        return self._chooser.describe(check or Asked(question), state, self._probs, tab)

    def asking_next(
        self, asked: Asked, answer: Answer, then: Question | None, before: int
    ) -> Asked | None:
        """What to ask after this answer, if that is planned and may still be asked.

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
            if asked.question.purpose != "audit":
                after = self._history.state_after(answer, self._log.next_number + before)
            drawn = then.purpose == "check"  # nobody is shown a check before it is stored
            if after is not None and not drawn and may_be_asked(after, then, leased):
                return self.asking(then, asked.tab, after)
        lease = self._leases.of(asked)
        return None if lease is None else lease.planned_after(answer.kind, state.key, leased)

    def release(self, asked: Asked) -> None:
        """The question was answered; its window is free, if it still held it."""
        if self._leases.of(asked) is not None:
            self._leases.release(asked.annotator, asked.tab)

    def lease(self, question_id: int) -> Asked:
        """Lease a question that was stored to its window."""
        asked = self._history.asked[question_id]
        self._leases.grant(asked, self._clock.steady_s())
        return asked

    def hand_out(self, question: Question, annotator: str, tab: str) -> Asked:
        """Store that this is asked, and lease it."""
        asked = self.asking(question, tab)
        return self.lease(self._log.commit(self._log.event(asked, annotator)))

    def _says_something(self, question: Question) -> bool:
        """Whether an answer to this would say something now."""
        if question.purpose == "check":
            return self._certifier.place(question) is not None
        return may_be_asked(self._history.state, question, frozenset())

    def _ask_next(self, annotator: str, tab: str) -> Asked | None:
        """Ask what a promise calls for, what is due, or what the planner chooses."""
        history, certifier = self._history, self._certifier
        if self._reasker.due(annotator) and (asked := self._reask(annotator, tab)) is not None:
            return asked
        question = certifier.waiting([lease.asked for lease in self._leases]) or self._reopened()
        if question is None:
            leased, probs = self._leases.items, self._probs.probs
            question = self._chooser.due(history, history.state, probs, leased, annotator)
        for _ in range(_KNOWN_DRAWS):
            decision = certifier.decide() if question is None else Learn()
            if not isinstance(decision, Check):
                break
            asked = certifier.draw(decision)
            if asked is None:
                break
            number = self._store_draw(asked, annotator, tab)
            if self._says_something(history.asked[number].question):
                return self.lease(number)
        priority = decision.priority if isinstance(decision, (Learn, Settle)) else None
        question = question or self._plan(history.state, self._leases.items, priority)
        if question is None:
            return self._reask(annotator, tab)
        return self.hand_out(self.fit(question, tab), annotator, tab)

    def _reask(self, annotator: str, tab: str) -> Asked | None:
        """Ask about a label again, one that waits or one that is drawn now; None for none."""
        again = self._reasker.next(annotator, [lease.asked for lease in self._leases])
        if again is None:
            return None
        asked = self._chooser.describe(again, self._history.state, self._probs, tab)
        return self.lease(self._log.commit(self._log.event(asked, annotator)))

    def _store_draw(self, drawn: Asked, annotator: str, tab: str) -> int:
        """Store a draw with the part of it that the window shows first."""
        shown = self.fit(drawn.question, tab)
        whole = shown.items == drawn.draw
        first = replace(drawn, question=shown, draw=() if whole else drawn.draw)
        asked = self._chooser.describe(first, self._history.state, self._probs, tab)
        return self._log.commit(self._log.event(asked, annotator))

    def _reopened(self) -> Question | None:
        """A question about items that are open again outside a claim, if nobody else has them."""
        mask = self._certifier.reopened()
        if mask is None:
            return None
        leased, state = self._leases.items, self._history.state
        question = self._plan(state, leased, mask)
        if question is not None and not mask[list(question.items)].any():
            others = leased.union(np.flatnonzero(~mask).tolist())
            question = self._plan(state, others, mask)
        return question

    def _plan(
        self, state: State, leased: AbstractSet[int], priority: Priority | None
    ) -> Question | None:
        first = self._probs.priority if priority is None else priority
        return self.planner.plan(self._probs.probs, state, leased, first)

    def _choose(
        self,
        state: State,
        leased: AbstractSet[int],
        annotator: str,
        tab: str,
        priority: Priority | None = None,
        *,
        audits: bool = True,
    ) -> Question | None:
        due = self._chooser.due(
            self._history, state, self._probs.probs, leased, annotator, audits=audits
        )
        question = due or self._plan(state, leased, priority)
        return None if question is None else self.fit(question, tab)
