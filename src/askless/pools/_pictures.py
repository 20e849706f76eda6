"""Bytes to pixels, within bounded memory, whatever the bytes are.

Only the formats named here are tried, so that a file from a stranger meets few decoders.
The size is known from the header; what is larger than `MAX_PIXELS` is never decoded. Pixels of
more than 8 bits, which have no agreed range, are stretched from the darkest to the brightest.
Tested in tests/pools/test_image_folder.py.
"""

from __future__ import annotations

import io
import logging
import math
import warnings
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from askless.errors import InvalidInput

MAX_PIXELS: Final = 2**26
"""Larger pictures are left out: decoded, 67 million pixels take 200 MB."""

MAX_BYTES: Final = 2**29
"""Larger files are left out unread."""

FORMATS: Final = ("JPEG", "PNG", "WEBP", "GIF", "TIFF", "BMP")
SUFFIXES: Final = frozenset(
    (".jpg", ".jpeg", ".jpe", ".jfif", ".png", ".webp", ".gif", ".tif", ".tiff", ".bmp", ".dib")
)
OTHER_SUFFIXES: Final = frozenset(
    (".svg", ".heic", ".heif", ".avif", ".jp2", ".jxl", ".psd", ".raw", ".cr2", ".nef", ".dng")
)
"""Pictures too, but of formats that are not read."""

_MAGIC: Final = (b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"GIF8", b"II*\0", b"MM\0*", b"BM")
_WIDE: Final = ("I", "F", "I;16", "I;16B", "I;16L", "I;16N")
_TAIL: Final = 2**16

# Pillow logs what it then raises; said once, in our sentence, is enough.
logging.getLogger("PIL").addHandler(logging.NullHandler())


def looks_like_a_picture(head: bytes) -> bool:
    """Whether a file that begins so may be one of `FORMATS`; a dozen bytes are enough."""
    return head.startswith(_MAGIC) or (head[:4] == b"RIFF" and head[8:12] == b"WEBP")


def why_not_a_picture(content: bytes) -> str | None:
    """The reason why these bytes are no picture, as a sentence; None if all is well.

    Looks at the header, and at the end for what was cut short; only when the end looks
    wrong is the whole decoded. So damage in the middle is found when the picture is shown.
    """
    if not content:
        return "The file is empty."
    try:
        with _opened(content) as image:
            if image.format == "PNG":
                image.verify()  # checks every chunk, decodes none
            if _ends_well(content, image):
                return None
        decoded(content, 64)
    except InvalidInput as error:
        return str(error)
    except Exception as error:  # decoders of damaged files raise nearly anything
        return _damaged(error)
    return None


def decoded(content: bytes, side: int | None) -> NDArray[np.uint8]:
    """The first picture in these bytes, upright, shape (height, width, 3).

    Parameters
    ----------
    content
        A whole file.
    side
        Shrink it so that the longer side is at most this; None for the full size.
    """
    try:
        with _opened(content) as image:
            if side is not None:
                image.draft("RGB", (side, side))  # JPEG decodes to a fraction at once
            with suppress(Exception):  # a damaged note on orientation is no reason to refuse
                ImageOps.exif_transpose(image, in_place=True)
            upright = in_colour(image)
            if side is not None:
                upright.thumbnail((side, side), Image.Resampling.LANCZOS, reducing_gap=2.0)
            return np.array(upright, np.uint8)
    except InvalidInput:
        raise
    except Exception as error:
        raise InvalidInput(_damaged(error)) from error


def shrunk(pixels: NDArray[np.uint8], side: int | None) -> NDArray[np.uint8]:
    """A picture, shape (height, width, 3), with its longer side at most `side`."""
    if side is None or max(pixels.shape[:2]) <= side:
        return pixels
    image = Image.fromarray(pixels)
    image.thumbnail((side, side), Image.Resampling.LANCZOS)
    return np.array(image, np.uint8)


def as_png(pixels: NDArray[np.uint8]) -> bytes:
    """A picture, shape (height, width, 3), as a file without loss."""
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    return file.getvalue()


def stretched(values: NDArray[np.generic]) -> NDArray[np.uint8]:
    """Numbers of any range as 0 to 255, from the smallest to the largest."""
    numbers = np.nan_to_num(values.astype(np.float32), posinf=0.0, neginf=0.0)
    low, high = float(numbers.min()), float(numbers.max())
    if high <= low:
        return np.zeros(values.shape, np.uint8)
    return np.asarray((numbers - low) * (255 / (high - low)) + 0.5, np.uint8)


def _opened(content: bytes) -> Image.Image:
    # Pillow warns of odd metadata and of large sizes; the first is no matter, the second is
    # refused here. Set every time, since filters are reset around us (by test runners, say).
    warnings.filterwarnings("ignore", module=r"PIL\.")
    try:
        image = Image.open(io.BytesIO(content), formats=FORMATS)
    except Image.DecompressionBombError:
        raise InvalidInput(_too_large("more than 178 million")) from None
    except UnidentifiedImageError:
        raise InvalidInput(
            "The content is not a picture, or damaged from the start "
            "(JPEG, PNG, WebP, GIF, TIFF and BMP are read)."
        ) from None
    width, height = image.size
    if width * height > MAX_PIXELS:
        raise InvalidInput(_too_large(f"{width} x {height}"))
    if not width * height:
        raise InvalidInput("The picture has no pixels.")
    return image


def in_colour(image: Image.Image) -> Image.Image:
    """The picture in red, green and blue; what is transparent becomes white."""
    if image.mode in _WIDE:
        return Image.fromarray(stretched(np.asarray(image))).convert("RGB")
    if image.mode in ("LA", "PA", "RGBA", "RGBa", "La") or "transparency" in image.info:
        clear = image.convert("RGBA")
        colour = Image.new("RGB", clear.size, "white")
        colour.paste(clear, mask=clear.getchannel("A"))
        return colour
    return image.convert("RGB")


def _ends_well(content: bytes, image: Image.Image) -> bool:
    """Whether the file has an end as its format should, as far as that is quickly seen."""
    if image.format == "JPEG":
        return b"\xff\xd9" in content[-_TAIL:]
    if image.format == "PNG":
        return b"IEND" in content[-_TAIL:]
    if image.format == "GIF":
        return b"\x3b" in content[-16:]
    if image.format == "WEBP":
        return len(content) >= int.from_bytes(content[4:8], "little") + 8
    if image.format == "TIFF":
        return len(content) >= _last_strip(getattr(image, "tag_v2", {}))
    return len(content) >= int.from_bytes(content[2:6], "little") > 0  # BMP


def _last_strip(tags: Mapping[int, Any]) -> float:
    """Where the pixels of a TIFF end, by its strips or tiles; nowhere if it does not say."""
    for offsets, counts in ((273, 279), (324, 325)):
        if offsets in tags and counts in tags:
            return max(map(sum, zip(_many(tags[offsets]), _many(tags[counts]), strict=False)))
    return math.inf


def _many(value: Any) -> tuple[int, ...]:
    return tuple(value) if isinstance(value, tuple | list) else (value,)


def _too_large(size: str) -> str:
    return (
        f"The picture has {size} pixels; at most {MAX_PIXELS:,} are decoded, to spare the memory. "
        "Make it smaller first."
    )


def _damaged(error: Exception) -> str:
    words = " ".join(str(error).split()) or type(error).__name__
    return f"The picture is damaged and cannot be decoded: {words[:120]}."
