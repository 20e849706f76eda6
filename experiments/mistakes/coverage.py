"""How often what re-asks say is false: "you would change at most so many of your labels".

Somebody has labelled a pool in groups and overlooked some wrong guesses, so that so many labels are
wrong; asked again alone, they see that. Some labels they would get wrong again, and those they
do not change. After every re-ask one looks at the bound; a run is false if it was ever below the
number of labels that the person would change. Most runs go through the mathematics alone
(`askless.core.claim`), some through the real session, where the person also corrects labels in
between, the ones a model finds most doubtful, as in the review, and takes answers back.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from askless.core.claim import Evidence
from askless.core.events import Asked
from askless.core.probability import Probs
from askless.core.question import Question
from askless.history.consistency import prior_of, share_of_alpha
from askless.planners import make_planner
from askless.session.reasking import EXPECTED
from askless.session.session import Session

LABELS: Final = 400
REASKS: Final = 60
RUNS: Final = {"mathematics": 500, "session": 10}
CASES: Final = ((0, 0), (4, 12), (12, 12), (40, 0))
"""Labels that were slips, and labels that would be got wrong again."""
_GROUP: Final = 20


class _Clock:
    """No time passes."""

    def wall_s(self) -> float:
        """Always 0."""
        return 0.0

    def steady_s(self) -> float:
        """Always 0."""
        return 0.0


def measure_coverage() -> Iterator[dict[str, Any]]:
    """One row for each case: how many runs were false, and how large the bound was at the end."""
    for slips, persistent in CASES:
        for through, runs in RUNS.items():
            rng = np.random.default_rng([slips, persistent, runs])
            one = one_run if through == "session" else one_bound
            found = [one(slips, persistent, rng) for _ in range(runs)]
            yield {
                "labels": LABELS,
                "reasks": REASKS,
                "slips": slips,
                "persistent": persistent,
                "through": through,
                "runs": runs,
                "false": sum(false for false, _ in found),
                "at_most": round(math.fsum(at_most for _, at_most in found) / runs, 1),
            }


def one_bound(slips: int, persistent: int, rng: np.random.Generator) -> tuple[bool, int]:
    """The same as `one_run` by the mathematics alone; nothing is corrected on the way."""
    would_change = rng.permutation(LABELS) < slips  # in the order in which they are drawn
    evidence = Evidence(share_of_alpha(0), "pointed", [prior_of(LABELS, EXPECTED * LABELS)])
    false, found, at_most = False, 0, LABELS
    for position in range(REASKS):
        changed = int(would_change[position])
        evidence.add(LABELS - position, found, 1, changed)
        found += changed
        at_most = found + evidence.at_most([LABELS - position - 1], [found])
        false |= at_most < slips
    return false, at_most


def one_run(slips: int, persistent: int, rng: np.random.Generator) -> tuple[bool, int]:
    """Whether the bound was ever false, and what it was at the end.

    Parameters
    ----------
    slips, persistent
        How many labels are wrong and would be changed, and are wrong and would not.
    rng
        Draws everything.
    """
    believed = rng.random(LABELS) < 0.5  # by the person, right or not
    given = believed.copy()
    slipped = rng.permutation(LABELS)[:slips]
    given[slipped] ^= True
    doubt = rng.random(LABELS)
    doubt[slipped] += 0.5  # a model that finds some of them
    doubtful = iter(np.argsort(-doubt).tolist())
    session = _labelled(given)
    session.reask.want("ann", REASKS, seed=rng.bytes(16).hex())
    false, turn, at_most = False, 0, LABELS
    while (asked := session.ask("ann")) is not None:
        turn += 1
        _tell(session, asked, believed, turn)
        if turn % 7 == 0:
            item = next(doubtful)
            if session.state.label(item) is not bool(believed[item]):
                session.correct(item, bool(believed[item]), "ann")
        if turn % 11 == 0:
            session.undo("ann")
        look = session.reask.consistency("ann")
        assert look is not None
        left = int(np.count_nonzero((session.state.labels() == 1) != believed))
        at_most = look.at_most
        false |= at_most < left
    return false, at_most


def _labelled(given: np.ndarray[Any, np.dtype[np.bool_]]) -> Session:
    """A session in which ann has given these labels, in groups."""
    planner = make_planner("nested", max_n=_GROUP, seed=0)
    session = Session(None, {"n": LABELS}, planner, Probs(np.full(LABELS, 0.5)), _Clock())
    for first in range(0, LABELS, _GROUP):
        items = tuple(range(first, first + _GROUP))
        answer = Question(items, tuple(given[list(items)].tolist())).yes()
        session.tell(None, answer, f"group {first}", "ann")
    return session


def _tell(
    session: Session, asked: Asked, believed: np.ndarray[Any, np.dtype[np.bool_]], turn: int
) -> None:
    (item,), (guess,) = asked.question.items, asked.question.guess
    same = bool(believed[item]) is guess
    said = asked.question.yes() if same else asked.question.no()
    session.tell(asked.id, said, f"again {turn}")
