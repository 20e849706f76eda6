"""Measure, draw and tabulate: ``python -m experiments.limits [options]``.

Cells already in ``results.json`` are kept, so a run that was stopped goes on where it was.
``--again TEXT`` measures the cells whose name contains TEXT again, ``--again ""`` all of them;
``--draw`` measures nothing and makes the figure and the table from the results on file. Needs
matplotlib (the ``experiments`` extra).
"""

from __future__ import annotations

import argparse
import time

from experiments.limits import figures, table
from experiments.limits.cells import DRAWS, all_cells, bounds, measure
from experiments.limits.pools import POOLS
from experiments.limits.results import RESULTS, Results, read_results, write_results


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(
        prog="python -m experiments.limits", description="How near to the bounds?"
    )
    parser.add_argument("--again", metavar="TEXT", help="measure cells with this in their name")
    parser.add_argument("--draw", action="store_true", help="draw from the results on file")
    options = parser.parse_args()
    results = read_results()
    if not options.draw:
        _measure(results, options.again)
    figures.draw_all(results)
    table.put_in_readme(results)
    print(f"wrote {RESULTS.name}, the figure, and these tables:\n\n{table.tables(results)}")


def _measure(results: Results, again: str | None) -> None:
    for n in DRAWS:
        for pool in POOLS:
            results["bounds"].setdefault(f"{pool} {n}", {})
            if not results["bounds"][f"{pool} {n}"]:
                results["bounds"][f"{pool} {n}"] = bounds(pool, n)
    cells = {cell.name: cell for cell in all_cells()}
    # In the order of the cells, and without those that are no longer measured.
    kept = {name: results["cells"][name] for name in cells if name in results["cells"]}
    if again is not None:
        kept = {name: found for name, found in kept.items() if again not in name}
    results["cells"] = kept
    due = [cell for name, cell in cells.items() if name not in kept]
    began = time.monotonic()
    for number, cell in enumerate(due, 1):
        print(f"{time.monotonic() - began:6.0f} s  {number} of {len(due)}: {cell.name}", flush=True)
        kept[cell.name] = measure(cell)
        results["cells"] = {name: kept[name] for name in cells if name in kept}
        write_results(results)
    write_results(results)


if __name__ == "__main__":
    main()
