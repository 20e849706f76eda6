"""Labels of a labelling in files for others.

Imported by `askless.labelling.labelling`; tested in tests/labelling/test_exporting.py.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from askless.doors import flag, of_kind
from askless.errors import InvalidInput
from askless.exports import export, is_full
from askless.exports.contents import Contents, ExportOptions
from askless.files import path_of


def export_labels(
    data: Any,
    contents_of: Callable[[ExportOptions], Contents],
    path: Any,
    as_: Any,
    guess_above: Any,
    accepted: Any,
    overwrite: Any,
) -> list[str]:
    """Write labels to `path`; what there is to say about the file.

    Parameters
    ----------
    data
        What the caller gave to be labelled.
    contents_of
        Gives what is to be written.
    path, as_, guess_above, accepted, overwrite
        As for `askless.labelling.Labelling.export`.
    """
    out = path_of("path", path)
    if out is None:
        raise InvalidInput("Labels are written to a path; got None.")
    if as_ is not None:
        of_kind("as_", as_, str, "the name of a format, as text")
    if guess_above is not None and (
        isinstance(guess_above, bool) or not isinstance(guess_above, int | float)
    ):
        raise InvalidInput(f"guess_above is a number from 0.5 to 1; got {guess_above!r:.60}.")
    if isinstance(data, str | os.PathLike) and _same(out, Path(data)):
        raise InvalidInput(f"Labels are never written over their source; {out} is that file.")
    if not flag("overwrite", overwrite) and os.path.lexists(out) and not out.is_dir():
        raise InvalidInput(
            f"Labels are written to a new file; {out} is there already. Name another file, or "
            "replace it with overwrite=True."
        )
    if is_full(as_, out):
        raise InvalidInput(
            "The record is written from a folder: give folder=..., then askless export --as full."
        )
    contents = contents_of(ExportOptions(guess_above, accepted=flag("accepted", accepted)))
    export(contents, out, as_)
    return contents.notes


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except (OSError, ValueError):  # one of them is not there
        return False
