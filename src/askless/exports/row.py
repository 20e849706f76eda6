"""One item as it is exported; the same columns in every format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields

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
        P(label is True) as the predictor had it.
    answers
        Numbers of answers that entail the label.
    annotators
        Who gave them.
    unsure
        Whether the item was set aside.
    note
        What was noted then.
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


COLUMNS = tuple(field.name for field in fields(Row))


def rows_of(
    labels: Iterable[Labelled],
    name: Callable[[int], str] = str,
    checksum: Callable[[int], str] = lambda _: "",
) -> Iterator[Row]:
    """The rows of a session's labels.

    Parameters
    ----------
    labels
        From `Session.labels`.
    name
        What the pool calls an item.
    checksum
        Of an item's content.
    """
    for entry in labels:
        yield Row(
            name(entry.item), checksum(entry.item), entry.label, entry.how,
            entry.how not in ("predicted", "unsure"), entry.prob, entry.answers,
            entry.annotators, entry.how == "unsure", entry.note,
        )  # fmt: skip
