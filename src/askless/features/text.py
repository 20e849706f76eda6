"""Texts by tf-idf and a truncated SVD, also known as latent semantic analysis.

Terms are words, pairs of words and character n-grams of 3 to 5 letters within words
(`askless.features._terms`). With tf the count of a term in a text, df the number of texts
that have it and n the number of texts:

    weight = (1 + log tf) * (1 + log((1 + n) / (1 + df))),   rows of length one for each kind

then the leading 300 singular directions. Terms that occur in one text alone say nothing about the
others and are left out. Document frequencies and directions are estimated from a random sample of
at most `SAMPLE` texts; the others are then projected block by block. Cost: O(letters), about 1 ms a
message. Not for texts whose meaning is in the order of words: a sentence model knows far more.
Tested in tests/features/test_text_and_table.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.errors import InvalidInput
from askless.features._terms import Hashes, Terms, runs, words, words_and_pairs
from askless.features.cache import FeatureCache, PartialWork, Rows
from askless.features.extractor import FeatureExtractor
from askless.features.reduction import principal_axes
from askless.seams import Pool, PoolKind

Floats = NDArray[np.float32]

COLUMNS: Final = 300
SAMPLE: Final = 10_000
_MOST_LETTERS: Final = 10_000_000  # in the sample
_MOST_TERMS: Final = 60_000
_ROWS: Final = 1000


class TfIdf(FeatureExtractor):
    """Words, pairs of words and runs of letters, weighted by rarity, reduced.

    Parameters
    ----------
    columns
        How many columns to keep at most.
    """

    kind: PoolKind = "texts"
    version = 2
    cost_ms = 1.0
    _terms: tuple[Terms, ...] = (words_and_pairs, runs)
    _sample = SAMPLE

    def __init__(self, *, columns: int = COLUMNS) -> None:
        if columns < 1:
            raise InvalidInput(f"A feature set has at least one column; got {columns}.")
        self.columns = columns

    def about(self) -> Mapping[str, Any]:
        """How many columns."""
        return {"columns": self.columns}

    def extract(self, pool: Pool, work: PartialWork, cache: FeatureCache) -> Rows:
        """The feature set, as blocks of rows."""
        n = len(pool)
        order = np.random.default_rng(0).permutation(n)[: self._sample]

        def study() -> list[NDArray[Any]]:
            texts, letters = list[str](), 0
            for item in order if n > self._sample else range(n):
                texts.append(read(pool, int(item)))
                letters += len(texts[-1])
                if letters > _MOST_LETTERS:
                    break
            return _study(texts, self._terms, self.columns)

        known = work.arrays("axes", study)
        work.tell(0.4)

        def some(start: int, stop: int) -> Floats:
            texts = [read(pool, item) for item in range(start, stop)]
            return _project(texts, self._terms, known)

        return work.blocks(n, some, since=0.4, rows=_ROWS)


class Words(TfIdf):
    """Single words alone, reduced to few columns: there at once, while better is being made.

    Parameters
    ----------
    columns
        How many columns to keep at most.
    """

    cost_ms = 0.1
    _terms: tuple[Terms, ...] = (words,)
    _sample = 4000

    def __init__(self, *, columns: int = 60) -> None:
        super().__init__(columns=columns)


def read(pool: Pool, item: int) -> str:
    """An item's text, or none if it cannot be read any more: others must not wait."""
    try:
        return pool.text(item)
    except (OSError, InvalidInput):
        return ""


def _study(texts: Sequence[str], kinds: Sequence[Terms], columns: int) -> list[NDArray[Any]]:
    """By kind the terms to go by and their rarity; then the principal axes."""
    from scipy import sparse

    found, weighed = list[NDArray[Any]](), list[Any]()
    for terms in kinds:
        rows, hashes = terms(texts)
        known, rarity = _vocabulary(rows, hashes, len(texts))
        found += [known, rarity]
        weighed.append(_weigh(rows, hashes, known, rarity, len(texts)))
    all_rows = sparse.hstack(weighed, format="csr") * np.float32(len(kinds) ** -0.5)
    if 0 in all_rows.shape:
        return [*found, np.zeros((all_rows.shape[1], 0), np.float32)]
    axes = principal_axes(all_rows, columns, np.random.default_rng(0))
    square = np.mean(np.sum(np.square(all_rows @ axes), axis=1))
    return [*found, np.asarray(axes / np.sqrt(max(float(square), 1e-30)), np.float32)]


def _project(texts: Sequence[str], kinds: Sequence[Terms], known: Sequence[NDArray[Any]]) -> Floats:
    from scipy import sparse

    weighed = []
    for at, terms in enumerate(kinds):
        rows, hashes = terms(texts)
        weighed.append(_weigh(rows, hashes, known[2 * at], known[2 * at + 1], len(texts)))
    all_rows = sparse.hstack(weighed, format="csr") * np.float32(len(kinds) ** -0.5)
    return np.asarray(all_rows @ known[-1], np.float32)


def _vocabulary(rows: NDArray[np.intp], hashes: Hashes, n: int) -> tuple[Hashes, Floats]:
    """The terms that more than one text has, the most common at most, in order; their rarity."""
    order = np.lexsort((rows, hashes))
    rows, hashes = rows[order], hashes[order]
    fresh = np.ones(len(hashes), np.bool_)  # where a text has a term for the first time
    fresh[1:] = (hashes[1:] != hashes[:-1]) | (rows[1:] != rows[:-1])
    known, texts = np.unique(hashes[fresh], return_counts=True)
    kept = np.flatnonzero(texts > 1)
    kept = np.sort(kept[np.argsort(-texts[kept], kind="stable")[:_MOST_TERMS]])
    rarity = 1 + np.log((1 + n) / (1 + texts[kept]))
    return known[kept], rarity.astype(np.float32)


def _weigh(rows: NDArray[np.intp], hashes: Hashes, known: Hashes, rarity: Floats, n: int) -> Any:
    """The weights of the known terms as a sparse matrix with rows of length one."""
    from scipy import sparse

    places = np.minimum(np.searchsorted(known, hashes), max(0, len(known) - 1))
    there = known[places] == hashes if len(known) else np.zeros(len(hashes), np.bool_)
    ones = np.ones(int(there.sum()), np.float32)
    counts = sparse.csr_matrix((ones, (rows[there], places[there])), shape=(n, len(known)))
    counts.sum_duplicates()
    counts.data = (1 + np.log(counts.data)) * rarity[counts.indices]
    length = np.sqrt(np.asarray(counts.multiply(counts).sum(1)).ravel())
    scale = sparse.diags(1 / np.maximum(length, 1e-30).astype(np.float32))
    return sparse.csr_matrix(scale @ counts, dtype=np.float32)
