"""Certificates of a session on disk, computed from its events; and those that somebody shows.

A certificate names how many events it was computed from, so it can be computed again after the
session has gone on. Files of certificates come from strangers: every value is compared with what
the events say, and nothing else is done with it. A sentence that another version of askless wrote
may have other words, but no other figures. Imported by exports of the app and by
`askless.folder.verifying`. Tested in tests/folder/test_certificates.py.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from askless.certificates.certificate import FORMAT, certificate_of
from askless.core.event import Event
from askless.errors import Damaged, InvalidInput
from askless.files import read_bytes
from askless.folder.files import items_of
from askless.folder.reading import read_record
from askless.history.history import History

_MOST_BYTES: Final = 1 << 20
_VERSION: Final = "askless"
"""What may differ between two programs that compute the same certificate."""
_SENTENCES: Final = frozenset({"says", "methods"})
_FIGURE: Final = re.compile(r"[0-9]+(?:[.,][0-9]+)*")


class EventsChecksum:
    """SHA-256 of events in order, each as one line of JSON; the same in every kind of store."""

    def __init__(self) -> None:
        self._sum = hashlib.sha256()

    def add(self, event: Event) -> None:
        """The next event."""
        what = (event.number, event.kind, event.annotator, event.at_s, event.key, event.payload)
        self._sum.update(json.dumps(what, sort_keys=True).encode() + b"\n")

    def hex(self) -> str:
        """Of all so far."""
        return self._sum.hexdigest()


class CertificateWatch:
    """Watches the events of a session being read; has its certificate at one moment, or at the end.

    Parameters
    ----------
    folder
        Where the session is.
    events
        After how many events; None for the end.
    """

    def __init__(self, folder: Path, events: int | None = None) -> None:
        self._folder, self._events, self._sum = folder, events, EventsChecksum()
        self.then: dict[str, Any] | None = None
        """The certificate at that moment; None for none."""

    def __call__(self, event: Event, history: History) -> None:
        """The next event, and the history up to it."""
        self._sum.add(event)
        if event.number + 1 == self._events:
            self.then = self.end(history)

    def end(self, history: History) -> dict[str, Any] | None:
        """The certificate now, in plain JSON values; None for none."""
        items = items_of(self._folder, history.opening or {}, history.source)
        certificate = certificate_of(history, copies=items.copies)
        if certificate is None:
            return None
        plain = certificate.to_json(events_sha256=self._sum.hex(), askless=version("askless"))
        read: dict[str, Any] = json.loads(json.dumps(plain))
        return read


def certificate_at(folder: Path, events: int | None = None) -> dict[str, Any] | None:
    """The certificate of a session after so many events, or now; None if there is none.

    Raises
    ------
    Damaged
        Not all of the events can be read.
    """
    watch = CertificateWatch(folder, events)
    _, history, found, damage = read_record(folder, watch)
    if damage:
        raise Damaged(damage, found)
    return watch.end(history) if events is None else watch.then


def certificate_bytes(certificate: Mapping[str, Any]) -> bytes:
    """What stands in a file of a certificate."""
    return json.dumps({"certificate": certificate}, indent=1).encode() + b"\n"


def read_certificate(path: Path) -> dict[str, Any]:
    """The certificate in a file.

    Raises
    ------
    InvalidInput
        There is none that this askless understands.
    """
    try:
        whole = json.loads(read_bytes(path, _MOST_BYTES))
        shown = whole["certificate"]
        understood = shown["format"] == FORMAT and type(shown["events"]) is int
    except (OSError, ValueError, TypeError, KeyError, RecursionError, InvalidInput):
        understood = False
    if not understood:
        raise InvalidInput(
            f"A certificate is a JSON file of format {FORMAT} that askless has written; {path} is "
            "none."
        )
    return dict(shown)


def differences(shown: Mapping[str, Any], computed: Mapping[str, Any] | None) -> list[str]:
    """What a certificate says otherwise than the events do, a sentence each."""
    if computed is None:
        after = f"The certificate was computed from {shown['events']:,} events"
        return [f"{after}; after as many nothing was proved in this session."]
    reworded = shown.get(_VERSION) != computed[_VERSION]
    names = sorted((shown.keys() | computed.keys()) - {_VERSION})
    return [
        f"The certificate says {name} {shown.get(name)!r:.60}; the events say "
        f"{computed.get(name)!r:.60}."
        for name in names
        if shown.get(name) != computed.get(name)
        and not (reworded and name in _SENTENCES and _same_figures(shown.get(name), computed[name]))
    ]


def _same_figures(shown: object, computed: str) -> bool:
    """Whether this is a sentence with the numbers of that one, each as often."""
    said = Counter(_FIGURE.findall(shown)) if isinstance(shown, str) else None
    return said == Counter(_FIGURE.findall(computed))
