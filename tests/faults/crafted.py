"""Session folders as somebody hostile, or a broken disk, could have made them.

`VARIANTS` and `SWEEP` name some four hundred ways to spoil a sound session. Checksums and the
chain of the events are made to fit, since whoever crafts a folder can compute them: what is wrong
is what the files say.
"""

from __future__ import annotations

import io
import json
import os
import pickle
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, BinaryIO, get_args

import numpy as np

from askless.core.event import Kind
from askless.files.checksummed import write_checksummed
from askless.stores._codec import FIRST, link_fields

Spoil = Callable[[Path], object]
Row = dict[str, Any]

DEEP = "[" * 100_000 + "]" * 100_000
WRONG: dict[str, str] = {
    "a text": '"x"',
    "a negative number": "-1",
    "a huge number": "1" + "0" * 30,
    "a number too long to read": "1" * 5000,
    "infinity": "1e999",
    "NaN": "NaN",
    "null": "null",
    "a list": "[[], 1, {}]",
    "an object": '{"a": {"b": []}}',
    "true": "true",
    "nested deeply": DEEP,
    "a text of control characters": '"\\u001b[2J\\u0000\\ud800"',
}
"""JSON that most fields cannot be."""


# --- the events ---------------------------------------------------------------------------------

_COLUMNS = ("number", "format", "kind", "annotator", "at_s", "key", "payload")


def rewrite_events(session: Path, edit: Callable[[list[Row]], object]) -> None:
    """Write the events again, edited, with a chain of checksums that fits."""
    path = session / "events.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode=DELETE")
        names = ", ".join(f'"{name}"' for name in _COLUMNS)
        found = db.execute(f"SELECT {names} FROM event ORDER BY number").fetchall()
        rows = [dict(zip(_COLUMNS, row, strict=True)) for row in found]
        edit(rows)
        db.execute("DELETE FROM event")
        before = FIRST
        for row in rows:
            before = link_fields(before, *(row[name] for name in _COLUMNS))
            values = (*(row[name] for name in _COLUMNS), before)
            db.execute(f"INSERT INTO event VALUES ({', '.join('?' * 8)})", values)
        db.commit()
    (session / "events.sqlite-head").unlink(missing_ok=True)


def payload_field(kind: str, field: str, text: str) -> Spoil:
    """One field of the first event of a kind says something else."""

    def edit(rows: list[Row]) -> None:
        row = next(row for row in rows if row["kind"] == kind)
        said = {name: json.dumps(value) for name, value in json.loads(row["payload"]).items()}
        said[field] = text
        row["payload"] = "{" + ",".join(f'"{name}":{value}' for name, value in said.items()) + "}"

    return lambda session: rewrite_events(session, edit)


def payload(kind: str, text: str) -> Spoil:
    """The first event of a kind has another payload."""

    def edit(rows: list[Row]) -> None:
        next(row for row in rows if row["kind"] == kind)["payload"] = text

    return lambda session: rewrite_events(session, edit)


def column(name: str, value: Any) -> Spoil:
    """A column of the third event holds something else."""
    return lambda session: rewrite_events(session, lambda rows: rows[2].update({name: value}))


def statement(*sql: str) -> Spoil:
    """The database has been changed by somebody who knows SQL."""

    def spoil(session: Path) -> None:
        with closing(sqlite3.connect(session / "events.sqlite")) as db:
            db.execute("PRAGMA journal_mode=DELETE")
            db.execute("BEGIN")
            for each in sql:
                db.execute(each)
            db.commit()

    return spoil


_ENDLESS = """CREATE VIEW event AS WITH RECURSIVE r(number) AS (SELECT 0 UNION ALL
    SELECT number + 1 FROM r) SELECT number, 1 AS format, 'opened' AS kind, '' AS annotator,
    0.0 AS at_s, NULL AS "key", '{}' AS payload, x'00' AS link FROM r"""
_VERSION_ENDLESS = """CREATE VIEW alembic_version AS WITH RECURSIVE r(n) AS (SELECT 0 UNION ALL
    SELECT n + 1 FROM r) SELECT '0001' AS version_num FROM r WHERE n < 0"""

