"""The runs: which planner asks, which predictor learns, and what is measured.

``paper``     the paper's network: batch norm with running means, no calibration
``script``    the same, but a refuted guess counts as much as all labels together, as in the
              script the authors published
``network``   the predictor ``network`` as it comes, batch norm from the pool, calibrated
``kernel``    the default predictor

The networks are fitted when the paper says: after every question of the first hundred, every
second one of the next hundred, and so on; the kernel after every question. A run stops at
2500 questions.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.assemble import Method, open_session, prepare
from askless.core.clause import Clause
from askless.core.probability import Probs
from askless.errors import InvalidInput
from askless.lab.prequential import PrequentialRecorder
from askless.lab.simulate import simulate
from askless.lab.trace import Step
from askless.pools import open_pool
from askless.predictors import make_predictor
from askless.predictors.network import Network
from askless.seams import Predictor
from askless.trainer.inline import InlineTrainer

CACHE: Final = Path(__file__).parents[2] / "build" / "paper"
MOST_QUESTIONS: Final = 2500
LABELS: Final = 2500
CURVE_STEP: Final = 25
MAX_N: Final = 8
UNTRAINED: Final = ("scattering", "scattering-fine", "patches", "pixels")
"""The kernel's feature sets: the usual ones without any trained network, whatever is installed."""

VARIANTS: Final = {
    f"lookahead {al_method}/{cost}": {"al_method": al_method, "cost": cost}
    for al_method in ("random", "uncertainty")
    for cost in ("entropy", "log-size")
}
BEST: Final = "lookahead uncertainty/log-size"
AUTO: Final = {"auto questions": "questions", "auto labels": "labels"}
NETWORKS: Final[Mapping[str, Mapping[str, Any]]] = {
    "paper": {"pool_norm": False, "calibrate": False},
    "paper without wrong guesses": {
        "pool_norm": False,
        "calibrate": False,
        "wrong_guesses": 0.0,
    },
    "script": {"pool_norm": False, "calibrate": False},
    "network": {"wrong_guesses": 1.0},
    "network without wrong guesses": {"wrong_guesses": 0.0},
}

RUNS: Final = (
    *((planner, "paper") for planner in VARIANTS),
    ("auto questions", "network"),
    ("auto labels", "network"),
    (BEST, "network"),
    (BEST, "paper without wrong guesses"),
    ("auto questions", "network without wrong guesses"),
    ("auto questions", "paper"),
    ("auto labels", "paper"),
    (BEST, "network without wrong guesses"),
    ("lookahead random/entropy", "script"),
    (BEST, "script"),
    *((planner, "kernel") for planner in (BEST, *AUTO)),
)
"""Planner and predictor, what matters most first."""

Measured = dict[str, Any]


def run_name(pool: str, planner: str, predictor: str, seed: int) -> str:
    """Unlike that of any other run."""
    return f"{pool}, {planner}, {predictor}, seed {seed}"


def measure(
    path: Path,
    planner: str,
    predictor: str,
    seed: int,
    *,
    options: Mapping[str, Any] | None = None,
    most: int = MOST_QUESTIONS,
    note: Callable[[Measured], None] = lambda found: None,
) -> Measured:
    """One run in figures.

    Parameters
    ----------
    path
        An ``.npz`` with ``images``, and ``positive`` or ``labels`` from 0 to 9, of which those
        above 4 are positive.
    planner, predictor
        One of `RUNS`.
    seed
        Fixes the first label, the network's first weights and what a planner draws.
    options
        Further options of the predictor.
    most
        Stop after so many questions.
    note
        Called now and then with what there is so far.
    """
    began = time.perf_counter()
    x, truth, blocks = load(path, predictor)
    learner: Predictor
    if predictor in NETWORKS:
        more = {**NETWORKS[predictor], **(options or {}), "seed": seed}
        learner = (Script if predictor == "script" else Network)(shape=blocks, **more)
    else:
        at_random = AUTO.get(planner) == "questions"  # the other planners ask what is easy
        learner = make_predictor(
            predictor, blocks=blocks, **{"random_labels": at_random, **(options or {})}
        )
    scheduled = Scheduled(learner, truth, every=1 if predictor == "kernel" else None)
    settled: list[int] = []

    def watch(step: Step) -> None:
        settled.append(step.settled)
        if len(settled) % 100 == 0:
            note({"finished": False, **progress(settled, scheduled, began)})

    shared: dict[str, Any] = {"max_n": MAX_N, "recalibrate": False, "test_sample": 1, "seed": seed}
    if planner in AUTO:
        method = Method(**{**shared, "objective": AUTO[planner]})
    else:
        variant: dict[str, Any] = dict(VARIANTS[planner])
        shared["schedule"] = "planner-order"
        method = Method(planner="lookahead", planner_options=variant, **shared)
    trainer = InlineTrainer(scheduled, x)
    with open_session(Probs(np.full(len(truth), 0.5)), method, trainer=trainer) as opened:
        done = PrequentialRecorder(opened.session, truth, trainer)
        run = simulate(opened.session, truth, max_questions=most, watch=watch, record=done)
    kinds = [step.answer.kind for step in run.trace.steps]
    found = {
        "finished": True,
        **progress(settled, scheduled, began),
        "right": run.labels_right,
        "no": kinds.count("no"),
        "items_shown": run.items_shown,
        "prequential_bits": round(done.prequential_bits, 1),
        "ece": round(done.reliability.ece, 4),
        "planning_s": round(run.planning_s, 1),
    }
    note(found)
    return found


