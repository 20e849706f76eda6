"""The routes under ``/api``: read the request, ask the service, say what it said.

Tested in tests/web/test_api_schema.py.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Request
from fastapi import Path as InPath
from fastapi.responses import Response, StreamingResponse
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from askless.app.enough import Offers, offers_of
from askless.app.names import Names
from askless.app.service import LabellingService
from askless.app.statistics import Curve, CurveReader
from askless.certificates.bounds import Bounds, BoundsReader, steps_of
from askless.core.promise import Promise
from askless.web import browsing
from askless.web import replies as s
from askless.web import requests as b
from askless.web.finishing import add_finishing
from askless.web.gallery import (
    CertainFilter,
    Gallery,
    GalleryQuery,
    HowFilter,
    LabelFilter,
    Sort,
)
from askless.web.pictures import Pictures, Size
from askless.web.problems import MEDIA_TYPE
from askless.web.tickets import Tickets
from askless.web.views import Views

_EVENTS_S: Final = 0.5
_PROBLEMS: Final[dict[int | str, dict[str, Any]]] = {
    status: {
        "description": what,
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    for status, what in {
        400: "The request makes no sense.",
        401: "The link was not opened.",
        403: "Another page may not change anything.",
        404: "There is no such thing.",
        409: "The session will not do this; nothing has changed.",
        413: "The request is too long.",
        415: "The request is not JSON.",
        421: "The server does not answer to this host.",
        422: "The request has other fields than it should.",
        429: "Requests come too fast.",
        503: "It could not be stored; the same may be sent again.",
        507: "The disk is full; the same may be sent again.",
    }.items()
}


def make_routes(
    service: LabellingService,
    tickets: Tickets,
    pictures: Pictures | None,
    stopping: asyncio.Event,
    command: str,
) -> APIRouter:
    """Every route of the API.

    Parameters
    ----------
    service
        Does the work.
    tickets
        Signs and reads what was asked.
    pictures
        Of an ``images`` pool.
    stopping
        Set when the server ends, so that streams end too.
    command
        For `Views`.
    """
    api = APIRouter(prefix="/api", responses=_PROBLEMS)
    shown = Views(service, tickets, command)
    _add_labelling(api, service, shown, tickets)
    _add_meaning(api, service, shown)
    _add_looking(api, service, shown, pictures)
    add_finishing(api, service)
    _add_events(api, shown, stopping)
    return api


def _add_labelling(
    api: APIRouter, service: LabellingService, shown: Views, tickets: Tickets
) -> None:
    def note(body: b.WindowBody, *, refit: bool = False) -> None:
        if body.capacity is not None:
            service.note_capacity(body.tab, body.capacity.capacity(), refit=refit)

    @api.post("/ask")
    def ask(body: b.AskBody) -> s.AskReply:
        """The question to look at now; the same one until it is answered."""
        note(body, refit=body.refit)
        return s.AskReply(**shown.asking(service.ask(body.tab, alone=body.alone)))

    @api.post("/ahead")
    def ahead(body: b.AheadBody) -> s.Ahead:
        """What will be asked after each answer, and spare questions."""
        note(body)
        return shown.ahead(service.ahead(body.tab, body.question_id))

    @api.post("/tell")
    def tell(body: b.TellBody) -> s.TellReply:
        """Take an answer; it is durable when the reply comes."""
        note(body)
        question = tickets.read(body.ticket, service.annotator)
        showing = None if body.showing is None else tickets.read(body.showing, service.annotator)
        told, following = service.tell(
            body.tab, body.question_id, question, body.kind, body.wrong, body.key, showing,
            body.seconds,
        )  # fmt: skip
        return s.TellReply(
            answer=told.number,
            settled=told.settled,
            dispute=s.DisputeView.model_validate(told.dispute) if told.dispute else None,
            **shown.asking(following),
        )

    @api.post("/unsure")
    def unsure(body: b.UnsureBody) -> s.AskReply:
        """Mark an item unsure."""
        note(body)
        said = body.model_dump(exclude={"tab", "capacity", "key", "item"})
        asked = service.unsure(body.tab, body.key, body.item, **said)
        return s.AskReply(**shown.asking(asked))

    @api.post("/undo")
    def undo(body: b.UndoBody) -> s.UndoReply:
        """Take back what this window did last."""
        note(body)
        asked, undone = service.undo(body.tab, body.key, body.step)
        return s.UndoReply(undone=undone, **shown.asking(asked))

    @api.post("/retract")
    def retract(body: b.RetractBody) -> s.Done:
        """Take any answer back."""
        service.retract(body.answer, body.key)
        return s.Done()

    @api.post("/revise")
    def revise(body: b.ReviseBody) -> s.Revised:
        """Give items a label, mark them unsure or ask about them again, in one step."""
        return s.Revised(step=service.revise(**body.model_dump()))


def _add_meaning(api: APIRouter, service: LabellingService, shown: Views) -> None:
    @api.get("/session")
    def session() -> s.SessionView:
        """What the page needs to know once."""
        return shown.session()

    @api.post("/definition")
    def definition(body: b.DefinitionBody) -> s.DefinitionView:
        """Say, or confirm, what the positive label means; new words are a new version."""
        service.define(body.text)
        now, queue = shown.session(), service.up_for_review()
        return s.DefinitionView(
            definition=now.definition,
            definition_version=now.definition_version,
            queued=sum("definition" in why for why in queue.why),
        )

    @api.post("/names")
    def names(body: b.NamesBody) -> s.SessionView:
        """Say what the labels are called."""
        positive, negative = (
            None if name is None else Names.stored(name.many, name.one)
            for name in (body.positive, body.negative)
        )
        service.name(positive or "", negative)
        return shown.session()

    @api.post("/pin")
    def pin(body: b.PinBody) -> s.SessionView:
        """Keep an item in view as an example, or no longer."""
        service.pin(body.item, body.pinned)
        return shown.session()

    @api.post("/group")
    def group(body: b.GroupBody) -> s.SessionView:
        """Say how many items a question may show."""
        service.set_max_n(body.max_n)
        return shown.session()

    @api.get("/enough")
    def offers() -> Offers:
        """What can be promised about the labels."""
        return offers_of(service)

    @api.get("/enough/costs")
    def costs() -> Offers:
        """The same, with what each takes: that is worked out for a while."""
        return offers_of(service, costs=True)

    @api.post("/enough")
    def enough(body: b.EnoughBody) -> Offers:
        """Say what is to hold before it is enough."""
        service.set_promise(None if body.promise is None else Promise.parse(body.promise))
        return offers()


def _add_looking(
    api: APIRouter, service: LabellingService, shown: Views, pictures: Pictures | None
) -> None:
    curves = CurveReader(len(service.pool))

    @api.get("/progress")
    def progress() -> s.Progress:
        """Where the session stands."""
        return shown.progress()

    @api.get("/curve")
    def curve() -> Curve:
        """Labels against answers, with the bound."""
        with service.lock:
            return curves.read(service.session.history)

    bounds = BoundsReader()
    reading = threading.Lock()

    @api.get("/bounds")
    def bounds_so_far() -> Bounds:
        """How many labels could have been wrong, had one stopped then: as a share of all."""
        with service.lock:
            steps = steps_of(service.session.history)
        with reading:
            return bounds.read(steps)

    @api.get("/answers")
    def answers(
        before: Annotated[int | None, Query(ge=0, lt=2**53)] = None,
        limit: Annotated[int, Query(ge=1, le=100)] = 20,
    ) -> list[s.AnswerView]:
        """Answers given, the newest first."""
        return browsing.answers(service, before, limit)

    gallery_of = Gallery(service)

    @api.get("/gallery")
    def gallery(
        label: LabelFilter = "",
        certain: CertainFilter = "",
        how: HowFilter = "",
        definition: Annotated[int | None, Query(ge=0, lt=2**31)] = None,
        annotator: Annotated[str, Query(max_length=200)] = "",
        q: Annotated[str, Query(max_length=200)] = "",
        sort: Sort = "source",
        reverse: bool = False,
        like: Annotated[int | None, Query(ge=0, lt=2**31)] = None,
        page: Annotated[int, Query(ge=1, lt=2**31)] = 1,
    ) -> s.Gallery:
        """Items with their labels, a page at a time."""
        if like is not None and like >= len(service.pool):
            raise HTTPException(404)
        query = GalleryQuery(label, certain, how, definition, annotator, q, sort, reverse, like)
        return gallery_of.page(query, page)

    @api.get("/review")
    def review(page: Annotated[int, Query(ge=1, lt=2**31)] = 1) -> s.ReviewPage:
        """Labels to look at before they are exported."""
        return browsing.review(service, page)

    @api.post("/reviewed")
    def reviewed(body: b.ReviewedBody) -> s.Done:
        """These were looked at and stand."""
        service.mark_reviewed(body.items)
        return s.Done()

    @api.post("/reask")
    def reask(body: b.ReaskBody) -> s.Done:
        """Ask again about labels that the person gave, drawn at random, among the next ones."""
        service.ask_again(body.count)
        return s.Done()

    @api.get("/items/{item}")
    def item(item: Annotated[int, InPath(ge=0, lt=2**31)]) -> s.LabelledItem:
        """One item in full, with its label."""
        if item >= len(service.pool):
            raise HTTPException(404)
        return browsing.whole(service, item)

    @api.get(
        "/items/{item}/picture",
        response_class=Response,
        responses={200: {"content": {"image/png": {}, "image/webp": {}}}},
    )
    def picture(
        item: Annotated[int, InPath(ge=0, lt=2**31)],
        size: Size = "tile",
        v: Annotated[str, Query(max_length=64)] = "",
    ) -> Response:
        """A picture, decoded and encoded again."""
        if pictures is None or item >= len(service.pool):
            raise HTTPException(404)
        data, kind = pictures.get(item, size)
        fixed = bool(v) and service.pool.checksums[item].startswith(v)
        lasting = "private, max-age=31536000, immutable" if fixed else "private, no-cache"
        return Response(data, media_type=kind, headers={"cache-control": lasting})


def _add_events(api: APIRouter, shown: Views, stopping: asyncio.Event) -> None:
    async def stream(request: Request) -> AsyncIterator[str]:
        last: s.Progress | None = None
        quiet = 0
        while not stopping.is_set() and not await request.is_disconnected():
            now = await run_in_threadpool(shown.progress)
            if now is not last:
                yield f"event: progress\ndata: {now.model_dump_json()}\n\n"
                last, quiet = now, 0
            elif quiet >= 15 / _EVENTS_S:
                yield ": still here\n\n"
                quiet = 0
            quiet += 1
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stopping.wait(), _EVENTS_S)
        if stopping.is_set():
            yield "event: ended\ndata: {}\n\n"

    @api.get(
        "/events",
        response_class=StreamingResponse,
        responses={200: {"content": {"text/event-stream": {}}}},
    )
    async def events(request: Request) -> StreamingResponse:
        """Progress as server-sent events, twice a second at most; ``ended`` when askless ends."""
        headers = {"x-accel-buffering": "no"}  # nginx would keep events back to send many at once
        return StreamingResponse(stream(request), headers=headers, media_type="text/event-stream")
