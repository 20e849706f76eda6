"""The events of a session as somebody hostile, or a broken disk, could have made them.

`DATABASES` and `FIELDS` name ways to spoil a sound session. The chain of the events is made to fit,
since whoever crafts a folder can compute it: what is wrong is what the events say.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, get_args

from askless.core.event import Kind
from askless.stores._codec import FIRST, link

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
            before = link(before, tuple(row[name] for name in _COLUMNS))
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
_READ = {
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


_CHANGE = {
    "ids": '["new.png"]', "checksums": '["aa"]', "gone": "[1]", "renamed": '{"0": "a.png"}',
    "copies": '{"0": ["b.png"]}',
}  # fmt: skip
"""An event that says how the source has changed, in JSON."""


def changed_source(**fields: str) -> Spoil:
    """The last event says that the source has changed, with these fields as they are given."""
    said = ",".join(f'"{name}":{text}' for name, text in (_CHANGE | fields).items())

    def edit(rows: list[Row]) -> None:
        last = {"number": len(rows), "format": 4, "kind": "updated", "key": None}
        rows.append({**rows[-1], **last, "payload": f"{{{said}}}"})

    return lambda session: rewrite_events(session, edit)


FIELDS: dict[str, Spoil] = {
    **{
        f"a changed source with {field} as {what}": changed_source(**{field: WRONG[what]})
        for field in (*_CHANGE, "probs", "back")
        for what in _FEW
    },
    **{
        f"{kind} with {field} as {what}": payload_field(kind, field, WRONG[what])
        for kind, fields in _READ.items()
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
    "a changed source that is sound": changed_source(),
    "a source that grew by 300,000 items": changed_source(
        ids=json.dumps(["x"] * 300_000), checksums=json.dumps([""] * 300_000)
    ),
    "a source with names of control characters": changed_source(
        ids='["\\u001b[2J\\u0000\\ud800"]', renamed='{"0": "../../../etc/passwd\\ud800"}'
    ),
    "a source of which everything is gone": changed_source(gone="[0,1,2,3,4,5]"),
    "a source of which more is gone than there was": changed_source(gone="[6]"),
    "a source with a name for no item": changed_source(renamed='{"9007199254740993": "x"}'),
    "a source with a number of thousands of digits": changed_source(
        renamed='{"' + "9" * 5000 + '": "x"}'
    ),
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
    **{f"{kind} says nothing": payload(kind, "{}") for kind in _READ},
    **{
        f"an event {kind} that says nothing": lambda session, kind=kind: rewrite_events(  # type: ignore[misc]
            session, lambda rows: rows[2].update(kind=kind, payload="{}")
        )
        for kind in get_args(Kind)
    },
}

DATABASES: dict[str, Spoil] = {**_DATABASE, **_ROWS, **_EVENTS}
