"""``askless demo``: label the pool that comes with askless, in the browser.

Tested in tests/cli/test_demo.py.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Final

import typer

from askless.cli.options import Host, NoBrowser, Port
from askless.cli.typed import typed

_FOLDER: Final = Path("askless-demo")


def demo(
    session: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where to keep the session.")
    ] = _FOLDER,
    host: Host = "127.0.0.1",
    port: Port = None,
    no_browser: NoBrowser = False,
) -> None:
    """Label 2000 pictures in the browser: which are footwear?

    A session like any other, so it can be ended and taken up again. Where there is no terminal to
    end it from, it ends by itself if nobody opens the link within 15 seconds.

    Example: askless demo
    """
    from askless.app.terms import Terms
    from askless.cli.serving import serve_session
    from askless.folder.files import exists
    from askless.pools import demo as words

    # What was changed in the page since stays so.
    begun = exists(session)
    terms = Terms() if begun else Terms(words.POSITIVE, words.NEGATIVE, words.DEFINITION)
    serve_session(
        "demo",
        session,
        {},
        terms,
        again=typed("demo", *([] if session == _FOLDER else ["--session", str(session)])),
        host=host,
        port=port,
        browser=not no_browser,
        patient=sys.stdin is not None and sys.stdin.isatty(),
    )
