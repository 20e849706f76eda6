"""How an item becomes a vector: feature extractors by name.

    sets = make_features(pool, cache=folder)     # {"scattering": (n, 400), ...}

A new feature set is one file in this folder and one line in `FEATURES`; its class is derived from
`askless.features.extractor.FeatureExtractor`. One of your own is named by its place,
``package.module:Class``; numbers that you have by their file, ``emb.npy``, or by their column in
the source, ``column:NAME``. Importing this module loads no extractor. Stands beside `pools`, which
it sees through `askless.seams.Pool` alone.

No feature set is best for every pool. So there are several by default, and the predictor weighs
them by the answers. docs/features.md says what each is for.
Tested in tests/features/test_make_features.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.errors import AsklessError, InvalidInput
from askless.features.cache import FeatureCache, PartialWork, Rows
from askless.features.extractor import FeatureExtractor, checked_rows
from askless.features.prompted import Prompted
from askless.registry import Registry
from askless.seams import Pool, PoolKind

FEATURES: Final = Registry[FeatureExtractor](
    "feature set",
    {
        "backbone": "askless.features.backbone:Backbone",
        "onnx": "askless.features.onnx_encoder:OnnxEncoder",
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
    base=FeatureExtractor,
    entry_points="askless.features",
)

DEFAULT_FEATURES: Final[Mapping[PoolKind, tuple[str, ...]]] = {
    "images": ("scattering", "scattering-fine", "patches", "pixels", "backbone", "self-supervised"),
    "texts": ("tf-idf", "sentences"),
    "rows": ("table",),
}
"""Made by default, if they can be made on this machine quickly; the first of each kind can."""

_GIVEN: Final = Registry[FeatureExtractor](
    "feature set",
    {
        "column": "askless.features.own_column:OwnColumn",
        "file": "askless.features.own_file:OwnFile",
    },
)
COLUMN: Final = "column:"
"""Begins the name of a set that is a column of the source."""
FILES: Final = (".npy", ".npz", ".parquet", ".lance")
"""How the name of a set ends that is a file of numbers."""

_CODE: Final = {"sentences": "model"}
"""By feature set, the option that names a folder which may contain code."""

Names = Iterable[str] | Mapping[str, Mapping[str, Any]]


def is_feature_set(name: str) -> bool:
    """Whether this is the name of a feature set, or has the form of one; nothing is loaded."""
    return ":" in name or name.lower().endswith(FILES) or name in FEATURES.names()


def check_option(name: str, option: str, value: Any) -> Any:
    """The value of an option of the feature set called `name`, as the type that it declares."""
    registry, part, said = _part(name)
    if option in said:
        raise InvalidInput(f"The feature set {name!r} says its {option} by its name; got it twice.")
    return registry.check(part, option, value)


def _part(name: Any) -> tuple[Registry[FeatureExtractor], str, dict[str, Any]]:
    """Where a feature set is found, and the options that its name says."""
    if isinstance(name, str) and name.startswith(COLUMN):
        return _GIVEN, "column", {"name": name.removeprefix(COLUMN)}
    if isinstance(name, str) and name.lower().endswith(FILES):
        return _GIVEN, "file", {"path": Path(name)}
    return FEATURES, name, {}


def typed_features(names: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Feature sets and their options as arguments of the command line."""
    words = ["--features", ",".join(names)]
    for name, options in names.items():
        for option, value in options.items():
            plain = value is None or isinstance(value, bool)
            text = str(value).lower() if plain else str(value)
            words += ["--feature-option", f"{name}.{option}={text}"]
    return words


def default_features(kind: PoolKind) -> tuple[str, ...]:
    """The feature sets that `make_features` makes of such a pool, on this machine, by default."""
    extractors = {name: FEATURES.make(name, {}) for name in DEFAULT_FEATURES[kind]}
    return tuple(
        name
        for name, extractor in extractors.items()
        if not extractor.lacks() and extractor.quick()
    )


