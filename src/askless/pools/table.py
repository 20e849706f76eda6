"""A pool out of a table: one column of text, one of paths to pictures, or rows of values.

With no column named, a column called ``text`` or ``image`` is taken for one, and so is an only
column of words. Paths begin at the table's folder and may not lead out of it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from askless.errors import InvalidInput
from askless.pools._labels import Labels, known_from, plain, probs_from
from askless.pools._read_table import Table, is_text
from askless.pools.arrays import Columns
from askless.pools.pool import Content, OpenedPool, gathered
from askless.seams import PoolKind, Unreadable

Progress = Callable[[float], None]


@dataclass(frozen=True, eq=False, slots=True)
class Texts(Content):
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
    positive: str | Sequence[str] | None = None,
    progress: Progress | None = None,
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
    positive
        Which values of the label are positive.
    progress
        Told the share of the pictures that has been read.
    """
    columns = table.columns
    for asked in (text, label, image, prob, name):
        if asked is not None and asked not in columns:
            raise InvalidInput(
                f"There is no column {asked!r}; the table has {', '.join(map(repr, columns))}."
            )
    if text is not None and image is not None:
        raise InvalidInput("An item is shown as a text or as a picture; name one of the columns.")
    if text is None and image is None:
        text, image = _guessed(columns, {label, prob, name})
    n = len(table.numbers)
    labels = Labels() if label is None else known_from(columns[label], positive, f"{label!r}s")
    probs = None if prob is None else probs_from(columns[prob], repr(prob))
    named = name or image
    own = [""] * n if named is None else [plain(value) for value in columns[named]]
    ids = [word or str(number) for word, number in zip(own, table.numbers, strict=True)]
    told = [word or f"row {number}" for word, number in zip(own, table.numbers, strict=True)]
    content: Content
    if text is not None:
        content, checksums, reasons = _texts(columns[text])
    elif image is not None:
        content, checksums, reasons = _pictures(columns[image], folder, progress)
    else:
        values = {key: columns[key] for key in columns if key not in (label, prob, name)}
        content, checksums, reasons = _rows(values, n)
    good = [place for place in range(n) if place not in reasons]
    return gathered(
        content,
        good,
        [_whole(ids[place]) for place in good],
        [checksums[place] for place in good],
        [
            *table.unreadable,
            *(Unreadable(_whole(told[place]), reason) for place, reason in reasons.items()),
        ],
        None if labels.known is None else labels.known[good],
        None if probs is None else probs[good],
        labels.names,
    )


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


def _texts(values: Sequence[Any]) -> tuple[Content, list[str], dict[int, str]]:
    texts, checksums, reasons = list[str](), list[str](), dict[int, str]()
    for place, value in enumerate(values):
        words = value if isinstance(value, str) else plain(value)
        texts.append(words)
        if not words.strip():
            reasons[place] = "The text is empty."
        elif not is_text(words):
            reasons[place] = "The text holds half a character (a lone surrogate)."
        checksums.append("" if place in reasons else hashlib.sha256(words.encode()).hexdigest())
    return Texts(texts), checksums, reasons


def _pictures(
    values: Sequence[Any], folder: Path, progress: Progress | None
) -> tuple[Content, list[str], dict[int, str]]:
    from askless.pools.image_folder import PictureFiles, read_picture

    root = folder.resolve()
    paths, checksums, reasons = list[Path](), list[str](), dict[int, str]()
    for place, value in enumerate(values):
        words = plain(value)
        path = root / words
        paths.append(path)
        content = b""
        reason: str | None
        if not words:
            reason = "The row names no picture."
        elif "://" in words:
            reason = "This is an address, and nothing is fetched; name a file."
        else:
            reason, content = read_picture(path, root)
            reason = "The file is no picture." if reason == "" else reason
        if reason is not None:
            reasons[place] = reason
        checksums.append("" if reason is not None else hashlib.sha256(content).hexdigest())
        if progress is not None and (place % 64 == 0 or place + 1 == len(values)):
            progress((place + 1) / len(values))
    return PictureFiles(root, tuple(paths)), checksums, reasons


def _rows(values: Mapping[str, Sequence[Any]], n: int) -> tuple[Content, list[str], dict[int, str]]:
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


def _whole(name: str) -> str:
    """A name that can be written anywhere: half characters are spelt out."""
    return name.encode("utf-8", "backslashreplace").decode()
