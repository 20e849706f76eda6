"""How far a session is: counts, and estimates of what is left.

The counts are kept up to date by the state and the history, and the estimates renew themselves
(`askless.session.estimates`), so progress costs O(1) after an answer and nothing while nothing has
changed. `progress_of` says the same of a history alone, for O(n).
Tested in tests/session/test_progress.py.
"""

from __future__ import annotations

from dataclasses import dataclass

from askless.core.interval import Share
from askless.core.probability import Probs
from askless.seams import Planner
from askless.session.estimates import Estimates, Range
from askless.session.history import History

__all__ = ["Progress", "ProgressMeter", "Range", "progress_of"]


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a session stands.

    Parameters
    ----------
    items, settled, open, unsure
        How many there are of each.
    positives, negatives
        How many settled labels are True, and False.
    answers
        How many answers stand, by kind.
    labels_per_answer
        Labels settled for each of them; None before the first.
    questions_left
        How many questions may still come.
    seconds_left
        How long they may take at the pace so far; None before there is one.
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
    positives: int
    negatives: int
    answers: dict[str, int]
    labels_per_answer: float | None
    questions_left: Range
    seconds_left: Range | None
    disputes: int
    agreement: Share
    probs_version: int


class ProgressMeter:
    """Says how far a session is, again and again.

    Parameters
    ----------
    n
        Number of items of the pool.
    """

    def __init__(self, n: int) -> None:
        self._estimates = Estimates(n)
        self._said: tuple[tuple[int, int, int], Planner, Progress] | None = None

    def read(
        self, history: History, probs: Probs, planner: Planner, version: int, *, whole: bool = False
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
        whole
            Whether to look at every item anew, for O(n).
        """
        at = (history.last, probs.version, version)
        if self._said is not None and self._said[:2] == (at, planner):
            return self._said[2]
        state, answers = history.state, history.tally.kinds()
        count = sum(answers.values())
        left = self._estimates.questions_left(history, probs, planner, whole=whole)
        progress = Progress(
            items=state.n,
            settled=state.n_settled,
            open=state.n_open,
            unsure=state.n_unsure,
            positives=state.n_with[True],
            negatives=state.n_with[False],
            answers=dict(answers),
            labels_per_answer=state.n_settled / count if count else None,
            questions_left=left,
            seconds_left=self._estimates.seconds_left(history, left),
            disputes=len(history.disputes),
            agreement=history.audits.agreement,
            probs_version=version,
        )
        self._said = (at, planner, progress) if self._estimates.sums.complete else None
        return progress


def progress_of(history: History, probs: Probs, planner: Planner) -> Progress:
    """Where the session with this history stands; O(n).

    Parameters
    ----------
    history
        What has happened.
    probs
        What is believed about the open items.
    planner
        Chooses the questions still to come.
    """
    meter = ProgressMeter(history.state.n)
    return meter.read(history, probs, planner, history.version, whole=True)
