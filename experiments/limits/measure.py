"""Measure the cells that are not on file yet, draw by draw, in several processes if wanted.

A draw of a cell is one piece of work; what is likely to take longest goes first, so that no
process is left with it at the end. A cell is written as soon as its last draw is in.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from experiments.limits.cells import DRAWS, Cell, Measured, all_cells, bounds, collect, play
from experiments.limits.pools import POOLS
from experiments.limits.results import Results, write_results

_SLOW = {"fill": 4.0, "lookahead": 10.0}
_SHARE = {"A": 0.3, "B": 1.0, "C": 0.1, "D": 0.3, "E": 0.3}  # questions an item, about


def measure_all(
    results: Results, path: Path, *, jobs: int = 1, again: str | None = None, only: str = ""
) -> None:
    """Measure what is due, into `results` and the file.

    Parameters
    ----------
    results
        What is known already.
    path
        The file; written after every cell.
    jobs
        How many processes to use.
    again
        Measure cells with this in their name although they are known.
    only
        Measure no cells but those with this in their name.
    """
    for n in DRAWS:
        for pool in POOLS:
            if not results["bounds"].get(f"{pool} {n}"):
                results["bounds"][f"{pool} {n}"] = bounds(pool, n)
    cells = {cell.name: cell for cell in all_cells()}
    known = {
        name: found
        for name, found in results["cells"].items()
        if name in cells and (again is None or again not in name or only not in name)
    }
    due = [cell for name, cell in cells.items() if name not in known and only in name]
    began = time.monotonic()
    for count, (cell, found) in enumerate(_measured(due, jobs), 1):
        known[cell.name] = found
        # In the order of the cells, and without those that are no longer measured.
        results["cells"] = {name: known[name] for name in cells if name in known}
        write_results(results, path)
        print(f"{time.monotonic() - began:6.0f} s  {count} of {len(due)}: {cell.name}", flush=True)
    write_results(results, path)


def _measured(cells: list[Cell], jobs: int) -> Iterator[tuple[Cell, Measured]]:
    """Each cell when it is done."""
    if jobs == 1:
        for cell in cells:
            yield cell, collect(cell, [play(cell, seed) for seed in range(cell.draws)])
        return
    work = [(cell, seed) for cell in cells for seed in range(cell.draws)]
    work.sort(key=lambda piece: -_effort(piece[0]))
    played: dict[str, dict[int, Measured]] = {cell.name: {} for cell in cells}
    with ProcessPoolExecutor(jobs) as pool:
        waiting = {pool.submit(play, *piece): piece for piece in work}
        for done in as_completed(waiting):
            cell, seed = waiting[done]
            draws = played[cell.name]
            draws[seed] = done.result()
            if len(draws) == cell.draws:
                yield cell, collect(cell, [draws[seed] for seed in range(cell.draws)])


def _effort(cell: Cell) -> float:
    """How long a draw is likely to take, in no particular unit."""
    return cell.n * _SHARE[cell.pool] * _SLOW.get(cell.method.planner, 1.0)
