"""The secret that signs cookies and tickets: kept by the user, never in a session's folder.

A session folder may come from a stranger, and whoever knows the secret can make cookies and
tickets. So there is one file of 32 random bytes in the user's own state folder, for its owner
alone, and each session has a key of its own, derived from it:

    key = HMAC-SHA256(secret, id of the session)

The id says where the session lies and what its first event is, so a folder put in the place of
another, or a copy of it elsewhere, has another key. Nothing in a folder can choose one: it would
take the secret.
Imported by `askless.web.app`; tested in tests/web/test_secret.py.
"""

from __future__ import annotations

import fcntl
import hashlib
import hmac
import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from askless.files import check_plain, in_words, make_folder, open_lock, read_bytes, write_whole
from askless.files.user_state import STATE, state_folder
from askless.folder.files import SECRET

SIGNER: Final[dict[str, Any]] = {"digest_method": hashlib.sha256, "key_derivation": "hmac"}
"""How itsdangerous signs."""
_BYTES: Final = 32
_MOST: Final = 1024


def session_key(session: str) -> bytes:
    """The key that signs the cookies and tickets of a session.

    Parameters
    ----------
    session
        Its id (`LabellingService.id`).
    """
    return hmac.new(_secret(), f"askless-session:{session}".encode(), hashlib.sha256).digest()


def remove_old_secret(folder: Path) -> None:
    """Take away the secret that earlier versions kept in a session's folder; it is not believed."""
    path = folder / SECRET
    with suppress(OSError):
        if path.is_file() and not path.is_symlink():
            path.unlink()


def _secret() -> bytes:
    path = state_folder() / SECRET
    with in_words(path.parent, "The secret of the app needs", f" with {STATE}"):
        make_folder(path.parent)
        lock = open_lock(path.with_name("lock"))  # two that start at once make one secret
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if check_plain(path) is None or len(read_bytes(path, _MOST)) < _BYTES:
                made = secrets.token_bytes(_BYTES)
                write_whole(path, lambda file: file.write(made))
            return read_bytes(path, _MOST)
        finally:
            os.close(lock)