_DATABASE: dict[str, Spoil] = {
    "a recursive view named event": statement("ALTER TABLE event RENAME TO old", _ENDLESS),
    "a recursive view named event, and nothing else": statement("DROP TABLE event", _ENDLESS),
    "a recursive view named alembic_version": statement(
        "DROP TABLE alembic_version", _VERSION_ENDLESS
    ),
    "a trigger": statement(
        "CREATE TRIGGER t BEFORE INSERT ON event BEGIN SELECT zeroblob(1000000000); END"
    ),
    "a virtual table": statement("CREATE VIRTUAL TABLE v USING fts5(a)"),
    "a virtual table named event": statement(
        "DROP TABLE event", 'CREATE VIRTUAL TABLE event USING fts5(number, payload, "key")'
    ),
    "a further table": statement("CREATE TABLE more (a)"),
    "a thousand further tables": statement(*(f"CREATE TABLE t{n} (a)" for n in range(1000))),
    "a further index": statement("CREATE INDEX i ON event (abs(number))"),
    "an event table with other columns": statement(
        "DROP TABLE event", "CREATE TABLE event (number INTEGER PRIMARY KEY)"
    ),
    "a generated column": statement(
        "ALTER TABLE event ADD COLUMN more GENERATED ALWAYS AS (zeroblob(1000000000))"
    ),
    "no version": statement("DELETE FROM alembic_version"),
    "a version that is a blob": statement("UPDATE alembic_version SET version_num = x'00ff'"),
    "a version of the future": statement("UPDATE alembic_version SET version_num = '9999'"),
    "a version of megabytes": statement(
        "UPDATE alembic_version SET version_num = hex(zeroblob(8000000))"
    ),
    "another application": statement("PRAGMA application_id = 7"),
    "no events": statement("DELETE FROM event"),
    "no event 1": statement("DELETE FROM event WHERE number = 1"),
    "a schema that is no SQL": statement(
        "PRAGMA writable_schema = ON", "UPDATE sqlite_master SET sql = 'CREATE nonsense'"
    ),
    "a payload of 400 megabytes": statement(
        "UPDATE event SET payload = zeroblob(400000000) WHERE number = 1"
    ),
    "a link that is a text": statement("UPDATE event SET link = 'text' WHERE number = 1"),
    "a number beyond all others": statement(
        "UPDATE event SET number = 9223372036854775807 WHERE number = 1"
    ),
}

_ROWS: dict[str, Spoil] = {
    "an unknown kind": column("kind", "exploded"),
    "a kind that is empty": column("kind", ""),
    "a format of the future": column("format", 99),
    "a negative format": column("format", -1),
    "a time that is infinite": column("at_s", float("inf")),
    "an annotator of megabytes": column("annotator", "a" * 3_000_000),
    "a key that is too long": column("key", "k" * 1000),
    "a payload that is a list": column("payload", "[]"),
    "a payload that is no JSON": column("payload", "{"),
    "a payload with something after it": column("payload", "{} {}"),
    "a payload nested deeply": column("payload", '{"a":' + DEEP + "}"),
    "an empty payload": column("payload", ""),
    "opened twice": lambda session: rewrite_events(
        session, lambda rows: rows[2].update(kind="opened", payload=rows[0]["payload"])
    ),
    "never opened": lambda session: rewrite_events(session, lambda rows: rows.clear()),
}

_FEW = ("a text", "a negative number", "a huge number", "null", "a list", "an object", "true")
_FIELDS = {
    "opened": ("n", "probs", "items", "about", "format"),
    "asked": ("items", "guess", "probs_version", "probs", "chance", "planted", "drawn", "tab"),
    "answered": ("question_id", "answer", "seconds", "corrects", "replaces"),
    "defined": ("text",),
    "planned": ("method",),
}
"""What is read of each event of the session that is spoilt."""
_METHOD = (
    *("planner", "planner_options", "objective", "channel", "max_n", "same_guess", "seconds"),
    *("recalibrate", "predictor", "predictor_options", "features", "schedule", "sample"),
    *("test_sample", "audit_every", "lease_s", "seed", "unknown"),
)
_BEFORE_METHODS = ("planner", "options", "manners", "correction", "about")


