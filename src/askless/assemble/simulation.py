"""A simulated run of a pool whose labels are known, put together from a `Method`.

    with open_simulation(load_pool("demo"), Method(objective="labels", max_n=16)) as simulation:
        run = simulation.run()
    simulation.report(run)["questions"]

A pool that has things to learn from is labelled by a predictor that learns, from a few labels
drawn at random; one that has probabilities alone is labelled with these, corrected on the way.
The session is a real one, in memory or in a folder. Used by the commands and the experiments;
tested in tests/assemble/test_simulation.py.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from askless.assemble.method import Method
from askless.assemble.opening import OpenSession, check_same, open_session
from askless.core.annotation_cost import AnnotationCost
from askless.errors import InvalidInput
from askless.lab.known_pool import KnownPool
from askless.lab.prequential import PrequentialRecorder
from askless.lab.report import report
from askless.lab.simulate import Run, simulate
from askless.lab.trace import Step
from askless.lab.truthful import TruthfulAnnotator
from askless.seams import ReportsCodeLength
from askless.trainer.inline import InlineTrainer

_LEARNING: Final = (
    "prequential_bits",
    "one_by_one_bits",
    "refits",
    "refit_s",
    "calibration_error",
    "reliability",
)
_TOLD_ABOVE: Final = ("max_n", "seed", "answers", "seconds", "objective", "same_guess")


@dataclass(eq=False)
class Simulation(AbstractContextManager["Simulation"]):
    """A pool whose labels are known and a session that labels it; made by `open_simulation`.

    Parameters
    ----------
    pool
        The pool.
    opened
        The session.
    preparing_s
        Seconds that features and the rest took to make ready.
    about
        What makes the run, in plain JSON values: the planner, its options and all the rest.
    """

    pool: KnownPool
    opened: OpenSession
    preparing_s: float
    about: Mapping[str, Any]
    _recorder: PrequentialRecorder | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        if self.opened.trainer is not None:
            self._recorder = PrequentialRecorder(
                self.opened.session, self.pool.labels, self.opened.trainer
            )

    def run(self, watch: Callable[[Step], None] | None = None) -> Run:
        """Label the pool from the first question to the last.

        Parameters
        ----------
        watch
            Called with every question once it is answered.
        """
        labels, pointing = self.pool.labels, self.opened.method.channel == "pointed"
        return simulate(
            self.opened.session,
            labels,
            annotator=TruthfulAnnotator(labels, pointing=pointing),
            watch=watch,
            record=self._recorder,
        )

    def report(self, run: Run) -> dict[str, Any]:
        """What the run took, in plain JSON values: see `askless.lab.report`, and `about`."""
        method = self.opened.method
        figures = report(
            run,
            self.pool,
            self.opened.planner.max_n,
            pace=AnnotationCost(*method.seconds),
            pointing=method.channel == "pointed",
        )
        return {**figures, **self._copies(run), **self._learning(), **self.about}

    def close(self) -> None:
        """Let go of the session."""
        self.opened.close()

    def __exit__(self, *_: object) -> None:
        self.close()

    def _copies(self, run: Run) -> dict[str, int]:
        """Items and right labels with exact duplicates, which get the label of their item."""
        things = self.pool.things
        copies = {} if things is None else things.copies
        right = run.labels == self.pool.labels
        own = sum(map(len, copies.values()))
        return {
            "items": len(self.pool) + own,
            "labels_right": run.labels_right
            + sum(len(rest) for item, rest in copies.items() if right[item]),
            "duplicates": own,
            "unreadable": 0 if things is None else len(things.unreadable),
        }

    def _learning(self) -> dict[str, Any]:
        found: dict[str, Any] = {**dict.fromkeys(_LEARNING), "refits": 0}
        if self._recorder is not None:
            found = self._recorder.figures(self._one_by_one_bits())
            found["calibrating_s"] = sum(self._recorder.fit_s)
        return {**found, "preparing_s": self.preparing_s}

    def _one_by_one_bits(self) -> float | None:
        """What the predictor would have made of the labels one after the other, if it tells."""
        trainer = self.opened.trainer
        predictor: object = trainer.predictor if isinstance(trainer, InlineTrainer) else None
        return predictor.one_by_one_bits if isinstance(predictor, ReportsCodeLength) else None


def open_simulation(
    pool: KnownPool,
    method: Method | None = None,
    *,
    folder: Path | None = None,
    cache: Path | None = None,
    progress: Callable[[float], None] | None = None,
) -> Simulation:
    """Everything needed to label `pool`, features included; nothing is asked yet.

    Parameters
    ----------
    pool
        From `load_pool`, or made of arrays.
    method
        How to label it.
    folder
        Keep the session there, and go on with one that was stopped; None for memory alone.
    cache
        Keep features there, and find them the next time; None to make them anew.
    progress
        Told the share of the features that is ready.

    Raises
    ------
    UnknownPart
        No planner, predictor or feature set has that name.
    InvalidInput
        A part has no such option, or the option cannot have that value; or the session in
        `folder` was begun otherwise.
    """
    method = method or Method()
    if method.test_sample > len(pool):
        raise InvalidInput(
            f"A run starts with no more labels than there are items to ask about, {len(pool)}; "
            f"got {method.test_sample}. Ask for fewer."
        )
    if learns(pool, method):  # what is learnt needs no recalibration
        method = method.replace(recalibrate=False)
    else:
        method = method.replace(test_sample=0)
    began = time.perf_counter()
    known = {"simulated": {"pool": _fingerprint(pool)}}
    opened = open_session(
        pool, method, folder, trainer="inline", about=known, cache=cache, progress=progress
    )
    try:
        if folder is not None:
            begun: Any = (opened.session.history.opening or {}).get("about", {})
            pool_then = begun.get("simulated", {}).get("pool", known["simulated"]["pool"])
            check_same(folder, {"pool": pool_then}, known["simulated"])
    except BaseException:
        opened.close()
        raise
    return Simulation(pool, opened, time.perf_counter() - began, _describe(opened, len(pool)))


def learns(pool: KnownPool, method: Method) -> bool:
    """Whether a predictor learns while the pool is labelled so."""
    return pool.things is not None and not (method.predictor == "fixed" and pool.told)


def _describe(opened: OpenSession, n: int) -> dict[str, Any]:
    """What makes the run, in plain JSON values."""
    method, planner, prepared = opened.method, opened.planner, opened.prepared
    info = planner.describe(n)
    sets = {} if method.features is None or prepared is None else method.features
    return {
        "planner": method.planner,
        "chosen": info.name,
        "max_n": planner.max_n,
        "channel": method.channel,
        "objective": info.options.get("objective"),
        "same_guess": info.options.get("same_guess"),
        "pace": AnnotationCost(*method.seconds)._asdict(),
        "recalibrate": method.recalibrate,
        "predictor": "fixed" if prepared is None else prepared.predictor,
        "features": [] if prepared is None else list(prepared.features),
        "feature_options": {
            f"{name}.{option}": value
            for name, options in sets.items()
            for option, value in options.items()
        },
        "start": method.test_sample,
        "schedule": None if prepared is None else method.schedule,
        "seed": method.seed,
        "options": {k: v for k, v in info.options.items() if k not in _TOLD_ABOVE},
    }


def _fingerprint(pool: KnownPool) -> str:
    """Of the items and their right labels, to know the pool again."""
    digest = hashlib.sha256(pool.labels.tobytes())
    for checksum in () if pool.things is None else pool.things.checksums:
        digest.update(checksum.encode())
    return digest.hexdigest()[:12]
