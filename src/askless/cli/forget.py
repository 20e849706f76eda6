"""``askless forget``: erase what a session holds of its items.

Tested in tests/cli/test_label.py.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from askless.cli.options import Json, SessionFolder
from askless.cli.printable import megabytes
from askless.errors import InvalidInput


def forget(
    session: SessionFolder,
    answers: Annotated[
        bool, typer.Option("--answers", help="Erase the answers too: the whole folder.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: Json = False,
) -> None:
    """Erase what a session holds of its items; the labels stay.

    Thumbnails, features, models and notes are erased. With --answers nothing stays. It cannot be
    undone.

    Example: askless forget photos.askless
    """
    from askless.app.settings import read_settings
    from askless.files.user_cache import clear_cache
    from askless.folder.forgetting import forget_all, forget_content, held
    from askless.pools.remote_pictures import copies_key

    found = held(session)
    if not yes:
        what = (
            "everything, the answers too," if answers else "thumbnails, features, models and notes"
        )
        try:
            agreed = typer.confirm(f"Erase {what} of {session}? It cannot be undone.", err=True)
        except typer.Abort:
            raise InvalidInput("Erasing needs a yes; got none. Say so with --yes.") from None
        if not agreed:
            raise InvalidInput("Nothing was erased.")
    was = read_settings(session)
    if was.source:
        clear_cache(copies_key(Path(str(was.options.get("folder") or Path(was.source).parent))))
    if answers:
        forget_all(session)
    else:
        forget_content(session)
    if as_json:
        typer.echo(json.dumps({"session": str(session), "answers": answers, **found}))
        return
    typer.echo(
        f"Erased {megabytes(found['bytes'])} and "
        f"{_many(found['notes'], 'note')} of {session}"
        + (", and the answers." if answers else "; the answers and labels are kept.")
    )


def _many(count: int, what: str) -> str:
    return f"{count:,} {what if count == 1 else what + 's'}"
