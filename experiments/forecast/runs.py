"""One simulated run: what was expected along the way, and what came.

In the app's runs questions are fitted to the person as `askless.app` does it, who points at what is
wrong or only says yes or no, and takes a while that varies from person to person and from answer to
answer. The others are those of a session in Python, for the fewest questions.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np

from askless.app.adaptive_planning import AdaptivePlanning
from askless.app.opening import app_method
from askless.assemble import Method, open_session
from askless.assemble.preparing import prepare
from askless.core.annotation_cost import AnnotationCost
from askless.lab.truthful import TruthfulAnnotator
from askless.session.estimates import Estimates
from askless.trainer.inline import InlineTrainer
from experiments.forecast.pools import CACHE, load

SHARES: Final = (0.05, 0.1, 0.15, 0.2, 0.25, 0.35, 0.5, 0.65, 0.75, 0.9)
"""Looked at after these shares of the answers."""
_WHO: Final = "simulated"


@dataclass(frozen=True, slots=True)
class Cell:
    """A run.

    Parameters
    ----------
    pool
        Its name.
    way
        ``app points``, ``app yes-no``, ``session points`` or ``session yes-no``.
    max_n
        The most items to a question; None for the app's choice, or for no cap.
    seed
        Fixes what is drawn and how quick the person is.
    """

    pool: str
    way: str
    max_n: int | None
    seed: int


WAYS: Final = (
    ("app points", None),
    ("app yes-no", None),
    ("app points", 8),
    ("session yes-no", 8),
    ("session yes-no", None),
    ("session points", 24),
)


def measure(cell: Cell) -> dict[str, Any]:
    """The run in figures: at each share of the answers, what was expected and what came."""
    pool = load(cell.pool)
    who, pointing = cell.way.split()
    truthful = TruthfulAnnotator(pool.labels, pointing=pointing == "points")
    method = _method(cell, len(pool), learns=pool.things is not None)
    trainer = None
    if pool.things is not None:
        made = prepare(pool.things, schedule=method.schedule, cache=CACHE / "features")
        trainer = InlineTrainer(made.make(), np.array(made.x))
    rng = np.random.default_rng(cell.seed)
    quick, looks = np.exp(rng.normal(0, (0.4, 0.5)))
    pace = AnnotationCost(quick, 0.3 * quick * looks, quick)
    seen: list[tuple[Any, ...]] = []
    spent_s, estimates = 0.0, Estimates()
    with open_session(pool, method, trainer=trainer) as opened:
        session = opened.session
        planning = AdaptivePlanning(_WHO, cell.max_n, informed=pool.things is None)
        if who == "app":
            planning.watch(opened)
        while not session.state.done:
            session.refresh()
            if who == "app":
                planning.follow(opened)
            asked = session.ask(_WHO)
            if asked is None:
                break
            if who == "app":
                planning.note_question(asked, session)
            now, progress = None, session.progress()
            if progress.draws_left == 0:
                now = estimates.outlook(session.history, session.probs, opened.planner)
            said = (progress.questions_left, progress.seconds_left)
            seen.append((spent_s, session.state.n_settled, said, now))
            answer = truthful.answer(asked.question)
            took = pace.seconds(answer) * float(np.exp(rng.normal(-0.06, 0.35)))
            told = session.tell(asked.id, answer, f"key {asked.id}", seconds=took)
            if who == "app":
                planning.note_answer(session, told.number)
            spent_s += took
    return {
        **asdict(cell),
        "items": len(pool),
        "answers": len(seen),
        "seconds": round(spent_s),
        "first": next((at for at, (*_, now) in enumerate(seen) if now is not None), None),
        "points": [_point(share, seen, spent_s) for share in SHARES],
    }


def _point(share: float, seen: list[tuple[Any, ...]], spent_s: float) -> dict[str, Any]:
    at = round(share * len(seen))
    at_s, settled, said, now = seen[min(at, len(seen) - 1)]
    plain = None if now is None else {**now._asdict(), "done": round(now.done, 4)}
    return {
        "share": share,
        "settled": settled,
        "answers_left": len(seen) - at,
        "seconds_left": round(spent_s - at_s, 1),
        "said": [None if one is None else [one.low, one.high] for one in said],
        "outlook": plain
        and {k: round(v, 3) if isinstance(v, float) else v for k, v in plain.items()},
    }


def _method(cell: Cell, n: int, *, learns: bool) -> Method:
    who, pointing = cell.way.split()
    if who == "app":
        return app_method(n, recalibrate=True).replace(seed=cell.seed)
    return Method(
        channel="pointed" if pointing == "points" else "yes-no",
        max_n=cell.max_n,
        test_sample=int(learns),
        recalibrate=not learns,
        seed=cell.seed,
    )
