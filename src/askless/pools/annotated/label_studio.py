"""Tasks of Label Studio, as its export and import have them: JSON, a list of tasks.

A task has ``data``, which is shown, and ``annotations``, each with results. A result is of a
control tag (``from_name``, the question) and names an object tag (``to_name``, what is shown); its
value is a list under its own type, as ``{"choices": ["spam"]}``, or a number. Labels of regions
count as what the task has in it. Annotations that were cancelled, and predictions, are no labels.
The short export of the same tool (JSON-MIN) is a list of plain records.
Imported by `askless.pools.annotated`; tested in tests/pools/annotated/test_reading.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from askless.errors import InvalidInput
from askless.pools._read_table import Table
from askless.pools.annotated.items import Item, items_table
from askless.pools.source_rows import Roles

_LOCAL: Final = "/data/local-files/"
"""Where Label Studio serves files of its own machine; the path is in the query."""


def is_mine(found: Any) -> bool:
    """Whether the first of a list is a task."""
    return (
        isinstance(found, list)
        and bool(found)
        and isinstance(found[0], dict)
        and isinstance(found[0].get("data"), dict)
    )


def read(tasks: list[Any]) -> Table:
    """The tasks as a table, with a column for each control tag."""
    items, objects = list[Item](), dict[str, None]()
    for number, task in enumerate(tasks, start=1):
        if not isinstance(task, dict) or not isinstance(task.get("data"), dict):
            raise InvalidInput(f"A task of Label Studio has data by name; task {number} has none.")
        own = {str(name): value for name, value in task["data"].items()}
        if "id" in task and "id" not in own:
            own = {"id": task["id"], **own}
        item = Item(own)
        for result in _annotations(task, number):
            for question, values, shown in result:
                item.answer(question, values)
                objects[shown] = None
        items.append(item)
    names = [name for name in objects if name]
    roles = Roles(task="id", shown_as=names[0] if len(names) == 1 else "")
    paths = {
        name: [_path(item.own.get(name)) for item in items]
        for name in dict.fromkeys(name for item in items for name in item.own)
        if any(isinstance(item.own.get(name), str) and item.own[name].startswith(_LOCAL)
               for item in items)
    }  # fmt: skip
    return items_table(items, roles, paths)


def _annotations(
    task: Mapping[str, Any], number: int
) -> Iterator[list[tuple[str, list[Any], str]]]:
    """Of each annotation: what was chosen, by control tag, and the object tag."""
    given = task.get("annotations", task.get("completions", []))
    if not isinstance(given, list):
        raise InvalidInput(f"A task of Label Studio has a list of annotations; task {number} not.")
    for annotation in given:
        if not isinstance(annotation, dict) or annotation.get("was_cancelled") is True:
            continue
        chosen: dict[str, tuple[list[Any], str]] = {}
        results = annotation.get("result")
        for result in results if isinstance(results, list) else ():
            if not isinstance(result, dict) or not isinstance(result.get("value"), dict):
                continue
            name = str(result.get("from_name") or "label")
            value = result["value"].get(str(result.get("type")))
            values, _ = chosen.setdefault(name, ([], str(result.get("to_name") or "")))
            values += value if isinstance(value, list) else [value]
        yield [(name, values, shown) for name, (values, shown) in chosen.items()]


def _path(value: Any) -> Any:
    """The path of a picture that Label Studio serves from its own files."""
    if isinstance(value, str) and value.startswith(_LOCAL):
        try:
            return parse_qs(urlsplit(value).query).get("d", [value])[0]
        except ValueError:
            return value
    return value
