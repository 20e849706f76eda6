"""A pool whose labels are known, for simulations.

Either an ``.npz`` file with two arrays of one length, ``probs``, P(label is True) for
every item, and ``positive``, whether it is True: enough to plan, nothing to learn from. Or a
pool of pictures, texts or rows that knows all its labels, with probabilities or without.
Files are read without pickle, so that one from a stranger can hold nothing but numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from askless.core.probability import Probs
from askless.doors import shown
from askless.errors import InvalidInput
from askless.files.npz import read_arrays
from askless.seams import Pool


@dataclass(frozen=True, eq=False, slots=True)
class KnownPool:
    """Probabilities and the truth, item by item.

    Parameters
    ----------
    probs
        P(label is True) for every item; at least one. One half each if nobody has said.
    labels
        The right label of every item.
    things
        What the items are, to learn from; None if there are only probabilities.
    told
        Whether the probabilities came with the pool.
    """

    probs: Probs
    labels: NDArray[np.bool_]
    things: Pool | None = None
    told: bool = True

    def __post_init__(self) -> None:
        labels = as_labels(self.labels)
        object.__setattr__(self, "labels", labels)
        if len(labels) != len(self.probs.values):
            raise InvalidInput(
                "A pool needs one probability and one label per item; "
                f"got {len(self.probs.values)} probabilities and {len(labels)} labels."
            )
        if not len(labels):
            raise InvalidInput("A pool needs at least one item; got none.")

    def __len__(self) -> int:
        return len(self.labels)


def known_pool(pool: Pool) -> KnownPool:
    """A pool whose source knows every label.

    Exact duplicates are one item, unless the source claims both labels of them: such
    stay two items and are asked separately, so that every claim comes out as it was made.

    Parameters
    ----------
    pool
        From `askless.pools.open_pool`.
    """
    missing = np.flatnonzero(pool.known < 0)
    if len(missing):
        raise InvalidInput(
            "To simulate, the right label of every item must be known; "
            f"{len(missing):,} of {len(pool):,} have none, the first of them "
            f"{pool.ids[missing[0]]!r}. If they stand in another column or array, name it (label=, "
            "on the command line --label)."
        )
    told = pool.probs is not None
    probs = pool.probs if pool.probs is not None else np.full(len(pool), 0.5)
    return KnownPool(Probs(probs), pool.known == 1, pool, told)


def read_known_pool(path: str | Path) -> KnownPool:
    """The pool kept in an ``.npz`` file; `InvalidInput` names the file and what is amiss.

    Parameters
    ----------
    path
        An ``.npz`` file with the arrays ``probs`` and ``positive``.
    """
    path = Path(path)
    arrays = read_arrays(path, ("probs", "positive"))
    try:
        return KnownPool(as_probs(arrays["probs"]), as_labels(arrays["positive"]))
    except InvalidInput as error:
        raise InvalidInput(f"{path}: {error}") from error


def as_probs(values: ArrayLike) -> Probs:
    """Numbers between 0 and 1 as a new version of probs."""
    numbers = np.asarray(values)
    if numbers.dtype.kind not in "biuf":
        raise InvalidInput(f"Probs are numbers between 0 and 1; got type {numbers.dtype}.")
    return Probs(numbers.astype(np.float64))


def as_labels(labels: ArrayLike) -> NDArray[np.bool_]:
    """The right labels as a fresh read-only array of booleans; 0 and 1 are welcome."""
    try:
        values = np.asarray(labels)
    except Exception as error:  # whatever holds them says so in its own way
        raise InvalidInput(f"Labels are True or False; got {shown(labels)}.") from error
    if values.ndim != 1:
        raise InvalidInput(f"Labels come one per item, in one row; got shape {values.shape}.")
    if values.dtype != np.bool_:
        if values.dtype.kind not in "iuf":
            raise InvalidInput(f"Labels are True or False, or 1 or 0; got type {values.dtype}.")
        strange = values[(values != 0) & (values != 1)]
        if strange.size:
            raise InvalidInput(f"Labels are True or False, or 1 or 0; got {strange[0]}.")
    fresh = np.array(values, dtype=np.bool_)
    fresh.flags.writeable = False
    return fresh
