"""What ``askless label`` and ``askless demo`` have in common: open, tell, serve, and end well.

Tested in tests/cli/test_demo.py.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from askless.cli.printable import printable
from askless.cli.typed import typed
from askless.errors import InvalidInput
from askless.folder.files import exists, no_session

if TYPE_CHECKING:
    from askless.app.terms import Terms
    from askless.history.source_record import InSource
    from askless.seams import PoolKind
    from askless.session.session import Session

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
    behind: str | None = None,
    frame_ancestors: Sequence[str] = (),
) -> None:
    """Serve the session in `folder` until Ctrl-C; if it is served already, open that page.

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
    behind, frame_ancestors
        For `askless.web.behind.Behind.parse`: where a proxy serves it, and who may frame it.
    """
    from askless.app.opening import open_service
    from askless.history.labels import given_here
    from askless.web.behind import Behind
    from askless.web.server import open_in_browser, running_link, serve, token_for

    console = Console(highlight=False)

    def say(*lines: str) -> None:
        for line in lines:
            console.print(printable(line), markup=False, soft_wrap=True)

    proxy = None if behind is None else Behind.parse(behind, frame_ancestors)
    if frame_ancestors and proxy is None:
        raise InvalidInput(
            "A page can be framed only where a proxy serves it over https; name that with --behind."
        )
    token_for(host, proxy)  # refuse early what will be refused
    existed = exists(folder)
    if existed and (link := running_link(folder, host, proxy)) is not None:
        say("This session is open in the app already, and goes on there as it was started.")
        say("", f"Open this link within a minute: {link}")
        if browser:
            open_in_browser(folder, link)
        return
    waiting = console.status("Looking at every item ...")
    with waiting if console.is_terminal else contextlib.nullcontext():
        service = open_service(source, folder, options, terms)

    def announce(link: str) -> None:
        here = _count(service.session)
        n = here.items
        if existed:
            say(f"Going on: {here.settled:,} of {n:,} items are settled.")
        else:
            given = given_here(service.session.history)
            came = f", {given:,} came with labels" if given else ""
            say(f"{n - given:,} {'item' if n - given == 1 else 'items'} to label{came}.")
        if copies := sum(map(len, service.pool.copies.values())):
            beside = bool(service.settings.current.options.get("show"))
            say(_of_copies(copies, service.pool.kind, beside=beside))
        for left in service.pool.unreadable[:3]:
            say(f"Left out: {left.id}: {left.reason}")
        if len(service.pool.unreadable) > 3:
            say(f"Left out: {len(service.pool.unreadable) - 3:,} more; the page lists them.")
        if service.pool.unreadable and not existed:
            say(f"What you mend or add later is asked when you start again: {again}")
        for notice in service.notices:
            say(notice)
        say("", f"Open this link: {link}", "")
        if os.environ.get("SSH_CONNECTION") and proxy is None:
            port_there = link.partition("/?")[0].rpartition(":")[2]
            say(f"From another machine: ssh -L {port_there}:127.0.0.1:{port_there} HERE first.")
        say("Ctrl-C ends it; every answer is kept.")
        if not patient:
            say(f"There is no terminal here: it ends if nobody opens the link in {PATIENCE_S:g} s.")

    with contextlib.closing(service):
        came = True
        with contextlib.suppress(KeyboardInterrupt):
            came = serve(
                service,
                host=host,
                port=port,
                announce=announce,
                browser=browser,
                patience_s=None if patient else PATIENCE_S,
                command=again,
                behind=proxy,
            )
        state = service.session.state
    if not exists(folder):  # it was deleted meanwhile: neither command below would work
        raise no_session(folder)
    if not came and not patient:
        say("", f"Nobody opened the link within {PATIENCE_S:g} seconds, so the app has ended.")
        say(f"Run it in a terminal to have it wait for you: {again}")
        return
    labels = typed("export", _near(folder), "labels.csv")
    if state.done:
        say("", f"Ended; nothing is left to ask. The labels: {labels}")
        say(f"To look at them again: {again}")
    else:
        here = _count(service.session)
        say("", f"Ended; {here.settled:,} of {here.items:,} items are settled. Go on with: {again}")
        say(f"Labels so far: {labels}")


def _of_copies(number: int, kind: PoolKind, *, beside: bool) -> str:
    """What exact copies are, and what becomes of them; columns may be shown beside a text."""
    what = {
        "images": ("file is an exact copy of another", "files are exact copies of others"),
        "texts": ("row has the same text as another", "rows have the same text as others"),
        "rows": ("row has the same values as another", "rows have the same values as others"),
    }[kind][number > 1]
    if beside and kind == "texts":
        what = ("row shows the same as another", "rows show the same as others")[number > 1]
    return f"{number:,} more {what}: not asked about, but labelled alike."


def _count(session: Session) -> InSource:
    """How many items are in the source now."""
    return session.history.source.count(session.state)


def _near(folder: Path) -> Path:
    """The folder as somebody here would name it."""
    here = Path.cwd()
    return folder.relative_to(here) if folder.is_relative_to(here) else folder
