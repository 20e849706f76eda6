"""Errors as problem+json (RFC 9457), with the sentence the command line would print.

Tested in tests/web/test_api_schema.py.
"""

from __future__ import annotations

import errno
from http import HTTPStatus
from typing import Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from askless.errors import (
    AsklessError,
    Contradiction,
    InvalidInput,
    NotInstalled,
    Refused,
    StoreError,
)

MEDIA_TYPE: Final = "application/problem+json"

_STATUS: Final[tuple[tuple[type[AsklessError], int], ...]] = (
    (NotInstalled, 409),
    (InvalidInput, 422),
    (Refused, 409),
    (Contradiction, 409),
    (StoreError, 503),
)


_NEVER: Final = frozenset({400, 404, 405, 409, 413, 415, 422})
"""The same request will not be taken later either; of others that is not known."""


def problem(status: int, detail: str) -> JSONResponse:
    """A reply that says what went wrong, and whether to try the same again."""
    body = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "again": status not in _NEVER,
    }
    return JSONResponse(body, status, media_type=MEDIA_TYPE)


_SENTENCE: Final = {
    404: "There is nothing at this address.",
    405: "This address takes other methods; /api/openapi.json says which.",
}


def answer_with_problems(app: FastAPI) -> None:
    """Have every error of `app` answered by a `problem`."""

    @app.exception_handler(AsklessError)
    def answer_askless_error(_: Request, error: AsklessError) -> JSONResponse:
        status = next((s for kind, s in _STATUS if isinstance(error, kind)), 500)
        return problem(status, str(error))

    @app.exception_handler(OSError)
    def answer_os_error(_: Request, error: OSError) -> JSONResponse:
        """A full disk, mostly; whatever the request asked for has not happened."""
        return problem(
            507 if error.errno in (errno.ENOSPC, errno.EDQUOT) else 503,
            f"This needs a disk that can be written to and has room, and there is none: "
            f"{error.strerror or type(error).__name__}. Make room and try again; nothing that was "
            "saved is lost.",
        )

    @app.exception_handler(RequestValidationError)
    def answer_malformed(_: Request, error: RequestValidationError) -> JSONResponse:
        faults = [
            f"{'.'.join(map(str, fault['loc'][1:])) or 'The body'}: {fault['msg']}"
            for fault in error.errors()[:3]
        ]
        return problem(
            422, f"A request has the fields that /api/openapi.json says; {'; '.join(faults)}."
        )

    @app.exception_handler(HTTPException)
    def answer_http_error(_: Request, error: HTTPException) -> JSONResponse:
        reply = problem(error.status_code, _SENTENCE.get(error.status_code, str(error.detail)))
        reply.headers.update(error.headers or {})
        return reply

    @app.exception_handler(Exception)
    def answer_bug(_: Request, error: Exception) -> JSONResponse:
        return problem(
            500, f"Something in askless is broken ({type(error).__name__}); no answer is lost."
        )
