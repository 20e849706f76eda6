"""Pools in which one class is sought: ``python -m experiments.scratch.rare FILE CLASS SHARE OUT``.

From an ``.npz`` with ``images`` and ``labels`` it makes one whose positives are the images of
CLASS, and leaves out the last of these until they are at most SHARE of the pool. OUT is then a
pool for ``python -m experiments.scratch OUT``.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray


def kept(positive: NDArray[np.bool_], share: float) -> NDArray[np.intp]:
    """All negatives and the first positives, in order, these at most `share` of all."""
    others = int(np.count_nonzero(~positive))
    most = int(share * others / (1 - share))
    return np.flatnonzero(~positive | (np.cumsum(positive) <= most))


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(prog="python -m experiments.scratch.rare")
    parser.add_argument("file", metavar="FILE", type=Path)
    parser.add_argument("sought", metavar="CLASS", type=int)
    parser.add_argument("share", metavar="SHARE", type=float, help="below 1, such as 0.01")
    parser.add_argument("out", metavar="OUT", type=Path)
    options = parser.parse_args()
    if not 0 < options.share < 1:
        parser.error(f"SHARE is between 0 and 1; got {options.share:g}.")
    with np.load(options.file, allow_pickle=False) as file:
        arrays: dict[str, NDArray[Any]] = {name: file[name] for name in ("images", "labels")}
    positive = arrays["labels"] == options.sought
    rows = kept(positive, options.share)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(options.out, images=arrays["images"][rows], positive=positive[rows])
    print(f"{options.out}: {len(rows)} items, {np.count_nonzero(positive[rows])} of them positive")


if __name__ == "__main__":
    main()
