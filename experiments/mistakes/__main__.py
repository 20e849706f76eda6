"""Finding one's own mistakes: ``python -m experiments.mistakes [options]``.

Pools are in the folder that the environment variable ``ASKLESS_DATA`` names, as in
`experiments.originals`. Each session (`experiments.mistakes.runs`) is labelled once and kept in
``build/mistakes``; ranking it takes seconds (`experiments.mistakes.measure`). ``--coverage``
measures how often the bound of re-asks is false (`experiments.mistakes.coverage`). Runs on file are
kept. ``--draw`` measures nothing: it draws the figure and writes the tables of the README.
"""

from __future__ import annotations

import argparse
import json
import time

from experiments.mistakes.results import COVERAGE, RESULTS, read_results
from experiments.mistakes.runs import cells


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(prog="python -m experiments.mistakes")
    parser.add_argument("--seeds", default="0,1", help="which, with commas between")
    parser.add_argument("--only", default="", help="only runs whose name holds this")
    parser.add_argument("--coverage", action="store_true")
    parser.add_argument("--draw", action="store_true")
    options = parser.parse_args()
    if options.draw:
        from experiments.mistakes.figures import draw  # needs matplotlib, measuring does not
        from experiments.mistakes.table import write_tables

        draw(read_results())
        write_tables(read_results(), read_results(COVERAGE))
        return
    if options.coverage:
        from experiments.mistakes.coverage import measure_coverage

        COVERAGE.write_text("".join(json.dumps(row) + "\n" for row in measure_coverage()))
        return
    from experiments.mistakes.measure import measure

    done = {run["name"] for run in read_results()}
    for cell in cells(tuple(map(int, options.seeds.split(",")))):
        if cell.name in done or options.only not in cell.name:
            continue
        began = time.monotonic()
        found = measure(cell)
        with RESULTS.open("a", encoding="utf-8") as file:
            file.write(json.dumps(found) + "\n")
        print(cell.name, found["wrong"], f"{time.monotonic() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
