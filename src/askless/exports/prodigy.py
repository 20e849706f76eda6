"""Labels as examples of Prodigy: JSON lines, for ``prodigy db-in``.

Every example has the positive label: accepted if the item has it, rejected if it has the other one,
ignored if somebody marked it unsure. Open items are left out, because an example without an answer
would be imported as accepted. What is not shown is ``meta``.
Read by `askless.pools.annotated.prodigy`; tested in tests/exports/test_tools.py.
"""

from __future__ import annotations

from typing import Any, BinaryIO, Final

from askless.exports.contents import Contents
from askless.exports.exporter import Exporter
from askless.exports.jsonl_file import write_line
from askless.exports.shown_item import about, items_of, own_values, shown


def write_prodigy(contents: Contents, file: BinaryIO) -> None:
    """Write the examples into `file`."""
    left_out = 0
    place = "image" if contents.kind == "images" else "text"
    for row in items_of(contents):
        said = about(contents, row)
        if row.label is None and said["how"] != "unsure":
            left_out += 1
            continue
        own = own_values(contents, row)
        own.pop(contents.roles.shown, None)
        meta: Any = own.pop("meta", None)
        meta = {**own, **(meta if isinstance(meta, dict) else {}), **said}
        answer = "ignore" if row.label is None else ("reject", "accept")[row.label]
        example = {place: shown(contents, row), "label": contents.label_names[1], "answer": answer}
        write_line({**example, "meta": meta}, file)
    if left_out:
        contents.notes.append(f"Items without a label, which are not in the file: {left_out:,}.")


PRODIGY: Final = Exporter(
    title="Prodigy",
    purpose="accepted and rejected examples, for prodigy db-in",
    suffix=".prodigy.jsonl",
    media_type="application/jsonl",
    write=write_prodigy,
    tool=True,
)
