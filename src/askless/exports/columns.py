"""What the columns are called that an export adds to those of its source.

One whose name the source uses is called ``askless_label`` and so on. Those of an earlier export are
known by their names, and by standing together in their order; they are replaced.
Imported by `askless.exports.contents` and `askless.exports.record`.
Tested in tests/exports/test_contents.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

ADDED: Final[Mapping[str, type]] = {"label": str, "certain": bool, "how": str, "probability": float}
"""The columns that every export adds, and the type of each; `guess` only on request."""


def own_places(names: Sequence[str]) -> list[int]:
    """The places of a source's columns that were not added by an earlier export.

    Parameters
    ----------
    names
        What the columns are called.
    """
    for added in ([*ADDED, "guess"], [*ADDED]):
        for first in range(len(names) - len(added) + 1):
            if added[0] not in names[first]:
                continue
            end = first + len(added)
            own = [*names[:first], *names[end:]]
            if [free_name(name, own) for name in added] == list(names[first:end]):
                return [*range(first), *range(end, len(names))]
    return list(range(len(names)))


def free_name(name: str, taken: Sequence[str]) -> str:
    """The name, or one like it that no column of the source has, with or without blanks."""
    found, number = name, 1
    names = [own.strip() for own in taken]
    while found in names:
        found = f"askless_{name}" if number == 1 else f"askless_{name}_{number}"
        number += 1
    return found
