"""What is measured: one cell is one way of asking on several draws of one pool.

Five parts:

- ``count``: questions, for every pool, cap and counting planner;
- ``mixed``: the same with guesses of both labels in a question, three caps and five draws;
- ``many``: what ``auto`` asks without a cap on pools A to D, on so many draws that luck evens out;
- ``paper``: the four variants of the paper's planner, two caps and three draws;
- ``effort``: what ``auto`` chooses for each objective and kind of answers, on pools A to D, and the
  seconds at other paces on five draws.

The probs are calibrated, so nothing is recalibrated. Every draw is played to the last label.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, get_args

from askless.assemble import Method, open_simulation
from askless.core.bounds import capped_bound_questions, code_length_bits
from askless.core.entropy import independent_entropy_bits
from askless.core.probability import Probs
from askless.lab.known_pool import KnownPool
from askless.planners import planner_names
from askless.seams import Channel, Objective
from experiments.limits.pools import POOLS, draw_pool

CAPS: Final = (1, 2, 4, 8, 16, 32, 64, None)
DRAWS: Final = {6000: 20, 100_000: 3}
FEW_CAPS: Final = (8, 64, None)
FEW_DRAWS: Final = 5
MANY_DRAWS: Final = 200
COUNTING: Final = ("nested", "fill")
PACES: Final = (
    (1.0, 0.3, 1.0),
    (1.0, 3.0, 1.0),
    (0.1, 3.0, 5.0),
    (0.25, 3.0, 1.0),
    (1.0, 3.0, 5.0),
    (1.0, 0.05, 0.5),
    (5.0, 0.3, 1.0),
    (0.2, 1.0, 10.0),
)
"""Seconds a question, an item, a mark; the second to fifth are those of somebody who reads."""
VARIANTS: Final = tuple(
    (al_method, cost) for al_method in ("random", "uncertainty") for cost in ("entropy", "log-size")
)
LABELS_SOON: Final = 2500

Measured = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Cell:
    """One way of asking.

    Parameters
    ----------
    part
        ``count``, ``mixed``, ``many``, ``paper`` or ``effort``.
    pool, n, draws
        Which pool, how many items, and how many draws of it (seeds 0, 1, ...).
    method
        How it is labelled.
    words
        What tells it from other cells of its part, for its name.
    """

    part: str
    pool: str
    n: int
    draws: int
    method: Method
    words: str

    @property
    def name(self) -> str:
        """Unlike that of any other cell, and the same in every run."""
        return f"{self.part} {self.pool} {self.n} {self.words}"


def bounds(pool: str, n: int) -> Measured:
    """The marks for every draw: entropies, bits of the labels drawn, the bound under every cap."""
    found: Measured = {"entropy_bits": [], "joint_entropy_bits": [], "bits": []}
    found |= {f"max_n={max_n}": [] for max_n in CAPS}
    for seed in range(DRAWS[n]):
        drawn = draw_pool(pool, n, seed)
        found["entropy_bits"].append(round(independent_entropy_bits(drawn.probs), 2))
        found["joint_entropy_bits"].append(round(drawn.joint_entropy_bits, 2))
        found["bits"].append(round(code_length_bits(drawn.probs, drawn.labels), 2))
        for max_n in CAPS:
            least = capped_bound_questions(drawn.probs, max_n)
            found[f"max_n={max_n}"].append(round(least, 2))
    return found


def play(cell: Cell, seed: int) -> Measured:
    """Label one draw of the cell's pool and say what it took."""
    drawn = draw_pool(cell.pool, cell.n, seed)
    pool = KnownPool(Probs(drawn.probs), drawn.labels)
    with open_simulation(pool, cell.method) as simulation:
        report = simulation.report(simulation.run())
    if report["labels_right"] != cell.n:
        raise AssertionError(f"{cell.name} left a label open or wrong on seed {seed}.")
    return {
        "questions": report["questions"],
        "items_shown": report["items_shown"],
        "seconds": round(report["seconds"], 1),
        "questions_for_2500_labels": report["questions_at"].get(str(LABELS_SOON)),
        "entropy_bits": round(independent_entropy_bits(drawn.probs), 2),
        "bits": round(code_length_bits(drawn.probs, drawn.labels), 2),
        "chosen": report["chosen"],
    }


def collect(cell: Cell, draws: Sequence[Measured]) -> Measured:
    """What all draws of a cell took: one number a draw, and the planner, which is one."""
    keys = ["questions", "items_shown", "seconds"]
    if cell.part == "effort" and cell.n > LABELS_SOON:
        keys.append("questions_for_2500_labels")
    if cell.part == "many":
        keys += ["entropy_bits", "bits"]
    return {key: [draw[key] for draw in draws] for key in keys} | {"chosen": draws[0]["chosen"]}


def measure(cell: Cell) -> Measured:
    """Label every draw of the cell's pool and say what it took."""
    return collect(cell, [play(cell, seed) for seed in range(cell.draws)])


def all_cells() -> Iterator[Cell]:
    """Every cell, small pools first."""
    for n, draws in DRAWS.items():
        for pool in POOLS:
            yield from _count(pool, n, draws)
        if n == min(DRAWS):
            for pool in POOLS:
                yield from _mixed(pool, n)
            for pool in "ABCD":
                yield Cell("many", pool, n, MANY_DRAWS, _plain("auto", None), "auto max_n=None")
            for pool in POOLS:
                yield from _paper(pool, n)
            for pool in "ABCD":
                yield from _effort(pool, n, draws)


def _count(pool: str, n: int, draws: int) -> Iterator[Cell]:
    for max_n in CAPS:
        for planner in _counting(max_n):
            options = _plain(planner, max_n)
            yield Cell("count", pool, n, draws, options, f"{planner} max_n={max_n}")


def _mixed(pool: str, n: int) -> Iterator[Cell]:
    for max_n in FEW_CAPS:
        for planner in _counting(max_n):
            options = _plain(planner, max_n, same_guess=False)
            yield Cell("mixed", pool, n, FEW_DRAWS, options, f"{planner} max_n={max_n}")


def _paper(pool: str, n: int) -> Iterator[Cell]:
    for max_n in (8, 64):
        for al_method, cost in VARIANTS:
            more = {"al_method": al_method, "cost": cost}
            options = _plain("lookahead", max_n, more=more)
            yield Cell("paper", pool, n, 3, options, f"{al_method}/{cost} max_n={max_n}")


def _effort(pool: str, n: int, draws: int) -> Iterator[Cell]:
    for answers in get_args(Channel):
        for objective in get_args(Objective):
            paces = PACES if objective == "seconds" else PACES[:1]
            for pace in paces:
                options = Method(
                    channel=answers,
                    objective=objective,
                    seconds=pace,
                    recalibrate=False,
                )
                words = f"{answers} {objective} {','.join(f'{second:g}' for second in pace)}"
                few = pace != PACES[0]
                yield Cell("effort", pool, n, FEW_DRAWS if few else draws, options, words)


def _counting(max_n: int | None) -> Sequence[str]:
    """The registered planners that count; with a cap of 1 any of them asks n questions."""
    planners = [name for name in COUNTING if name in planner_names()]
    return planners[:1] if max_n == 1 else planners


def _plain(
    planner: str,
    max_n: int | None,
    *,
    same_guess: bool | None = None,
    more: Mapping[str, Any] | None = None,
) -> Method:
    return Method(
        planner=planner,
        max_n=max_n,
        same_guess=same_guess,
        recalibrate=False,
        planner_options=dict(more or {}),
    )
