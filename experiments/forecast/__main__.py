"""How well the forecast holds: ``python -m experiments.forecast [options]``.

Every pool (`experiments.forecast.pools`) is labelled in every way (`experiments.forecast.runs`),
once a seed. Runs on file are kept, so one that was stopped goes on. ``--draw`` measures
nothing: it fits the factors of the range, tries them on pools they were not fitted to, draws the
figure and writes the tables.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

from experiments.forecast.pools import names
from experiments.forecast.results import RESULTS, SAID, read_results
from experiments.forecast.runs import WAYS, Cell, measure


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(prog="python -m experiments.forecast")
    parser.add_argument("--pools", default="", help="only pools whose name holds this")
    parser.add_argument("--ways", default="", help="only ways whose name holds this")
    parser.add_argument("--seeds", default="0,1", help="which, with commas between")
    parser.add_argument("--part", default="0/1", help="0/2: the first half of the pools")
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--draw", action="store_true")
    options = parser.parse_args()
    if options.draw:
        from experiments.forecast.figures import draw  # needs matplotlib, measuring does not
        from experiments.forecast.table import write_tables

        draw(read_results(options.out))
        write_tables(read_results(options.out), read_results(SAID))
        return
    done = {
        Cell(run["pool"], run["way"], run["max_n"], run["seed"])
        for run in read_results(options.out)
    }
    part, parts = map(int, options.part.split("/"))
    mine = [name for at, name in enumerate(names()) if at % parts == part]
    for seed in map(int, options.seeds.split(",")):
        for name in mine:
            for way, max_n in WAYS:
                cell = Cell(name, way, max_n, seed)
                wanted = options.pools in name and options.ways in way
                if wanted and cell not in done:
                    began = time.monotonic()
                    found = measure(cell)
                    with options.out.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(found) + "\n")
                    print(cell, found["answers"], f"{time.monotonic() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
