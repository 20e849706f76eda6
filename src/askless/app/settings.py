"""What the app keeps beside the answers: names, pinned examples, what was reviewed, a secret.

Small files in the session's folder, each written whole:

    FOLDER/app.json     what is told here
    FOLDER/secret       signs tickets and cookies; for the owner's eyes only
    FOLDER/open.html    leads the browser here; only until it has come
    FOLDER/thumbnails/  pictures made small
    FOLDER/cache/       features

Everything that labels follow from is in the events instead. Tested in tests/app/test_settings.py.
"""

from __future__ import annotations

import json
import math
import os
import secrets
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from askless.errors import InvalidInput
from askless.files import write_whole
from askless.folder import SECRET, SETTINGS


@dataclass(frozen=True, slots=True)
class AppSettings:
    """What the app remembers.

    Parameters
    ----------
    source
        Where the pool comes from.
    options
        How it was opened: the columns and so on, by `open_pool`'s names.
    positive, negative
        What the labels are called.
    confirmed
        Whether the person has said what the positive label means, or agreed.
    pinned, reviewed
        Items.
    port
        Where the app was last served; a page left open finds it again.
    max_n
        The most items a question may show.
    features
        What the model learns from: the options of each feature set by its name; None for what is
        usual for the pool.
    """

    source: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    positive: str = "positive"
    negative: str | None = None
    confirmed: bool = False
    pinned: tuple[int, ...] = ()
    reviewed: tuple[int, ...] = ()
    port: int | None = None
    max_n: int | None = None
    features: Mapping[str, Mapping[str, Any]] | None = None


class SettingsFile:
    """The notes of one session folder.

    Parameters
    ----------
    folder
        The session's folder; must exist.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / SETTINGS
        self.folder = folder
        self.current = read_settings(folder)
        self.secret = _secret(folder / SECRET)

    def change(self, **changes: Any) -> None:
        """Note something; on disk when this returns."""
        changed = replace(self.current, **changes)
        if changed == self.current:
            return
        body = json.dumps(asdict(changed), ensure_ascii=False, indent=1).encode()
        write_whole(self._path, lambda file: file.write(body))
        self.current = changed


def read_settings(folder: Path) -> AppSettings:
    """The notes in a session's folder, which is left as it is; blank if there are none."""
    path = folder / SETTINGS
    try:
        said = json.loads(path.read_bytes())
    except FileNotFoundError:
        return AppSettings()
    except (OSError, ValueError, RecursionError) as error:
        raise _unreadable(path, f"it cannot be read: {error}") from error
    if not isinstance(said, dict):
        raise _unreadable(path, f"they are an object; got {said!r:.60}")
    kept = {name: said[name] for name in _SHAPES if name in said}
    for name, value in kept.items():
        must, fits = _SHAPES[name]
        if not fits(value):
            raise _unreadable(path, f"{name} is {must}; got {value!r:.60}")
    for name in ("pinned", "reviewed"):
        kept[name] = tuple(kept.get(name, ()))
    return AppSettings(**kept)


def _unreadable(path: Path, why: str) -> InvalidInput:
    return InvalidInput(
        f"{path} must hold the app's notes as JSON; {why}. "
        "Remove it to begin new notes; the answers are elsewhere."
    )


def _whole(value: object, least: int = 0, most: float = math.inf) -> bool:
    return type(value) is int and least <= value <= most


def _items(value: object) -> bool:
    return isinstance(value, list) and all(map(_whole, value))


def _sets(value: object) -> bool:
    if not isinstance(value, dict) or not value:
        return False
    return all(isinstance(options, dict) for options in value.values())


_SHAPES: Final[Mapping[str, tuple[str, Callable[[Any], bool]]]] = {
    "source": ("a text", lambda value: isinstance(value, str)),
    "options": ("an object", lambda value: isinstance(value, dict)),
    "positive": ("a text", lambda value: isinstance(value, str)),
    "negative": ("a text or null", lambda value: value is None or isinstance(value, str)),
    "confirmed": ("true or false", lambda value: isinstance(value, bool)),
    "pinned": ("a list of items", _items),
    "reviewed": ("a list of items", _items),
    "port": ("from 0 to 65535 or null", lambda value: value is None or _whole(value, 0, 65535)),
    "max_n": ("a whole number from 1 or null", lambda value: value is None or _whole(value, 1)),
    "features": (
        "null, or an object with the options of each feature set as an object",
        lambda value: value is None or _sets(value),
    ),
}
"""What each note is in JSON, in words and as a check."""


def _secret(path: Path) -> bytes:
    try:
        found = path.read_bytes()
    except FileNotFoundError:
        found = b""
    if len(found) >= 32:
        if path.stat().st_mode & 0o077:  # copied, or unpacked
            path.chmod(0o600)
        return found
    made = secrets.token_bytes(32)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(made)
        file.flush()
        os.fsync(file.fileno())
    return made
