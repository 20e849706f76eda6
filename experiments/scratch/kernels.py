"""What stacking and the linear kernels are worth: ``python -m experiments.scratch.kernels``.

The kernel predictor learns the labels of each POOL (`experiments.scratch.pools`) in random order
and predicts each before it learns it: with all kernels and the stacked expert; without the stacked
expert (``apart``); and without the nearly linear kernels (`LINEAR_RECIPES`), where the pool has
some. Where probabilities come with the pool, also with these, and with these alone; ``given`` is
their own code length, as they are. The code lengths are added to ``kernels.jsonl``; ``--draw``
prints them as a table.
"""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.core.bounds import code_length_bits
from askless.predictors.kernel import Kernel
from askless.predictors.kernel_basis import LINEAR_RECIPES
from experiments.scratch.pools import USUAL, ScratchPool, load

KERNELS: Final = Path(__file__).with_name("kernels.jsonl")
_CHUNK: Final = 64


def bits(
    pool: ScratchPool,
    seed: int,
    *,
    left_out: frozenset[str] = frozenset(),
    stacked: bool = True,
    prior: NDArray[np.float64] | None = None,
) -> float:
    """The code length of all labels, learnt in random order, without the kernels left out."""
    names = [name for name, width in pool.blocks for _ in range(width)]
    kept = np.array([name not in left_out for name in names])
    blocks = tuple(block for block in pool.blocks if block[0] not in left_out)
    columns: NDArray[Any] = np.ascontiguousarray(pool.columns[:, kept])
    kernel = Kernel(blocks=blocks, prior=prior, random_labels=stacked)
    known = np.full(len(pool.labels), -1, np.int8)
    order = np.random.default_rng(seed).permutation(len(known))
    for start in range(0, len(order), _CHUNK):
        now = order[start : start + _CHUNK]
        known[now] = pool.labels[now]
        kernel.fit(columns, known)
    return kernel.one_by_one_bits


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(prog="python -m experiments.scratch.kernels")
    parser.add_argument("pools", metavar="POOL", nargs="*", type=Path)
    parser.add_argument("--sets", default=USUAL)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--draw", action="store_true")
    options = parser.parse_args()
    for path in options.pools:
        pool = load(path, options.sets)
        found = {
            "pool": path.name if path.is_dir() else path.stem,
            "sets": options.sets,
            "seed": options.seed,
            "items": len(pool.labels),
            "with": round(bits(pool, options.seed), 1),
            "apart": round(bits(pool, options.seed, stacked=False), 1),
        }
        if set(LINEAR_RECIPES) & {name for name, _ in pool.blocks}:
            curved = bits(pool, options.seed, left_out=frozenset(LINEAR_RECIPES))
            found["without"] = round(curved, 1)
        if pool.prior is not None:
            found["given"] = round(code_length_bits(pool.prior, pool.labels), 1)
            every = frozenset(name for name, _ in pool.blocks)
            alone = bits(pool, options.seed, left_out=every, prior=pool.prior)
            found["alone"] = round(alone, 1)
            found["both"] = round(bits(pool, options.seed, prior=pool.prior), 1)
        print(json.dumps(found), flush=True)
        with KERNELS.open("a", encoding="utf-8") as file:
            file.write(json.dumps(found) + "\n")
    if options.draw:
        text = KERNELS.read_text(encoding="utf-8")
        read = [json.loads(line) for line in text.splitlines()]
        latest = {(one["pool"], one["sets"], one["seed"]): one for one in read}
        lines = list(latest.values())
        columns = ("with", "apart", "without", "given", "alone", "both")
        print(" | ".join(("pool", "sets", "items", *columns)))
        for one in lines:
            lengths = (f"{one.get(name, math.nan):.0f}" for name in columns)
            print(" | ".join((one["pool"], one["sets"], str(one["items"]), *lengths)))
        for other in ("apart", "without"):
            ratios = [math.log(one["with"] / one[other]) for one in lines if other in one]
            mean = math.exp(sum(ratios) / max(1, len(ratios)))
            print(f"With all, over {other}: {mean:.3f} in {len(ratios)} pools, geometric mean.")
        more = [one["both"] - min(one["with"], one["given"]) for one in lines if "both" in one]
        if more:
            print(
                f"With given probabilities, over the better of these and learning: "
                f"{sum(more):+.0f} bits in {len(more)} pools, {min(more):+.1f} to {max(more):+.1f}."
            )


if __name__ == "__main__":
    main()
