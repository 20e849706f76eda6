"""How an item becomes a vector: the makers of features by name, and the door to them.

    sets = make_features(pool, cache=folder)     # {"scattering": (n, 400), ...}

A new maker is one file in this folder and one line in `FEATURES`; it offers what
`askless.features.maker.Maker` asks. One's own is named by where it is found,
``package.module:Class``. Importing this module loads no maker.

No one feature set is best for every pool, so the default for a kind of pool is several, and what
predicts from them weighs them by the answers. docs/features.md says what each is for.
Tested in tests/features/test_make_features.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.errors import AsklessError, InvalidInput
from askless.features.maker import Maker
from askless.features.shelf import Shelf
from askless.registry import Registry
from askless.seams import Pool, PoolKind

FEATURES: Final = Registry[Maker](
    "feature set",
    {
        "backbone": "askless.features.backbone:Backbone",
        "patches": "askless.features.patches:Patches",
        "pixels": "askless.features.pixels:Pixels",
        "scattering": "askless.features.scattering:Scattering",
        "scattering-fine": "askless.features.scattering:ScatteringFine",
        "self-supervised": "askless.features.self_supervised:SelfSupervised",
        "sentences": "askless.features.sentences:Sentences",
        "table": "askless.features.table:Table",
        "tf-idf": "askless.features.text:TfIdf",
        "words": "askless.features.text:Words",
    },
    allow_import_path=True,
    base=Maker,
)

_USUAL: Final[Mapping[PoolKind, tuple[str, ...]]] = {
    "images": ("scattering", "scattering-fine", "patches", "pixels", "backbone", "self-supervised"),
    "texts": ("tf-idf", "sentences"),
    "rows": ("table",),
}
"""Made by default, those that can be made here in little time; the first of each kind can."""

_CODE: Final = {"sentences": "model"}
"""Options that lead to a folder in which there may be code."""

Names = Iterable[str] | Mapping[str, Mapping[str, Any]]


def typed_features(names: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """These sets and their options as the words of a command line."""
    words = ["--features", ",".join(names)]
    for name, options in names.items():
        for option, value in options.items():
            plain = value is None or isinstance(value, bool)
            text = str(value).lower() if plain else str(value)
            words += ["--feature-option", f"{name}.{option}={text}"]
    return words


def usual_features(kind: PoolKind) -> tuple[str, ...]:
    """What `make_features` makes of such a pool when no names are given, on this machine."""
    makers = {name: FEATURES.make(name, {}) for name in _USUAL[kind]}
    return tuple(name for name, maker in makers.items() if not maker.lacks() and maker.quick())


def may_run_code(names: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Which of these sets may run code that does not come with askless; nothing is loaded.

    A set of one's own does, and a model folder can. Whoever has such names from a file should not
    make these sets unless somebody at the keyboard asks for them.
    """
    known = FEATURES.names()
    return [
        name
        for name, options in names.items()
        if name not in known or options.get(_CODE.get(name, "")) is not None
    ]


def check_features(kind: PoolKind, names: Names) -> None:
    """Refuse what `make_features` would refuse of a pool of that kind; nothing is made.

    Parameters
    ----------
    kind
        The kind of the pool.
    names
        As for `make_features`.
    """
    _makers(kind, names)


def make_features(
    pool: Pool,
    names: Names | None = None,
    *,
    cache: Path | None = None,
    progress: Callable[[float], None] | None = None,
) -> dict[str, NDArray[np.float32]]:
    """Named feature sets of a pool, each of shape (n, columns), read-only.

    Parameters
    ----------
    pool
        What is to be described.
    names
        Which sets: some of ``FEATURES.names()``, or by name the options of each; None for what
        is usual for the pool's kind with what is installed.
    cache
        A folder: sets that are there are taken from it, others are put there as they are
        made, and are memory-mapped. Work that was cut short goes on where it was.
    progress
        Told the share that is done, from 0 to 1.

    Raises
    ------
    UnknownPart
        No feature set has that name.
    InvalidInput
        A set is for another kind of pool, needs what is not installed, or has no such option;
        or the cache cannot be written to.
    """
    makers = _makers(pool.kind, names)
    shelf = Shelf(pool.checksums, cache)
    sets: dict[str, NDArray[np.float32]] = {}
    all_ms = sum(maker.cost_ms for maker in makers.values())
    done_ms = 0.0
    for name, maker in makers.items():

        def tell(share: float, before: float = done_ms, own: float = maker.cost_ms) -> None:
            if progress is not None:
                progress((before + own * share) / all_ms)

        sets[name] = shelf.array(
            name.replace(":", "."),
            {"version": maker.version, **maker.about()},
            lambda bench, maker=maker: maker.make(pool, bench, shelf),  # type: ignore[misc]
            tell,
        )
        done_ms += maker.cost_ms
    return sets


def _makers(kind: PoolKind, names: Names | None) -> dict[str, Maker]:
    makers = {name: _made(name, options) for name, options in _asked(kind, names).items()}
    for name, maker in makers.items():
        if maker.kind != kind:
            raise InvalidInput(
                f"The feature set {name!r} is for pools of {maker.kind}; got one of {kind}."
            )
        if lacks := maker.lacks():
            raise InvalidInput(lacks)
    return makers


def _made(name: str, options: Mapping[str, Any]) -> Maker:
    options = {key: FEATURES.check(name, key, value) for key, value in options.items()}
    try:
        maker = FEATURES.make(name, options)
    except AsklessError:
        raise
    except (TypeError, ValueError) as error:
        told = ", ".join(f"{option}={value!r:.60}" for option, value in options.items())
        raise InvalidInput(
            f"The feature set {name!r} must be made with its options; got "
            f"{told or 'none'}, and: {error}. Give others, or name other feature sets."
        ) from error
    if missing := [each for each in ("kind", "version", "cost_ms") if not hasattr(maker, each)]:
        raise InvalidInput(
            f"A feature set has what askless.features.maker.Maker asks; got {name!r} "
            f"without {', '.join(missing)}. Add it to the class."
        )
    return maker


def _asked(kind: PoolKind, names: Names | None) -> dict[str, Mapping[str, Any]]:
    if names is None:
        names = usual_features(kind)
    if isinstance(names, str):
        raise InvalidInput(f"Feature sets come as several names; got one text, {names!r}.")
    given = dict(names) if isinstance(names, Mapping) else {name: {} for name in names}
    if not given:
        raise InvalidInput("At least one feature set is needed; got none.")
    return given
