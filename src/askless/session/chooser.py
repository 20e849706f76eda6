"""What to ask next: an audit if one is due, a test item while there are some, otherwise a plan.

The first `SessionOptions.test_sample` items of a random order are asked one at a time before
anything else is, so their labels are a sample of the pool in which no planner had a say. Of items
that are added later the same share is drawn, and asked before anything else too.

Nothing is stored beside a question that was planned ahead: a one-item question belongs to the test
sample if its item does, and the planted errors of an audit are the items shown with the label
opposite to the settled one. Tested in tests/session/test_chooser.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Final

import numpy as np

from askless.core.events import Asked
from askless.core.probability import Probs, chance
from askless.core.question import Question
from askless.core.state import State
from askless.history.history import History
from askless.seams import Planner
from askless.session.audit import choose_audit
from askless.session.current_probs import ProbsInUse
from askless.session.options import SessionOptions

_TIE: Final = 1e-6
"""Within this much of 0.5 a label is guessed True: nobody knows better."""


class Chooser:
    """Chooses questions for a session.

    Parameters
    ----------
    sizes
        How many items the pool had at the beginning, and after each time it grew.
    planner
        Chooses the questions that nothing else calls for.
    options
        How many audits and test items there are to be.
    """

    def __init__(self, sizes: Sequence[int], planner: Planner, options: SessionOptions) -> None:
        self.planner = planner
        self._options = options
        self._test_sample = dict.fromkeys(options.test_items(sizes))

    def due(
        self,
        history: History,
        state: State,
        probs: Probs,
        leased: AbstractSet[int],
        annotator: str,
        *,
        audits: bool = True,
    ) -> Question | None:
        """The audit or the test item to ask `annotator` before anything is planned; None for none.

        Parameters
        ----------
        history
            What has happened; says whether an audit is due.
        state
            The history's state, or one that an answer may lead to.
        probs
            What is believed about the open items.
        leased
            Items that other windows are looking at.
        annotator
            Who is to be asked.
        audits
            Whether it may be an audit.
        """
        every = self._options.audit_every if audits else 0
        if size := history.audits.size_due(annotator, every):
            rng = np.random.default_rng([self._options.seed, len(history.asked)])
            gone, shown = history.source.gone, history.audits.planted(annotator)
            audit = choose_audit(state, probs, rng, size, leased | gone, shown)
            if audit is not None:
                return audit
        return self._next_test(state, probs, leased)

    def describe(self, asked: Asked, state: State, probs: ProbsInUse, tab: str) -> Asked:
        """What there is to store when this is asked.

        Parameters
        ----------
        asked
            The question and, for a check, its draw.
        state
            What will be known when it is.
        probs
            Name their version, and give the chance of a yes.
        tab
            The window it is asked in.
        """
        question, (checkpoint, version) = asked.question, probs.versions()
        right: float | None = None
        planted: tuple[int, ...] = ()
        if question.purpose == "audit":
            planted = () if asked.is_reask else planted_in(state, question)
        elif all(map(state.is_open, question.items)):  # a late one is not chosen by its chance
            values, tied = probs.probs.values, state.clauses_tied_to(question.items)
            right = round(chance(values, question.items, question.guess, tied), 6)
        return Asked(
            question,
            checkpoint,
            version,
            right,
            planted,
            question.purpose != "audit" and self.in_test_sample(question),
            tab,
            asked.claim,
            asked.check,
            asked.draw,
        )

    def in_test_sample(self, question: Question) -> bool:
        """Whether it shows an item of the test sample alone."""
        alone = len(question) == 1 and question.purpose != "check"
        return alone and question.items[0] in self._test_sample

    def _next_test(self, state: State, probs: Probs, leased: AbstractSet[int]) -> Question | None:
        for item in self._test_sample:
            if item not in leased and state.is_open(item):
                guess = state.fixed_guess(item)
                likely = probs.values.item(item) >= 0.5 - _TIE
                return Question((item,), (likely if guess is None else guess,))
        return None


def planted_in(state: State, question: Question) -> tuple[int, ...]:
    """The items an audit shows with a label that is known to be wrong."""
    pairs = zip(question.items, question.guess, strict=True)
    return tuple(item for item, guess in pairs if state.label(item) is (not guess))
