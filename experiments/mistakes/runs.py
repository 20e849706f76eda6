"""One simulated session by somebody who errs, kept in a folder so that it is ranked in seconds.

Pools are those of `experiments.scratch`, whose kernels are made once and kept.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from askless.assemble import Method, OpenSession, SessionSnapshot, open_session, read_session
from askless.core.misses import misses_to_plan_with
from askless.core.probability import Probs
from askless.lab.annotators import annotator_from
from askless.lab.simulate import SIMULATED, simulate
from askless.lab.trace import Step
from askless.predictors import make_predictor
from askless.trainer.inline import InlineTrainer
from experiments.scratch.pools import USUAL, ScratchPool, load

FOLDER: Final = Path(__file__).parents[2] / "build" / "mistakes"
_AUDIT_EVERY: Final = 20


PRICE_S: Final = 10.0
"""Of a wrong label, as in the app."""
_POOLS: Final = {
    "mnist": "first6000/mnist.npz",
    "fashion_mnist": "first6000/fashion_mnist.npz",
    "sms_spam": "tables/sms_spam.csv",
}
_WAYS: Final = (("persistent:0.03", 0.0), ("slips:0.15", 0.0), ("slips:0.15", PRICE_S))


@dataclass(frozen=True, slots=True)
class Cell:
    """A session.

    Parameters
    ----------
    pool
        File of the pool.
    habits
        How the annotator errs (`askless.lab.annotators`).
    channel
        ``yes-no`` or ``pointed``.
    max_n
        The most items in a question.
    seed
        Fixes everything that is drawn.
    price_s
        The price of a wrong label in seconds; above 0 group sizes follow what is overlooked.
    sets
        The feature sets of the pool.
    """

    pool: Path
    habits: str
    channel: str
    max_n: int
    seed: int
    price_s: float = 0.0
    sets: str = USUAL

    @property
    def name(self) -> str:
        """All of it in one word."""
        habits = self.habits.replace(":", "-")
        price = f"_price-{self.price_s:g}" if self.price_s else ""
        return f"{self.pool.stem}_{habits}_{self.channel}_{self.max_n}_{self.seed}{price}"


def cells(seeds: tuple[int, ...]) -> list[Cell]:
    """Everything that is measured."""
    folder = Path(os.environ.get("ASKLESS_DATA", "data"))
    return [
        Cell(folder / _POOLS[pool], habits, "pointed", 24, seed, price_s)
        for seed in seeds
        for pool in _POOLS
        for habits, price_s in _WAYS
        if (pool, habits) != ("sms_spam", "persistent:0.03")
    ]


def labelled_session(cell: Cell) -> tuple[ScratchPool, SessionSnapshot]:
    """The pool and the session, labelled to the end; from the folder if it is there."""
    pool, folder = load(cell.pool, cell.sets), FOLDER / cell.name
    n, pointing = len(pool.labels), cell.channel == "pointed"
    method = Method(
        channel="pointed" if pointing else "yes-no",
        objective="seconds" if pointing else "questions",
        schedule="random-rounds",
        max_n=cell.max_n,
        recalibrate=False,
        test_sample=1,
        audit_every=_AUDIT_EVERY,
        wrong_label_s=cell.price_s,
        seed=cell.seed,
    )
    kernel = make_predictor("kernel", blocks=pool.blocks)
    trainer = InlineTrainer(kernel, pool.columns)
    with open_session(Probs(np.full(n, 0.5)), method, folder, trainer=trainer) as opened:
        if not opened.session.state.done:
            annotator = annotator_from(cell.habits, pool.labels, pointing=pointing, seed=cell.seed)
            simulate(
                opened.session, pool.labels, annotator=annotator, record=_following(opened, cell)
            )
    return pool, read_session(folder)


def _following(opened: OpenSession, cell: Cell) -> Callable[[Step], None]:
    """Has sizes follow what audits have shown, as the app does, if wrong labels have a price."""

    def record(step: Step) -> None:
        if cell.price_s and step.answer.question.purpose == "audit":
            method = opened.method
            by_size = opened.session.history.audits.misses(SIMULATED)
            misses = misses_to_plan_with(by_size, method.misses)
            if misses != method.misses:
                opened.plan(method.replace(misses=misses))

    return record
