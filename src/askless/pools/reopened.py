"""A source that was opened before: the same items in the same order, whatever became of it.

A session numbers its items by the pool it began with. When its source is opened again, files may
have been renamed, changed, removed or added, and rows moved. Content decides: an item is found
again by its checksum, under its own name if several have it. What is not found keeps its
number, and asking to see it raises `InvalidInput` with the reason. What is new is only named.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from askless.errors import InvalidInput
from askless.pools.pool import MISSING, OpenedPool


@dataclass(frozen=True, eq=False, slots=True)
class Reopened:
    """What `as_before` found.

    Parameters
    ----------
    pool
        The items of before, in the order of before.
    missing
        The items that cannot be shown now, and why.
    new
        Ids of what was not there before; they are not in the pool.
    """

    pool: OpenedPool
    missing: Mapping[int, str]
    new: tuple[str, ...]


def as_before(pool: OpenedPool, ids: Sequence[str], checksums: Sequence[str]) -> Reopened:
    """The pool as it was when it had these ids and checksums.

    Parameters
    ----------
    pool
        The same source, opened now.
    ids, checksums
        `OpenedPool.ids` and `OpenedPool.checksums` of before.
    """
    if len(ids) != len(checksums):
        raise InvalidInput(
            f"Every id needs a checksum; got {len(ids)} ids and {len(checksums)} checksums."
        )
    holders: dict[str, list[int]] = {}
    for item, checksum in enumerate(pool.checksums):
        holders.setdefault(checksum, []).append(item)
    names = {name: item for item, name in enumerate(pool.ids)}
    names |= {name: item for item, rest in pool.copies.items() for name in rest}
    now = np.full(len(ids), MISSING, np.intp)
    missing: dict[int, str] = {}
    for item, (name, checksum) in enumerate(zip(ids, checksums, strict=True)):
        found = holders.get(checksum, [])
        if names.get(name) in found:
            now[item] = names[name]
        elif found:
            now[item] = found[0]
        elif name in names:
            missing[item] = f"{name} has changed since the session began."
        else:
            missing[item] = f"{name} is no longer there."
    there = now != MISSING
    known = np.where(there, pool.known[now], -1).astype(np.int8)
    before = replace(
        pool,
        ids=tuple(ids),
        checksums=tuple(checksums),
        copies=_copies(pool, ids, now),
        known=known,
        probs=None if pool.probs is None else np.where(there, pool.probs[now], 0.5),
        places=np.where(there, pool.places[now], MISSING),
        missing=missing,
    )
    old = set(now[there].tolist())
    changed = {ids[item] for item in missing}
    new = tuple(
        name for item, name in enumerate(pool.ids) if item not in old and name not in changed
    )
    return Reopened(before, missing, new)


def _copies(
    pool: OpenedPool, ids: Sequence[str], now: np.ndarray[tuple[int], np.dtype[np.intp]]
) -> dict[int, tuple[str, ...]]:
    """By item of before: what else has its content now, and is no item itself."""
    taken = set(ids)
    found = {}
    for item, place in enumerate(now.tolist()):
        if place == MISSING:
            continue
        rest = (pool.ids[place], *pool.copies.get(place, ()))
        others = tuple(name for name in rest if name not in taken)
        taken.update(others)
        if others:
            found[item] = others
    return found
