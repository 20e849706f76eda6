"""One item as it is exported; the same columns in every format.

Tested in tests/exports/test_export.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, replace

from askless.session.labels import Labelled


@dataclass(frozen=True, slots=True)
class Row:
    """An item, its label, and why to believe it.

    Parameters
    ----------
    id
        What the pool calls the item.
    checksum
        Of the item's content, empty where it has none.
    label
        The final label, or the likelier one where only predicted; None where unsure.
    how
        ``alone``, ``group``, ``pointed`` or ``deduced`` for final labels, otherwise
        ``predicted`` or ``unsure``.
    final
        Whether answers entail the label.
    prob
        P(label is True) as the session would plan with it now, refuted guesses being given.
    answers
        Numbers of answers that entail the label.
    annotators
        Who gave them.
    unsure
        Whether the item was set aside.
    note
        What was noted then.
    test_split
        Whether the label is final and the item one of those drawn at random and asked alone: a
        sample of the pool that no planner has chosen, to test on what is trained on the rest. An
        exact duplicate of such an item is in it too, so that nothing is on both sides.
    definition
        How many times a True label had been defined when the oldest of the answers was given;
        None where there are no answers.
    copy_of
        Id of the item that was asked about, if this is an exact duplicate of it; otherwise empty.
    """

    id: str
    checksum: str
    label: bool | None
    how: str
    final: bool
    prob: float
    answers: tuple[int, ...]
    annotators: tuple[str, ...]
    unsure: bool
    note: str
    test_split: bool
    definition: int | None
    copy_of: str


COLUMNS = tuple(field.name for field in fields(Row))


def rows_of(
    labels: Iterable[Labelled],
    name: Callable[[int], str] = str,
    checksum: Callable[[int], str] = lambda _: "",
    copies: Callable[[int], Iterable[str]] = lambda _: (),
) -> Iterator[Row]:
    """The rows of a session's labels; each item is followed by its duplicates.

    Parameters
    ----------
    labels
        From `Session.labels`.
    name
        What the pool calls an item.
    checksum
        Of an item's content.
    copies
        Ids of the exact duplicates of an item, which get its label.
    """
    for entry in labels:
        final = entry.how not in ("predicted", "unsure")
        row = Row(
            name(entry.item), checksum(entry.item), entry.label, entry.how, final, entry.prob,
            entry.answers, entry.annotators, entry.how == "unsure", entry.note,
            entry.drawn and final, entry.definition, "",
        )  # fmt: skip
        yield row
        for copy in copies(entry.item):
            yield replace(row, id=copy, copy_of=row.id)
