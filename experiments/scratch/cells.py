"""What is measured: one cell is one run on one pool."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

import askless
from askless.assemble import Method, open_session
from askless.core.annotation_cost import DEFAULT_COST
from askless.core.probability import Probs
from askless.lab.prequential import PrequentialRecorder
from askless.lab.simulate import simulate
from askless.lab.truthful import TruthfulAnnotator
from askless.planners.schedule import DEFAULT_SCHEDULE
from askless.predictors import make_predictor
from askless.trainer.inline import InlineTrainer
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
    schedule
        What is asked while still learning.
    seed
        Fixes the first item and the rounds.
    """

    path: Path
    sets: str
    prior: str
    cap: str
    objective: str
    schedule: str
    seed: int

    @property
    def name(self) -> str:
        """All of it in one line."""
        words = [self.path.stem, self.objective, f"max_n={self.cap}", f"sets={self.sets}"]
        if self.prior != "none":
            words.append(f"prior {self.prior}")
        if self.schedule != DEFAULT_SCHEDULE[self.objective]:
            words.append(f"schedule={self.schedule}")
        return " ".join([*words, f"seed={self.seed}"])


def measure(cell: Cell) -> dict[str, Any]:
    """One run in figures."""
    pool = load(cell.path, cell.sets)
    began = time.perf_counter()
    most = None if cell.cap == "none" else int(cell.cap)
    alone = cell.prior == "alone"
    x = np.zeros((len(pool.labels), 0), np.float32) if alone else pool.columns
    pointing, first = cell.objective == "seconds", cell.objective == "labels"
    method = Method(
        planner_options={"seed": 0},
        max_n=most,
        objective=cell.objective,  # type: ignore[arg-type]  # checked there
        channel="pointed" if pointing else "yes-no",
        recalibrate=False,
        schedule=cell.schedule,
        test_sample=1,
        seed=cell.seed,
    )
    prior = None if cell.prior == "none" else pool.prior
    kernel = make_predictor(
        "kernel",
        blocks=() if alone else pool.blocks,
        prior=prior,
        random_labels=cell.schedule == "random-rounds",
    )
    given = Probs(np.full(len(pool.labels), 0.5) if prior is None else prior)
    trainer = InlineTrainer(kernel, x)
    with open_session(given, method, trainer=trainer) as opened:
        found = PrequentialRecorder(opened.session, pool.labels, trainer)
        run = simulate(
            opened.session,
            pool.labels,
            annotator=TruthfulAnnotator(pool.labels, pointing=pointing),
            max_questions=_MOST if first else None,
            enough=_ENOUGH if first else None,
            record=found,
        )
    figures = found.figures(getattr(kernel, "one_by_one_bits", None))
    settled = np.array([step.settled for step in run.trace.steps])
    reached = {str(m): int(np.searchsorted(settled, m)) + 1 for m in LABELS}
    return {
        "pool": cell.path.stem,
        "sets": cell.sets,
        "prior": cell.prior,
        "max_n": cell.cap,
        "planner": opened.planner.describe(len(pool.labels)).name,
        "objective": cell.objective,
        "order": cell.schedule,  # as earlier results call it
        "seed": cell.seed,
        "items": len(pool.labels),
        "positives": int(np.count_nonzero(pool.labels)),
        "questions": run.questions,
        "settled": int(settled[-1]),
        "right": run.labels_right,
        "questions_at": {m: q for m, q in reached.items() if q <= run.questions},
        "items_shown": run.items_shown,
        "seconds": round(sum(DEFAULT_COST.seconds(answer) for answer in run.trace.answers)),
        **figures,
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
            for look in found.snapshots
        ],
    }
