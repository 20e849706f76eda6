"""Pools out of arrays: pictures (n, height, width[, channels]) or rows of numbers (n, columns).

The arrays are held as they are given, so an uncompressed copy of the pool must fit in memory.
Pictures of floats are taken to run from 0 to 1 if none is larger, from 0 to 255 if none is
larger than that, and are otherwise stretched, each from its darkest to its brightest.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from askless.errors import InvalidInput
from askless.files.npz import read_arrays
from askless.pools._labels import NOTHING_SAID, Labels, Meaning, known_from, plain, probs_from
from askless.pools._pictures import MAX_PIXELS, as_png, shrunk, stretched
from askless.pools.pool import MISSING, OpenedPool, SourceContent, gathered
from askless.seams import PoolKind


@dataclass(frozen=True, eq=False, slots=True)
class PictureArray(SourceContent):
    """Pictures in one array, shape (n, height, width) or (n, height, width, channels)."""

    pixels: NDArray[Any]
    top: float
    kind: ClassVar[PoolKind] = "images"

    def picture(self, place: int, checksum: str, side: int | None) -> NDArray[np.uint8]:
        """The picture at `place`, in red, green and blue."""
        one = self.pixels[place]
        if one.dtype == np.bool_:
            one = one * np.uint8(255)
        elif one.dtype != np.uint8:
            one = self._as_bytes(one)
        if one.ndim == 2:
            one = one[:, :, None]
        if one.shape[2] in (2, 4):  # the last channel says how opaque; what is clear is white
            opaque = one[:, :, -1:].astype(np.float32) / 255
            one = (one[:, :, :-1] * opaque + 255 * (1 - opaque) + 0.5).astype(np.uint8)
        if one.shape[2] == 1:
            one = np.repeat(one, 3, axis=2)
        return shrunk(np.array(one, np.uint8, order="C"), side)

    def original(self, place: int, checksum: str) -> tuple[bytes, str]:
        """The picture at `place` as a PNG file."""
        return as_png(self.picture(place, checksum, None)), ".png"

    def _as_bytes(self, one: NDArray[Any]) -> NDArray[np.uint8]:
        if self.top <= 1 and one.dtype.kind == "f":
            one = one * 255
        elif self.top > 255:
            return stretched(one)
        return np.asarray(np.clip(np.nan_to_num(one), 0, 255) + 0.5, np.uint8)


@dataclass(frozen=True, eq=False, slots=True)
class Columns(SourceContent):
    """Named columns of one length, numbers or text."""

    named: Mapping[str, NDArray[Any]]
    kind: ClassVar[PoolKind] = "rows"

    def text(self, place: int) -> str:
        """A line ``name: value`` for each column."""
        return "\n".join(f"{name}: {plain(column[place])}" for name, column in self.named.items())

    def columns(self, places: NDArray[np.intp]) -> Mapping[str, NDArray[Any]]:
        """The columns at these places; blanks where an item is `MISSING`."""
        gaps = np.flatnonzero(places == MISSING)
        found = {name: column[places] for name, column in self.named.items()}
        for name in found if len(gaps) else ():
            words = found[name].dtype == object
            found[name] = found[name] if words else found[name].astype(np.float64)
            found[name][gaps] = "" if words else np.nan
        return found


def open_npz(
    path: Path,
    *,
    label: str | None = None,
    prob: str | None = None,
    name: str | None = None,
    meaning: Meaning = NOTHING_SAID,
) -> OpenedPool:
    """The pool kept in an ``.npz`` file.

    Parameters
    ----------
    path
        The file, with ``images`` or ``x``, and perhaps ``positive`` (1, 0, or -1 for unknown),
        ``probs``, ``ids`` and, for the columns of ``x``, ``feature_names``.
    label, prob, name
        Other names for the arrays ``positive``, ``probs`` and ``ids``.
    meaning
        Which values of the label mean what.
    """
    arrays = read_arrays(path)

    def column(asked: str | None, usual: str) -> NDArray[Any] | None:
        if asked is not None and asked not in arrays:
            raise InvalidInput(
                f"There is no array {asked!r}; name one of {', '.join(map(repr, arrays))}."
            )
        return arrays.get(asked or usual)

    things = arrays.get("images", arrays.get("x"))
    if things is None:
        raise InvalidInput(
            f"{path} has no array 'images' or 'x', so there is nothing to show; "
            f"got {', '.join(map(repr, arrays)) or 'no array at all'}."
        )
    try:
        return open_arrays(
            things,
            known=column(label, "positive"),
            probs=column(prob, "probs"),
            ids=column(name, "ids"),
            names=arrays.get("feature_names"),
            meaning=meaning,
        )
    except InvalidInput as error:
        raise InvalidInput(f"{path}: {error}") from error


def open_arrays(
    things: NDArray[Any],
    *,
    known: Sequence[Any] | NDArray[Any] | None = None,
    probs: Sequence[Any] | NDArray[Any] | None = None,
    ids: Sequence[Any] | NDArray[Any] | None = None,
    names: Sequence[Any] | NDArray[Any] | None = None,
    meaning: Meaning = NOTHING_SAID,
) -> OpenedPool:
    """A pool of pictures or of rows of numbers.

    Parameters
    ----------
    things
        Shape (n, height, width), (n, height, width, channels), (n, channels, height, width), or
        (n, columns) for rows.
    known, probs, ids
        One entry an item.
    names
        Of the columns.
    meaning
        Which values of the label mean what.
    """
    if things.dtype.kind not in "biuf" or not 2 <= things.ndim <= 4:
        raise InvalidInput(
            "Pictures are numbers of shape (n, height, width) or (n, height, width, channels), "
            f"rows of shape (n, columns); got {things.dtype} of shape {things.shape}."
        )
    n = len(things)
    for what, values in (("labels", known), ("probabilities", probs), ("ids", ids)):
        if values is not None and np.shape(values) != (n,):
            raise InvalidInput(
                f"A pool of {n} items needs as many {what}, in one row; got shape "
                f"{np.shape(values)}."
            )
    labels = Labels() if known is None else known_from(list(known), meaning, "labels")
    content: PictureArray | Columns
    if things.ndim == 2:
        columns = _column_names(names, things.shape[1])
        content = Columns({name: things[:, j] for j, name in enumerate(columns)})
    else:
        things = _channels_last(things)
        content = PictureArray(things, float(things.max()) if things.size else 0.0)
    return gathered(
        content,
        range(n),
        [str(i) for i in range(n)] if ids is None else [str(name) for name in ids],
        _checksums(things),
        (),
        labels.known,
        None if probs is None else probs_from(list(probs), "probs"),
        labels.names,
    )


def _channels_last(pixels: NDArray[Any]) -> NDArray[Any]:
    if pixels.ndim == 4:
        if pixels.shape[3] not in (1, 2, 3, 4) and pixels.shape[1] in (1, 3, 4):
            pixels = np.moveaxis(pixels, 1, 3)
        if pixels.shape[3] not in (1, 2, 3, 4):
            raise InvalidInput(
                f"Pictures have 1 to 4 channels, in the last axis; got shape {pixels.shape}."
            )
    if not 0 < pixels.shape[1] * pixels.shape[2] <= MAX_PIXELS:
        raise InvalidInput(
            f"A picture has 1 to {MAX_PIXELS:,} pixels; got {pixels.shape[1]} x {pixels.shape[2]}."
        )
    return pixels


def _column_names(names: Sequence[Any] | NDArray[Any] | None, count: int) -> list[str]:
    if names is not None and len(names) == count and len(set(map(str, names))) == count:
        return [str(name) for name in names]
    return [f"x{j}" for j in range(count)]


def _checksums(things: NDArray[Any]) -> list[str]:
    """Of each item's shape, kind of number and numbers."""
    start = hashlib.sha256(f"{things.dtype.str} {things.shape[1:]}".encode())
    found = []
    for thing in things:
        one = start.copy()
        one.update(np.ascontiguousarray(thing).tobytes())
        found.append(one.hexdigest())
    return found
