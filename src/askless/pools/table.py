"""A pool out of a table: one column of text, one of paths to pictures, or rows of values.

With no column named, a column called ``text`` or ``image`` is taken for one, and so is an only
column of pictures that are there themselves, or an only column of words. Paths begin at the table's
folder and may not lead out of it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from askless.errors import InvalidInput
from askless.pools._hugging_face import Pictures
from askless.pools._labels import NOTHING_SAID, Labels, Meaning, known_from, plain, probs_from
from askless.pools._python_tables import is_picture
from askless.pools._read_table import Table, is_text, spell_out
from askless.pools._remote_rules import Remote
from askless.pools.arrays import Columns
from askless.pools.pool import OpenedPool, SourceContent, gathered
from askless.seams import PoolKind, Unreadable

Progress = Callable[[float], None]
ACCEPTED = "accepted"
"""What a column ``how`` of an earlier export says of labels that nobody gave."""
_NO_TEXT = (Mapping, list, tuple, set, frozenset, np.ndarray)


@dataclass(frozen=True, eq=False, slots=True)
class Texts(SourceContent):
    """Texts in memory."""

    texts: Sequence[str]
    kind: ClassVar[PoolKind] = "texts"

    def text(self, place: int) -> str:
        """The text at `place`."""
        return self.texts[place]


def open_table(
    table: Table,
    *,
    folder: Path,
    text: str | None = None,
    label: str | None = None,
    image: str | None = None,
    prob: str | None = None,
    name: str | None = None,
    show: Sequence[str] = (),
    find_name: bool = True,
    meaning: Meaning = NOTHING_SAID,
    progress: Progress | None = None,
    remote: Remote | None = None,
    again: bool = False,
) -> OpenedPool:
    """A pool of the rows of a table.

    Parameters
    ----------
    table
        Its columns.
    folder
        Where paths to pictures begin, and what they may not leave.
    text, image
        The column to show, as text or as paths to pictures; at most one of them.
    label, prob, name
        Columns of known labels, of P(label is True) and of ids.
    show
        Columns to show beside the text; of rows, instead of all of them.
    find_name
        Whether a column called id, or the index of a pandas table, is taken for the ids where
        `name` is not given.
    meaning
        Which values of the label mean what.
    progress
        Told the share of the pictures that has been read.
    remote
        What may be fetched from addresses in the column of pictures.
    again
        Whether the source was opened before.
    """
    columns = table.columns
    for asked in (text, label, image, prob, name, *show):
        if asked is not None and asked not in columns:
            raise InvalidInput(
                f"There is no column {asked!r}; the table has {', '.join(map(repr, columns))}."
            )
    if text is not None and image is not None:
        raise InvalidInput("An item is shown as a text or as a picture; name one of the columns.")
    if name is None and find_name:
        name = _id_column(table, {text, label, image, prob})
    if text is None and image is None:
        text, image = _guessed(columns, {label, prob, name, *table.labels})
    if show and image is not None:
        raise InvalidInput(
            f"Columns are shown beside a text or of a row; the items are pictures ({image!r}), so "
            f"{show[0]!r} cannot be shown. Leave it out."
        )
    n = len(table.numbers)
    shown: Mapping[str, Sequence[Any]] = {name: columns[name] for name in show}
    labels = Labels() if label is None else _known_labels(columns, label, meaning)
    probs = None if prob is None else probs_from(columns[prob], repr(prob))
    named = image if name is None else name
    own = [""] * n if named is None else _names(columns[named])
    ids = [word or str(number) for word, number in zip(own, table.numbers, strict=True)]
    told = [word or f"row {number}" for word, number in zip(own, table.numbers, strict=True)]
    content: SourceContent
    if text is not None:
        content, checksums, reasons = _texts(columns[text], shown)
    elif image is not None:
        content, checksums, reasons = _pictures(
            columns[image], folder, progress, remote, again=again
        )
    else:
        hidden = (label, prob, name, *table.labels)
        values = {key: columns[key] for key in columns if key not in hidden}
        content, checksums, reasons = _rows(values, n)
        shown = shown or values
    good = [place for place in range(n) if place not in reasons]
    return gathered(
        content,
        good,
        [spell_out(ids[place]) for place in good],
        [checksums[place] for place in good],
        [
            *table.unreadable,
            *(Unreadable(spell_out(told[place]), reason) for place, reason in reasons.items()),
        ],
        None if labels.known is None else labels.known[good],
        None if probs is None else probs[good],
        labels.names,
        table,
        name,
        shown,
        replace(
            table.roles,
            shown=_written(text or image, table),
            label=label if label in table.labels and label is not None else "",
        ),
    )


def _written(column: str | None, table: Table) -> str:
    """What a column is called in the rows that an export writes; empty if it is not there."""
    if column is None or not table.header:
        return column or ""
    if column in table.header:
        return column
    return next((name for name in table.header if name.strip() == column), "")


def _names(values: Sequence[Any]) -> list[str]:
    if isinstance(values, Pictures):
        return list(values.names())
    return ["" if is_picture(value) else plain(value) for value in values]


def _known_labels(columns: Mapping[str, Sequence[Any]], label: str, meaning: Meaning) -> Labels:
    """The labels of a column, without those that an earlier export says nobody gave."""
    given = columns[label]
    if "how" in columns and "certain" in columns:
        how = columns["how"]
        given = ["" if plain(how[row]) == ACCEPTED else given[row] for row in range(len(given))]
    return known_from(given, meaning, f"values of {label!r}")


def _id_column(table: Table, taken: set[str | None]) -> str | None:
    """The column that its name says is the names of the rows; none if there is no other."""
    free = [name for name in table.columns if name not in taken]
    found = [name for name in free if name.lower() == "id"]
    if not found and table.index in free:
        found = [name for name in free if name == table.index]
    return found[0] if found and len(table.columns) > 1 else None


def _guessed(
    columns: Mapping[str, Sequence[Any]], taken: set[str | None]
) -> tuple[str | None, str | None]:
    """The column of texts or of pictures, if its name or its being alone tells."""
    free = [name for name in columns if name not in taken]
    for name in free:
        if name.lower() == "text":
            return name, None
        if name.lower() == "image":
            return None, name
    pictures = [name for name in free if is_picture(next(iter(columns[name]), None))]
    if len(pictures) == 1:
        return None, pictures[0]
    if len(free) == 1 and as_numbers(columns[free[0]]) is None:
        return free[0], None
    return None, None


def as_numbers(values: Sequence[Any]) -> NDArray[np.float64] | None:
    """A column as numbers, blanks as NaN; None if a value is no number or none is there."""
    with suppress(TypeError, ValueError):  # the quick way, for columns without gaps
        whole = np.array(values, np.float64)
        return None if np.isnan(whole).all() else whole
    numbers = np.empty(len(values))
    for row, value in enumerate(values):
        if value is None or value == "":
            numbers[row] = np.nan
            continue
        try:
            numbers[row] = float(value)
        except (TypeError, ValueError):
            return None
    return None if np.isnan(numbers).all() else numbers


def _texts(
    values: Sequence[Any], shown: Mapping[str, Sequence[Any]]
) -> tuple[SourceContent, list[str], dict[int, str]]:
    """The texts; a checksum is of all that is shown of a row, since labels rest on all of it."""
    beside = [shown[name] for name in sorted(shown)]
    texts, checksums, reasons = list[str](), list[str](), dict[int, str]()
    for place, value in enumerate(values):
        if isinstance(value, _NO_TEXT) or is_picture(value):
            raise InvalidInput(
                f"A column of texts holds texts; got {type(value).__name__} in row {place + 1}. "
                "Name another column, or image=... if these are pictures."
            )
        words = value if isinstance(value, str) else plain(value)
        texts.append(words)
        if not words.strip():
            reasons[place] = "The text is empty."
        elif not is_text(words):
            reasons[place] = "The text holds half a character (a lone surrogate)."
        if place in reasons:
            checksums.append("")
            continue
        seen = words
        if beside:
            seen = json.dumps([words, *(plain(column[place]) for column in beside)])
        checksums.append(hashlib.sha256(seen.encode()).hexdigest())
    return Texts(texts), checksums, reasons


def _pictures(
    values: Sequence[Any],
    folder: Path,
    progress: Progress | None,
    remote: Remote | None,
    *,
    again: bool,
) -> tuple[SourceContent, list[str], dict[int, str]]:
    if any(is_picture(value) for value in values):
        return _picture_objects(values, progress)
    from askless.pools.image_folder import read_picture_files
    from askless.pools.remote_pictures import is_address, with_addresses

    words = [plain(value) for value in values]
    if not any(map(is_address, words)):
        return read_picture_files(words, folder, progress)
    return with_addresses(words, folder, remote, progress, again=again)


def _picture_objects(
    values: Sequence[Any], progress: Progress | None
) -> tuple[SourceContent, list[str], dict[int, str]]:
    from askless.pools.picture_objects import PictureObjects, checksum_of

    checksums, reasons = list[str](), dict[int, str]()
    for place, value in enumerate(values):
        if value is not None and not is_picture(value):
            raise InvalidInput(
                "A column of pictures holds pictures, or paths of them, and not both; got "
                f"{type(value).__name__} in row {place + 1}."
            )
        checksum, reason = checksum_of(value)
        checksums.append(checksum)
        if reason is not None:
            reasons[place] = reason
        if progress is not None and (place % 64 == 0 or place + 1 == len(values)):
            progress((place + 1) / len(values))
    return PictureObjects(values), checksums, reasons


def _rows(
    values: Mapping[str, Sequence[Any]], n: int
) -> tuple[SourceContent, list[str], dict[int, str]]:
    if not values:
        raise InvalidInput("A table needs a column beside labels, probabilities and ids; got none.")
    named: dict[str, NDArray[Any]] = {}
    for name, column in values.items():
        numbers = as_numbers(column)
        if numbers is None:
            words = np.empty(n, object)
            words[:] = [plain(value) for value in column]
            named[name] = words
        else:
            named[name] = numbers
    figures = [array for array in named.values() if array.dtype != object]
    table = np.stack(figures, axis=1) if figures else np.zeros((n, 0))
    texts = [array.tolist() for array in named.values() if array.dtype == object]
    blank = np.all(np.isnan(table), axis=1).tolist()
    start = hashlib.sha256(json.dumps(list(named)).encode())
    checksums, reasons = list[str](), dict[int, str]()
    for place in range(n):
        own = [column[place] for column in texts]
        if blank[place] and not any(own):
            reasons[place] = "The row is empty."
        elif not is_text("".join(own)):
            reasons[place] = "The row holds half a character (a lone surrogate)."
        one = start.copy()
        one.update(table[place].tobytes())
        one.update(json.dumps(own).encode())
        checksums.append(one.hexdigest())
    return Columns(named), checksums, reasons
