"""Texts by tf-idf and a truncated SVD, also known as latent semantic analysis.

Terms are words, pairs of words and character n-grams of 3 to 5 letters within words. A term becomes
a 64-bit hash, so no dictionary of terms has to be built in Python; the chance that any two of a
million terms collide is below one in ten million. In words, every digit is replaced by 0, so that
one number teaches about others. With tf the count of a term in a text, df the number of texts
that have it and n the number of texts:

    weight = (1 + log tf) * (1 + log((1 + n) / (1 + df))),   rows of length one for each kind

then the leading 300 singular directions. Terms that occur in one text alone say nothing about the
others and are left out. Document frequencies and directions are estimated from a random sample of
at most `SAMPLE` texts; the others are then projected block by block. Cost: O(letters), about 1 ms a
message. Not for texts whose meaning is in the order of words: a sentence model knows far more.
Tested in tests/features/test_text_and_table.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from askless.errors import InvalidInput
from askless.features.cache import FeatureCache, PartialWork, Rows
from askless.features.extractor import Count, FeatureExtractor
from askless.features.reduction import principal_axes
from askless.seams import Pool

Floats = NDArray[np.float32]
Hashes = NDArray[np.uint64]
Found = tuple[NDArray[np.intp], Hashes]
"""The text each term is in, and the term."""
Terms = Callable[[Sequence[str]], Found]

SAMPLE: Final = 10_000
_MOST_LETTERS: Final = 10_000_000  # in the sample
_MOST_TERMS: Final = 60_000
_ROWS: Final = 1000
_WORD: Final = re.compile(r"\w+|[^\w\s]+")
_DIGIT: Final = re.compile(r"\d")
_LETTERS: Final = (3, 4, 5)
_ODD: Final = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F], np.uint64)
_LONGEST: Final = 20_000  # letters of a text that are read


def words(texts: Sequence[str]) -> tuple[NDArray[np.intp], Hashes]:
    """Single words, and marks."""
    found = [_WORD.findall(_DIGIT.sub("0", text[:_LONGEST].lower())) for text in texts]
    rows = np.repeat(np.arange(len(found)), [len(some) for some in found])
    return rows, np.array([_hash(word) for some in found for word in some], np.uint64)


def words_and_pairs(texts: Sequence[str]) -> tuple[NDArray[np.intp], Hashes]:
    """Single words, and every two that follow each other."""
    rows, single = words(texts)
    pairs = single[:-1] * _ODD[0] + single[1:] * _ODD[1]
    together = rows[:-1] == rows[1:]
    return np.concatenate([rows, rows[1:][together]]), np.concatenate([single, pairs[together]])


def runs(texts: Sequence[str]) -> tuple[NDArray[np.intp], Hashes]:
    """Runs of 3 to 5 letters within words, the space before and after a word included."""
    edged = [f" {' '.join(text[:_LONGEST].lower().split())} " for text in texts]
    letters = np.frombuffer("".join(edged).encode("utf-32-le", "replace"), np.uint32)
    rows = np.repeat(np.arange(len(edged)), [len(text) for text in edged])
    spaces = np.concatenate([[0], np.cumsum(letters == ord(" "))])
    found_rows, found = list[NDArray[np.intp]](), list[Hashes]()
    for size in _LETTERS:
        count = max(0, len(letters) - size + 1)
        inside = spaces[size - 1 : size - 1 + count] - spaces[1 : 1 + count]
        within = np.flatnonzero(inside == 0)  # no space but at the ends
        hashed = np.full(len(within), size, np.uint64)
        for at in range(size):
            hashed = (hashed * _ODD[0] + letters[within + at]) ^ (hashed >> np.uint64(29))
        found_rows.append(rows[within])
        found.append(hashed)
    return np.concatenate(found_rows), np.concatenate(found)


@lru_cache(maxsize=1 << 18)
def _hash(word: str) -> int:
    digest = blake2b(word.encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


@dataclass(kw_only=True)
class TfIdf(FeatureExtractor):
    """Words, pairs of words and runs of letters, weighted by rarity, reduced.

    Parameters
    ----------
    columns
        How many columns to keep at most.
    """

    columns: Count = 300

    kind = "texts"
    version = 2
    cost_ms = 1.0
    _terms: ClassVar[tuple[Terms, ...]] = (words_and_pairs, runs)
    _sample = SAMPLE

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


@dataclass(kw_only=True)
class Words(TfIdf):
    """Single words alone, reduced to few columns: there at once, while better is being made.

    Parameters
    ----------
    columns
        How many columns to keep at most.
    """

    columns: Count = 60

    cost_ms = 0.1
    _terms = (words,)
    _sample = 4000


def read(pool: Pool, item: int) -> str:
    """An item's text, or none if it cannot be read any more: others must not wait."""
    try:
        return pool.text(item)
    except (OSError, InvalidInput):
        return ""


def _study(texts: Sequence[str], kinds: Sequence[Terms], columns: int) -> list[NDArray[Any]]:
    """By kind the terms to go by and their rarity; then the principal axes."""
    terms = [kind(texts) for kind in kinds]
    known = [part for some in terms for part in _vocabulary(*some, len(texts))]
    weights = _weigh(terms, known, len(texts))
    if 0 in weights.shape:
        return [*known, np.zeros((weights.shape[1], 0), np.float32)]
    axes = principal_axes(weights, columns, np.random.default_rng(0))
    square = np.mean(np.sum(np.square(weights @ axes), axis=1))
    return [*known, np.asarray(axes / np.sqrt(max(float(square), 1e-30)), np.float32)]


def _project(texts: Sequence[str], kinds: Sequence[Terms], known: Sequence[NDArray[Any]]) -> Floats:
    terms = [kind(texts) for kind in kinds]
    return np.asarray(_weigh(terms, known, len(texts)) @ known[-1], np.float32)


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


def _weigh(terms: Sequence[Found], known: Sequence[NDArray[Any]], n: int) -> Any:
    """The weights of all known terms as a sparse matrix, every kind of term with an equal share."""
    from scipy import sparse

    parts = [
        _weigh_kind(*some, known[2 * at], known[2 * at + 1], n) for at, some in enumerate(terms)
    ]
    return sparse.hstack(parts, format="csr") * np.float32(len(terms) ** -0.5)


def _weigh_kind(
    rows: NDArray[np.intp], hashes: Hashes, known: Hashes, rarity: Floats, n: int
) -> Any:
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