def may_run_code(names: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Which of these feature sets may run code that does not come with askless; nothing is loaded.

    A feature set of your own does, and a model folder can. If the names come from a file, do not
    make these sets unless the user asks for them.
    """
    known = FEATURES.names()
    return [
        name
        for name, options in names.items()
        if (_part(name)[0] is FEATURES and name not in known)
        or options.get(_CODE.get(name, "")) is not None
    ]


def check_features(pool: Pool, names: Names) -> None:
    """Refuse what `make_features` would refuse, as far as that is soon told; nothing is made.

    Parameters
    ----------
    pool, names
        As for `make_features`.
    """
    for extractor in _make_extractors(pool.kind, names).values():
        if misfit := extractor.misfit(pool):
            raise InvalidInput(misfit)


def make_features(
    pool: Pool,
    names: Names | None = None,
    *,
    cache: Path | None = None,
    progress: Callable[[float], None] | None = None,
) -> dict[str, NDArray[np.floating[Any]]]:
    """Named feature sets of a pool, each of shape (n, columns), read-only.

    They are of half precision (float16), but for one that would lose by it.

    Parameters
    ----------
    pool
        The items.
    names
        Which feature sets: some of ``FEATURES.names()``, or by name the options of each; None for
        `default_features`.
    cache
        A folder. Feature sets that are in it are read, others are written to it; all are
        memory-mapped. Interrupted work goes on where it stopped.
    progress
        Called with the share that is done, from 0 to 1.

    Raises
    ------
    UnknownPart
        No feature set has that name.
    InvalidInput
        A set is for another kind of pool, needs what is not installed, or has no such option;
        or the cache cannot be written to.
    """
    extractors = _make_extractors(pool.kind, names)
    feature_cache = FeatureCache(pool.checksums, cache)
    sets: dict[str, NDArray[np.floating[Any]]] = {}
    all_ms = sum(extractor.cost_ms for extractor in extractors.values())
    done_ms = 0.0
    for name, extractor in extractors.items():

        def tell(share: float, before: float = done_ms, own: float = extractor.cost_ms) -> None:
            if progress is not None:
                progress((before + own * share) / all_ms)

        def extract(work: PartialWork, name: str = name, by: FeatureExtractor = extractor) -> Rows:
            return checked_rows(name, by.extract(pool, work, feature_cache), len(pool))

        sets[name] = feature_cache.array(
            _file_name(name),
            {"version": extractor.version, **extractor.about(), **extractor.beside(pool)},
            extract,
            tell,
            row_by_row=extractor.row_by_row,
        )
        done_ms += extractor.cost_ms
    return sets


def with_prompt(
    names: Mapping[str, Mapping[str, Any]] | None, prompt: str | None, negative_prompt: str | None
) -> dict[str, Mapping[str, Any]] | None:
    """Feature sets, the one of them whose encoder reads sentences with prompts for first guesses.

    Parameters
    ----------
    names
        The options of each set by its name.
    prompt, negative_prompt
        What positive and negative items are, in words; None to leave everything as it is.

    Raises
    ------
    InvalidInput
        None of the sets has such an encoder, or several have.
    """
    if prompt is None and negative_prompt is None:
        return None if names is None else dict(names)
    read = [name for name in names or () if _takes_prompts(name)]
    if len(read) != 1:
        raise InvalidInput(
            "A prompt is compared with items by one encoder that reads sentences; name it among "
            "the feature sets: sentences for texts, onnx for either, backbone with a network of "
            f"open_clip or transformers for pictures. Got {', '.join(names or ()) or 'none'}."
        )
    said = {"prompt": prompt, "negative_prompt": negative_prompt}
    own = {option: words for option, words in said.items() if words is not None}
    return {
        name: {**options, **own} if name == read[0] else options
        for name, options in (names or {}).items()
    }


def first_guesses(
    pool: Pool, names: Names | None, sets: Mapping[str, NDArray[np.floating[Any]]]
) -> NDArray[np.float64] | None:
    """P(label is True) by the prompt of a feature set; None if none has a prompt.

    Parameters
    ----------
    pool, names
        As for `make_features`.
    sets
        What that made of them.
    """
    if not isinstance(names, Mapping):
        return None
    for name, options in names.items():
        if options.get("prompt") is not None:
            extractor = _make_extractors(pool.kind, {name: options})[name]
            if isinstance(extractor, Prompted):
                if misfit := Prompted.misfit(extractor, pool):
                    raise InvalidInput(misfit)
                return extractor.guesses(sets[name])
    return None


def _takes_prompts(name: str) -> bool:
    registry, part, _ = _part(name)
    return "prompt" in registry.options(part)


def _make_extractors(kind: PoolKind, names: Names | None) -> dict[str, FeatureExtractor]:
    asked = _options_by_name(kind, names)
    extractors = {name: _make_extractor(name, options) for name, options in asked.items()}
    for name, extractor in extractors.items():
        kinds = (extractor.kind,) if isinstance(extractor.kind, str) else extractor.kind
        if kind not in kinds:
            raise InvalidInput(
                f"The feature set {name!r} is for pools of {' or '.join(kinds)}; got one of {kind}."
            )
        if lacks := extractor.lacks():
            raise InvalidInput(lacks)
    return extractors


def _make_extractor(name: str, options: Mapping[str, Any]) -> FeatureExtractor:
    registry, part, said = _part(name)
    options = {key: registry.check(part, key, value) for key, value in options.items()} | said
    try:
        extractor = registry.make(part, options)
    except AsklessError:
        raise
    except (TypeError, ValueError) as error:
        told = ", ".join(f"{option}={value!r:.60}" for option, value in options.items())
        raise InvalidInput(
            f"The feature set {name!r} must be made with its options; got "
            f"{told or 'none'}, and: {error}. Give others, or name other feature sets."
        ) from error
    if missing := [each for each in ("kind", "version", "cost_ms") if not hasattr(extractor, each)]:
        raise InvalidInput(
            "A feature set has what askless.features.extractor.FeatureExtractor asks; got "
            f"{name!r} without {', '.join(missing)}. Add it to the class."
        )
    return extractor


def _file_name(name: str) -> str:
    """What a set is called in the cache."""
    plain = Path(name).name if name.lower().endswith(FILES) else name
    return re.sub(r"[^\w.-]", ".", plain)[-80:]


def _options_by_name(kind: PoolKind, names: Names | None) -> dict[str, Mapping[str, Any]]:
    if names is None:
        names = default_features(kind)
    if isinstance(names, str):
        raise InvalidInput(f"Feature sets come as several names; got one text, {names!r}.")
    given = dict(names) if isinstance(names, Mapping) else {name: {} for name in names}
    if not given:
        raise InvalidInput("At least one feature set is needed; got none.")
    return given
