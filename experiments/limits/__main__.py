"""Measure, draw and tabulate: ``python -m experiments.limits [options]``.

Cells already in the results are kept, so a run that was stopped goes on where it was.
``--jobs N`` measures in N processes at once, draw by draw, what takes longest first.
``--again TEXT`` measures the cells whose name contains TEXT again, ``--again ""`` all of them;
``--only TEXT`` measures no other cells. ``--draw`` measures nothing and makes the figure and the
tables from the results on file; drawing needs matplotlib (the ``experiments`` extra).
``--results FILE`` keeps the results elsewhere and draws nothing.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from experiments.limits import table
from experiments.limits.measure import measure_all
from experiments.limits.results import RESULTS, read_results


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(
        prog="python -m experiments.limits", description="How near to the bounds?"
    )
    parser.add_argument("--again", metavar="TEXT", help="measure cells with this in their name")
    parser.add_argument("--only", metavar="TEXT", default="", help="and no cell without this")
    parser.add_argument("--jobs", metavar="N", type=int, default=1, help="processes at once")
    parser.add_argument("--results", metavar="FILE", type=Path, help="where to keep the results")
    parser.add_argument("--draw", action="store_true", help="draw from the results on file")
    options = parser.parse_args()
    if options.jobs < 1:
        parser.error(f"--jobs is 1 or more; got {options.jobs}.")
    path = options.results or RESULTS
    results = read_results(path)
    if not options.draw:
        measure_all(results, path, jobs=options.jobs, again=options.again, only=options.only)
    if options.results is None:
        from experiments.limits import figures  # what only measures needs no matplotlib

        figures.draw_all(results)
        table.put_in_readme(results)
    print(f"wrote {path.name}; the tables:\n\n{table.tables(results)}")


if __name__ == "__main__":
    main()
