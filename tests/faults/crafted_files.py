"""The other files of a session as somebody hostile, or a broken disk, could have made them.

`FILES` and `FIELDS` name ways to spoil a sound session. Checksums are made to fit, since whoever
crafts a folder can compute them: what is wrong is what the files say.
"""

from __future__ import annotations

import io
import json
import os
import pickle
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from askless.files.checksummed import write_checksummed
from tests.faults.crafted_events import DEEP, WRONG, Spoil, payload_field


def checksummed(name: str, content: bytes | Callable[[bytes], bytes]) -> Spoil:
    """A file with other content, and a checksum that fits it and stands in the event ``opened``."""

    def spoil(session: Path) -> None:
        path = session / name
        path.parent.mkdir(exist_ok=True)
        whole = content if isinstance(content, bytes) else content(_unsealed(path))

        def write(file: BinaryIO) -> None:
            file.write(whole)

        checksum = write_checksummed(path, write)
        field = {"items.jsonl": "items", "probs.npy": "probs"}.get(name)
        if field:
            payload_field("opened", field, json.dumps(checksum))(session)

    return spoil


def _unsealed(path: Path) -> bytes:
    return path.read_bytes().rpartition(b"\naskless sha256 ")[0]


def _npy(shape: str, descr: str = "'<f8'", data: bytes = b"") -> bytes:
    head = f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}".encode()
    head += b" " * (-(len(head) + 13) % 64) + b"\n"
    return b"\x93NUMPY\x02\x00" + len(head).to_bytes(4, "little") + head + data


def _array(values: Any) -> bytes:
    array = np.asarray(values)
    return _npy(str(array.shape), repr(array.dtype.str), array.tobytes())


_PROBS: dict[str, Spoil] = {
    f"probs.npy: {what}": checksummed("probs.npy", content)
    for what, content in {
        "nothing": b"",
        "no array": b"nonsense",
        "too few": _array([0.5]),
        "too many": _array([0.5] * 7),
        "NaN": _array([np.nan] * 6),
        "two": _array([2.0] * 6),
        "two dimensions": _array([[0.5]] * 6),
        "whole numbers": _array([1] * 6),
        "texts": _array(["a"] * 6),
        "no shape": _npy("7"),
        "a shape of terabytes": _npy("(1000000000000,)"),
        "a negative shape": _npy("(-6,)", data=bytes(48)),
        "a shape beyond all numbers": _npy("(99999999999999999999999,)"),
        "a shape with an empty side": _npy("(0, 99999999999999999999)"),
        "objects": _npy("(6,)", "'|O'", pickle.dumps([os.getpid] * 6)),
        "a header that is code": _npy("__import__('os').getpid()"),
        "a header that is nested": _npy("(" * 5000 + ")" * 5000),
    }.items()
}

_ABOUT = '{"format":1,"items":6}\n'
_ITEMS: dict[str, Spoil] = {
    f"items.jsonl: {what}": checksummed("items.jsonl", content)
    for what, content in {
        "nothing": b"",
        "no JSON": b"nonsense\n",
        "too few": (_ABOUT + '["a","b"]\n').encode(),
        "no lines for a thousand million": b'{"format":1,"items":1000000000}\n',
        "fewer than none": b'{"format":1,"items":-1}\n',
        "a list for a head": b"[]\n",
        "no format": b'{"items":6}\n',
        "another format": b'{"format":2,"items":6}\n',
        "numbers for names": (_ABOUT + "[1,2]\n" * 6).encode(),
        "objects for rows": (_ABOUT + "{}\n" * 6).encode(),
        "empty rows": (_ABOUT + "[]\n" * 6).encode(),
        "copies that are a number": (_ABOUT + '["a","b",7]\n' * 6).encode(),
        "copies that are numbers": (_ABOUT + '["a","b",[7]]\n' * 6).encode(),
        "rows nested deeply": (_ABOUT + (DEEP + "\n") * 6).encode(),
        "names that are all the same": (_ABOUT + '["a","b"]\n' * 6).encode(),
    }.items()
}


