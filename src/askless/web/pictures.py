"""Pictures for the page: decoded, shrunk, encoded again.

No byte of an original is ever served, so nothing hidden in one (a script in an SVG, a page in
a "JPEG") reaches the browser. The pool decodes in bounded memory. Small ones are PNG, without
loss; others WebP. Tiles are kept on disk, and lately used ones in memory.
Tested in tests/web/test_security_content.py.
"""

from __future__ import annotations

import contextlib
import io
import re
from collections import OrderedDict
from pathlib import Path
from threading import Lock, Semaphore
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from askless.errors import AsklessError, InvalidInput
from askless.files import make_folder, read_bytes, write_whole
from askless.seams import Pool

Size = Literal["tile", "full"]

_SIDE: Final[dict[Size, int]] = {"tile": 320, "full": 2048}
_LOSSLESS_SIDE: Final = 128
_TILE_BYTES: Final = 4_000_000
_PNG: Final = b"\x89PNG\r\n\x1a\n"
_WEBP: Final = re.compile(rb"RIFF.{4}WEBP", re.DOTALL)
"""What a tile begins with; anything else that lies there is made again."""
_MEMORY_BYTES: Final = 48_000_000


class Pictures:
    """The pictures of a pool, ready to be sent.

    Parameters
    ----------
    pool
        An ``images`` pool.
    folder
        Where tiles are kept; made if it is not there. None to keep none on disk.
    """

    def __init__(self, pool: Pool, folder: Path | None) -> None:
        self._pool = pool
        self._folder = folder
        self._kept: OrderedDict[tuple[int, Size], bytes] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()
        self._decoding = Semaphore(2)  # full pictures are large: two at a time bound the memory
        if folder is not None:
            make_folder(folder)

    def get(self, item: int, size: Size) -> tuple[bytes, str]:
        """A picture and its media type.

        Raises
        ------
        InvalidInput
            It cannot be read any more.
        """
        data = self._recall(item, size)
        if data is None:
            with self._decoding:
                data = self._make(item, size)
            self._remember(item, size, data)
        return data, "image/png" if data.startswith(_PNG) else "image/webp"

    def _make(self, item: int, size: Size) -> bytes:
        path = self._path(item) if size == "tile" else None
        if path is not None:
            with contextlib.suppress(OSError, InvalidInput):
                data = read_bytes(path, _TILE_BYTES)
                if data.startswith(_PNG) or _WEBP.match(data):
                    return data
        data = _encode(self._decode(item, size))
        if path is not None:
            with contextlib.suppress(OSError):  # a full disk costs a little time, no picture
                write_whole(path, lambda file: file.write(data), durable=False)
        return data

    def _decode(self, item: int, size: Size) -> NDArray[np.uint8]:
        try:
            return self._pool.picture(item, _SIDE[size])
        except AsklessError:
            raise
        except Exception as error:
            raise InvalidInput(
                f"The picture of item {item} cannot be read any more: {error}."
            ) from error

    def _path(self, item: int) -> Path | None:
        if self._folder is None:
            return None
        return self._folder / f"{self._pool.checksums[item][:32]}.tile"

    def _recall(self, item: int, size: Size) -> bytes | None:
        with self._lock:
            data = self._kept.get((item, size))
            if data is not None:
                self._kept.move_to_end((item, size))
            return data

    def _remember(self, item: int, size: Size, data: bytes) -> None:
        with self._lock:
            self._bytes += len(data) - len(self._kept.pop((item, size), b""))
            self._kept[item, size] = data
            while self._bytes > _MEMORY_BYTES and len(self._kept) > 1:
                self._bytes -= len(self._kept.popitem(last=False)[1])


def _encode(pixels: NDArray[np.uint8]) -> bytes:
    file = io.BytesIO()
    image = Image.fromarray(np.ascontiguousarray(pixels))
    if max(image.size) <= _LOSSLESS_SIDE:
        image.save(file, "PNG")
    else:
        image.save(file, "WEBP", quality=85, method=2)
    return file.getvalue()
