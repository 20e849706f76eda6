"""The user's cache: what can be made again from the items, out of the way of sessions.

    CACHE/<pool>/features    feature sets and what is made of them
    CACHE/<pool>/tiles       small pictures for the page
    CACHE/<pool>/models      what a predictor has learnt, by session
    CACHE/<folder>/remote    copies of pictures at addresses, for the tables in one folder

CACHE is where the system keeps caches (platformdirs), or what the environment variable
``ASKLESS_CACHE`` names. A pool is known by the checksums of its items, so sessions over the same
items share what is kept. Whoever uses a pool's folder holds a lock on it. When all of them
together take more than `MOST_BYTES`, those that nobody holds are removed, the one that was not used
for the longest time first. Folders have mode 700 and files 600; links are refused.
Imported by whoever keeps what can be made again; tested in tests/files/test_user_cache.py.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from askless.errors import UnsafeFile
from askless.files.folders import in_words, make_folder, make_private
from askless.files.owned import check_below, open_lock

CACHE: Final = "ASKLESS_CACHE"
"""Environment variable that names another cache folder."""
MOST_BYTES: Final = 10 * 10**9
_LOCK: Final = "lock"
_NAME: Final = re.compile(r"[0-9a-f]{32}")


def cache_folder() -> Path:
    """Where the user's cache is; it may not be there yet."""
    if named := os.environ.get(CACHE):
        return Path(named).absolute()
    from platformdirs import user_cache_dir  # which few commands need

    return Path(user_cache_dir("askless", appauthor=False)).absolute()


def pool_key(checksums: Iterable[str]) -> str:
    """What a pool is called in the cache, by the checksums of its items in their order."""
    digest = hashlib.sha256()
    for checksum in checksums:
        digest.update(checksum.encode("utf-8", "backslashreplace") + b"\n")
    return digest.hexdigest()[:32]


class PoolCache:
    """The folder of one pool in the cache, held until `close`.

    Parameters
    ----------
    checksums
        Of the items of the pool, in their order.

    Raises
    ------
    InvalidInput
        It cannot be made or written to.
    UnsafeFile
        The cache belongs to somebody else, or holds links.
    """

    def __init__(self, checksums: Iterable[str]) -> None:
        root = cache_folder()
        self.folder = root / pool_key(checksums)
        with in_words(root, "The cache needs", f" with {CACHE}"):
            make_folder(root)
            if os.lstat(root).st_uid != os.geteuid():
                raise UnsafeFile(
                    f"The cache must be your own folder, and {root} belongs to somebody else. "
                    f"Name another with {CACHE}."
                )
            make_private(root)
            self._fd = _held(self.folder)
        try:
            os.utime(self.folder)
            for name in ("features", "tiles", "models", "remote"):
                check_below(self.folder / name)
            _make_room()
        except BaseException:
            self.close()
            raise

    def __truediv__(self, name: str) -> Path:
        return self.folder / name

    def close(self) -> None:
        """Let it be removed when there is no room."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


@dataclass(frozen=True, slots=True)
class Cleared:
    """What `clear_cache` did.

    Parameters
    ----------
    pools, size
        How many folders were removed, and how many bytes they took.
    in_use
        How many are left, because somebody holds them.
    """

    pools: int
    size: int
    in_use: int


def cache_size(key: str | None = None) -> tuple[int, int]:
    """How many pools the cache holds, and the bytes they take; or those of the pool `key` alone."""
    folders = [folder for folder in _folders() if key in (None, folder.name)]
    return len(folders), sum(map(folder_size, folders))


def clear_cache(key: str | None = None) -> Cleared:
    """Remove all that nobody holds from the cache; with a `key`, of that pool alone."""
    pools = size = in_use = 0
    for folder in _folders():
        if key not in (None, folder.name):
            continue
        took = folder_size(folder)
        if _removed(folder):
            pools, size = pools + 1, size + took
        else:
            in_use += 1
    return Cleared(pools, size, in_use)


def _make_room() -> None:
    """Remove the folders that were not used for the longest time until the rest fits."""
    sizes = {folder: folder_size(folder) for folder in _folders()}
    total = sum(sizes.values())
    for folder in sorted(sizes, key=_used_ns):
        if total <= MOST_BYTES:
            return
        if _removed(folder):
            total -= sizes[folder]


def _folders() -> list[Path]:
    """The folders of pools that may be seen; whatever else lies in the cache is not ours."""
    unseen = suppress(FileNotFoundError, NotADirectoryError, PermissionError)
    with unseen, os.scandir(cache_folder()) as found:
        return [
            Path(entry.path)
            for entry in found
            if _NAME.fullmatch(entry.name) and entry.is_dir(follow_symlinks=False)
        ]
    return []


def _used_ns(folder: Path) -> int:
    with suppress(OSError):
        return os.lstat(folder).st_mtime_ns
    return 0


def folder_size(folder: Path) -> int:
    """The bytes of all files in a folder, however deep; links are not followed."""
    size = 0
    for where, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                size += os.lstat(Path(where, name)).st_size
    return size


def _held(folder: Path) -> int:
    """A descriptor of the folder's lock, shared with all others that use it."""
    while True:
        make_folder(folder)
        fd = open_lock(folder / _LOCK)
        try:
            fcntl.flock(fd, fcntl.LOCK_SH)
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(fd), os.lstat(folder / _LOCK)):
                    return fd
        except BaseException:
            os.close(fd)
            raise
        os.close(fd)  # it was removed just now: make it again


def _removed(folder: Path) -> bool:
    """Remove a folder unless somebody holds it; whether that was done."""
    fd = open_lock(folder / _LOCK)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # The lock goes last, so that whoever comes meanwhile waits for the rest to be gone.
        for entry in list(os.scandir(folder)):
            if entry.name == _LOCK:
                continue
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path)
            else:
                os.unlink(entry.path)
        shutil.rmtree(folder)
    except BlockingIOError:
        return False
    finally:
        os.close(fd)
    return True
