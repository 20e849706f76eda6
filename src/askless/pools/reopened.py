"""A source that was opened before: the same items under the same numbers, whatever became of it.

A session numbers its items by the pool it began with. When its source is opened again, files may
have been renamed, changed, removed or added, and rows moved. Content decides: an item is found
again by its checksum, under its own name if several have it. What is not found keeps its
number, and asking to see it raises `InvalidInput` with the reason. What is new is named, and gets
the next numbers if it is to be added.
Tested in tests/pools/test_reopened.py.
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
        The items of before, in the order of before; then those that were added.
    missing
        The items that cannot be shown now, and why.
    changed
        Those of them under whose name there is something else now.
    renamed
        By item: what it is called now, where that is something else.
    new
        Ids of what was not there before; not of what has changed.
    """

    pool: OpenedPool
    missing: Mapping[int, str]
    changed: tuple[int, ...]
    renamed: Mapping[int, str]
    new: tuple[str, ...]


def as_before(
    pool: OpenedPool, ids: Sequence[str], checksums: Sequence[str], *, add: bool = False
) -> Reopened:
    """The pool as it was when it had these ids and checksums.

    Parameters
    ----------
    pool
        The same source, opened now.
    ids, checksums
        `OpenedPool.ids` and `OpenedPool.checksums` of before.
    add
        Whether to add what is new, and what is new under an old name, after the items of before;
        then items have the names they have now. Otherwise items keep their names.
    """
    if len(ids) != len(checksums):
        raise InvalidInput(
            f"Every id needs a checksum; got {len(ids)} ids and {len(checksums)} checksums."
        )
    if list(pool.ids) == list(ids) and list(pool.checksums) == list(checksums):
        return Reopened(pool, {}, (), {}, ())
    holders: dict[str, list[int]] = {}
    for item, checksum in enumerate(pool.checksums):
        holders.setdefault(checksum, []).append(item)
    names = {name: item for item, name in enumerate(pool.ids)}
    names |= {name: item for item, rest in pool.copies.items() for name in rest}
    now = np.full(len(ids), MISSING, np.intp)
    missing, changed, renamed = dict[int, str](), list[int](), dict[int, str]()
    for item, (name, checksum) in enumerate(zip(ids, checksums, strict=True)):
        found = holders.get(checksum, [])
        if names.get(name) in found:
            now[item] = names[name]
        elif found:
            now[item] = found[0]
            renamed[item] = pool.ids[found[0]]
        elif name in names:
            missing[item] = f"{name} has changed since the session began."
            changed.append(item)
        else:
            missing[item] = f"{name} is no longer there."
    old = set(now[now != MISSING].tolist())
    more = [item for item in range(len(pool)) if item not in old]
    other = {ids[item] for item in changed}
    new = tuple(pool.ids[item] for item in more if pool.ids[item] not in other)
    if add:
        now = np.append(now, np.array(more, np.intp))
        checksums = [*checksums, *(pool.checksums[item] for item in more)]
        ids = [renamed.get(item, name) for item, name in enumerate(ids)]
        ids += [pool.ids[item] for item in more]
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
    before.source_rows = pool.source_rows.with_items(_items_now(pool, ids, checksums, now))
    return Reopened(before, missing, tuple(changed), renamed, new)


def _items_now(
    pool: OpenedPool,
    ids: Sequence[str],
    checksums: Sequence[str],
    now: np.ndarray[tuple[int], np.dtype[np.intp]],
) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """By item of the source as it is: the item of before with its content."""
    by_content: dict[str, int] = {}
    for item, checksum in enumerate(checksums):
        by_content.setdefault(checksum, item)
    found = np.array([by_content.get(checksum, MISSING) for checksum in pool.checksums], np.intp)
    there = np.flatnonzero(now != MISSING)[::-1]  # of several the first
    found[now[there]] = there
    return found


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
