"""Where an app is served: the options that `askless label` and `askless demo` have in common."""

from __future__ import annotations

from typing import Annotated

import typer

Host = Annotated[str, typer.Option(help="The address to serve at.")]
Port = Annotated[
    int | None,
    typer.Option(min=1, max=65535, help="The port; if it is taken, the next free one."),
]
NoBrowser = Annotated[bool, typer.Option("--no-browser", help="Print the link and open nothing.")]
