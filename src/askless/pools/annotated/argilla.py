"""Records of Argilla, as ``dataset.records.to_json`` and ``dataset.to_disk`` write them.

A record has ``fields``, which are shown, ``metadata``, here in columns ``metadata.NAME``, and
``responses``: by question, what each person answered. Drafts and discarded responses are no labels,
and neither are suggestions.
Imported by `askless.pools.annotated`; tested in tests/pools/annotated/test_reading.py.
"""

from __future__ import annotations

from typing import Any

from askless.errors import InvalidInput
from askless.pools._read_table import Table
from askless.pools.annotated.items import Item, items_table
from askless.pools.source_rows import Roles


def is_mine(found: Any) -> bool:
    """Whether the first of a list is a record of Argilla."""
    return (
        isinstance(found, list)
        and bool(found)
        and isinstance(found[0], dict)
        and isinstance(found[0].get("fields"), dict)
    )


def read(records: list[Any]) -> Table:
    """The records as a table, with a column for each question."""
    items, fields = list[Item](), dict[str, None]()
    for number, record in enumerate(records, start=1):
        if not isinstance(record, dict) or not isinstance(record.get("fields"), dict):
            raise InvalidInput(f"A record of Argilla has fields by name; record {number} has none.")
        own = {str(name): value for name, value in record["fields"].items()}
        fields |= dict.fromkeys(own)
        metadata = record.get("metadata")
        for name, value in metadata.items() if isinstance(metadata, dict) else ():
            own[f"metadata.{name}"] = value
        if "id" not in own:
            own = {"id": record.get("id"), **own}
        item = Item(own)
        responses = record.get("responses")
        for question, given in responses.items() if isinstance(responses, dict) else ():
            for response in given if isinstance(given, list) else ():
                if not isinstance(response, dict) or response.get("status") in (
                    "draft",
                    "discarded",
                ):
                    continue
                value = response.get("value")
                item.answer(str(question), value if isinstance(value, list) else [value])
        items.append(item)
    return items_table(items, Roles(task="id", beside=tuple(fields)))
