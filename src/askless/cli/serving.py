"""What ``askless label`` and ``askless demo`` have in common: open, tell, serve, and end well.

Tested in tests/cli/test_demo.py.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from askless.cli.printable import printable
from askless.cli.typed import typed
from askless.folder import exists, no_session

if TYPE_CHECKING:
    from askless.app.opening import Terms

PATIENCE_S = 15.0
"""Where nobody can end it, the app waits so long for somebody to open the page."""


def serve_session(
    source: str,
    folder: Path,
    options: Mapping[str, str],
    terms: Terms,
    *,
    again: str,
    host: str = "127.0.0.1",
    port: int | None = None,
    browser: bool = True,
    patient: bool = True,
) -> None:
    """Serve the session in `folder` until Ctrl-C.

    Parameters
    ----------
    source, folder, options, terms
        For `askless.app.opening.open_service`.
    again
        The command that goes on with it.
    host, port, browser
        For `askless.web.server.serve`.
    patient
        Whether to wait for ever until somebody opens the page.
    """
    from askless.app.opening import open_service
    from askless.web.server import serve, token_for

    console = Console(highlight=False)
    token_for(host)  # refuse early what will be refused
    existed = exists(folder)
    waiting = console.status("Looking at every item ...")
    with waiting if console.is_terminal else contextlib.nullcontext():
        service = open_service(source, folder, options, terms)

    def say(*lines: str) -> None:
        for line in lines:
            console.print(printable(line), markup=False, soft_wrap=True)

    def announce(link: str) -> None:
        state = service.session.state
        if existed:
            say(f"Going on: {state.n_settled:,} of {state.n:,} items are settled.")
        else:
            say(f"{state.n:,} {'item' if state.n == 1 else 'items'} to label.")
        for left in service.pool.unreadable[:3]:
            say(f"Left out: {left.id}: {left.reason}")
        if len(service.pool.unreadable) > 3:
            say(f"Left out: {len(service.pool.unreadable) - 3:,} more; the page lists them.")
        if service.pool.unreadable and not existed:
            erase = typed("forget", _near(folder), "--answers")
            say(f"What is mended later is not asked, unless you begin again after: {erase}")
        for notice in service.notices:
            say(notice)
        say("", f"Open this link: {link}", "")
        if os.environ.get("SSH_CONNECTION"):
            port_there = link.partition("/?")[0].rpartition(":")[2]
            say(f"From another machine: ssh -L {port_there}:127.0.0.1:{port_there} HERE first.")
        say("Ctrl-C ends it; every answer is kept.")

    with contextlib.closing(service):
        with contextlib.suppress(KeyboardInterrupt):
            serve(
                service,
                host=host,
                port=port,
                announce=announce,
                browser=browser,
                patience_s=None if patient else PATIENCE_S,
                command=again,
            )
        state = service.session.state
    if not exists(folder):  # it was deleted meanwhile: neither command below would work
        raise no_session(folder)
    labels = typed("export", _near(folder), "labels.csv")
    if state.done:
        say("", f"Ended; nothing is left to ask. The labels: {labels}")
        say(f"To look at them again: {again}")
    else:
        say("", f"Ended; {state.n_settled:,} of {state.n:,} items are settled. Go on with: {again}")
        say(f"Labels so far: {labels}")


def _near(folder: Path) -> Path:
    """The folder as somebody here would name it."""
    here = Path.cwd()
    return folder.relative_to(here) if folder.is_relative_to(here) else folder
