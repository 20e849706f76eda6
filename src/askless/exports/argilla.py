"""Labels as records of Argilla, for ``dataset.records.from_json``.

A label is a suggestion by the agent askless, since a response belongs to a user of the server,
which a file cannot know. What is shown is a field, and so is what Argilla showed before; the other
columns, and how the label came about, are metadata.
Read by `askless.pools.annotated.argilla`; tested in tests/exports/test_tools.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO, Final

from askless.exports.contents import Contents
from askless.exports.exporter import Exporter
from askless.exports.shown_item import about, added_values, items_of, own_values, shown, write_list

_METADATA: Final = "metadata."


def write_argilla(contents: Contents, file: BinaryIO) -> None:
    """Write the records into `file`."""
    write_list(_records(contents), file)


def _records(contents: Contents) -> Iterator[dict[str, Any]]:
    roles, pictures = contents.roles, contents.kind == "images"
    question = roles.label or "label"
    for row in items_of(contents):
        own = own_values(contents, row)
        name = str(own.pop(roles.task, "") or row.id)
        column = roles.shown if roles.shown and roles.shown != "id" else ""
        fields = {column or ("image" if pictures else "text"): shown(contents, row)}
        fields |= {one: str(own[one]) for one in roles.beside if own.get(one) is not None}
        metadata = {
            one.removeprefix(_METADATA): value
            for one, value in own.items()
            if one not in fields and isinstance(value, str | int | float)
        }
        metadata |= about(contents, row)
        suggestions = {}
        label = row.label if row.label is not None else row.guess
        if label is not None:
            said = added_values(contents, row)
            score = said["probability"] if label else _other(said["probability"])
            suggestions[question] = {
                "value": contents.label_names[label],
                "score": 1.0 if said["certain"] else score,
                "agent": "askless",
            }
        yield {
            "id": name, "fields": fields, "metadata": metadata, "suggestions": suggestions,
            "responses": {}, "vectors": {},
        }  # fmt: skip


def _other(probability: float | None) -> float | None:
    return None if probability is None else 1 - probability


ARGILLA: Final = Exporter(
    title="Argilla",
    purpose="records with suggestions, for dataset.records.from_json",
    suffix=".argilla.json",
    media_type="application/json",
    write=write_argilla,
    tool=True,
)
