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

import numpy as np

from askless.assemble.going_on import check_same
from askless.assemble.method import AUDIT_EVERY, Method
from askless.assemble.opening import OpenSession, open_session
from askless.core.annotation_cost import AnnotationCost
from askless.core.misses import misses_to_plan_with
from askless.errors import InvalidInput
from askless.lab.annotators import TRUTHFUL, annotator_from
from askless.lab.known_pool import KnownPool
from askless.lab.prequential import PrequentialRecorder
from askless.lab.report import report
from askless.lab.simulate import SIMULATED, Run, simulate
from askless.lab.trace import Step
from askless.seams import Annotator, ReportsCodeLength
from askless.trainer.inline import InlineTrainer

_LEARNING: Final = (
    "prequential_bits",
    "one_by_one_bits",
    "refits",
    "refit_s",
    "calibration_error",
    "reliability",
)
_TOLD_ABOVE: Final = (
    *("max_n", "seed", "answers", "seconds", "objective", "same_guess"),
    *("wrong_label_s", "misses"),
)


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
    annotator
        Answers the questions.
    """

    pool: KnownPool
    opened: OpenSession
    preparing_s: float
    about: Mapping[str, Any]
    annotator: Annotator
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
        return simulate(
            self.opened.session,
            self.pool.labels,
            annotator=self.annotator,
            watch=watch,
            record=self._record,
        )

    def _record(self, step: Step) -> None:
        if self._recorder is not None:
            self._recorder(step)
        if step.answer.question.purpose == "audit":
            method = self.opened.method
            by_size = self.opened.session.history.audits.misses(SIMULATED)
            misses = misses_to_plan_with(by_size, method.misses)
            if misses != method.misses:
                self.opened.plan(method.replace(misses=misses))

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
        return {
            **figures,
            **self._copies(run),
            **self._certificate(),
            **self._learning(),
            **self.about,
        }

    def close(self) -> None:
        """Let go of the session."""
        self.opened.close()

    def __exit__(self, *_: object) -> None:
        self.close()

    def _copies(self, run: Run) -> dict[str, int]:
        """Items and right labels with exact duplicates, which get the label of their item."""
        things = self.pool.things
        copies = {} if things is None else things.copies
        own = sum(map(len, copies.values()))
        right = run.labels == self.pool.labels
        wrong = ~right & (run.labels >= 0)
        return {
            "items": len(self.pool) + own,
            "labels_right": run.labels_right
            + sum(len(rest) for item, rest in copies.items() if right[item]),
            "labels_wrong": run.labels_wrong
            + sum(len(rest) for item, rest in copies.items() if wrong[item]),
            "duplicates": own,
            "unreadable": 0 if things is None else len(things.unreadable),
        }

    def _certificate(self) -> dict[str, Any]:
        """Labels that are the model's, and what is certified of them; copies do not count."""
        session = self.opened.session
        standing, claim = session.standing(), session.history.claims.current
        if standing is None:
            return {}
        wrong = 0
        if claim is not None and standing.accepted:
            accepted = session.state.labels() == -1
            wrong = int(np.count_nonzero(accepted & (claim.guess != self.pool.labels)))
        return {
            "accepted": standing.accepted,
            "accepted_wrong": wrong,
            "certificate": standing.plain(),
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
    annotator: str = TRUTHFUL,
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
    annotator
        Who answers, in the words of `askless.lab.annotators.parse_habits`.
    folder
        Keep the session there, and go on with one that was stopped; None for memory alone.
    cache
        Keep features there, and find them the next time; None to make them each time.
    progress
        Told the share of the features that is ready.

    Raises
    ------
    UnknownPart
        No planner, predictor or feature set has that name.
    InvalidInput
        There is no such annotator; a part has no such option, or the option cannot have that
        value; or the session in `folder` was begun otherwise.
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
    if method.wrong_label_s and annotator != TRUTHFUL and not method.audit_every:
        method = method.replace(audit_every=AUDIT_EVERY)
    began = time.perf_counter()
    person = annotator_from(
        annotator,
        pool.labels,
        pointing=method.channel == "pointed",
        pace=AnnotationCost(*method.seconds),
        seed=method.seed,
    )
    known = {"simulated": {"pool": _fingerprint(pool), "annotator": annotator}}
    opened = open_session(
        pool, method, folder, trainer="inline", about=known, cache=cache, progress=progress
    )
    opened.fix_draws(method.seed)
    try:
        if folder is not None:
            begun: Any = (opened.session.history.opening or {}).get("about", {})
            before = {"pool": _fingerprint(pool), "annotator": TRUTHFUL}
            before |= begun.get("simulated", {})
            check_same(folder, {key: before[key] for key in known["simulated"]}, known["simulated"])
    except BaseException:
        opened.close()
        raise
    about = {**_describe(opened, len(pool)), "annotator": annotator}
    return Simulation(pool, opened, time.perf_counter() - began, about, person)


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
        "wrong_label_s": method.wrong_label_s,
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
