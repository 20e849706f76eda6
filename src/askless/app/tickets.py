"""Tickets: proof that a question was really shown to somebody.

A ticket holds a question and who it was shown to, signed with a secret that never leaves the
session's folder:

    ticket = base64url(json) . base64url(HMAC-SHA256(secret, json))

So a page may keep prepared questions while it is offline, and answer them later, and nobody
can answer a question that askless never put to them. Tested in tests/app/test_tickets.py.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import shlex

from askless.core.question import Question
from askless.errors import InvalidInput, Refused


class Tickets:
    """Signs and reads tickets.

    Parameters
    ----------
    secret
        At least 16 bytes.
    """

    def __init__(self, secret: bytes) -> None:
        if len(secret) < 16:
            raise InvalidInput(f"Tickets need a secret of 16 bytes or more; got {len(secret)}.")
        self._secret = secret

    def sign(self, question: Question, annotator: str) -> str:
        """The ticket of a question for this annotator; always the same."""
        body = json.dumps(
            {
                "who": annotator,
                "items": question.items,
                "guess": [int(label) for label in question.guess],
                "purpose": question.purpose,
            },
            separators=(",", ":"),
        ).encode()
        return f"{_text(body)}.{_text(self._mark(body))}"

    def read(self, text: str, annotator: str) -> Question:
        """The question of a ticket, if it is ours and this annotator's.

        Raises
        ------
        Refused
            It is not.
        """
        try:
            body, mark = (_bytes(part) for part in text.split("."))
        except (ValueError, binascii.Error):
            raise _forged() from None
        if not hmac.compare_digest(mark, self._mark(body)):
            raise _forged()
        said = json.loads(body)
        if said["who"] != annotator:
            raise Refused(
                f"An answer comes from whom the question was put to, and this one was put to "
                f"{said['who']!r}; here answers {annotator!r}. Start the app with --annotator "
                f"{shlex.quote(said['who'])} to send it."
            )
        guess = tuple(bool(label) for label in said["guess"])
        return Question(tuple(said["items"]), guess, said["purpose"])

    def _mark(self, body: bytes) -> bytes:
        return hmac.new(self._secret, b"askless-ticket:" + body, hashlib.sha256).digest()


def _forged() -> Refused:
    return Refused(
        "An answer needs the ticket of a question that was put to the annotator; this one is "
        "not such a ticket. Ask for the next question."
    )


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _bytes(text: str) -> bytes:
    return base64.b64decode(text.encode() + b"=" * (-len(text) % 4), b"-_", validate=True)
