"""The laws of the `Pool` seam.

A pool is what its source makes it, so a law is given a function that opens one and the same
source again and again. The seed chooses which items are looked at.
Tested in tests/laws/test_pool_laws.py.
"""

from __future__ import annotations

import string
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from askless.checks._require import require, require_refusal
from askless.errors import InvalidInput
from askless.seams import Pool

OpenPool = Callable[[], Pool]

_require = partial(require, "pool")

_LOOKS = 8
"""How many items are shown."""


def pool_laws() -> tuple[Callable[[OpenPool, int], None], ...]:
    """Every law of the `Pool` seam."""
    return (
        says_one_thing_about_every_item,
        names_everything_once,
        asks_about_a_content_once,
        is_the_same_when_opened_again,
        shows_every_item_as_its_kind,
        keeps_what_it_gave,
        refuses_items_it_does_not_have,
    )


def says_one_thing_about_every_item(open_pool: OpenPool, seed: int) -> None:
    """One id, checksum, known label and, if any, probability an item, each legal."""
    pool = open_pool()
    n = len(pool)
    _require(pool.kind in ("images", "texts", "rows"), f"has the kind {pool.kind!r}")
    _require(len(pool.ids) == len(pool.checksums) == n, "has not one id and checksum an item")
    digits = set(string.hexdigits.lower())
    whole = all(len(checksum) == 64 and set(checksum) <= digits for checksum in pool.checksums)
    _require(whole, "has a checksum that is not 64 hexadecimal digits")
    _require(pool.known.shape == (n,), "does not say of every item what is known")
    _require(set(pool.known.tolist()) <= {-1, 0, 1}, "knows labels other than 1, 0 and -1")
    if pool.probs is not None:
        legal = pool.probs.shape == (n,) and np.all((pool.probs >= 0) & (pool.probs <= 1))
        _require(bool(legal), "has probabilities that are none")


def names_everything_once(open_pool: OpenPool, seed: int) -> None:
    """No id stands for two things, and each can be written down; reasons are sentences."""
    pool = open_pool()
    names = [*pool.ids, *(name for rest in pool.copies.values() for name in rest)]
    _require(len(set(names)) == len(names), "uses an id twice")
    _require(all(0 <= item < len(pool) for item in pool.copies), "has copies of no item")
    every = "".join([*names, *(left.id for left in pool.unreadable)])
    _require(every == every.encode(errors="replace").decode(), "has an id that is no Unicode")
    ended = all(left.reason.endswith((".", "?", ")")) for left in pool.unreadable)
    _require(ended, "leaves something out without a sentence that says why")


def asks_about_a_content_once(open_pool: OpenPool, seed: int) -> None:
    """Items with one checksum are one item, unless different labels are known of them."""
    pool = open_pool()
    seen: dict[str, int] = {}
    for checksum, known in zip(pool.checksums, pool.known.tolist(), strict=True):
        twice = checksum in seen and (known == seen[checksum] or -1 in (known, seen[checksum]))
        _require(not twice, "has two items with one checksum")
        seen[checksum] = known


def is_the_same_when_opened_again(open_pool: OpenPool, seed: int) -> None:
    """The same source gives the same items in the same order; showing them changes nothing."""
    one = open_pool()
    for item in _some(one, seed):
        _shown(one, item)
    other = open_pool()
    for name in ("kind", "ids", "checksums", "copies", "unreadable"):
        same = getattr(one, name) == getattr(other, name)
        _require(same, f"has other {name} when it is opened again")
    _require(np.array_equal(one.known, other.known), "knows other labels when opened again")
    same = (one.probs is None) == (other.probs is None)
    same = same and (one.probs is None or np.array_equal(one.probs, np.asarray(other.probs)))
    _require(same, "has other probabilities when it is opened again")
    for item in _some(one, seed):
        _require(_same(_shown(one, item), _shown(other, item)), "shows an item differently")


def shows_every_item_as_its_kind(open_pool: OpenPool, seed: int) -> None:
    """Pictures have three channels of bytes and shrink as asked; texts are there; columns fit."""
    pool = open_pool()
    for item in _some(pool, seed):
        if pool.kind == "images":
            full, small = pool.picture(item), pool.picture(item, 5)
            for picture in (full, small):
                legal = picture.dtype == np.uint8 and picture.ndim == 3 and picture.shape[2] == 3
                _require(legal and picture.size > 0, "shows something that is no picture")
            _require(max(small.shape[:2]) <= 5, "does not shrink a picture")
            _require(max(small.shape) <= max(5, *full.shape), "enlarges a picture")
            content, suffix = pool.original(item)
            _require(bool(content) and suffix.startswith("."), "gives no file for a picture")
        else:
            _require(bool(pool.text(item)), "shows an empty text")
    if pool.kind == "rows":
        columns = pool.columns()
        fits = bool(columns) and all(column.shape == (len(pool),) for column in columns.values())
        _require(fits, "has columns that are not as long as the pool")


def keeps_what_it_gave(open_pool: OpenPool, seed: int) -> None:
    """Whoever writes into a picture or a column writes into a copy."""
    pool = open_pool()
    item = _some(pool, seed)[0]
    if pool.kind == "images":
        before = pool.picture(item).copy()
        if (mine := pool.picture(item)).flags.writeable:
            mine[:] = 255 - mine
        _require(np.array_equal(before, pool.picture(item)), "lets its pictures be changed")
    if pool.kind == "rows":
        for name, mine in pool.columns().items():
            kept = mine.copy()
            if mine.flags.writeable:
                mine[:] = mine[::-1].copy()
            _require(_same(kept, pool.columns()[name]), "lets its columns be changed")


def refuses_items_it_does_not_have(open_pool: OpenPool, seed: int) -> None:
    """An index below 0 or beyond the last is `InvalidInput`."""
    pool = open_pool()
    for item in (-1, len(pool)):
        with require_refusal("pool", InvalidInput, f"shows an item {item}, which it does not have"):
            _shown(pool, item)


def _some(pool: Pool, seed: int) -> list[int]:
    """Some items to look at, all of them if they are few."""
    rng = np.random.default_rng(seed)
    return [int(item) for item in rng.permutation(len(pool))[:_LOOKS]]


def _shown(pool: Pool, item: int) -> NDArray[np.uint8] | str:
    return pool.picture(item, 32) if pool.kind == "images" else pool.text(item)


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray) and one.dtype.kind == "f":
        return np.array_equal(one, other, equal_nan=True)
    return np.array_equal(one, other) if isinstance(one, np.ndarray) else bool(one == other)
