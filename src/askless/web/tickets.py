"""Tickets: proof that a question was shown to somebody.

A ticket holds a question and who it was shown to, signed (itsdangerous, HMAC with SHA-256). So a
page may keep prepared questions while it is offline and answer them later, and nobody can answer
a question that askless never put to them.
Imported by `askless.web.routes` and `views`; tested in tests/web/test_tickets.py.
"""

from __future__ import annotations

import shlex

from itsdangerous import BadData, URLSafeSerializer

from askless.core.question import Question
from askless.errors import Refused
from askless.web.secret import SIGNER


class Tickets:
    """Signs and reads tickets.

    Parameters
    ----------
    secret
        The session's.
    """

    def __init__(self, secret: bytes) -> None:
        self._signed = URLSafeSerializer(secret, salt="askless-ticket", signer_kwargs=SIGNER)

    def sign(self, question: Question, annotator: str) -> str:
        """The ticket of a question for this annotator; always the same."""
        guess = [int(label == 1) for label in question.guess]
        body = {"who": annotator, "items": question.items, "guess": guess}
        return str(self._signed.dumps({**body, "purpose": question.purpose}))

    def read(self, text: str, annotator: str) -> Question:
        """The question of a ticket, if it is ours and this annotator's.

        Raises
        ------
        Refused
            It is not.
        """
        try:
            body = self._signed.loads(text)
        except BadData:
            raise Refused(
                "An answer needs the ticket of a question that was put to the annotator; this one "
                "is not such a ticket. Ask for the next question."
            ) from None
        if body["who"] != annotator:
            raise Refused(
                f"An answer comes from whom the question was put to, and this one was put to "
                f"{body['who']!r}; here answers {annotator!r}. Start the app with --annotator "
                f"{shlex.quote(body['who'])} to send it."
            )
        guess = tuple(bool(label) for label in body["guess"])
        return Question(tuple(body["items"]), guess, body["purpose"])
