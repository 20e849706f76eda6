"""The terms of texts as hashes: words, pairs of words, and character n-grams.

A term becomes a 64-bit hash, so no dictionary of terms has to be built in Python. The chance that
any two of a million terms collide is below one in ten million. In words, every digit is replaced by
0, so that one number teaches about others. Cost: some 0.1 ms a message.
Tested in tests/features/test_text_and_table.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Final

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]
Terms = Callable[[Sequence[str]], tuple[NDArray[np.intp], Hashes]]
"""Gives the text each term is in, and the term."""

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
