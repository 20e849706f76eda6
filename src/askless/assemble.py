"""Parts by name, joined: what the command line and a Python user share.

pool = load_pool("demo")
simulation = make_simulation(pool, SimulationOptions(planner="lookahead", max_n=8))
run = simulation.run()
simulation.report(run)["questions"]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from askless.core.bounds import capped_bound_questions
from askless.lab.known_pool import KnownPool, read_known_pool
from askless.lab.report import report
from askless.lab.simulate import Run, simulate
from askless.lab.trace import Step
from askless.planners import make_planner, planner_options
from askless.pools import demo
from askless.seams import Planner

DEFAULT_PLANNER = "lookahead"


@dataclass(frozen=True, slots=True)
class SimulationOptions:
    """How a pool is to be labelled.

    Parameters
    ----------
    planner
        One of `askless.planners.planner_names`.
    max_n
        The most items a question may show; None for no cap.
    seed
        Fixes what the planner draws at random.
    more
        Further options of the planner, by name.
    """

    planner: str = DEFAULT_PLANNER
    max_n: int | None = 8
    seed: int = 0
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Simulation:
    """A pool whose labels are known, ready to be labelled; made by `make_simulation`.

    Parameters
    ----------
    pool
        The pool.
    planner
        Chooses the questions.
    about
        What makes the run, in plain JSON values: planner, its options, max_n, seed.
    """

    pool: KnownPool
    planner: Planner
    about: Mapping[str, Any]

    @property
    def bound_questions(self) -> float:
        """No fewer questions are to be expected, by the probs and the cap."""
        return capped_bound_questions(self.pool.probs.values, self.about["max_n"])

    def run(self, watch: Callable[[Step], None] | None = None) -> Run:
        """Label the pool from the first question to the last.

        Parameters
        ----------
        watch
            Called with every question once it is answered.
        """
        return simulate(self.planner, self.pool.probs, self.pool.labels, watch=watch)

    def report(self, run: Run) -> dict[str, Any]:
        """What the run took, in plain JSON values: see `askless.lab.report`, and `about`."""
        return {**report(run, self.pool, self.about["max_n"]), **self.about}


def load_pool(where: str | Path) -> KnownPool:
    """A pool whose labels are known.

    Parameters
    ----------
    where
        ``demo`` for the bundled pool, or the path of an ``.npz`` file with ``probs``,
        P(label is True), and ``positive``, the truth.
    """
    return read_known_pool(demo.PATH if where == "demo" else where)


def make_simulation(pool: KnownPool, options: SimulationOptions | None = None) -> Simulation:
    """Everything needed to label `pool`; nothing is asked yet.

    Parameters
    ----------
    pool
        From `load_pool`, or made of arrays.
    options
        How to label it.

    Raises
    ------
    UnknownPart
        No planner has that name.
    InvalidInput
        The planner has no such option, or the option cannot have that value.
    """
    options = options or SimulationOptions()
    given = {**options.more, "max_n": options.max_n, "seed": options.seed}
    planner = make_planner(options.planner, **given)
    # What the planner made of an option (a default that depends on another, say) if it tells.
    effective = {
        name: getattr(planner, name, given.get(name, default))
        for name, default in planner_options(options.planner).items()
        if name not in ("max_n", "seed")
    }
    about = {
        "planner": options.planner,
        "options": effective,
        "max_n": options.max_n,
        "seed": options.seed,
    }
    return Simulation(pool, planner, about)
