"""Measure, draw and tabulate: ``python -m experiments.synthetic [options]``.

Without options everything is done again. ``--only METHOD`` measures one method and keeps
the other results; ``--draw`` measures nothing and makes the figures and the table from
the results on file. Needs scikit-learn and matplotlib (the ``experiments`` extra).
"""

from __future__ import annotations

import argparse

from experiments.synthetic import figures, table
from experiments.synthetic.methods import HUFFMAN, METHODS
from experiments.synthetic.results import (
    RESULTS,
    Results,
    measure_method,
    measure_pools,
    read_results,
    write_results,
)


def main() -> None:
    """Do what the command line says."""
    methods = [HUFFMAN, *METHODS]
    parser = argparse.ArgumentParser(
        prog="python -m experiments.synthetic", description="The paper's synthetic problems."
    )
    parser.add_argument("--seeds", type=int, default=1000, help="how many pools of each problem")
    parser.add_argument(
        "--only", choices=methods, action="append", help="measure this method, keep the others"
    )
    parser.add_argument("--draw", action="store_true", help="draw from the results on file")
    options = parser.parse_args()

    results: Results
    if options.draw:
        results = read_results()
    elif options.only:
        results = read_results()
        for method in options.only:
            measure_method(results, method)
    else:
        print(f"making {options.seeds} pools of each problem")
        results = measure_pools(options.seeds)
        for method in methods:
            print(f"asking: {method}", flush=True)
            measure_method(results, method)
    write_results(_in_order(results, methods))
    figures.draw_all(results)
    table.put_in_readme(results)
    print(f"wrote {RESULTS.name}, the figures, and this table:\n\n{table.table(results)}")


def _in_order(results: Results, methods: list[str]) -> Results:
    """The results with the methods in the order they are declared, old ones dropped."""
    for problem in results["problems"].values():
        asked = problem["questions"]
        problem["questions"] = {method: asked[method] for method in methods if method in asked}
    return results


if __name__ == "__main__":
    main()
