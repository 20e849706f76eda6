"""A small pool, and the kinds of session that faults are tried on."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from askless.assemble import Method, OpenSession, open_session
from askless.core.probability import Probs
from askless.files import make_folder
from askless.files.arrays import write_array
from askless.folder import files as folders
from askless.predictors.logistic import Logistic
from askless.seams import Pool
from askless.session.session import Session
from askless.trainer.background import BackgroundTrainer

ITEMS: Final = 300
VALUES: Final = Probs(np.random.default_rng(0).beta(0.2, 0.2, ITEMS))
TRUTH: Final = np.random.default_rng(1).random(ITEMS) < VALUES.values
X: Final = np.random.default_rng(2).standard_normal((ITEMS, 4)) + TRUTH[:, None]


@dataclass(frozen=True, slots=True)
class Names:
    """What a folder keeps of a pool: what its items are called."""

    ids: tuple[str, ...] = tuple(f"item {item}" for item in range(ITEMS))
    checksums: tuple[str, ...] = ("",) * ITEMS
    copies: Mapping[int, tuple[str, ...]] = field(default_factory=lambda: {3: ("item 3 again",)})
    probs: NDArray[np.float64] = field(default_factory=lambda: VALUES.values)

    def __len__(self) -> int:
        return ITEMS


class Heavy(Logistic):
    """Takes its time over a checkpoint, so that many lives end in the middle of one."""

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {**super().arrays(), "ballast": np.zeros(500_000)}

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        super().restore({name: array for name, array in arrays.items() if name != "ballast"})


@dataclass(frozen=True, slots=True)
class Kind:
    """What kind of session it is.

    Parameters
    ----------
    planner, options
        Who chooses the questions.
    pointing
        Whether wrong items are pointed at.
    recalibrate
        Whether probabilities are corrected on the way.
    predictor
        Whom a trainer in a process of its own fits; empty for no trainer.
    """

    planner: str
    options: Mapping[str, Any]
    pointing: bool = False
    recalibrate: bool = False
    predictor: str = ""

    @classmethod
    def drawn(cls, number: int, predictor: str = f"{__name__}:Heavy") -> Kind:
        """The kind of session `number`: five planners in turn, everything else drawn."""
        rng = Random(number)
        planner = ("auto", "fill", "grid", "lookahead", "nested")[number % 5]
        trained = number % 4 == 3
        pointing = planner == "grid" or (planner in ("auto", "nested") and rng.random() < 0.3)
        options: dict[str, Any] = {"max_n": rng.choice([3, 8])}
        if planner == "auto" and pointing:
            options["answers"] = "pointed"
        corrected = rng.random() < 0.5
        return cls(planner, options, pointing, corrected, predictor if trained else "")

    def start(self, folder: Path) -> OpenSession:
        """Begin such a session, or take it up; nothing is trained yet."""
        method = Method(
            planner=self.planner,
            max_n=self.options["max_n"],
            channel=self.options.get("answers", "yes-no"),
            recalibrate=self.recalibrate,
            test_sample=5,
            audit_every=7,
        )
        return open_session(cast(Pool, Names()), method, folder)

    def work(self, folder: Path, closing: ExitStack) -> Session:
        """The same with whatever is trained, to be closed by `closing`."""
        working = closing.enter_context(self.start(folder))
        training = folder / folders.TRAINING
        if not self.predictor:
            make_folder(training)  # the worker writes checkpoints of its own
        else:
            features = folder / "x.npy"
            if not features.exists():
                write_array(features, X)
            trainer = BackgroundTrainer(
                training, ITEMS, predictor=self.predictor, features=features
            )
            working.session.use(trainer=closing.enter_context(trainer))
        return working.session
