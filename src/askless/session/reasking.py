"""Asks people again about labels they gave, blind, and decides when.

`want` says how many; they come one in so many questions while there is something else to ask, and
in a row when there is not. The first freezes the labels given so far
(`askless.history.consistency`). A re-ask is stored when it is drawn and never planned ahead: nobody
sees a draw before it is stored. Imported by the session room alone; tested in
tests/history/test_consistency.py.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import Final

import numpy as np

from askless.certificates.self_agreement import consistency_of
from askless.core.events import Asked
from askless.core.question import Question
from askless.core.reasking import Reasking
from askless.errors import Refused
from askless.history.consistency import (
    FEWEST,
    Consistency,
    Sample,
    labels_given,
    share_of_alpha,
)
from askless.session.log import Log

EXPECTED: Final = 0.02
"""Of the labels people give, so many they would change; it decides how soon, never whether."""
_GROWN: Final = 1.5
"""Labels are frozen anew once there are so many times as many."""
_SEED_BYTES: Final = 16


class Reasker:
    """Decides which label is asked again, and when.

    Parameters
    ----------
    log
        What has happened, and where it is stored.
    """

    def __init__(self, log: Log) -> None:
        self._log, self._history = log, log.history
        self._wanted: dict[str, tuple[int, int]] = {}

    def want(self, annotator: str, count: int, every: int = 1, seed: str | None = None) -> int:
        """Ask about so many labels again that this annotator gave; how many are to come.

        They are drawn at random from all of them, look like any question and teach nothing.

        Parameters
        ----------
        annotator
            Who is asked.
        count
            How many more; 0 for none.
        every
            One question in so many is such, while there is something else to ask.
        seed
            Of the draws, in hexadecimal digits; None for the operating system's entropy. Anything
            else belongs into the lab.

        Raises
        ------
        Refused
            There are too few labels.
        """
        for name, value, least in (("count", count, 0), ("every", every, 1)):
            if type(value) is not int or value < least:
                raise Refused(f"{name} is a whole number, {least} or more; got {value!r:.40}.")
        if count:
            self._freeze(annotator, seed)
        drawn = len(self._sample(annotator).draws) if count else 0
        self._wanted[annotator] = (drawn + count, every)
        return count

    def wanted(self, annotator: str) -> int:
        """How many re-asks are still to come."""
        sample = self._history.reasks.of(annotator)
        until, _ = self._wanted.get(annotator, (0, 1))
        return 0 if sample is None else max(0, until - len(sample.draws))

    def due(self, annotator: str) -> bool:
        """Whether a re-ask comes before any other question."""
        _, every = self._wanted.get(annotator, (0, 1))
        return self.wanted(annotator) > 0 and self._history.reasks.since(annotator) + 1 >= every

    def next(self, annotator: str, held: Iterable[Asked]) -> Asked | None:
        """The draw that waits for an answer and is in no window, or a new one; None for none."""
        sample, state = self._history.reasks.of(annotator), self._history.state
        if sample is None:
            return None
        shown = {one.check for one in held if one.claim == sample.number}
        for one in sample.waiting(state):
            if one.check not in shown:
                return one
        return sample.next_question(state) if self.wanted(annotator) else None

    def consistency(self, annotator: str) -> Consistency | None:
        """What asking this annotator again has shown; None if nobody did."""
        return consistency_of(self._history, annotator)

    def place(self, question: Question) -> Asked | None:
        """A re-ask that was drawn before and still waits, named; None if it is none."""
        reasks, state = self._history.reasks, self._history.state
        for annotator in reasks.annotators():
            sample = self._sample(annotator)
            position = sample.place_of(question, state)
            if position is not None:
                return Asked(question, claim=sample.number, check=position)
        return None

    def _sample(self, annotator: str) -> Sample:
        sample = self._history.reasks.of(annotator)
        assert sample is not None
        return sample

    def _freeze(self, annotator: str, seed: str | None) -> None:
        history = self._history
        given = labels_given(history.state, history.answers, annotator, history.source.gone)
        size, sample = int(np.count_nonzero(given)), history.reasks.of(annotator)
        if sample is not None and size < _GROWN * sample.size:
            return
        if size < FEWEST:
            raise Refused(
                f"Asking again needs {FEWEST} labels that {annotator} gave; there are {size}."
            )
        content = Reasking(
            seed or secrets.token_hex(_SEED_BYTES),
            share_of_alpha(history.reasks.made[annotator]),
            EXPECTED * size,
        )
        self._log.commit(self._log.event(content, annotator))
