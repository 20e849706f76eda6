"""A simulated run of a pool with more than two classes, from its source to its report.

    report = simulate_pool("digits.npz", label="labels", classes="all", max_n=64)

Features are those of `askless.assemble.preparing`, the predictor is
`askless.predictors.class_kernel`, or an estimator of one's own. Used by ``askless simulate
--classes`` and the experiments; tested in tests/cli/test_simulate_classes.py.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from askless.assemble.preparing import prepare
from askless.errors import InvalidInput
from askless.lab.class_simulation import (
    ClassChannel,
    ClassPace,
    ClassPredictor,
    class_report,
    simulate_classes,
)
from askless.lab.trace import Step
from askless.pools import open_pool
from askless.pools.pool import OpenedPool
from askless.predictors.class_kernel import ClassKernel
from askless.predictors.sklearn_adapter import SklearnClassAdapter

ALL = "all"
"""Says: every value of the label is a class."""


def open_class_pool(
    source: str | Path, *, label: str, classes: str | Sequence[str] = ALL, **columns: Any
) -> OpenedPool:
    """A pool that knows the class of every item.

    Parameters
    ----------
    source, columns
        As for `askless.pools.open_pool`.
    label
        The column, or array, with the classes; ``folder`` for one subfolder a class.
    classes
        The values that are classes, in the order of their numbers; ``all`` for every value.
    """
    named = "*" if classes == ALL else classes
    pool = open_pool(source, label=label, classes=named, **columns)
    unknown = np.flatnonzero(pool.known < 0)
    if len(unknown):
        raise InvalidInput(
            f"To simulate, the class of every item must be known; {len(unknown):,} of "
            f"{len(pool):,} have none of the classes named, the first of them "
            f"{pool.ids[unknown[0]]!r}. Name them all, or all of them with --classes all."
        )
    return pool


def simulate_pool(
    pool: OpenedPool,
    *,
    max_n: int | None = 8,
    answers: ClassChannel = "yes-no",
    planner: str = "auto",
    same_guess: bool = True,
    pace: ClassPace | None = None,
    features: Sequence[str] | Mapping[str, Mapping[str, Any]] | None = None,
    estimator: Any = None,
    seed: int = 0,
    cache: Path | None = None,
    progress: Callable[[float], None] | None = None,
    watch: Callable[[Step], None] | None = None,
) -> dict[str, Any]:
    """What labelling the pool takes, in plain JSON values (`askless.lab.class_simulation`).

    Parameters
    ----------
    pool
        From `open_class_pool`.
    max_n, answers, planner, same_guess, pace, seed, watch
        As for `askless.lab.class_simulation.simulate_classes`.
    features
        Which feature sets; None for what is usual for such a pool.
    estimator
        Any classifier with ``fit`` and ``predict_proba``, or its import path, in place of the
        kernels.
    cache, progress
        As for `askless.assemble.preparing.prepare`.
    """
    pace = pace or ClassPace()
    names = [str(name) for name in pool.label_names]
    began = time.perf_counter()
    prepared = prepare(
        pool,
        features=features,
        predictor="kernel" if estimator is None else "logistic",
        cache=cache,
        progress=progress,
    )
    x = np.asarray(prepared.x)
    predictor: ClassPredictor
    if estimator is None:
        predictor = ClassKernel(classes=len(names), blocks=prepared.options["blocks"], seed=seed)
    else:
        predictor = SklearnClassAdapter(classes=len(names), estimator=estimator, seed=seed)
    preparing_s = time.perf_counter() - began
    run = simulate_classes(
        pool.known, len(names), predictor, x, max_n=max_n, answers=answers, planner=planner,
        same_guess=same_guess, pace=pace, seed=seed, watch=watch,
    )  # fmt: skip
    return {
        **class_report(run, pace, max_n=max_n),
        "preparing_s": preparing_s,
        "classes": names,
        "planner": planner,
        "max_n": max_n,
        "channel": answers,
        "same_guess": same_guess,
        "pace": pace._asdict(),
        "predictor": "class-kernel" if estimator is None else "sklearn",
        "features": list(prepared.features),
        "duplicates": sum(map(len, pool.copies.values())),
        "unreadable": len(pool.unreadable),
        "seed": seed,
    }
