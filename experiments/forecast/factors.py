"""The factors of the range: fitted to some runs, and tried on the runs of a pool left out.

A factor is a quantile of what came over what was expected, of all points of one kind of outlook at
about the same share of the answers (`askless.session.estimates.DONE`). Where these are fewer than
`_ENOUGH`, neighbouring shares are taken in. Quantiles are those of conformal prediction, so that a
range made of few points is wider.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, Final, Literal, get_args

import numpy as np

from askless.session.estimates import DONE, MINUTE_S, MOST, Factors, Kind, is_vague, spread

What = Literal["answers", "seconds"]
_TAIL: Final = 0.025
_ENOUGH: Final = 25
_FEW: Final = 1.1
"""Where a kind has fewer points than that in all, its range is so much wider at either end."""


@dataclass(frozen=True, slots=True)
class Point:
    """What was expected at one moment of a run, and what came."""

    run: tuple[Any, ...]
    pool: str
    share: float
    kind: Kind
    row: int
    expected: float
    came: float
    unit: float
    most: float


@dataclass(frozen=True, slots=True)
class Tried:
    """A point and the range that other pools' factors make of it."""

    point: Point
    low: float
    high: float

    @property
    def holds(self) -> bool:
        """Whether what came lies in the range."""
        return self.low <= self.point.came <= self.high


def points(runs: Iterable[Mapping[str, Any]], what: What) -> Iterator[Point]:
    """Every moment of the runs at which there was a forecast."""
    for run in runs:
        name = (run["pool"], run["way"], run["max_n"], run["seed"])
        for at in run["points"]:
            made, came = at["outlook"], at[f"{what}_left"]
            if made is not None and made[what] is not None and came > 0:
                row = bisect_right(DONE, made["done"])
                is_time, n_open = what == "seconds", run["items"] - at["settled"]
                unit, most = (MINUTE_S, inf) if is_time else (1.0, MOST * n_open)
                moment = (name, run["pool"], at["share"], made["kind"], row)
                yield Point(*moment, made[what], came, unit, most)


def fit(found: Sequence[Point]) -> dict[Kind, Factors]:
    """The factors for each kind, by the share that seems to be done."""
    return {
        kind: tuple(_row(found, kind, row) for row in range(len(DONE) + 1))
        for kind in get_args(Kind)
    }


def try_on_others(runs: Sequence[Mapping[str, Any]], what: What) -> list[Tried]:
    """Each point with the range that the factors of all other pools make of it.

    Points at which askless says nothing, since the range would be too wide, are left out.
    """
    tried, found = [], list(points(runs, what))
    of_answers = list(points(runs, "answers"))
    for pool in sorted({point.pool for point in found}):
        factors = fit([point for point in found if point.pool != pool])
        limits = fit([point for point in of_answers if point.pool != pool])
        for point in (point for point in found if point.pool == pool):
            own = factors[point.kind][point.row]
            if is_vague(limits[point.kind][point.row]):
                continue
            made = spread(point.expected, own, point.unit, point.most)
            tried.append(Tried(point, made.low, made.high))
    return tried


def _row(found: Sequence[Point], kind: Kind, row: int) -> tuple[float, float, float]:
    ratios: list[float] = []
    for reach in range(len(DONE) + 1):
        ratios = [
            p.came / p.expected for p in found if p.kind == kind and abs(p.row - row) <= reach
        ]
        if len(ratios) >= _ENOUGH:
            break
    if not ratios:
        return 0.5, 1.0, 2.0
    middle = float(np.median(ratios))
    tail = min(1.0, (1 - _TAIL) * (len(ratios) + 1) / len(ratios))
    low, high = np.quantile(ratios, (1 - tail, tail))
    if len(ratios) < _ENOUGH:
        low, high = low / _FEW, high * _FEW
    return round(float(low), 2), round(middle, 2), round(float(high), 2)
