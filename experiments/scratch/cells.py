"""What is measured: one cell is one run on one pool."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

import askless
from askless.core.annotation_cost import DEFAULT_COST
from askless.lab.learning import simulate_learning
from askless.lab.truthful import TruthfulAnnotator
from askless.planners import make_planner
from askless.planners.schedule import DEFAULT_SCHEDULE
from askless.predictors import make_predictor
from experiments.scratch.pools import load
from experiments.scratch.results import code_of

LABELS: Final = (500, 1000, 2500, 5000)
"""By which question were so many labels settled?"""

CODE: Final = code_of(Path(askless.__file__).parent)  # as it was loaded, should it change
_STEP: Final = 10  # questions between two points of a curve
_ENOUGH: Final = 2500  # labels, where the first ones are to come soonest
_MOST: Final = 1500  # questions, there


@dataclass(frozen=True, slots=True)
class Cell:
    """A run.

    Parameters
    ----------
    path
        The pool.
    sets
        Its feature sets.
    prior
        ``none``, ``with`` for given probabilities beside the features, or
        ``alone`` for these without features.
    cap
        The most items in a question, or ``none``.
    objective
        ``questions`` and ``seconds``: to the last label; ``labels``: to the 2500th. Where seconds
        are saved, the annotator points at wrong items, as in the app; else they say yes or no.
    order
        What is asked while still learning.
    seed
        Fixes the first item and the rounds.
    """

    path: Path
    sets: str
    prior: str
    cap: str
    objective: str
    order: str
    seed: int

    @property
    def name(self) -> str:
        """All of it in one line."""
        words = [self.path.stem, self.objective, f"max_n={self.cap}", f"sets={self.sets}"]
        if self.prior != "none":
            words.append(f"prior {self.prior}")
        if self.order != DEFAULT_SCHEDULE[self.objective]:
            words.append(f"order={self.order}")
        return " ".join([*words, f"seed={self.seed}"])


def measure(cell: Cell) -> dict[str, Any]:
    """One run in figures."""
    pool = load(cell.path, cell.sets)
    began = time.perf_counter()
    most = None if cell.cap == "none" else int(cell.cap)
    alone = cell.prior == "alone"
    x = np.zeros((len(pool.labels), 0), np.float32) if alone else pool.columns
    pointing, first = cell.objective == "seconds", cell.objective == "labels"
    answers = "pointed" if pointing else "yes-no"
    planner = make_planner("auto", max_n=most, objective=cell.objective, answers=answers)
    found = simulate_learning(
        planner,
        make_predictor(
            "kernel",
            blocks=() if alone else pool.blocks,
            prior=None if cell.prior == "none" else pool.prior,
            random_labels=cell.order == "random-rounds",
        ),
        x,
        pool.labels,
        annotator=TruthfulAnnotator(pool.labels, pointing=pointing),
        schedule=cell.order,
        objective=cell.objective,
        seed=cell.seed,
        max_questions=_MOST if first else None,
        enough=_ENOUGH if first else None,
    )
    settled = np.array([step.settled for step in found.run.trace.steps])
    reached = {str(m): int(np.searchsorted(settled, m)) + 1 for m in LABELS}
    return {
        "pool": cell.path.stem,
        "sets": cell.sets,
        "prior": cell.prior,
        "max_n": cell.cap,
        "planner": planner.describe(len(pool.labels)).name,
        "objective": cell.objective,
        "order": cell.order,
        "seed": cell.seed,
        "items": len(pool.labels),
        "positives": int(np.count_nonzero(pool.labels)),
        "questions": found.run.questions,
        "settled": int(settled[-1]),
        "right": found.run.labels_right,
        "questions_at": {m: q for m, q in reached.items() if q <= found.run.questions},
        "items_shown": found.run.items_shown,
        "seconds": round(sum(DEFAULT_COST.seconds(answer) for answer in found.run.trace.answers)),
        **found.figures(),
        "run_s": round(time.perf_counter() - began, 1),
        "code": CODE,
        "curve": [int(value) for value in settled[_STEP - 1 :: _STEP]],
        "positives_curve": [int(value) for value in found.found[_STEP - 1 :: _STEP]],
        "looks": [
            [
                look.question,
                look.settled,
                round(look.accuracy, 4),
                round(look.bits),
                round(look.ece, 4),
            ]
            for look in found.looks
        ],
    }
