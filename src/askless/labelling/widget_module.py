"""The one script that a notebook imports: the page's own modules, carried inside it by path.

Nothing is built and nothing is kept twice: `js/widget.js` and whatever it imports are read from the
files of the page (`askless/web/static`), and `js/widget_loader.js` makes modules of them in the
browser. Imported by `askless.labelling.cell`; tested in tests/labelling/test_widget_module.py.
"""

from __future__ import annotations

import json
import posixpath
import re
from functools import cache
from typing import Final

from askless.web.app import STATIC

ENTRY: Final = "js/widget.js"
_LOADER: Final = "js/widget_loader.js"
_STYLES: Final = ("base", "frame", "question", "widget")
_IMPORT: Final = re.compile(r'\bfrom "(\.[^"]+)"')


@cache
def widget_module() -> str:
    """The script, with every module and style it needs."""
    style = "\n".join(_read(f"css/{name}.css") for name in _STYLES)
    parts = {"SOURCES": modules_from(ENTRY), "STYLE": style, "ENTRY": ENTRY}
    carried = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in parts.items())
    return carried + _read(_LOADER)


def modules_from(entry: str) -> dict[str, str]:
    """The sources of a module and of everything that it imports, by path."""
    found: dict[str, str] = {}
    waiting = [entry]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found[path] = _read(path)
        waiting += [
            posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
            for name in _IMPORT.findall(found[path])
        ]
    return found


def _read(path: str) -> str:
    return (STATIC / path).read_text(encoding="utf-8")
