"""How far a session is: counts, and a forecast of what is left.

The counts are kept up to date by the state and the history, and the forecast looks at a sample of
the pool (`askless.session.estimates`), so progress costs little after an answer and nothing while
nothing has changed. `progress_of` says the same of a history alone.
Tested in tests/session/test_progress.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from askless.core.interval import Share
from askless.core.probability import Probs
from askless.history.history import History
from askless.history.labels import given_here
from askless.history.projections import SOURCE
from askless.seams import Planner
from askless.session.estimates import Estimates, Range
from askless.session.options import SessionOptions

__all__ = ["Progress", "ProgressMeter", "Range", "progress_of"]


@dataclass(frozen=True, slots=True, repr=False)
class Progress:
    """Where a session stands.

    Parameters
    ----------
    items, settled, open, unsure
        How many there are of each in the source now.
    gone
        How many items are not in the source now; they are in no other count.
    positives, negatives
        How many settled labels are True, and False.
    given
        How many labels came with the source.
    answers
        How many answers of people stand, by kind; what the source says is none.
    labels_per_answer
        Labels settled for each of them, also of items that are gone; None before the first.
    draws_left
        How many items of the test sample are still to be asked, one at a time, before anything
        else is; there is no forecast until then. Less those that only another window waits for.
    questions_left
        How many answers may still come; None before that can be told.
    seconds_left
        How long they may take at the pace so far; None before that can be told.
    disputes
        How many sets of answers contradict one another.
    agreement
        How many audits were answered as the labels would have it.
    probs_version
        Version of the probabilities in use, as questions name it.
    """

    items: int
    settled: int
    open: int
    unsure: int
    gone: int
    positives: int
    negatives: int
    given: int
    answers: dict[str, int]
    labels_per_answer: float | None
    draws_left: int
    questions_left: Range | None
    seconds_left: Range | None
    disputes: int
    agreement: Share
    probs_version: int

    def __str__(self) -> str:
        told = sum(self.answers.values())
        words = f"{self.settled:,} of {self.items:,} settled with {told:,} answers"
        left = self.questions_left
        if self.open and left is not None:
            words += f", {left.low:,.0f} to {left.high:,.0f} more"
        return words + (f", {self.unsure:,} unsure" if self.unsure else "")

    def __repr__(self) -> str:
        return f"<Progress: {self}>"

    def _repr_html_(self) -> str:
        share = self.settled / max(1, self.items)
        return f'<progress value="{share:.4f}"></progress> {self}'


class ProgressMeter:
    """Says how far a session is, again and again.

    Parameters
    ----------
    options
        What is asked beside the planner's questions.
    sizes
        As in `SessionOptions.test_items`.
    """

    def __init__(self, options: SessionOptions, sizes: Sequence[int]) -> None:
        self._test_sample = options.test_items(sizes)
        self._estimates = Estimates()
        self._said: tuple[tuple[int, int, int, AbstractSet[int]], Planner, Progress] | None = None

    def read(
        self,
        history: History,
        probs: Probs,
        planner: Planner,
        version: int,
        held: AbstractSet[int] = frozenset(),
    ) -> Progress:
        """Where the session with this history stands.

        Parameters
        ----------
        history
            What has happened.
        probs, version
            What is believed about the open items, and its version.
        planner
            Chooses the questions still to come.
        held
            Items of the test sample that nothing waits for (`QuestionQueue.held_test_items`).
        """
        at = (history.last, probs.version, version, held)
        if self._said is not None and self._said[:2] == (at, planner):
            return self._said[2]
        state, here = history.state, history.source.count(history.state)
        answers, labels_given = history.tally.kinds(), history.tally.of(SOURCE)[1]
        count, settled = answers.total(), max(0, state.n_settled - labels_given)
        draws_left = sum(state.is_open(item) for item in self._test_sample if item not in held)
        answers_left = seconds_left = None
        if not draws_left:
            answers_left, seconds_left = self._estimates.forecast(history, probs, planner)
        progress = Progress(
            items=here.items,
            settled=here.settled,
            open=state.n_open,
            unsure=here.unsure,
            gone=len(history.source.gone),
            positives=here.n_with[True],
            negatives=here.n_with[False],
            given=given_here(history),
            answers=dict(answers),
            labels_per_answer=settled / count if count else None,
            draws_left=draws_left,
            questions_left=answers_left,
            seconds_left=seconds_left,
            disputes=len(history.disputes),
            agreement=history.audits.agreement,
            probs_version=version,
        )
        self._said = (at, planner, progress)
        return progress


def progress_of(
    history: History, probs: Probs, planner: Planner, options: SessionOptions
) -> Progress:
    """Where the session with this history stands.

    Parameters
    ----------
    history
        What has happened.
    probs
        What is believed about the open items.
    planner
        Chooses the questions still to come.
    options
        What is asked beside the planner's questions.
    """
    meter = ProgressMeter(options, history.source.sizes)
    return meter.read(history, probs, planner, history.version)
