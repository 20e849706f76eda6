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


def answer_with_problems(app: FastAPI) -> None:
    """Have every error of `app` answered by a `problem`."""
    app.add_exception_handler(AsklessError, _answer_askless_error)
    app.add_exception_handler(OSError, _answer_os_error)
    app.add_exception_handler(RequestValidationError, _answer_malformed)
    app.add_exception_handler(HTTPException, _answer_http_error)
    app.add_exception_handler(Exception, _answer_bug)


def _answer_askless_error(_: Request, error: Exception) -> JSONResponse:
    status = next((s for kind, s in _STATUS if isinstance(error, kind)), 500)
    return problem(status, str(error))


def _answer_os_error(_: Request, error: Exception) -> JSONResponse:
    """A full disk, mostly; whatever the request asked for has not happened."""
    if not isinstance(error, OSError):
        raise error
    full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    return problem(
        507 if full else 503,
        f"This needs a disk that can be written to and has room, and there is none: "
        f"{error.strerror or type(error).__name__}. Make room and try again; nothing that was "
        "saved is lost.",
    )


def _answer_malformed(_: Request, error: Exception) -> JSONResponse:
    if not isinstance(error, RequestValidationError):
        raise error
    faults = []
    for fault in error.errors()[:3]:
        where = ".".join(str(part) for part in fault["loc"][1:]) or "The body"
        faults.append(f"{where}: {fault['msg']}")
    return problem(
        422, f"A request has the fields that /api/openapi.json says; {'; '.join(faults)}."
    )


def _answer_http_error(_: Request, error: Exception) -> JSONResponse:
    if not isinstance(error, HTTPException):
        raise error
    reply = problem(error.status_code, _SENTENCE.get(error.status_code, str(error.detail)))
    reply.headers.update(error.headers or {})
    return reply


def _answer_bug(_: Request, error: Exception) -> JSONResponse:
    return problem(
        500, f"Something in askless is broken ({type(error).__name__}); no answer is lost."
    )


_SENTENCE: Final = {
    404: "There is nothing at this address.",
    405: "This address takes other methods; /api/openapi.json says which.",
}
