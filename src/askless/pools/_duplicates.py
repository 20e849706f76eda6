"""Which things are the same, so that a person is asked once.

Tested in tests/pools/test_table.py.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def merged(
    checksums: Sequence[str], known: NDArray[np.int8], ids: Sequence[str]
) -> tuple[NDArray[np.intp], NDArray[np.int8], dict[int, tuple[str, ...]], NDArray[np.intp]]:
    """The places to keep, the labels known of them, by item the ids of the rest; items by place.

    Things with one checksum are one item, unless both labels are claimed of them: then
    those claimed True are one item and those claimed False another, and the unclaimed go with
    whichever comes first.
    """
    said: list[int] = known.tolist()
    groups: dict[str, list[int]] = {}
    for place, checksum in enumerate(checksums):
        groups.setdefault(checksum, []).append(place)
    firsts: list[tuple[int, int, list[int]]] = []
    for places in groups.values():
        if len(places) == 1:
            firsts.append((places[0], said[places[0]], []))
            continue
        claims = sorted({said[place] for place in places} - {-1})
        if len(claims) < 2:
            firsts.append((places[0], claims[0] if claims else -1, places[1:]))
            continue
        first = next(said[place] for place in places if said[place] != -1)
        for claim in claims:
            own = [p for p in places if said[p] == claim or (said[p] == -1 and claim == first)]
            firsts.append((own[0], claim, own[1:]))
    firsts.sort()
    keep = np.array([first for first, _, _ in firsts], np.intp)
    labels = np.array([label for _, label, _ in firsts], np.int8)
    copies = {
        item: tuple(ids[place] for place in rest)
        for item, (_, _, rest) in enumerate(firsts)
        if rest
    }
    items = np.empty(len(checksums), np.intp)
    items[keep] = np.arange(len(keep))
    for item, (_, _, rest) in enumerate(firsts):
        items[rest] = item
    return keep, labels, copies, items


def unique_ids(ids: Sequence[str]) -> list[str]:
    """The same ids; one that came before gets a number behind it."""
    taken: set[str] = set()
    given = set(ids)
    if len(given) == len(ids):
        return list(ids)
    unique = []
    for name in ids:
        candidate, number = name, 1
        while candidate in taken or (number > 1 and candidate in given):
            number += 1
            candidate = f"{name} ({number})"
        taken.add(candidate)
        unique.append(candidate)
    return unique
