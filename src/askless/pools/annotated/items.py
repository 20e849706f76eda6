"""Items with their labels, as a table: what every reader here makes.

Imported by the readers of `askless.pools.annotated`; tested in
tests/pools/annotated/test_reading.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from askless.errors import InvalidInput
from askless.pools._read_table import Table, is_text, names_in, on_one_line
from askless.pools.source_rows import NO_ROLES, Roles

Values = tuple[str, ...]
"""What one person says of an item: the values they chose."""


@dataclass(slots=True)
class Item:
    """One item of a tool's file.

    Parameters
    ----------
    own
        What the tool has of it, by name, as it is there.
    said
        By question: what each person answered.
    """

    own: dict[str, Any]
    said: dict[str, list[Values]] = field(default_factory=dict)

    def answer(self, question: str, values: Iterable[Any]) -> None:
        """Note what somebody answered; an answer without a value is none."""
        found = tuple(dict.fromkeys(filter(None, map(word, values))))
        if found:
            self.said.setdefault(question, []).append(found)


def items_table(
    items: Sequence[Item],
    roles: Roles = NO_ROLES,
    shown: Mapping[str, Sequence[Any]] | None = None,
) -> Table:
    """The table of these items; columns of labels stand behind their own.

    Parameters
    ----------
    items
        In the order of the file.
    roles
        What its columns are for, as far as the file tells.
    shown
        Columns whose values are to be shown otherwise than they stand in the file.
    """
    if not items:
        raise InvalidInput("The file has no items in it.")
    names = names_in([item.own for item in items])
    questions = names_in([item.said for item in items])
    for name in [*names, *questions]:
        if not name.strip() or not is_text(name):
            raise InvalidInput(f"Every value has a name, as text; got {name!r:.60}.")
    both = [name for name in questions if name in names]
    called = {name: f"{name} (label)" if name in both else name for name in questions}
    columns: dict[str, Sequence[Any]] = {
        name: [on_one_line(item.own.get(name)) for item in items] for name in names
    }
    columns |= shown or {}
    columns |= {called[name]: [agreed(item.said.get(name, ())) for item in items]
                for name in questions}  # fmt: skip
    own = [[item.own.get(name) for name in names] for item in items]
    return Table(
        columns, range(1, len(items) + 1), partial(iter, own), header=names,
        labels=tuple(called.values()), roles=roles,
    )  # fmt: skip


def records_table(records: Sequence[Mapping[str, Any]]) -> Table:
    """A table of plain records."""
    table = items_table([Item(dict(record)) for record in records])
    if not table.columns:
        raise InvalidInput("A record has values by the names of columns; all of these are empty.")
    return table


def agreed(said: Sequence[Values]) -> str | list[str] | None:
    """What everybody who answered says alike: a value, or several; None if they differ."""
    if len({frozenset(one) for one in said}) != 1:
        return None
    return said[0][0] if len(said[0]) == 1 else list(said[0])


def word(value: Any) -> str:
    """A value as a word; nothing if it is not one."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return str(value).lower() if isinstance(value, bool) else ""
    return str(value).strip()
