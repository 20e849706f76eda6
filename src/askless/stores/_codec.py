"""How an event is written: its payload as JSON, and a checksum chained to the event before.

The checksum of event ``k`` covers everything in it and the checksum of event ``k - 1``::

    link_k = blake2b(link_(k-1), number, format, kind, annotator, time, key, payload)

so that a flipped bit, a missing event, two events swapped or one from elsewhere are all seen
by whoever reads on. It guards against failing disks, not against people: nothing is secret.
Tested in tests/faults/test_store_damage.py.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any, Final, cast

from askless.core.event import NEWEST_FORMAT, Event
from askless.errors import InvalidInput, StoreError


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


_ENCODE: Final = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode
_DECODE: Final = json.JSONDecoder(parse_constant=_refuse_constant).raw_decode

Fields = tuple[int, int, str, str, float, str | None, str]
"""An event as it is stored: number, format, kind, annotator, time, key, payload in JSON."""
FIRST: Final = bytes(8)
"""What the first event's checksum is chained to."""


def to_json(payload: Mapping[str, Any]) -> str:
    """The payload as JSON, without a space too many."""
    try:
        return _ENCODE(payload)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(
            "An event's payload is made of JSON values: text, finite numbers, true, false, "
            f"null, lists, and mappings with text for keys; {error}."
        ) from None


def from_json(text: str) -> dict[str, Any]:
    """The payload that `to_json` wrote."""
    # Without looking for spaces that `to_json` does not write.
    payload, end = _DECODE(text)
    if type(payload) is not dict or end != len(text):
        raise ValueError("it is not one JSON object")
    return payload


def encoded(number: int, event: Event) -> Fields:
    """The fields of an event that gets this number."""
    text = to_json(event.payload)
    return number, event.format, event.kind, event.annotator, event.at_s, event.key, text


def link(before: bytes, fields: Fields) -> bytes:
    """The checksum of an event that follows the one with checksum `before`."""
    number, format_, kind, annotator, at_s, key, text = fields
    # No field can hold NUL: names may not, and JSON writes it as an escape.
    line = f"{number}\0{format_}\0{kind}\0{annotator}\0{at_s.hex()}\0{key or ''}\0{text}"
    return blake2b(before + line.encode(), digest_size=8).digest()


def chained(number: int, before: bytes, events: Sequence[Event]) -> list[tuple[*Fields, bytes]]:
    """The rows of events that follow each other from `number` on, each with its checksum last."""
    rows: list[tuple[*Fields, bytes]] = []
    for each in events:
        fields = encoded(number + len(rows), each)
        before = link(before, fields)
        rows.append((*fields, before))
    return rows


def decoded(fields: Fields) -> Event:
    """The event written in these fields, which are known to be as they were written."""
    number, format_, kind, annotator, at_s, key, text = fields
    if format_ > NEWEST_FORMAT:
        raise StoreError(
            f"Event {number} is written in format {format_}; this askless reads up to "
            f"{NEWEST_FORMAT}. Use the askless that wrote it, or a newer one."
        )
    try:
        return Event(cast("Any", kind), annotator, from_json(text), at_s, key, number, format_)
    except (ValueError, RecursionError) as error:  # `InvalidInput` is a `ValueError`
        raise StoreError(
            f"Event {number} cannot be read by this askless: {error} "
            "Use the askless that wrote it, or a newer one."
        ) from None


def refuse_shared_keys(events: Sequence[Event]) -> None:
    """Refuse two events with one key in one append."""
    keys = [event.key for event in events if event.key is not None]
    if len(set(keys)) < len(keys):
        shared = next(key for key in keys if keys.count(key) > 1)
        raise InvalidInput(
            f"Events that are appended together need different keys; got {shared!r} twice."
        )
