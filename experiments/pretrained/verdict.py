"""Does ``auto`` ever ask more than the best variant of the paper's planner?

One comparison for every file, cap and objective: all labels with objective ``questions``, the
first 2500 labels with objective ``labels``; the paper's planner has one run for both. ``auto`` is
used as the commands use it, recalibrating.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from experiments.pretrained.cells import CAPS, VARIANTS, cell_name
from experiments.pretrained.results import Results


@dataclass(frozen=True, slots=True)
class Comparison:
    """One cell: our questions beside the fewest of the paper's variants."""

    file: str
    max_n: int | None
    objective: str
    ours: int
    papers: int

    @property
    def holds(self) -> bool:
        """Whether we never ask more."""
        return self.ours <= self.papers


def comparisons(results: Results) -> Iterator[Comparison]:
    """Every comparison whose cells were measured."""
    counted = {"questions": "questions", "labels": "questions_for_2500_labels"}
    for file, found in results.items():
        cells = found["cells"]
        for max_n in CAPS:
            for objective, key in counted.items():
                ours = cells.get(cell_name(f"auto {objective}, recalibrated", max_n))
                papers = [cells.get(cell_name(variant, max_n)) for variant in VARIANTS]
                if ours is None or None in papers:
                    continue
                fewest = min(cell[key] for cell in papers)
                yield Comparison(file, max_n, objective, ours[key], fewest)


def verdict(results: Results) -> str:
    """One sentence, and the cells in which it does not hold."""
    every = list(comparisons(results))
    broken = [c for c in every if not c.holds]
    if not every:
        return "Nothing to compare yet."
    if not broken:
        return (
            f"In each of the {len(every)} cells (file, cap, objective) `auto` asks no more than "
            "the best variant of the paper's planner."
        )
    where = "; ".join(
        f"{c.file} max_n={c.max_n} {c.objective}: {c.ours} against {c.papers}" for c in broken
    )
    return (
        f"`auto` asks MORE than the paper's best in {len(broken)} of {len(every)} cells: {where}."
    )
