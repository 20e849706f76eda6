"""Items drawn uniformly at random, so that anybody can draw them again.

Check number `position` of a claim with m items left takes its numbers from SHA-256 of

    SEED/POSITION/M/BLOCK        in ASCII; BLOCK = 0, 1, 2, ...

four of 64 bits from each digest, most significant byte first. A number of m equally likely values
is a 64-bit number modulo m, unless that lies in the last, incomplete run of m: then the next is
taken. Items change places as in the first steps of a Fisher-Yates shuffle, of which only the places
touched are kept: O(g). The draw does not depend on any version of any library, and a larger draw
begins with the smaller one. Tested in tests/core/test_draw.py.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from askless.errors import InvalidInput

_RANGE = 2**64


def draw(seed: str, position: int, items: NDArray[np.integer], size: int) -> NDArray[np.int64]:
    """`size` of the items, each set of as many equally likely, in the order drawn.

    Parameters
    ----------
    seed
        Of the claim: hexadecimal digits from the operating system's entropy, used for nothing else.
    position
        Which check of the claim it is.
    items
        What is left of the claim, ascending.
    size
        How many to draw.
    """
    m = len(items)
    if not 0 <= size <= m:
        raise InvalidInput(f"A draw takes 0 to {m} of {m} items; got {size}.")
    numbers = _numbers(f"{seed}/{position}/{m}/")
    moved: dict[int, int] = {}  # place -> what a full shuffle would have there by now
    drawn = np.empty(size, np.int64)
    for at in range(size):
        other = at + _below(m - at, numbers)
        drawn[at] = moved.get(other, other)
        moved[other] = moved.pop(at, at)
    return np.asarray(items, np.int64)[drawn]


def _below(limit: int, numbers: Iterator[int]) -> int:
    """The next number below `limit`, each equally likely."""
    complete = _RANGE - _RANGE % limit
    return next(number for number in numbers if number < complete) % limit


def _numbers(prefix: str) -> Iterator[int]:
    block = 0
    while True:
        digest = hashlib.sha256(f"{prefix}{block}".encode("ascii")).digest()
        for start in range(0, 32, 8):
            yield int.from_bytes(digest[start : start + 8], "big")
        block += 1
