"""The only way to open a name that belongs to a session: plain files, never through a link.

A session folder may come from a stranger, unpacked from an archive. So a name in it is looked at
before it is opened (``lstat``), opened without following links (``O_NOFOLLOW``) and without
waiting (``O_NONBLOCK``, for a fifo), and looked at again through the descriptor. Refused are
symbolic links, folders, fifos, sockets, devices, and files with several names (hard links), since
writing one of those would change a file elsewhere. New files have mode 600.

What is not guarded against: somebody who may write to the folder while askless runs. Nobody but
the owner may, once the folder has mode 700 (`askless.files.folders`).
Imported by every room that reads or writes a session; tested in tests/files/test_owned.py and,
command by command, in tests/faults/test_session_links.py.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final

from askless.errors import InvalidInput, UnsafeFile
from askless.files.folders import check_folder

LARGEST: Final = 1 << 36
"""The most bytes of a file that is read; 64 GiB, some minutes of hashing."""

_SAFE: Final = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


def check_plain(path: Path) -> os.stat_result | None:
    """What stands under a name, if it is a plain file; None if nothing does.

    Raises
    ------
    UnsafeFile
        It is something else; the sentence names it.
    """
    try:
        status = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    _require_plain(path, status)
    return status


def open_to_read(path: Path, most: int = LARGEST) -> BinaryIO:
    """A plain file, open for reading.

    Parameters
    ----------
    path
        The file.
    most
        The most bytes it may have.

    Raises
    ------
    UnsafeFile
        It is a link, or no plain file.
    InvalidInput
        It is larger than `most`.
    OSError
        It is not there, or may not be read.
    """
    # With an opener the file is known by its path, which messages name.
    file = open(path, "rb", opener=lambda _, flags: _open(path, flags))  # noqa: SIM115
    size = os.fstat(file.fileno()).st_size
    if size > most:
        file.close()
        raise InvalidInput(
            f"{path} must have at most {most:,} bytes; it has {size:,}. It is not a file that "
            "askless wrote."
        )
    return file


def read_bytes(path: Path, most: int) -> bytes:
    """The content of a plain file of at most `most` bytes; errors as `open_to_read`."""
    with open_to_read(path, most) as file:
        return file.read(most)


def open_log(path: Path) -> BinaryIO:
    """An empty log file, open for appending."""
    file = open(path, "ab", opener=lambda _, flags: _open(path, flags))  # noqa: SIM115
    file.truncate(0)
    return file


def open_lock(path: Path) -> int:
    """A descriptor of the file at `path`, made if it is not there, to be locked by ``flock``.

    Whoever may read a file may lock it; mode 600 leaves that to its owner.
    """
    fd = _open(path, os.O_RDWR | os.O_CREAT)
    status = os.fstat(fd)
    if status.st_mode & 0o077 and status.st_uid == os.geteuid():
        with suppress(OSError):  # a file system without modes
            os.fchmod(fd, 0o600)
    return fd


def check_names(folder: Path, files: Collection[str], folders: Collection[str] = ()) -> None:
    """Refuse a folder in which a name of ours is not what it must be, or is a link.

    Opens nothing; one call a name.

    Parameters
    ----------
    folder
        May not exist. Names that are not mentioned here are not looked at.
    files, folders
        Names of files and of folders; they may be missing.

    Raises
    ------
    UnsafeFile
        The sentence names the first one.
    """
    check_folder(folder)
    for name in files:
        check_plain(folder / name)
    for name in folders:
        _check_is_folder(folder / name)


def check_below(folder: Path, depth: int = 8) -> None:
    """Refuse a folder in which something, however deep, is neither a plain file nor a folder.

    No session nests its folders deeper than `depth`; whoever walks them may rely on that.

    Link counts are left to whoever opens a file: they take a call a file, and there can be a
    million tiles.

    Raises
    ------
    UnsafeFile
        The sentence names the first one.
    """
    _check_is_folder(folder)
    if not folder.exists():
        return
    if depth == 0:
        raise UnsafeFile(
            f"A session's folders must not lie this deep, and {folder} does. Remove it, and do not "
            "trust the session if you did not put it there yourself."
        )
    with os.scandir(folder) as found:
        for entry in found:
            if entry.is_dir(follow_symlinks=False):
                check_below(Path(entry.path), depth - 1)
            elif not entry.is_file(follow_symlinks=False):
                check_plain(Path(entry.path))


def _check_is_folder(path: Path) -> None:
    check_folder(path)
    if path.exists() and not path.is_dir():
        raise UnsafeFile(f"{path} must be a folder, and is none. Move it away.")


def _open(path: Path, flags: int) -> int:
    # Looked at first: opening a device can set something off.
    check_plain(path)
    try:
        fd = os.open(path, flags | _SAFE, 0o600)
    except OSError as error:
        check_plain(path)  # it was replaced just now
        raise error
    try:
        _require_plain(path, os.fstat(fd))
    except BaseException:
        os.close(fd)
        raise
    return fd


def _require_plain(path: Path, status: os.stat_result) -> None:
    mode = status.st_mode
    if stat.S_ISREG(mode) and status.st_nlink <= 1:
        return
    if stat.S_ISREG(mode):
        what = f"a file with {status.st_nlink} names (hard links)"
        mend = "Replace it by a copy, or remove it."
    else:
        kinds = {
            stat.S_IFLNK: "a symbolic link",
            stat.S_IFDIR: "a folder",
            stat.S_IFIFO: "a fifo",
            stat.S_IFSOCK: "a socket",
        }
        what = kinds.get(stat.S_IFMT(mode), "a device")
        mend = "Remove it, and do not trust the folder if you did not put it there yourself."
    raise UnsafeFile(
        f"A session's files must be plain files of their own, and {path} is {what}. It was neither "
        f"followed nor changed. {mend}"
    )
