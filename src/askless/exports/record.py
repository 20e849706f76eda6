"""The record of a session as an export: one row an item, and why to believe its label.

Imported by `askless.app.exporting`. Tested in tests/exports/test_contents.py.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from typing import Any, Final

from askless.exports.columns import ADDED
from askless.exports.contents import (
    Contents,
    ExportOptions,
    ItemNames,
    Items,
    Row,
)
from askless.exports.label_arrays import LabelArrays
from askless.history.labels import Labelled
from askless.pools.source_rows import SourceRows

FULL: Final[Mapping[str, Any]] = {
    "id": str, "checksum": str, **ADDED, "answers": tuple[int, ...], "annotators": tuple[str, ...],
    "note": str, "definition": int, "unsure": bool, "test_split": bool, "copy_of": str,
    "gone": bool, "claim": int, "suspect": bool,
}  # fmt: skip
"""The columns, and the type of each."""


class FullContents(Contents):
    """The record: every item of the session, each followed by its exact duplicates.

    Parameters
    ----------
    read_labels
        Gives the items from the first on, as `askless.history.labels.labelled` does.
    names
        What the items are called.
    source, labels, items, options
        As in `Contents`; the source's own columns are not written.
    gone
        The items that are no longer in the source.
    """

    def __init__(
        self,
        source: SourceRows,
        labels: LabelArrays,
        names: ItemNames,
        read_labels: Callable[[], Iterable[Labelled]],
        items: Items | None = None,
        options: ExportOptions | None = None,
        gone: Container[int] = (),
    ) -> None:
        super().__init__(source, labels, names.ids, items, options)
        self._names, self._read_labels, self._gone = names, read_labels, gone

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self.types)

    @property
    def types(self) -> Mapping[str, Any]:
        """The type of each column."""
        return FULL if self._guesses is None else {**FULL, "guess": str}

    def rows(self) -> Iterator[Row]:
        """The rows from the first on."""
        for entry in self._read_labels():
            item = entry.item
            name = self._names.ids[item]
            yield self._row(entry, name, "")
            for copy in self._names.copies.get(item, ()):
                yield self._row(entry, copy, name)

    def _row(self, entry: Labelled, name: str, copy_of: str) -> Row:
        item, certain, gone = entry.item, entry.label is not None, entry.item in self._gone
        written = entry.accepted if self._options.accepted and not certain else entry.label
        label, tested = None if written is None else int(written), entry.in_test_sample and certain
        values: tuple[Any, ...] = (
            name, self._names.checksums[item], None if label is None else self.label_names[label],
            certain, entry.how, entry.probability if self._options.probability else None,
            entry.answers, entry.annotators, entry.note, entry.definition, entry.how == "unsure",
            tested, copy_of, gone, entry.claim, entry.suspect,
        )  # fmt: skip
        guess = None
        if self._guesses is not None:
            guess = int(self._guesses[item]) if self._guesses[item] >= 0 and not gone else None
            values = (*values, None if guess is None else self.label_names[guess])
        return Row(item, name, label, guess, tested, values)
