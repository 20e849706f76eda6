"""Pictures at addresses: fetched where that is allowed, kept in the user's cache.

An item is its address. What is there is taken not to change: it is fetched once, when the source
is first opened, and its copy is used from then on, so that going on and exporting need no network.
Copies of tables in one folder lie together, in CACHE/<key of the folder>/remote, each with its
checksum; one that is gone is fetched again when it is shown, where that is allowed.
Imported by `askless.pools.table`; tested in tests/pools/test_remote_pictures.py.
"""

from __future__ import annotations

import hashlib
import weakref
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from threading import Lock
from typing import BinaryIO, ClassVar, Final
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from askless.errors import AsklessError, InvalidInput
from askless.files import make_folder, open_to_read
from askless.files.checksummed import CHECKSUM_BYTES, verify_checksum, write_checksummed
from askless.files.user_cache import PoolCache, folder_size, pool_key
from askless.pools._fetching import fetch
from askless.pools._pictures import SUFFIXES, decoded, why_not_a_picture
from askless.pools._remote_rules import Remote, read_address
from askless.pools.image_folder import PictureFiles, Progress, read_picture_files
from askless.pools.pool import SourceContent
from askless.seams import PoolKind

MOST_KEPT: Final = 10 * 10**9
"""Bytes of copies for the tables of one folder; more are not fetched."""
_AT_ONCE: Final = 8


def is_address(words: str) -> bool:
    """Whether a cell of a table holds an address, not a path."""
    return "://" in words


def copies_key(folder: Path) -> str:
    """What the copies for the tables in a folder are called in the cache."""
    return pool_key(_named(folder))


class Copies:
    """What was fetched for the tables in one folder.

    Parameters
    ----------
    folder
        Where the tables are.
    remote
        What may be fetched; None for nothing more.
    """

    def __init__(self, folder: Path, remote: Remote | None) -> None:
        held = PoolCache(_named(folder))
        weakref.finalize(self, held.close)
        self._folder = held / "remote"
        make_folder(self._folder)
        self._remote = remote
        self._lock = Lock()
        self._size = folder_size(self._folder)

    def get(self, address: str) -> bytes:
        """The picture at an address.

        Raises
        ------
        InvalidInput
            It may not be fetched, cannot be, or is no picture.
        """
        path = self._folder / hashlib.sha256(address.encode()).hexdigest()
        with suppress(OSError, AsklessError), open_to_read(path) as file:
            verify_checksum(file)
            return file.read()[:-CHECKSUM_BYTES]
        if self._remote is None:
            raise InvalidInput(
                f"The picture is at {address:.200}, and nothing is fetched; allow it with --remote."
            )
        content = fetch(address, self._remote)
        if reason := why_not_a_picture(content):
            raise InvalidInput(reason)
        with self._lock:
            self._size += len(content)
            if self._size > MOST_KEPT:
                self._size -= len(content)
                raise InvalidInput(
                    f"The pictures of one folder of tables take at most {MOST_KEPT:,} bytes; this "
                    "one would be more. Make them smaller, or label a part."
                )
        write_checksummed(path, lambda file: _write(file, content), durable=False)
        return content


@dataclass(frozen=True, slots=True, eq=False)
class RemotePictures(SourceContent):
    """Pictures of which some are at addresses.

    Parameters
    ----------
    files
        The others.
    addresses
        By place.
    copies
        What was fetched.
    """

    files: PictureFiles
    addresses: Mapping[int, str]
    copies: Copies
    kind: ClassVar[PoolKind] = "images"

    def picture(self, place: int, checksum: str, side: int | None) -> NDArray[np.uint8]:
        """The picture at `place`."""
        if place not in self.addresses:
            return self.files.picture(place, checksum, side)
        return decoded(self.copies.get(self.addresses[place]), side)

    def original(self, place: int, checksum: str) -> tuple[bytes, str]:
        """The picture at `place` as it was fetched."""
        if place not in self.addresses:
            return self.files.original(place, checksum)
        address = self.addresses[place]
        suffix = PurePosixPath(urlsplit(address).path).suffix
        return self.copies.get(address), suffix if suffix.lower() in SUFFIXES else ""

    def changed(self, place: int, checksum: str) -> str | None:
        """Why the file at `place` is another one; what is at an address is taken not to change."""
        return None if place in self.addresses else self.files.changed(place, checksum)


def fetch_all(
    addresses: Mapping[int, str], copies: Copies, progress: Progress | None
) -> dict[int, str]:
    """Fetch what there is no copy of yet; the reasons for those that cannot be had, by place.

    Parameters
    ----------
    addresses
        By place.
    copies
        Where they are kept.
    progress
        Told the share that is there.
    """
    reasons: dict[int, str] = {}
    different: dict[str, list[int]] = {}
    for place, address in addresses.items():
        different.setdefault(address, []).append(place)

    def reason(address: str) -> str | None:
        try:
            copies.get(address)
        except InvalidInput as error:
            return str(error)
        return None

    with ThreadPoolExecutor(_AT_ONCE, "askless-fetching") as pool:
        for number, (address, why) in enumerate(
            zip(different, pool.map(reason, different), strict=True), 1
        ):
            if why is not None:
                reasons |= dict.fromkeys(different[address], why)
            if progress is not None:
                progress(number / len(different))
    return reasons


def checksum_of_address(address: str) -> str:
    """What an item that is an address is known by."""
    return hashlib.sha256(b"address\n" + address.encode()).hexdigest()


def with_addresses(
    values: Sequence[str],
    folder: Path,
    remote: Remote | None,
    progress: Progress | None,
    *,
    again: bool,
) -> tuple[SourceContent, list[str], dict[int, str]]:
    """The pictures of a column in which some cells are addresses.

    Parameters
    ----------
    values
        The cells.
    folder
        Where paths begin.
    remote
        What may be fetched.
    progress
        Told the share that is there.
    again
        Whether the source was opened before: then an address counts without being fetched.
    """
    addresses = {place: words for place, words in enumerate(values) if is_address(words)}
    paths = ["" if is_address(words) else words for words in values]
    files, checksums, reasons = read_picture_files(paths, folder)
    for place, address in addresses.items():
        reasons.pop(place, None)
        try:
            (read_address if remote is None else remote.find)(address)
        except InvalidInput as error:
            reasons[place] = str(error)
        else:
            checksums[place] = checksum_of_address(address)
    if remote is None and not again:
        for place in addresses:
            reasons.setdefault(
                place,
                "This is an address, and nothing is fetched; name a file, or allow it with "
                "--remote.",
            )
        return files, checksums, reasons
    copies = Copies(folder, remote)
    if remote is not None:
        open_ = {place: one for place, one in addresses.items() if place not in reasons}
        reasons |= fetch_all(open_, copies, progress)
    return RemotePictures(files, addresses, copies), checksums, reasons


def _write(file: BinaryIO, content: bytes) -> None:
    file.write(content)


def _named(folder: Path) -> tuple[str, str]:
    return "copies of pictures", str(folder.resolve())
