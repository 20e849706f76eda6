"""Labels as tasks of Label Studio: JSON, to be imported into a project of it.

A task's ``data`` are the source's own columns. A label is an annotation with one result of a
``Choices`` tag, a guess that was asked for a prediction. What was read from Label Studio goes back
under the names it had there: ``from_name`` is the label column, ``to_name`` the object tag, ``id``
the task. Otherwise they are ``label`` and the name of what is shown, and a note gives the labelling
interface that fits. A picture is shown by the path that the source has for it.
Read by `askless.pools.annotated.label_studio`; tested in tests/exports/test_tools.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO, Final
from xml.sax.saxutils import quoteattr

from askless.exports.contents import Contents
from askless.exports.exporter import Exporter
from askless.exports.shown_item import (
    about,
    added_values,
    items_of,
    number_of,
    own_values,
    shown,
    write_list,
)
from askless.exports.xlsx_file import in_xml


def write_label_studio(contents: Contents, file: BinaryIO) -> None:
    """Write the tasks into `file`."""
    write_list(_tasks(contents), file)
    if not contents.roles.shown_as:
        contents.notes.append(f"A labelling interface that fits: {interface(contents)}")


def interface(contents: Contents) -> str:
    """The labelling interface that shows these tasks and has their labels."""
    question, place, column = _names(contents)
    tag = "Image" if contents.kind == "images" else "Text"
    choices = "".join(f"<Choice value={_quoted(name)}/>" for name in contents.label_names)
    return (
        f"<View><{tag} name={_quoted(place)} value={_quoted('$' + column)}/>"
        f'<Choices name={_quoted(question)} toName={_quoted(place)} choice="single">{choices}'
        "</Choices></View>"
    )


def _tasks(contents: Contents) -> Iterator[dict[str, Any]]:
    taken: set[int] = set()
    for place, row in enumerate(items_of(contents), start=1):
        data = own_values(contents, row)
        data.pop(contents.roles.task, None)
        task: dict[str, Any] = {"id": number_of(contents, row, taken, place)}
        item, column = shown(contents, row), _names(contents)[2]
        if not contents.roles.shown or contents.roles.shown != column:
            data.pop(contents.roles.shown, None)
            data[column] = item
        task |= {"data": data, "annotations": [], "predictions": []}
        task["meta"] = {"askless": about(contents, row)}
        if row.label is not None:
            result = _result(contents, row.label)
            task["annotations"] = [
                {"result": [result], "was_cancelled": False, "ground_truth": False}
            ]
        elif row.guess is not None:
            prediction = {"model_version": "askless", "result": [_result(contents, row.guess)]}
            probability = added_values(contents, row)["probability"]
            if probability is not None:
                prediction["score"] = probability if row.guess else 1 - probability
            task["predictions"] = [prediction]
        yield task


def _result(contents: Contents, label: int) -> dict[str, Any]:
    question, place, _ = _names(contents)
    return {
        "from_name": question,
        "to_name": place,
        "type": "choices",
        "value": {"choices": [contents.label_names[label]]},
    }


def _names(contents: Contents) -> tuple[str, str, str]:
    """What the question is called, where the item is shown, and the column that is shown there."""
    roles, kind = contents.roles, "image" if contents.kind == "images" else "text"
    column = roles.shown if roles.shown and roles.shown != "id" else kind
    return roles.label or "label", roles.shown_as or column, column


def _quoted(text: str) -> str:
    return quoteattr(in_xml(text))


LABEL_STUDIO: Final = Exporter(
    title="Label Studio",
    purpose="tasks with annotations, to import into a project",
    suffix=".label-studio.json",
    media_type="application/json",
    write=write_label_studio,
    tool=True,
)