def progress(settled: Sequence[int], scheduled: Scheduled, began: float) -> Measured:
    """How far a run has come."""
    reached = int(np.searchsorted(np.array(settled), LABELS)) + 1
    return {
        "questions": len(settled),
        "labels": settled[-1],
        "questions_for_2500_labels": reached if reached <= len(settled) else None,
        "refits": len(scheduled.fit_s),
        "refit_s_median": round(float(np.median(scheduled.fit_s)), 4),
        "refit_s_max": round(float(np.max(scheduled.fit_s)), 4),
        "run_s": round(time.perf_counter() - began, 1),
        "curve": [int(labels) for labels in settled[CURVE_STEP - 1 :: CURVE_STEP]],
        "along": scheduled.along,
    }


def due(question: int) -> bool:
    """Whether the paper refits after this question, the first being 1."""
    return question % (1 + question // 100) == 0


class Script(Network):
    """The network whose refuted guesses count as much as all its labels together."""

    def fit(
        self, x: NDArray[Any], labels: NDArray[np.int8], clauses: Sequence[Clause] = ()
    ) -> None:
        """Go on training."""
        self.wrong_guesses = float(np.count_nonzero(labels >= 0))
        super().fit(x, labels, clauses)


@dataclass(slots=True)
class Scheduled:
    """A predictor that is fitted only now and then, and looked at when it is.

    Parameters
    ----------
    inner
        What is fitted.
    truth
        The right labels, to say how good it is.
    every
        Fit after every so many questions; None for the paper's schedule.
    """

    inner: Predictor
    truth: NDArray[np.bool_]
    every: int | None = None
    fit_s: list[float] = field(default_factory=list)
    along: list[dict[str, Any]] = field(default_factory=list)
    _asked: int = 0
    _probs: NDArray[np.float64] | None = None

    def fit(
        self, x: NDArray[Any], labels: NDArray[np.int8], clauses: Sequence[Clause] = ()
    ) -> None:
        """Fit if it is time."""
        self._asked += 1
        if not (due(self._asked) if self.every is None else self._asked % self.every == 0):
            return
        began = time.perf_counter()
        self.inner.fit(x, labels, clauses)
        self._probs = self.inner.predict(x)
        self.fit_s.append(time.perf_counter() - began)
        if self._asked >= 100 * len(self.along):
            self.along.append(_look(self._asked, self._probs, labels, self.truth))

    def predict(self, x: NDArray[Any]) -> NDArray[np.float64]:
        """What it gave when it was fitted last."""
        return np.full(len(x), 0.5) if self._probs is None else self._probs.copy()

    def arrays(self) -> None:
        """Nothing: it lives as long as its run."""
        return

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Nothing was kept to restore from."""
        raise InvalidInput("A run's predictor lives as long as its run; fit a new one.")


def load(path: Path, predictor: str) -> tuple[NDArray[Any], NDArray[np.bool_], Any]:
    """Rows for the predictor, the labels, and what a row is: a picture's shape, or blocks."""
    with np.load(path, allow_pickle=False) as file:
        images = file["images"]
        truth = (file["positive"] if "positive" in file else file["labels"] > 4).astype(bool)
    if predictor == "kernel":
        pool = open_pool(images)
        if len(pool) != len(images):
            raise ValueError("The runs are compared item by item, so no two images may be alike.")
        prepared = prepare(pool, predictor=predictor, features=UNTRAINED, cache=CACHE)
        return np.asarray(prepared.x), truth, prepared.options["blocks"]
    return images.reshape(len(images), -1), truth, images.shape[1:]


def _look(
    question: int,
    probs: NDArray[np.float64],
    labels: NDArray[np.int8],
    truth: NDArray[np.bool_],
) -> dict[str, Any]:
    """How good the probs are on the items still open: accuracy, calibration, bits an item."""
    left = labels == -1
    p, right = np.clip(probs[left], 1e-7, 1 - 1e-7), truth[left]
    bins = np.minimum((10 * p).astype(np.intp), 9)
    gaps = np.bincount(bins, p - right, 10)
    return {
        "question": question,
        "labels": int(np.count_nonzero(labels >= 0)),
        "accuracy": round(float(np.mean((p > 0.5) == right)), 4),
        "ece": round(float(np.abs(gaps).sum() / len(p)), 4),
        "bits": round(float(-np.log2(np.where(right, p, 1 - p)).mean()), 4),
    }
