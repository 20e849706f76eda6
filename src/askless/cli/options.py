"""Options and arguments that several commands have in common. Imported by the commands alone.

Tested in tests/cli/test_main.py.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

SessionFolder = Annotated[Path, typer.Argument(metavar="SESSION", help="The session's folder.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Host = Annotated[str, typer.Option(help="The address to serve at.")]
Port = Annotated[
    int | None,
    typer.Option(min=1, max=65535, help="The port; if it is taken, the next free one."),
]
NoBrowser = Annotated[bool, typer.Option("--no-browser", help="Print the link and open nothing.")]
