"""The laws of the `Store` seam.

A law is given a function that opens the store under test: empty at the first call, and the
same store again after it was closed. That nothing acknowledged is lost when the
process or the power goes cannot be shown from inside; tests/faults does that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import Any, Final, get_args

import numpy as np

from askless.checks._require import require, require_refusal
from askless.checks._situations import Rng
from askless.core.event import Event, Kind
from askless.errors import AsklessError, InvalidInput, RepeatedKey, StoreError
from askless.seams import Store

OpenStore = Callable[[], Store]

_require = partial(require, "store")


def store_laws() -> tuple[Callable[[OpenStore, int], None], ...]:
    """Every law of the `Store` seam."""
    return (
        reads_what_was_appended,
        numbers_by_order_and_not_by_time,
        keeps_everything_when_opened_again,
        reads_on_from_any_number,
        reads_beside_appends,
        keeps_an_append_whole_or_not_at_all,
        accepts_a_key_once,
        keeps_no_hold_on_payloads,
        leaves_its_inputs_untouched,
        refuses_everything_once_closed,
    )


def reads_what_was_appended(make: OpenStore, seed: int) -> None:
    """What was appended is what `read` gives, once and again."""
    rng = np.random.default_rng(seed)
    with closing(make()) as store:
        kept = _fill(rng, store)
        _require(list(store.read()) == kept, "reads other events than were appended")
        _require(list(store.read()) == kept, "reads other events the second time")


def numbers_by_order_and_not_by_time(make: OpenStore, seed: int) -> None:
    """Numbers count up from 0 even if the clock runs backwards; times are kept as given."""
    rng = np.random.default_rng(seed)
    with closing(make()) as store:
        times = sorted(rng.uniform(-1e9, 2e9, int(rng.integers(1, 20))), reverse=True)
        for at_s in times:
            store.append([replace(_event(rng), at_s=at_s)])
        read = list(store.read())
        _require([e.number for e in read] == list(range(len(times))), "numbers out of order")
        _require([e.at_s for e in read] == times, "changes the times it was given")


def keeps_everything_when_opened_again(make: OpenStore, seed: int) -> None:
    """Closing and opening changes nothing; numbers go on, and keys are remembered."""
    rng = np.random.default_rng(seed)
    with closing(make()) as store:
        kept = [*_append(store, replace(_event(rng), key="once")), *_fill(rng, store)]
    for _ in range(2):
        with closing(make()) as store:
            _require(list(store.read()) == kept, "reads other events when opened again")
            _refuses_key(store, "once", 0)
            (more,) = _append(store, _event(rng))
            _require(more.number == len(kept), f"numbers event {len(kept)} as {more.number}")
            kept.append(more)


def reads_on_from_any_number(make: OpenStore, seed: int) -> None:
    """`after` leaves out what has been read before, and nothing else."""
    rng = np.random.default_rng(seed)
    with closing(make()) as store:
        kept = _fill(rng, store)
        for after in range(-1, len(kept) + 2):
            _require(list(store.read(after)) == kept[after + 1 :], f"reads wrongly after {after}")


def reads_beside_appends(make: OpenStore, seed: int) -> None:
    """Appending while somebody reads disturbs neither."""
    rng = np.random.default_rng(seed)
    with closing(make()) as store:
        kept = _fill(rng, store, least=2)
        reading = store.read()
        seen = [next(reading)]
        kept.extend(_append(store, _event(rng)))
        seen.extend(reading)
        _require(seen in (kept, kept[:-1]), "skips or repeats events appended while reading")
        _require(list(store.read()) == kept, "loses events appended while reading")


def keeps_an_append_whole_or_not_at_all(make: OpenStore, seed: int) -> None:
    """If one event of an append is refused, none of them is kept."""
    rng = np.random.default_rng(seed)
    with closing(make()) as store:
        kept = [*_fill(rng, store), *_append(store, replace(_event(rng), key="taken"))]
        good = replace(_event(rng), key="fresh")
        for bad in (
            replace(good, key="taken"),
            good,
            replace(good, key=None, payload={"a": float("nan")}),
            replace(good, key=None, payload={"a": object()}),
        ):
            _refuses(store, [good, bad], InvalidInput)
            _require(list(store.read()) == kept, "keeps part of an append it refused")
        _require(store.append([]) == len(kept), "gives a number to nothing")
        kept.extend(_append(store, good))
        _require(list(store.read()) == kept, "does not go on after a refusal")


def accepts_a_key_once(make: OpenStore, seed: int) -> None:
    """A key that came before is refused with the number it came with; None is no key."""
    rng = np.random.default_rng(seed)
    with closing(make()) as store:
        store.append([replace(_event(rng), key=None) for _ in range(3)])
        numbers = {}
        for key in ("k", "K", "k ", "\u00e9", "e\u0301", "'; --", "a" * 200):
            numbers[key] = store.append([replace(_event(rng), key=key)])
        for key, number in numbers.items():
            _refuses_key(store, key, number)
        _require(len(list(store.read())) == 3 + len(numbers), "keeps a repeated key")


def keeps_no_hold_on_payloads(make: OpenStore, seed: int) -> None:
    """Whoever changes a payload, before or after reading, changes nothing that is kept."""
    rng = np.random.default_rng(seed)
    with closing(make()) as store:
        mine: dict[str, Any] = {"list": [1]}
        store.append([replace(_event(rng), payload=mine)])
        for payload in (mine, next(store.read()).payload):
            payload["list"].append(2)
        _require(next(store.read()).payload == {"list": [1]}, "lets go of what it was given")


def leaves_its_inputs_untouched(make: OpenStore, seed: int) -> None:
    """The events given to `append` are as they were."""
    rng = np.random.default_rng(seed)
    with closing(make()) as store:
        events = [_event(rng) for _ in range(3)]
        before = [replace(event, payload=dict(event.payload)) for event in events]
        store.append(events)
        _require(events == before, "changes the events it is given")


def refuses_everything_once_closed(make: OpenStore, seed: int) -> None:
    """Closed is closed, and closing twice is no error."""
    rng = np.random.default_rng(seed)
    store = make()
    store.append([_event(rng)])
    store.close()
    store.close()
    _refuses(store, [_event(rng)], StoreError)
    with require_refusal("store", StoreError, "can be read although it is closed"):
        list(store.read())


# --- situations -------------------------------------------------------------------------------


def _fill(rng: Rng, store: Store, least: int = 0) -> list[Event]:
    """Some appends of a few events each; the events as they are to be read."""
    kept: list[Event] = []
    for _ in range(int(rng.integers(1, 6))):
        kept.extend(_append(store, *(_event(rng) for _ in range(int(rng.integers(0, 4))))))
    while len(kept) < least:
        kept.extend(_append(store, _event(rng)))
    return kept


def _append(store: Store, *events: Event) -> list[Event]:
    """Append them all at once; the events as they are to be read."""
    first = store.append(events)
    return [replace(event, number=number) for number, event in enumerate(events, first)]


def _event(rng: Rng) -> Event:
    kinds = get_args(Kind)
    annotators = ("", "ann", "Zo\u00eb", "\u5b89", "a b", "x" * 200)
    key = None if rng.random() < 0.5 else f"{rng.integers(2**62):x}"
    return Event(
        kinds[rng.integers(len(kinds))],
        annotators[rng.integers(len(annotators))],
        {str(rng.integers(9)): _value(rng, 3) for _ in range(int(rng.integers(0, 4)))},
        float(rng.choice([0.0, -1.5, 1e-300, 1.7e9, 1 / 3])),
        key,
    )


_TEXTS: Final = ("", "\0", "\u2028", "\ud800", "\U0001f600")


def _value(rng: Rng, depth: int) -> Any:
    """A JSON value of any awkward kind, as JSON gives it back."""
    plain = (None, True, False, 0, -1, 2**80, 0.1, 1e300, *_TEXTS)
    kind = rng.integers(3) if depth else 0
    if kind == 1:
        return [_value(rng, depth - 1) for _ in range(int(rng.integers(0, 4)))]
    if kind == 2:
        return {str(rng.integers(9)): _value(rng, depth - 1) for _ in range(int(rng.integers(4)))}
    return plain[rng.integers(len(plain))]


# --- what must hold ---------------------------------------------------------------------------


def _refuses(store: Store, events: Sequence[Event], error: type[AsklessError]) -> None:
    with require_refusal("store", error, f"keeps what it should refuse as {error.__name__}"):
        store.append(events)


def _refuses_key(store: Store, key: str, number: int) -> None:
    with require_refusal("store", RepeatedKey, f"keeps a second event with the key {key!r}"):
        try:
            store.append([Event("answered", "ann", {}, 0.0, key)])
        except RepeatedKey as error:
            found = (error.key, error.number)
            _require(found == (key, number), f"says {found} of key {key!r} of event {number}")
            raise
