"""Features made here, for runs elsewhere: ``python -m experiments.scratch.carry POOL SETS FOLDER``.

Makes the feature sets of a pool (`experiments.scratch.pools`), each with its maker's defaults, and
puts them into FOLDER in half precision, with the labels and the probabilities given with the pool:
a pool for ``python -m experiments.scratch FOLDER``. Says of every set how many seconds it took
(few, if it was made before) and what it knows: the share of items whose ten nearest others have, by
majority, its label. The lines are added to ``carried.jsonl``.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.features import make_features
from experiments.scratch import pools

CARRIED: Final = Path(__file__).with_name("carried.jsonl")
_NEIGHBOURS: Final = 10
_ROWS: Final = 2000


def carry(path: Path, sets: str, folder: Path) -> list[dict[str, Any]]:
    """Fill the folder, and say what is in it."""
    known = pools.known_pool(path)
    if known.things is None:
        raise SystemExit(f"{path} has nothing to learn from; it needs images, x or texts.")
    folder.mkdir(parents=True, exist_ok=True)
    np.save(folder / "labels.npy", known.labels)
    if (prior := pools.prior_of(path)) is not None:
        np.save(folder / "prior.npy", prior)
    lines = []
    for name in sets.split(","):
        began = time.perf_counter()
        x = make_features(known.things, [name], cache=pools.CACHE / "features")[name]
        seconds = round(time.perf_counter() - began, 1)
        np.save(folder / f"{name}.npy", np.asarray(x, np.float16))
        line = {"pool": path.stem, "set": name, "items": len(x), "columns": x.shape[1]}
        lines.append(line | {"seconds": seconds, "near_right": near_right(x, known.labels)})
    return lines


def near_right(x: NDArray[Any], labels: NDArray[np.bool_]) -> float:
    """How often the nearest others have, by majority, an item's label."""
    right = 0
    length = np.sum(np.square(x, dtype=np.float64), axis=1)
    for start in range(0, len(x), _ROWS):
        own = np.arange(start, min(start + _ROWS, len(x)))
        far = length - 2 * (x[own] @ x.T)
        far[np.arange(len(own)), own] = np.inf
        near = np.argpartition(far, min(_NEIGHBOURS, len(x) - 1) - 1, axis=1)[:, :_NEIGHBOURS]
        right += int(np.count_nonzero((labels[near].mean(1) > 0.5) == labels[own]))
    return round(right / len(x), 4)


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(prog="python -m experiments.scratch.carry")
    parser.add_argument("pool", metavar="POOL", type=Path)
    parser.add_argument("sets", metavar="SETS", help="feature sets with commas between")
    parser.add_argument("folder", metavar="FOLDER", type=Path)
    parser.add_argument("--out", metavar="FILE", type=Path, default=CARRIED)
    options = parser.parse_args()
    with options.out.open("a", encoding="utf-8") as file:
        for line in carry(options.pool, options.sets, options.folder):
            print(json.dumps(line), flush=True)
            file.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
