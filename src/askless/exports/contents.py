"""What an export writes: rows with named columns, and the items behind them.

The default is the source's own table, in its order, with columns added behind its own: `label`,
`certain`, `how`, `probability` and, on request, `guess`. A label stands in `label` where answers
entail it and, only if that was asked for, where it is accepted, which `certain` and `how` say; a
guess has a column of its own. The record, with everything that says
why to believe a label, is `askless.exports.record`.

What the added columns are called is in `askless.exports.columns`; labels are kept as arrays
(`askless.exports.label_arrays`), and rows are made one at a time. Imported by `askless.exports` and
`askless.app.exporting`.
Tested in tests/exports/test_contents.py.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from askless.errors import InvalidInput
from askless.exports.columns import ADDED, free_name, own_places
from askless.exports.label_arrays import HOWS, LabelArrays
from askless.history.labels import Labelled
from askless.pools.source_rows import NO_ITEM, Roles, SourceRows, rows_of_ids
from askless.seams import Pool, PoolKind


class Row(NamedTuple):
    """One row of an export.

    Parameters
    ----------
    item
        The item it is; `NO_ITEM` where it is none.
    id
        What it is called.
    label
        What the answers entail; if that was asked for, also what is accepted; None otherwise.
    guess
        The likelier label, if it was asked for and is likely enough; None otherwise.
    test_split
        Whether the label is certain and the item is in the random test sample: items that no
        planner chose, asked one at a time. An exact duplicate of such an item is in it too.
    values
        One for each column.
    """

    item: int
    id: str
    label: int | None
    guess: int | None
    test_split: bool
    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """What is asked of an export.

    Parameters
    ----------
    guess_above
        Add the likelier label of open items as `guess`, where it is likelier than this; None for no
        such column.
    probability
        Whether the column `probability` is filled.
    accepted
        Whether accepted labels are written as labels, marked as not certain.
    """

    guess_above: float | None = None
    probability: bool = True
    accepted: bool = False

    def __post_init__(self) -> None:
        if self.guess_above is not None and not 0.5 <= self.guess_above < 1:
            raise InvalidInput(
                "A guess is the likelier label, so the cut-off is at least 50 % and less than "
                f"100 %; got {in_percent(self.guess_above)}."
            )


def in_percent(share: float) -> str:
    """0.955 as 95.5 %."""
    return f"{100 * share:g} %"


class Counts(NamedTuple):
    """How many rows there are of each kind.

    Parameters
    ----------
    rows
        All of them.
    certain, open, unsure
        Those with a label, those still to be asked, and those marked unsure.
    no_item
        Those that are no item of the session: new in the source, or nothing to show.
    missing
        Items of the session that are no longer in the source, and in no row.
    left_out
        Rows of the source that cannot be read as rows.
    guesses, expected_wrong
        Those with a guess, and how many of these are wrong if the probabilities are right.
    accepted, suspect
        Those of the open ones that are accepted, whether or not that is written; and of these the
        ones among which some are known to be wrong.
    """

    rows: int
    certain: int
    open: int
    unsure: int
    no_item: int
    missing: int
    left_out: int
    guesses: int
    expected_wrong: float
    accepted: int = 0
    suspect: int = 0


class ItemNames(Protocol):
    """The part of a pool that a session keeps: see `askless.seams.Pool`."""

    @property
    def ids(self) -> Sequence[str]:
        """What the source calls each item."""
        ...

    @property
    def checksums(self) -> Sequence[str]:
        """Of each item's content."""
        ...

    @property
    def copies(self) -> Mapping[int, Sequence[str]]:
        """By item: the ids of its exact duplicates, which get its label."""
        ...


class OutOfSample(NamedTuple):
    """What is believed of each label by whoever has not learnt it.

    Parameters
    ----------
    probs
        P(label is True), by item; NaN where nobody said.
    says
        Whose probabilities these are, as a sentence.
    """

    probs: NDArray[np.float64]
    says: str


class Items:
    """What an export may need beside the rows: names of labels, and the items themselves.

    Parameters
    ----------
    read_names
        Gives the names of the labels, by label.
    open_pool
        Opens the pool, with its items numbered as in the session; None if nobody knows where the
        items are.
    read_out_of_sample
        Gives what was believed of each label without it; None if nobody can tell. All of these are
        called when an export first asks for what they give.
    """

    def __init__(
        self,
        read_names: Callable[[], Sequence[str]] = lambda: ("negative", "positive"),
        open_pool: Callable[[], Pool] | None = None,
        read_out_of_sample: Callable[[], OutOfSample] | None = None,
    ) -> None:
        self._read_names = read_names
        self._open_pool = open_pool
        self._read_out_of_sample = read_out_of_sample

    @cached_property
    def label_names(self) -> tuple[str, ...]:
        """What the labels are called, by label: ``label_names[row.label]``."""
        return tuple(self._read_names())

    @cached_property
    def pool(self) -> Pool:
        """The pool that the items are in."""
        if self._open_pool is None:
            raise InvalidInput(
                "This format writes the items themselves, and the session does not know where they "
                "are; say so with --source, or export to csv or jsonl."
            )
        return self._open_pool()

    @cached_property
    def out_of_sample(self) -> OutOfSample:
        """What was believed of each label by whoever has not learnt it."""
        if self._read_out_of_sample is None:
            raise InvalidInput(
                "This format needs what was predicted of each label, and nobody knows it here; "
                "export a session."
            )
        return self._read_out_of_sample()


