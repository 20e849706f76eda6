"""The pools: any labelled file, its features and kernels made once and kept.

Images are an ``.npz`` with ``images`` and ``positive`` (or ``labels`` from 0 to 9, of which
those above 4 are positive, as in the paper), tables an ``.npz`` with ``x`` and ``y`` or
``positive``, texts a ``.csv`` with ``label,text``. A predictor's probabilities for a file are taken
from a file of the same name in the folder ``predictions`` beside its own.

A folder is a pool whose features were made elsewhere: ``labels.npy``, an ``.npy`` file for every
feature set, and ``prior.npy`` if there are probabilities.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.assemble import load_pool
from askless.features import default_features, make_features
from askless.files import write_whole
from askless.files.arrays import open_array, write_array
from askless.lab.known_pool import KnownPool
from askless.predictors.kernel_basis import VERSION, kernel_basis

CACHE: Final = Path(__file__).parents[2] / "build" / "scratch"
USUAL: Final = "usual"


@dataclass(frozen=True, eq=False, slots=True)
class ScratchPool:
    """A pool ready to be learnt from: kernel columns, their blocks, the right labels, a prior."""

    columns: NDArray[Any]
    blocks: tuple[tuple[str, int], ...]
    labels: NDArray[np.bool_]
    prior: NDArray[np.float64] | None


def load(path: Path, sets: str = USUAL) -> ScratchPool:
    """The pool at `path`; the first time its features and kernels are made, which takes minutes.

    Parameters
    ----------
    path
        A file or a folder.
    sets
        Names of feature sets with commas between, or ``usual`` for the default.
    """
    CACHE.mkdir(parents=True, exist_ok=True)
    key = _key(path, sets)
    columns, note = CACHE / f"{key}.npy", CACHE / f"{key}.json"
    known = None if path.is_dir() else known_pool(path)
    if not note.exists():
        basis = kernel_basis(_sets(path, known, sets))
        write_array(columns, basis.columns)
        note.write_text(json.dumps(basis.blocks))
    blocks = tuple((str(name), int(width)) for name, width in json.loads(note.read_text()))
    labels = np.load(path / "labels.npy").astype(bool) if known is None else known.labels
    return ScratchPool(np.array(open_array(columns, check=False)), blocks, labels, prior_of(path))


def set_names(path: Path, sets: str = USUAL) -> str:
    """The names of the feature sets: what is usual depends on the pool and what is installed."""
    if sets != USUAL:
        return sets
    if path.is_dir():
        return ",".join(_in_folder(path))
    things = known_pool(path).things
    return sets if things is None else ",".join(default_features(things.kind))


def _in_folder(path: Path) -> list[str]:
    files = sorted(path.glob("*.npy"))
    return [file.stem for file in files if file.stem not in ("labels", "prior")]


def _key(path: Path, sets: str) -> str:
    """Another one if what the kernels are made of has changed."""
    made_of = [path]
    if path.is_dir():
        made_of = [path / f"{name}.npy" for name in sets.split(",")] if sets != USUAL else [path]
    stamps = [f"{file.resolve()} {file.stat().st_mtime_ns}" for file in made_of]
    return hashlib.sha256(" ".join([*stamps, sets, str(VERSION)]).encode()).hexdigest()[:16]


def _sets(path: Path, known: KnownPool | None, sets: str) -> dict[str, NDArray[np.float32]]:
    names = None if sets == USUAL else sets.split(",")
    if known is None:
        found = names or _in_folder(path)
        return {name: np.load(path / f"{name}.npy").astype(np.float32) for name in found}
    if known.things is None:
        raise SystemExit(f"{path} has nothing to learn from; it needs images, x or texts.")
    return make_features(known.things, names, cache=CACHE / "features")


def known_pool(path: Path) -> KnownPool:
    """The pool in a file, with the right labels."""
    if path.suffix == ".csv":
        return load_pool(path, text="text", label="label", true="1")
    with np.load(path, allow_pickle=False) as file:
        arrays = dict(file)
    if "positive" in arrays:
        return load_pool(path)
    positive = arrays["y"].astype(bool) if "y" in arrays else arrays["labels"] > 4
    same = {name: arrays[name] for name in ("images", "x") if name in arrays}
    CACHE.mkdir(parents=True, exist_ok=True)
    plain = CACHE / f"{path.stem}.npz"
    write_whole(plain, lambda file: np.savez(file, positive=positive, **same))  # several at once
    return load_pool(plain)


def prior_of(path: Path) -> NDArray[np.float64] | None:
    """The probabilities given for the pool, if there are any."""
    if path.is_dir():
        file = path / "prior.npy"
        return np.load(file).astype(np.float64) if file.exists() else None
    file = path.parent.parent / "predictions" / path.name
    if not file.exists() or path.suffix != ".npz":
        return None
    with np.load(file, allow_pickle=False) as arrays:
        return np.asarray(arrays["probs"], np.float64)
