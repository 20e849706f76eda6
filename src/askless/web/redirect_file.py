"""Opening the browser without telling the machine's other users how to get in.

What a program is started with can be read by everybody on a machine (``ps``). So the browser is
not started with the link but with a file, for its owner's eyes only, that leads to it; the token
in there is good for one visit. The file lies in the session's folder, since browsers in a
sandbox often cannot read elsewhere, and is removed as soon as it was used.
Tested in tests/web/test_redirect_file.py.
"""

from __future__ import annotations

import contextlib
import os
import threading
import webbrowser
from html import escape
from pathlib import Path

from askless.folder.files import REDIRECT


class RedirectFile:
    """A file that leads to a link.

    Parameters
    ----------
    folder
        Where to put it.
    link
        Where it leads.
    """

    def __init__(self, folder: Path, link: str) -> None:
        self.path = folder / REDIRECT
        self.remove()
        handle = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(
                '<!doctype html><meta charset="utf-8"><title>askless</title>'
                f'<meta http-equiv="refresh" content="0; url={escape(link)}">'
                f'<a href="{escape(link)}">Go on</a>\n'
            )

    def open(self) -> None:
        """Have a browser show it; nobody waits for that."""
        threading.Thread(target=self._open, name="askless-browser", daemon=True).start()

    def remove(self) -> None:
        """Take it away; a second time does nothing."""
        with contextlib.suppress(OSError):
            self.path.unlink(missing_ok=True)

    def _open(self) -> None:
        with contextlib.suppress(webbrowser.Error, OSError):
            webbrowser.open(self.path.resolve().as_uri())
