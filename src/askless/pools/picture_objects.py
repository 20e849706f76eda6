"""Pictures that Python holds in memory: Pillow's, or the content of files as bytes.

They are kept as they are given and decoded when they are shown. One that is changed in place
afterwards is shown as it is then. Imported by `askless.pools.table`; tested in
tests/pools/test_python_tables.py.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps

from askless.errors import InvalidInput
from askless.pools._pictures import (
    MAX_PIXELS,
    as_png,
    decoded,
    in_colour,
    shrunk,
    why_not_a_picture,
)
from askless.pools.pool import SourceContent
from askless.seams import PoolKind


@dataclass(frozen=True, eq=False, slots=True)
class PictureObjects(SourceContent):
    """Pictures in a list: of Pillow, or bytes."""

    pictures: Sequence[Any]
    kind: ClassVar[PoolKind] = "images"

    def picture(self, place: int, checksum: str, side: int | None) -> NDArray[np.uint8]:
        """The picture at `place`, in red, green and blue."""
        one = self.pictures[place]
        return decoded(bytes(one), side) if _is_file(one) else shrunk(_pixels(one), side)

    def original(self, place: int, checksum: str) -> tuple[bytes, str]:
        """The picture at `place` as a file: what was given, or else PNG."""
        one = self.pictures[place]
        if not _is_file(one):
            return as_png(_pixels(one)), ".png"
        with Image.open(io.BytesIO(one)) as image:
            return bytes(one), f".{(image.format or 'png').lower()}".replace("jpeg", "jpg")


def checksum_of(picture: Any) -> tuple[str, str | None]:
    """The checksum of a picture's content, and why it is no picture; None if it is one."""
    if picture is None:
        return "", "The row has no picture."
    if _is_file(picture):
        content = bytes(picture)
        return hashlib.sha256(content).hexdigest(), why_not_a_picture(content)
    try:
        pixels = _pixels(picture)
    except InvalidInput as error:
        return "", str(error)
    digest = hashlib.sha256(str(pixels.shape).encode())
    digest.update(pixels.tobytes())
    return digest.hexdigest(), None


def _is_file(picture: Any) -> bool:
    return isinstance(picture, bytes | bytearray | memoryview)


def _pixels(image: Any) -> NDArray[np.uint8]:
    """The pixels of a picture of Pillow, upright."""
    width, height = image.size
    if not 0 < width * height <= MAX_PIXELS:
        raise InvalidInput(
            f"A picture has 1 to {MAX_PIXELS:,} pixels; got {width} x {height}. Make it smaller."
        )
    try:
        upright = image
        with suppress(Exception):  # a damaged note on orientation is no reason to refuse
            upright = ImageOps.exif_transpose(image)
        return np.array(in_colour(upright), np.uint8)
    except Exception as error:  # decoders of damaged files raise nearly anything
        words = " ".join(str(error).split()) or type(error).__name__
        raise InvalidInput(f"The picture cannot be decoded: {words[:120]}.") from error
