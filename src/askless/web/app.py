"""The app: routes, the page and its files, and the guard around all of it.

Tested in tests/web/test_server.py and test_api_schema.py.
"""

from __future__ import annotations

import asyncio
import mimetypes
from collections.abc import Collection
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from fastapi import FastAPI
from fastapi.responses import FileResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.types import Scope

from askless.app.service import LabellingService
from askless.web.behind import Behind
from askless.web.guard import Guard
from askless.web.health import add_health
from askless.web.pictures import Pictures
from askless.web.problems import answer_with_problems
from askless.web.replies import Problem
from askless.web.routes import make_routes
from askless.web.secret import remove_old_secret, session_key
from askless.web.tickets import Tickets

STATIC: Final = Path(__file__).parent / "static"
# Systems disagree about these; a page with nosniff depends on them.
for _ending, _kind in {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
}.items():
    mimetypes.add_type(_kind, _ending)


def make_app(
    service: LabellingService,
    *,
    token: str,
    hosts: Collection[str],
    cookie: str = "askless",
    any_address: int | None = None,
    behind: Behind | None = None,
    stopping: asyncio.Event | None = None,
    command: str = "askless label",
) -> Guard:
    """The app for one service, ready for an ASGI server.

    Parameters
    ----------
    service
        Where the labelling is done.
    token
        What the link carries.
    hosts, cookie, any_address, behind
        For `Guard`.
    stopping
        To be set before the server ends, so that streams end by themselves.
    command
        How askless is started with this session.
    """
    remove_old_secret(service.settings.folder)
    key = session_key(service.id)
    app = make_api(service, key, stopping or asyncio.Event(), command)
    _add_page(app)
    add_health(app, service.settings.folder)
    return Guard(
        app,
        token=token,
        secret=key,
        hosts=hosts,
        cookie=cookie,
        session=service.id,
        any_address=any_address,
        behind=behind,
    )


def make_api(
    service: LabellingService, key: bytes, stopping: asyncio.Event, command: str
) -> FastAPI:
    """The routes for one service, without the page and without a guard.

    Parameters
    ----------
    service
        Where the labelling is done.
    key
        Signs what was asked.
    stopping, command
        As for `make_app`.
    """
    app = FastAPI(
        title="askless",
        version=version("askless"),
        summary="Label a whole pool with few answers.",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,  # it would lead to http, which is not how a proxy is reached
    )
    pictures = None
    if service.pool.kind == "images":
        pictures = Pictures(service.pool, service.cache / "tiles")
    app.include_router(make_routes(service, Tickets(key), pictures, stopping, command))
    answer_with_problems(app)
    _describe(app)
    return app


def _add_page(app: FastAPI) -> None:
    @app.get("/", include_in_schema=False)
    def page() -> FileResponse:
        return _file("index.html")

    @app.get("/favicon.ico", include_in_schema=False)
    def icon() -> FileResponse:
        return _file("icon.svg")

    app.mount("/static", _Static(directory=STATIC, check_dir=False), name="static")


class _Static(StaticFiles):
    """Files that are asked for again after an upgrade."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["cache-control"] = "no-cache"
        return response


def _file(name: str) -> FileResponse:
    if not (STATIC / name).is_file():
        raise HTTPException(404)
    return FileResponse(STATIC / name, headers={"cache-control": "no-cache"})


def _describe(app: FastAPI) -> None:
    """Have the OpenAPI page tell of problems, and of nothing that FastAPI would say instead."""
    written = app.openapi

    def openapi() -> dict[str, Any]:
        schema = written()
        parts = schema["components"]["schemas"]
        parts["Problem"] = Problem.model_json_schema()
        for name in ("HTTPValidationError", "ValidationError"):
            parts.pop(name, None)
        return schema

    app.openapi = openapi  # type: ignore[method-assign]
