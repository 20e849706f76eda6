"""The features of texts: which words and letters they have, weighted by how rare these are.

Terms are words, pairs of words (digits all written 0, so that one number teaches about
others) and runs of 3 to 5 letters within words. With tf the count of a term in a text and df the
number of texts that have it:

    weight = (1 + log tf) * (1 + log((1 + n) / (1 + df))),   rows of length one for each kind

then the leading 300 principal axes, uncentred. Terms in one text only tell nothing about
the others and are left out. Cost: O(letters), about 1 ms a message. Not for texts whose
meaning is in the order of words: there a sentence model knows far more.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.errors import InvalidInput
from askless.features.reduction import principal_axes, side_by_side
from askless.features.shelf import Bench, Rows, Shelf
from askless.seams import Pool, PoolKind

COLUMNS: Final = 300
_MOST_TERMS: Final = 200_000
_WORD: Final = re.compile(r"\w+|[^\w\s]+")
_LETTERS: Final = (3, 4, 5)


class TfIdf:
    """Words, pairs of words and runs of letters, weighted by rarity, reduced.

    Parameters
    ----------
    columns
        How many columns to keep at most.
    """

    kind: PoolKind = "texts"
    version = 1
    cost_ms = 1.0

    def __init__(self, *, columns: int = COLUMNS) -> None:
        if columns < 1:
            raise InvalidInput(f"A feature set has at least one column; got {columns}.")
        self.columns = columns

    def lacks(self) -> None:
        """It lacks nothing."""

    def quick(self) -> bool:
        """It is."""
        return True

    def about(self) -> Mapping[str, Any]:
        """How many columns."""
        return {"columns": self.columns}

    def make(self, pool: Pool, bench: Bench, shelf: Shelf) -> Rows:
        """The feature set, in one piece: what is rare is known only when all texts are."""
        return [text_features([read(pool, item) for item in range(len(pool))], self.columns)]


def read(pool: Pool, item: int) -> str:
    """An item's text, or none if it cannot be read any more: others must not wait."""
    try:
        return pool.text(item)
    except (OSError, InvalidInput):
        return ""


def text_features(
    texts: Sequence[str], columns: int = COLUMNS, *, seed: int = 0
) -> NDArray[np.float32]:
    """The features of a pool of texts, shape (n, at most `columns`).

    Parameters
    ----------
    texts
        One text an item; an empty one gets zeros.
    columns
        How many columns to keep at most.
    seed
        Fixes the start of the iteration that finds the axes.
    """
    from scipy import sparse

    kinds = [_weighted([Counter(terms(text)) for text in texts]) for terms in (_words, _runs)]
    rows = sparse.hstack(kinds, format="csr") * np.float32(np.sqrt(0.5))
    if 0 in rows.shape:
        return np.zeros((len(texts), 0), np.float32)
    axes = principal_axes(rows, columns, np.random.default_rng(seed))
    return side_by_side([rows @ axes])


def _words(text: str) -> Iterable[str]:
    words = _WORD.findall(re.sub(r"\d", "0", text.lower()))
    yield from words
    yield from map(" ".join, pairwise(words))


def _runs(text: str) -> Iterable[str]:
    for word in text.lower().split():
        edged = f" {word} "
        for size in _LETTERS:
            for start in range(max(1, len(edged) - size + 1)):
                yield edged[start : start + size]


def _weighted(counts: Sequence[Counter[str]]) -> Any:
    """The weights of the terms as a sparse matrix with rows of length one."""
    from scipy import sparse

    found = Counter[str]()
    for count in counts:
        found.update(count.keys())
    common = sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))[:_MOST_TERMS]
    place = {term: at for at, (term, texts) in enumerate(common) if texts > 1}
    rarity = 1 + np.log((1 + len(counts)) / (1 + np.array([t for _, t in common if t > 1])))
    rows, places, weights = list[int](), list[int](), list[float]()
    for row, count in enumerate(counts):
        kept = [(place[term], times) for term, times in count.items() if term in place]
        where = np.array([at for at, _ in kept], dtype=np.intp)
        weight = (1 + np.log([times for _, times in kept])) * rarity[where]
        rows += [row] * len(kept)
        places += where.tolist()
        weights += (weight / max(float(np.linalg.norm(weight)), 1e-30)).tolist()
    shape = (len(counts), len(place))
    return sparse.csr_matrix((np.array(weights, np.float32), (rows, places)), shape=shape)
