"""``askless move``: keep the events of a session on a PostgreSQL server, or in its folder again.

Tested in tests/folder/test_moving.py.
"""

from __future__ import annotations

import json
from typing import Annotated

import typer

from askless.cli.options import Json, SessionFolder
from askless.cli.printable import printable
from askless.errors import InvalidInput


def move(
    session: SessionFolder,
    address: Annotated[
        str | None,
        typer.Argument(
            metavar="[ADDRESS]", help="postgresql://[USER@]HOST[:PORT]/DATABASE#SESSION"
        ),
    ] = None,
    back: Annotated[bool, typer.Option("--back", help="Move them back into the folder.")] = False,
    as_json: Json = False,
) -> None:
    """Move the events of a session to a PostgreSQL server, or back into its folder.

    The rest of the folder stays where it is. Every command goes on as before. Killed half way, the
    same command goes on.

    Example: askless move photos.askless postgresql://db.example.org/labels#photos
    """
    from askless.folder.moving import move_to_folder, move_to_server

    if (address is None) == (not back):
        raise InvalidInput("Name the ADDRESS to move to, or --back; one of them, not both.")
    count = move_to_folder(session) if address is None else move_to_server(session, address)
    where = str(session) if address is None else address
    if as_json:
        typer.echo(json.dumps({"session": str(session), "events": count, "store": where}))
        return
    typer.echo(printable(f"{count:,} events are in {where} now, checked one by one."))
