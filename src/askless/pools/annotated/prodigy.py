"""Examples of Prodigy: JSON lines, each with an ``answer``.

A binary example names a ``label``: accepted it is that label, rejected ``not LABEL``. One with
``options`` has its choices in ``accept``. Without either, it is accept or reject itself. Ignored
examples have no label, and neither have rejected choices, which say that the example is no good.
Imported by `askless.pools.opening`; tested in tests/pools/annotated/test_reading.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from askless.pools._read_table import Table
from askless.pools.annotated.items import Item, items_table

_ANSWERS: Final = ("accept", "reject", "ignore")
_SAID: Final = ("label", "answer", "accept")


def as_examples(table: Table) -> Table:
    """A table of JSON lines as examples with labels, if that is what it is; else as it is."""
    names = tuple(table.columns)
    if "answer" not in names or not {"_task_hash", "label", "accept"} & set(names):
        return table
    if not set(table.columns["answer"]) <= set(_ANSWERS):
        return table
    items = []
    for row in table.read():
        example = dict(zip(names, row, strict=True))
        own = {name: value for name, value in example.items() if name not in _SAID}
        item = Item(own)
        item.answer("label", _values(example))
        items.append(item)
    if not items:
        return table
    found = items_table(items)
    return replace(found, numbers=table.numbers, unreadable=table.unreadable)


def _values(example: Mapping[str, Any]) -> list[Any]:
    answer, chosen, label = (example.get(name) for name in ("answer", "accept", "label"))
    if answer == "ignore":
        return []
    if isinstance(chosen, list):
        return chosen if answer == "accept" else []
    if isinstance(label, str) and label.strip():
        return [label if answer == "accept" else f"not {label.strip()}"]
    return [answer]
