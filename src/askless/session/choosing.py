"""What to ask next: an audit if one is due, a drawn item while there are some, or a plan.

The first `Manners.draw` items of a random order are asked one at a time before anything else
is, so their labels are a sample of the pool in which no planner had a say.

A question says by itself what it is: an item it shows alone is drawn if it is one of the
drawn items, and what is planted in an audit is whatever it shows with the wrong label. So
a question that was handed out ahead of time needs nothing beside it.
Tested in tests/session/test_choosing.py.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Any, Final

import numpy as np

from askless.core.probability import Probs, chance
from askless.core.question import Question
from askless.core.record import question_record
from askless.core.state import State
from askless.seams import Planner, Priority
from askless.session.audit import audit_is_due, choose_audit
from askless.session.beliefs import Beliefs
from askless.session.manners import Manners
from askless.session.record import Record

_TIE: Final = 1e-6
"""A label so nearly as likely as the other is guessed True: nobody knows better."""


class Chooser:
    """Chooses questions for a session.

    Parameters
    ----------
    n
        Number of items of the pool.
    planner
        Chooses the questions that nothing else calls for.
    manners
        How many audits and drawn items there are to be.
    """

    def __init__(self, n: int, planner: Planner, manners: Manners) -> None:
        self.planner = planner
        self._manners = manners
        self._draw: dict[int, None] = {}  # in the order they are asked
        if manners.draw:
            order = np.random.default_rng(manners.seed).permutation(n)
            self._draw = dict.fromkeys(order[: manners.draw].tolist())

    def next(
        self,
        record: Record,
        state: State,
        probs: Probs,
        leased: AbstractSet[int],
        annotator: str,
        *,
        priority: Priority | None = None,
        audits: bool = True,
    ) -> Question | None:
        """The question to ask `annotator`; None when no open item is free.

        Parameters
        ----------
        record
            What has happened; says whether an audit is due.
        state
            The record's state, or one that an answer may lead to.
        probs
            What is believed about the open items.
        leased
            Items in live questions of other windows.
        annotator
            Who is to be asked.
        priority
            The items to ask about first.
        audits
            Whether it may be an audit.
        """
        every = self._manners.audit_every if audits else 0
        if size := audit_is_due(record, annotator, every):
            rng = np.random.default_rng([self._manners.seed, len(record.asked)])
            audit = choose_audit(state, rng, size, leased)
            if audit is not None:
                return audit
        drawn = self._next_drawn(state, probs, leased)
        return drawn or self.planner.plan(probs, state, leased, priority)

    def payload(self, question: Question, state: State, beliefs: Beliefs) -> dict[str, Any]:
        """What there is to store when this question is asked.

        Parameters
        ----------
        question
            What is asked.
        state
            What will be known when it is.
        beliefs
            Name the version of the probabilities, and give the chance of a yes.
        """
        body: dict[str, Any] = {**question_record(question), **beliefs.name()}
        if question.purpose == "audit":
            body["planted"] = list(planted_in(state, question))
            return body
        if all(map(state.is_open, question.items)):  # a late one is not chosen by its chance
            values = beliefs.probs.values
            right = chance(values, question.items, question.guess, state.clauses)
            body["chance"] = round(right, 6)
        if self.draws(question):
            body["drawn"] = True
        return body

    def draws(self, question: Question) -> bool:
        """Whether it shows a drawn item alone."""
        return len(question) == 1 and question.items[0] in self._draw

    def _next_drawn(self, state: State, probs: Probs, leased: AbstractSet[int]) -> Question | None:
        for item in self._draw:
            if item not in leased and state.is_open(item):
                guess = state.fixed_guess(item)
                likely = probs.values.item(item) >= 0.5 - _TIE
                return Question((item,), (likely if guess is None else guess,))
        return None


def planted_in(state: State, question: Question) -> tuple[int, ...]:
    """The items an audit shows with a label that is known to be wrong."""
    pairs = zip(question.items, question.guess, strict=True)
    return tuple(item for item, guess in pairs if state.label(item) is (not guess))
