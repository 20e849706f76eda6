"""The pools: any labelled file, its features and kernel made once and kept.

Images are an ``.npz`` with ``images`` and ``positive`` (or ``labels`` from 0 to 9, of which
those above 4 are positive, as in the paper), tables an ``.npz`` with ``x`` and ``y``
or ``positive``, texts a ``.csv`` with ``label,text``.
"""

from __future__ import annotations

import csv
import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.features.arrays import open_array, write_array
from askless.features.images import image_features
from askless.features.table import table_features
from askless.features.text import text_features
from askless.predictors.kernel_basis import kernel_basis

CACHE: Final = Path(__file__).parents[2] / "build" / "scratch"


@dataclass(frozen=True, eq=False, slots=True)
class ScratchPool:
    """A pool ready to be learnt from: kernel columns, their blocks, and the right labels."""

    columns: NDArray[Any]
    blocks: tuple[tuple[str, int], ...]
    labels: NDArray[np.bool_]


def load(path: Path) -> ScratchPool:
    """The pool in the file; the first time its features are made, which takes minutes."""
    key = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    CACHE.mkdir(parents=True, exist_ok=True)
    columns, blocks = CACHE / f"{key}.npy", CACHE / f"{key}.blocks"
    features, labels = _read(path)
    if not (columns.exists() and blocks.exists()):
        basis = kernel_basis(features())
        write_array(columns, basis.columns)
        blocks.write_text("\n".join(f"{name} {width}" for name, width in basis.blocks))
    pairs = [line.split() for line in blocks.read_text().splitlines()]
    return ScratchPool(
        np.array(open_array(columns)), tuple((name, int(width)) for name, width in pairs), labels
    )


def _read(path: Path) -> tuple[Any, NDArray[np.bool_]]:
    """What makes the features, and the labels."""
    if path.suffix == ".csv":
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        return lambda: text_features([row["text"] for row in rows]), np.array(
            [row["label"] == "1" for row in rows]
        )
    with np.load(path, allow_pickle=False) as file:
        arrays = dict(file)
    if "positive" in arrays:
        labels = arrays["positive"].astype(bool)
    else:
        labels = arrays["y"].astype(bool) if "y" in arrays else arrays["labels"] > 4
    if "images" in arrays:
        return lambda: image_features(arrays["images"]), labels
    return lambda: table_features(arrays["x"]), labels
