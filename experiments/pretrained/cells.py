"""What is measured on one prediction file: every method under every cap, played to the end.

A method is one by one, one of the four variants of the paper's planner with its
parameters, or ``auto`` for one of two objectives, with the probs as they are (``raw``) or
corrected while asking (``recalibrated``, the default of the commands).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from askless.assemble import Method, open_simulation
from askless.calibration.online import recalibrate
from askless.core.annotation_cost import DEFAULT_COST
from askless.core.bounds import code_length_bits
from askless.core.probability import Probs
from askless.core.state import State, replay
from askless.lab.known_pool import KnownPool
from askless.lab.posthoc_calibration import calibrated_bits
from askless.lab.report import bounds_of, marked_grid, one_by_one
from askless.lab.simulate import Run
from askless.seams import Objective

CAPS: Final = (8, 16, 64, None)
PAPER_STOPS: Final = 2500
"""The paper asks at most so many questions, and tells when so many labels are settled (here half of
them, in a pool of fewer than 5000 items)."""
CURVE_STEP: Final = 100

ONE_BY_ONE: Final = "one by one"
VARIANTS: Final = {
    f"lookahead {al_method}/{cost}": {"al_method": al_method, "cost": cost}
    for al_method in ("random", "uncertainty")
    for cost in ("entropy", "log-size")
}
OURS: Final[Mapping[str, tuple[Objective, bool]]] = {
    "auto questions, raw": ("questions", False),
    "auto questions, recalibrated": ("questions", True),
    "auto labels, raw": ("labels", False),
    "auto labels, recalibrated": ("labels", True),
}
METHODS: Final = (ONE_BY_ONE, *VARIANTS, *OURS)

Measured = dict[str, Any]


def cell_name(method: str, max_n: int | None) -> str:
    """Unlike that of any other cell of the file."""
    return f"{method} max_n={max_n}"


def measure_pool(pool: KnownPool, seed: int = 0) -> Measured:
    """What depends on the predictions alone: size, accuracy, bits, bounds and baselines."""
    guess = pool.probs.values >= 0.5
    marks = bounds_of(pool, None)
    return {
        "items": len(pool),
        "accuracy": round(float(np.mean(guess == pool.labels)), 4),
        "entropy_bits": round(marks["entropy_bits"] or 0.0, 1),
        "bits": round(marks["bits"] or 0.0, 1),
        "bits_calibrated": round(marks["bits_calibrated"] or 0.0, 1),
        "bound_questions": {
            f"max_n {'none' if max_n is None else max_n}": round(
                bounds_of(pool, max_n)["bound_questions"] or 0.0, 1
            )
            for max_n in CAPS
        },
        "seconds": {
            "one by one": round(one_by_one(len(pool), DEFAULT_COST)["seconds"], 1),
            "marked grid": round(marked_grid(pool, None, DEFAULT_COST)["seconds"], 1),
            "floor": round(DEFAULT_COST.item_s * len(pool), 1),
        },
        **measure_second_half(pool, seed),
    }


def measure(pool: KnownPool, method: str, max_n: int | None, seed: int = 0) -> Measured:
    """What it takes this method to label the pool; `seed` fixes what it draws at random."""
    with open_simulation(pool, _method(method, max_n, seed)) as simulation:
        run = simulation.run()
    if run.labels_right != len(pool):
        raise AssertionError(f"{method} left a label open or wrong.")
    settled = np.array([step.settled for step in run.trace.steps])
    first = run.trace.steps[:PAPER_STOPS]
    places = np.arange(CURVE_STEP, len(pool) + 1, CURVE_STEP)
    return {
        "questions": run.questions,
        "questions_for_2500_labels": _questions_for(settled, min(PAPER_STOPS, -(-len(pool) // 2))),
        "labels_at_2500_questions": first[-1].settled,
        "no_at_2500_questions": sum(step.answer.kind == "no" for step in first),
        "items_shown": run.items_shown,
        "chosen": simulation.about["chosen"],
        "curve": [_questions_for(settled, int(labels)) for labels in places],
    }


def measure_second_half(pool: KnownPool, seed: int = 0) -> Measured:
    """Once the easiest half is settled: what the rest is worth, corrected and in hindsight.

    From easy items alone one learns little about hard ones; this is where a correction that is
    fooled by selection is caught.
    """
    with open_simulation(pool, Method(objective="labels", seed=seed)) as simulation:
        state = _half_way(simulation.run(), len(pool))
    rest = state.labels() == -1
    corrected = recalibrate(pool.probs, state).values[rest]
    left = KnownPool(Probs(pool.probs.values[rest]), pool.labels[rest])
    return {
        "second_half_bits_raw": round(code_length_bits(left.probs.values, left.labels), 1),
        "second_half_bits_recalibrated": round(code_length_bits(corrected, left.labels), 1),
        "second_half_bits_hindsight": round(calibrated_bits(left), 1),
    }


def _method(method: str, max_n: int | None, seed: int) -> Method:
    if method == ONE_BY_ONE:
        return Method(planner="one-by-one", max_n=max_n, recalibrate=False, seed=seed)
    if method in VARIANTS:
        # Questions of both guesses, certainty reduced by .01 or .05: the paper's settings are
        # the planner's own.
        return Method(
            planner="lookahead",
            planner_options={**VARIANTS[method]},
            max_n=max_n,
            recalibrate=False,
            seed=seed,
        )
    objective, recalibrated = OURS[method]
    return Method(max_n=max_n, objective=objective, recalibrate=recalibrated, seed=seed)


def _questions_for(settled: np.ndarray[Any, np.dtype[np.int64]], labels: int) -> int:
    return int(np.searchsorted(settled, labels)) + 1


def _half_way(run: Run, n: int) -> State:
    steps = run.trace.steps
    end = next(at for at, step in enumerate(steps, 1) if step.settled >= n // 2)
    return replay(n, [step.answer for step in steps[:end]])
