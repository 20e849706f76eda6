"""The routes of the end: a summary, the certificate, and the labels as files.

Imported by `askless.web.routes` alone; tested in tests/web/test_browsing.py and
tests/web/test_enough.py.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Query
from fastapi.responses import FileResponse, Response
from starlette.background import BackgroundTask
from starlette.exceptions import HTTPException

from askless.app.exporting import Guesses, count_guesses, offered_exports, write_labels
from askless.app.promised import slips_included
from askless.app.service import LabellingService
from askless.app.summary import Summary, summarise
from askless.exports import EXPORTERS, file_exporters
from askless.exports.contents import ExportOptions
from askless.exports.exporter import file_of, media_type_of
from askless.folder.certificates import certificate_at, certificate_bytes
from askless.web import replies as s
from askless.web import requests as b


def add_finishing(api: APIRouter, service: LabellingService) -> None:
    """Add them."""

    @api.get("/summary")
    def summary() -> Summary:
        """What to write in a methods section."""
        return summarise(service)

    offered = offered_exports(service.pool.kind)

    @api.get("/export")
    def export_formats() -> list[s.ExportFormat]:
        """The kinds of file that the labels can be had as, or could be if a package were here."""
        missing = {name: one for name, one in file_exporters().items() if not one.works}
        return [
            s.ExportFormat(
                name=name,
                title=one.title,
                purpose=one.purpose,
                file=file_of(name, one),
                needs=missing[name].needs if name in missing else "",
            )
            for name, one in {**offered, **missing}.items()
        ]

    @api.get(
        "/certificate",
        response_class=Response,
        responses={200: {"content": {"application/json": {}}}},
    )
    def certificate() -> Response:
        """What the checks prove, with every number that it rests on, as a file."""
        found = certificate_at(service.settings.folder)
        if found is None:
            raise HTTPException(404)
        named = {"content-disposition": 'attachment; filename="certificate.json"'}
        return Response(certificate_bytes(found), media_type="application/json", headers=named)

    @api.get("/certificate/slips")
    def slips() -> s.Slips:
        """What is left to be wrong if what people overlook is counted too."""
        found = certificate_at(service.settings.folder)
        return s.Slips(says="" if found is None else slips_included(found))

    @api.get("/export/guesses")
    def guesses(above: Annotated[b.CutOff, Query()]) -> Guesses:
        """How many guesses an export would have, and how many of them are wrong."""
        return count_guesses(service, above)

    @api.post(
        "/export",
        response_class=FileResponse,
        responses={200: {"content": {media_type_of(one): {} for one in offered.values()}}},
    )
    def export(body: b.ExportBody) -> FileResponse:
        """The source with its labels, as a file."""
        exporter = EXPORTERS.find(body.format)
        folder = tempfile.TemporaryDirectory(prefix="askless-")
        path = Path(folder.name) / file_of(body.format, exporter)
        options = ExportOptions(body.guess_above, body.probability, body.accepted)
        try:
            notes = write_labels(service, path, body.format, options)
        except BaseException:
            folder.cleanup()
            raise
        return FileResponse(
            path,
            media_type=media_type_of(exporter),
            filename=path.name,
            headers={"Askless-Notes": quote(" ".join(notes))} if notes else None,
            background=BackgroundTask(folder.cleanup),
        )
