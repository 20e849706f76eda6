"""``askless cache``: how much the user's cache takes, and how to clear it.

Tested in tests/cli/test_cache.py.
"""

from __future__ import annotations

import json
from typing import Annotated

import typer

from askless.cli.options import Json
from askless.cli.printable import megabytes, printable


def cache(
    clear: Annotated[
        bool, typer.Option("--clear", help="Remove all that nobody uses now.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Tell how much features, small pictures and models take on disk; with --clear, remove them.

    No answer is among them. What is removed is made again when it is needed.

    Example: askless cache --clear
    """
    from askless.files.user_cache import MOST_BYTES, cache_folder, cache_size, clear_cache

    cleared = clear_cache() if clear else None
    pools, size = cache_size()
    if as_json:
        told = {"folder": str(cache_folder()), "pools": pools, "bytes": size, "most": MOST_BYTES}
        removed = None if cleared is None else {"pools": cleared.pools, "bytes": cleared.size}
        typer.echo(json.dumps({**told, "cleared": removed}))
        return
    if cleared is not None:
        typer.echo(f"Removed {megabytes(cleared.size)}, of {_pools(cleared.pools)}.")
        if cleared.in_use:
            typer.echo(f"In use, and kept: {_pools(cleared.in_use)}.")
    typer.echo(
        f"The cache in {printable(str(cache_folder()))} holds {megabytes(size)}, of "
        f"{_pools(pools)}; it is kept below {MOST_BYTES / 1e9:,.0f} GB."
    )


def _pools(count: int) -> str:
    return f"{count:,} {'pool' if count == 1 else 'pools'}"
