"""Pools small enough to be written down, for the tests of features."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from askless.seams import PoolKind, Unreadable


@dataclass
class SmallPool:
    """A pool of what it is given."""

    kind: PoolKind
    pictures: Sequence[NDArray[np.uint8]] = ()
    texts: Sequence[str] = ()
    table: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    copies: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    unreadable: Sequence[Unreadable] = ()
    probs: NDArray[np.float64] | None = None
    looked: int = 0  # how many times a picture was asked for

    def __post_init__(self) -> None:
        contents = [bytes(picture.tobytes()) for picture in self.pictures]
        contents += [text.encode(errors="surrogatepass") for text in self.texts]
        if self.table:
            contents = [repr(row).encode() for row in zip(*self.table.values(), strict=True)]
        self.checksums: Sequence[str] = [
            hashlib.sha256(content).hexdigest() for content in contents
        ]
        self.ids: Sequence[str] = [str(at) for at in range(len(contents))]
        self.known = np.full(len(contents), -1, np.int8)

    def __len__(self) -> int:
        return len(self.ids)

    def picture(self, item: int, side: int | None = None) -> NDArray[np.uint8]:
        self.looked += 1
        found = np.asarray(self.pictures[item])
        if found.ndim == 2:
            found = np.repeat(found[..., None], 3, axis=2)
        step = 1 if side is None else -(-max(found.shape[:2]) // side)
        return found[::step, ::step]

    def original(self, item: int) -> tuple[bytes, str]:
        return self.pictures[item].tobytes(), ".raw"

    def text(self, item: int) -> str:
        return self.texts[item]

    def columns(self) -> Mapping[str, NDArray[Any]]:
        return self.table

    def facts(self, item: int) -> list[tuple[str, str]]:
        return []


def bars(n: int = 60, seed: int = 0, side: int = 28) -> SmallPool:
    """Pictures of one bar each, upright if the item is even, somewhere."""
    rng = np.random.default_rng(seed)
    images = np.zeros((n, side, side), np.uint8)
    for item, image in enumerate(images):
        at, start = rng.integers(6, 20), rng.integers(2, 10)
        image[start : start + 16, at : at + 3] = 255
        if item % 2:
            image[:] = image.T.copy()
    return SmallPool("images", pictures=list(images))
