"""A pool whose labels are known, out of any source.

Tested in tests/cli/test_simulate.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from askless.errors import InvalidInput
from askless.files import path_of
from askless.files.npz import array_names
from askless.lab.known_pool import KnownPool, known_pool, read_known_pool
from askless.pools import demo, open_pool


def load_pool(
    where: str | Path,
    *,
    text: str | None = None,
    label: str | None = None,
    image: str | None = None,
    prob: str | None = None,
    true: str | Sequence[str] | None = None,
    false: str | Sequence[str] | None = None,
    progress: Callable[[float], None] | None = None,
) -> KnownPool:
    """A pool whose labels are known.

    Parameters
    ----------
    where
        ``demo`` for the bundled pool; an ``.npz`` file with ``probs``, P(label is True), and
        ``positive``, the truth; or, to learn from, a labelled source of `open_pool`: an ``.npz``
        file with ``images`` or ``x`` and ``positive``, a table, a folder of pictures with one
        subfolder per label.
    text, label, image, prob, true, false
        As for `askless.pools.open_pool`. A table needs `label`.
    progress
        Told the share of the pictures that has been read.

    Raises
    ------
    InvalidInput
        There is no such source, or it does not know the label of every item.
    """
    path = path_of("A pool", where)
    if path is None:
        raise InvalidInput("A pool whose labels are known is named by a path, or 'demo'; got None.")
    if label is None and str(where) == "demo":
        return read_known_pool(demo.PATH)
    if path.is_dir():
        label = label or "folder"
    elif path.suffix.lower() == ".npz":
        if not {"images", "x"} & set(array_names(path)):
            return read_known_pool(path)
    elif label is None and path.exists():
        raise InvalidInput(
            f"To simulate, the right labels must be known; name the column of {path} that has "
            "them with label=..., on the command line --label."
        )
    pool = open_pool(
        where, text=text, label=label, image=image, prob=prob, true=true, false=false,
        progress=progress,
    )  # fmt: skip
    try:
        return known_pool(pool)
    except InvalidInput as error:
        raise InvalidInput(f"{where}: {error}") from error