class Contents:
    """The source's table with its labels.

    Parameters
    ----------
    source
        Its rows.
    labels
        Of every item.
    ids
        What the items are called.
    items
        The names of the labels, and the items themselves.
    options
        What was asked for.
    """

    def __init__(
        self,
        source: SourceRows,
        labels: LabelArrays,
        ids: Sequence[str],
        items: Items | None = None,
        options: ExportOptions | None = None,
    ) -> None:
        self._source, self._labels, self._ids = source, labels, ids
        self._items, self._options = items or Items(), options or ExportOptions()
        self.notes: list[str] = []
        """What the format has to say about what it wrote, in sentences."""
        self.certificate: bytes | None = None
        """What stands in the file of the certificate beside accepted labels; None for none."""
        self._kept = own_places(source.names)
        self._own = tuple(source.names[place] for place in self._kept)
        above, accepted = self._options.guess_above, labels.accepted
        self._written = labels.code  # what stands in the column label
        if self._options.accepted:
            self._written = np.where(labels.code >= 0, labels.code, accepted)
        self._guesses = None
        if above is not None:
            self._guesses = np.where(self._written >= 0, -1, labels.guesses(above))

    @property
    def own(self) -> tuple[str, ...]:
        """The names of the source's own columns, which come first."""
        return self._own

    @property
    def roles(self) -> Roles:
        """What the source's columns are for."""
        return self._source.roles

    @property
    def added(self) -> dict[str, type]:
        """The columns that are added, by what they are called here, with the type of each."""
        asked = ADDED if self._guesses is None else {**ADDED, "guess": str}
        return {free_name(name, self._own): type_ for name, type_ in asked.items()}

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return (*self._own, *self.added)

    @property
    def types(self) -> Mapping[str, Any]:
        """The types of the columns that are known without looking at the values."""
        return {**(dict.fromkeys(self._own, str) if self._source.texts else {}), **self.added}

    @property
    def label_names(self) -> tuple[str, ...]:
        """What the labels are called, by label."""
        return self._items.label_names

    @property
    def kind(self) -> PoolKind:
        """How an item is shown: a picture, a text, or a row of named values."""
        return self._items.pool.kind

    @property
    def out_of_sample(self) -> OutOfSample:
        """What was believed of each label by whoever has not learnt it."""
        return self._items.out_of_sample

    def text(self, row: Row) -> str:
        """An item of a pool of texts; of a pool of rows, a line ``name: value`` for each value."""
        return self._items.pool.text(row.item)

    def picture(self, row: Row) -> tuple[bytes, str]:
        """An item of a pool of pictures as a file: its content, and the suffix of its name.

        Raises
        ------
        InvalidInput
            The picture is missing or has changed, or the items are not pictures.
        """
        return self._items.pool.original(row.item)

    def rows(self) -> Iterator[Row]:
        """The rows from the first on, as often as they are asked for."""
        labels, names, kept = self._labels, self.label_names, self._kept
        named = self._source.names == ("id",)
        for item, values in self._source:
            own = tuple(values) if len(kept) == len(values) else tuple(values[at] for at in kept)
            if item == NO_ITEM:
                nothing = (None, False, "", None)
                blank = nothing if self._guesses is None else (*nothing, None)
                yield Row(item, str(own[0]) if named else "", None, None, False, own + blank)
                continue
            code = int(self._written[item])
            label = None if code < 0 else code
            certain = bool(labels.code[item] >= 0)
            probability = float(labels.probability[item]) if self._options.probability else None
            how = HOWS[labels.how[item]]
            added: tuple[Any, ...] = (
                None if label is None else names[label], certain, how, probability
            )  # fmt: skip
            guess = None
            if self._guesses is not None:
                guess = int(self._guesses[item]) if self._guesses[item] >= 0 else None
                added = (*added, None if guess is None else names[guess])
            tested = certain and bool(labels.in_test_sample[item])
            name = str(own[0]) if named else self._ids[item]
            yield Row(item, name, label, guess, tested, own + added)

    def counts(self) -> Counts:
        """How many rows there are of each kind."""
        labels, here = self._labels, self._source.items
        here = here[here != NO_ITEM]
        how = labels.how[here]
        settled, unsure = labels.code[here] >= 0, how == HOWS.index("unsure")
        wrong = 0.0
        guessed = np.zeros(len(here), np.bool_)
        if self._guesses is not None:
            guessed = self._guesses[here] >= 0
            probability = labels.probability[here][guessed]
            wrong = float(np.minimum(probability, 1 - probability).sum())
        return Counts(
            rows=len(self._source),
            certain=int(settled.sum()),
            open=int((~settled & ~unsure).sum()),
            unsure=int(unsure.sum()),
            no_item=len(self._source) - len(here),
            missing=len(labels.code) - len(np.unique(here)),
            left_out=self._source.left_out,
            guesses=int(guessed.sum()),
            expected_wrong=wrong,
            accepted=int((labels.accepted[here] >= 0).sum()),
            suspect=int(labels.suspect[here].sum()),
        )


def numbered_contents(labels: Iterable[Labelled], n: int) -> Contents:
    """What is exported of a session without a pool: items are called by their numbers.

    Parameters
    ----------
    labels
        From `Session.labels`.
    n
        How many items there are.
    """
    ids = [str(item) for item in range(n)]
    return Contents(rows_of_ids(ids, range(n)), LabelArrays(labels, n), ids)


def rows_of_items(names: ItemNames, missing: Container[int] = ()) -> SourceRows:
    """Items as the rows of a source that has no columns, each followed by its exact duplicates.

    Parameters
    ----------
    names
        What they are called.
    missing
        Items that are not in the source now, and in no row.
    """
    ids, items = list[str](), list[int]()
    for item, name in enumerate(names.ids):
        if item in missing:
            continue
        own = [name, *names.copies.get(item, ())]
        ids += own
        items += [item] * len(own)
    return rows_of_ids(ids, items)