def method_field(field: str, text: str) -> Spoil:
    """The method says something else in one field."""

    def edit(rows: list[Row]) -> None:
        row = next(row for row in rows if row["kind"] == "planned")
        method = json.loads(row["payload"])["method"]
        said = {name: json.dumps(value) for name, value in method.items()} | {field: text}
        inside = ",".join(f'"{name}":{value}' for name, value in said.items())
        row["payload"] = f'{{"method":{{{inside}}}}}'

    return lambda session: rewrite_events(session, edit)


def older_field(field: str, text: str) -> Spoil:
    """A session from before there were methods, with one field that says something else."""

    def edit(rows: list[Row]) -> None:
        rows[0]["payload"] = json.dumps(
            json.loads(rows[0]["payload"])
            | {"planner": "nested", "options": {"max_n": 8}, "manners": {}, "correction": {}}
        )
        row = next(row for row in rows if row["kind"] == "planned")
        row.update(kind="defined", format=1, payload='{"text":"red"}')

    def spoil(session: Path) -> None:
        rewrite_events(session, edit)
        payload_field("opened", field, text)(session)

    return spoil


_SWEPT: dict[str, Spoil] = {
    **{
        f"{kind} with {field} as {what}": payload_field(kind, field, WRONG[what])
        for kind, fields in _FIELDS.items()
        for field in fields
        for what in _FEW
    },
    **{
        f"a method with {field} as {what}": method_field(field, WRONG[what])
        for field in _METHOD
        for what in _FEW
    },
    **{
        f"an older session with {field} as {what}": older_field(field, WRONG[what])
        for field in _BEFORE_METHODS
        for what in _FEW
    },
    **{f"n is {what}": payload_field("opened", "n", text) for what, text in WRONG.items()},
}
_EVENTS: dict[str, Spoil] = {
    "an older session that is sound": older_field("correction", "{}"),
    "n is a thousand million": payload_field("opened", "n", "1000000000"),
    "n is more than there are probabilities": payload_field("opened", "n", "7"),
    "a planner that is a path": method_field("planner", '"os:system"'),
    "an option nobody has": method_field("planner_options", '{"evil": [1]}'),
    "an option of a wrong type": method_field("max_n", '"x"'),
    "an option that is huge": method_field("max_n", "1000000000000"),
    "a predictor that is a path": method_field("predictor", '"os:system"'),
    "features that are a path": method_field("features", '{"os:system": {}}'),
    "a schedule nobody has": method_field("schedule", '"evil"'),
    "an older option that is huge": older_field("options", '{"max_n": 1000000000000}'),
    "an older option nobody has": older_field("options", '{"evil": [1]}'),
    "an older correction of strange kinds": older_field(
        "correction", '{"recalibrate": 7, "order": [], "sample": "x", "seed": -1}'
    ),
    "an older simulation of strange kinds": older_field("about", '{"simulated": [1]}'),
    **{f"{kind} says nothing": payload(kind, "{}") for kind in _FIELDS},
    **{
        f"an event {kind} that says nothing": lambda session, kind=kind: rewrite_events(  # type: ignore[misc]
            session, lambda rows: rows[2].update(kind=kind, payload="{}")
        )
        for kind in get_args(Kind)
    },
}


# --- other files --------------------------------------------------------------------------------


def sealed(name: str, content: bytes | Callable[[bytes], bytes]) -> Spoil:
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
    f"probs.npy: {what}": sealed("probs.npy", content)
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
    f"items.jsonl: {what}": sealed("items.jsonl", content)
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
        lambda field=field, value=value: _npz(about=_about(**{field: value}), probs=_GOOD)  # type: ignore[misc]
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
    return lambda session: sealed("training/checkpoint-00000001.npz", make())(session)


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

VARIANTS: dict[str, Spoil] = {
    **_DATABASE,
    **_ROWS,
    **_EVENTS,
    **_PROBS,
    **_ITEMS,
    **{f"checkpoint: {what}": _checkpoint(make) for what, make in _CHECKPOINTS.items()},
    **_SETTINGS,
    **_RAW,
}
SWEEP: dict[str, Spoil] = {
    **_SWEPT,
    **_SETTINGS_FIELDS,
    **{f"checkpoint: {what}": _checkpoint(make) for what, make in _CHECKPOINT_FIELDS.items()},
    "checkpoint: unfolds to a gigabyte": _checkpoint(lambda: _deflated(1 << 30)),
}
"""Every field with every wrong value."""