def _npz(**members: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        for name, content in members.items():
            made.writestr(f"{name}.npy", content)
    return file.getvalue()


def _deflated(size: int) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as made:
        made.writestr("about.npy", _about())
        with made.open("probs.npy", "w", force_zip64=True) as member:
            member.write(_npy(f"({size // 8},)"))
            for _ in range(size // (1 << 24)):
                member.write(bytes(1 << 24))
    return file.getvalue()


def _about(**changes: Any) -> bytes:
    about = {"format": 1, "number": 1, "answers": 3, "fit_s": 0.1, "made_by": None}
    about |= {"restorable": False} | changes
    return _array(np.frombuffer(json.dumps(about).encode(), np.uint8))


_GOOD = _array([0.5] * 6)
_CHECKPOINTS: dict[str, Callable[[], bytes]] = {
    "nothing": lambda: b"",
    "no archive": lambda: b"PK nonsense",
    "an empty archive": _npz,
    "no probs": lambda: _npz(about=_about()),
    "no about": lambda: _npz(probs=_GOOD),
    "unfolds to 64 megabytes": lambda: _deflated(1 << 26),
    "probs of terabytes": lambda: _npz(about=_about(), probs=_npy("(1000000000000,)")),
    "probs of 6 gigabytes": lambda: _npz(about=_about(), probs=_npy("(800000000,)")),
    "objects": lambda: _npz(about=_about(), probs=_npy("(6,)", "'|O'", pickle.dumps([1] * 6))),
    "too many probs": lambda: _npz(about=_about(), probs=_array([0.5] * 7)),
    "NaN": lambda: _npz(about=_about(), probs=_array([np.nan] * 6)),
    "texts": lambda: _npz(about=_about(), probs=_array(["a"] * 6)),
    "about is a list": lambda: _npz(about=_array(np.frombuffer(b"[]", np.uint8)), probs=_GOOD),
    "about is nested": lambda: _npz(
        about=_array(np.frombuffer(DEEP.encode(), np.uint8)), probs=_GOOD
    ),
    "a member that is no array": lambda: _npz(about=_about(), probs=b"nonsense"),
    "an array nobody asked for": lambda: _npz(
        **{"about": _about(), "probs": _GOOD, "array/x": _npy("(1000000000000,)")}
    ),
}
_CHECKPOINT_FIELDS = {
    f"{field} is {json.dumps(value)[:20]}": (
        lambda field=field, value=value: _npz(about=_about(**{field: value}), probs=_GOOD)
    )
    for field, value in (
        ("format", "x"),
        ("number", "x"),
        ("number", -1),
        ("number", 10**400),
        ("number", None),
        ("answers", [1]),
        ("answers", 10**30),
        ("fit_s", "x"),
        ("fit_s", None),
        ("made_by", 7),
        ("restorable", []),
    )
}


def _checkpoint(make: Callable[[], bytes]) -> Spoil:
    return lambda session: checksummed("training/checkpoint-00000001.npz", make())(session)


_SETTINGS: dict[str, Spoil] = {
    f"app.json: {what}": (
        lambda session, text=text: (session / "app.json").write_text(text)  # type: ignore[misc]
    )
    for what, text in {
        "nothing": "",
        "no JSON": "{",
        "a list": "[]",
        "nested deeply": DEEP,
        "options that are paths": '{"options": {"path": "/etc/passwd", "text": 7}}',
    }.items()
}


def _raw(name: str, content: bytes) -> Spoil:
    def spoil(session: Path) -> None:
        (session / name).parent.mkdir(exist_ok=True)
        (session / name).write_bytes(content)

    return spoil


def _cut(name: str) -> Spoil:
    return lambda session: os.truncate(session / name, (session / name).stat().st_size // 2)


def _sparse(name: str, size: int) -> Spoil:
    def spoil(session: Path) -> None:
        (session / name).parent.mkdir(exist_ok=True)
        with (session / name).open("ab") as file:
            file.truncate(size)

    return spoil


def _head(text: str) -> Spoil:
    from zlib import crc32

    line = f"{text} {crc32(text.encode()):08x}".ljust(63) + "\n"
    return _raw("events.sqlite-head", line.encode())


_RAW: dict[str, Spoil] = {
    **{
        f"{name}: garbage": _raw(name, bytes(range(256)) * 40)
        for name in (
            "events.sqlite",
            "events.sqlite-wal",
            "events.sqlite-shm",
            "events.sqlite-journal",
            "events.sqlite-head",
            "items.jsonl",
            "probs.npy",
            "app.json",
            "training/checkpoint-00000001.npz",
            "training/trainer.log",
        )
    },
    **{
        f"{name}: empty": _raw(name, b"")
        for name in ("events.sqlite", "events.sqlite-head", "items.jsonl", "probs.npy")
    },
    **{f"{name}: cut": _cut(name) for name in ("events.sqlite", "items.jsonl", "probs.npy")},
    **{
        f"{name}: of terabytes, all holes": _sparse(name, 1 << 42)
        for name in (
            "events.sqlite-wal",
            "items.jsonl",
            "probs.npy",
            "app.json",
            "training/checkpoint-00000001.npz",
        )
    },
    "a head that is far ahead": _head("999999999999999999 0123456789abcdef 1"),
    "a head that is below nothing": _head("-5 0123456789abcdef 1"),
    "a head with one word": _head("word"),
    "a head with a strange process": _head("3 0123456789abcdef 99999999999999999999"),
    "a head with a strange link": _head("3 xyz 1"),
    "a checkpoint with a number beyond all": _raw(f"training/checkpoint-{'9' * 200}.npz", b""),
    "a checkpoint with strange digits": _raw("training/checkpoint-\u0663.npz", b""),
}

_SETTINGS_FIELDS: dict[str, Spoil] = {
    f"app.json: {field} is {what}": _raw("app.json", f'{{"{field}": {WRONG[what]}}}'.encode())
    for field in ("source", "options", "positive", "pinned", "port", "max_n", "features")
    for what in ("a list", "a huge number", "infinity", "null", "true", "an object")
}

FILES: dict[str, Spoil] = {
    **_PROBS,
    **_ITEMS,
    **{f"checkpoint: {what}": _checkpoint(make) for what, make in _CHECKPOINTS.items()},
    **_SETTINGS,
    **_RAW,
}
FIELDS: dict[str, Spoil] = {
    **_SETTINGS_FIELDS,
    **{f"checkpoint: {what}": _checkpoint(make) for what, make in _CHECKPOINT_FIELDS.items()},
    "checkpoint: unfolds to a gigabyte": _checkpoint(lambda: _deflated(1 << 30)),
}
"""Every field with many wrong values."""
