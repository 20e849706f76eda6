"""From a pool to what a predictor is fitted on.

    pool -> feature sets -> x, one row an item          (kernel: a kernel basis of the sets)

Features and x are made once for a pool and kept in a cache folder, keyed by content: by the
checksums of the items, by the extractors and their versions. The predictor comes out as a
name and plain options, since it is usually made in another process.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.assemble.own_parts import NOTHING_OWN, OwnParts
from askless.errors import InvalidInput
from askless.features import first_guesses, make_features
from askless.features.reduction import side_by_side
from askless.files import in_words, make_folder, read_bytes, write_whole
from askless.files.arrays import open_array, write_array
from askless.planners.schedule import DEFAULT_SCHEDULE
from askless.predictors import make_predictor, predictor_options
from askless.predictors.kernel_basis import VERSION, kernel_basis
from askless.seams import Pool, Predictor

DEFAULT_PREDICTOR: Final = "kernel"
_FEATURES_SHARE: Final = 0.8  # of the work, as far as progress is concerned
_NOTE_BYTES: Final = 1 << 24
_SIDE: Final = 32
_MOST_SIDE: Final = 64

Progress = Callable[[float], None]


@dataclass(frozen=True, eq=False, slots=True)
class Prepared:
    """All that is needed to fit a predictor to a pool; made by `prepare`.

    Parameters
    ----------
    x
        What it is fitted on, one row an item.
    x_path
        Where that is on disk, for `askless.trainer.BackgroundTrainer`; None if nowhere.
    predictor
        Its name.
    options
        Its options, in plain JSON values.
    features
        The names of the feature sets that x is made of.
    own
        The predictor itself, if it was given as an object.
    """

    x: NDArray[Any]
    x_path: Path | None
    predictor: str
    options: Mapping[str, Any]
    features: tuple[str, ...]
    own: Predictor | None = None

    def make(self) -> Predictor:
        """A fresh predictor, or the one that was given."""
        return make_predictor(self.predictor, **self.options) if self.own is None else self.own


def prepare(
    pool: Pool,
    *,
    features: Sequence[str] | Mapping[str, Mapping[str, Any]] | None = None,
    predictor: str | None = None,
    options: Mapping[str, Any] | None = None,
    schedule: str = DEFAULT_SCHEDULE["questions"],
    cache: Path | None = None,
    progress: Progress | None = None,
    own: OwnParts = NOTHING_OWN,
) -> Prepared:
    """What a predictor needs to learn about `pool`.

    Parameters
    ----------
    pool
        From `askless.pools.open_pool`. Probabilities that it brings become the predictor's prior,
        if it takes one (`kernel` does).
    features
        Which feature sets, perhaps with options (`askless.features.make_features`); None for what
        is usual for such a pool.
    predictor
        Name of the predictor; None for `kernel`.
    options
        Further options of the predictor.
    schedule
        What will be asked first (`askless.planners.schedule`); a predictor may want to know whether
        labels come at random.
    cache
        A folder to keep everything in, and to find it in the next time; None for memory alone.
    progress
        Told the share that is done.
    own
        Parts that are given as objects: they come in place of what is named, feature sets beside.

    Raises
    ------
    InvalidInput
        A part has no such name or option, or needs what is not installed.
    """
    if own.predictor is not None:
        return _prepare_own(pool, own, own.predictor, features, cache, progress)
    name = predictor or DEFAULT_PREDICTOR
    accepted = predictor_options(name)
    said = dict(options or {})
    check_predictor(pool, name, said)
    if cache is not None:
        with in_words(cache, "Features need"):
            make_folder(cache)
    if name == "fixed":
        assert pool.probs is not None or "probs" in said
        if pool.probs is not None:
            said.setdefault("probs", pool.probs.tolist())
        return Prepared(np.zeros((len(pool), 0), np.float32), None, name, said, ())
    if name == "network":
        x, path, shape = _pixels(pool, cache, progress)
        return Prepared(x, path, name, {"shape": list(shape)} | said, ())
    if name == "sklearn" and features is None and not own.features:
        made = _on_items(pool, said, cache)
        if made is not None:
            return made
    sets = _feature_sets(pool, own, features, cache, progress)
    if name == "kernel":
        key = _key(sets, f"kernel {VERSION}")
        x, path, words = _kept(cache, "kernel", key, lambda: _basis(sets, progress))
        said = {"blocks": words} | said
    else:
        x, path, _ = _kept(cache, "features", _key(sets, "features"), lambda: (_joined(sets), None))
    guessed = first_guesses(pool, features, sets)
    if guessed is not None and "prior" not in accepted:
        raise InvalidInput(
            f"First guesses are the prior of a predictor that takes one; {name!r} does not. Leave "
            "the prompt out, or choose 'kernel'."
        )
    prior = pool.probs if guessed is None else guessed
    if prior is not None and "prior" in accepted:
        said.setdefault("prior", prior.tolist())
    if "random_labels" in accepted:
        said.setdefault("random_labels", schedule == "random-rounds")
    make_predictor(name, **said)  # a wrong option is refused here and not in another process
    if progress is not None:
        progress(1.0)
    return Prepared(x, path, name, said, tuple(sets))


def check_predictor(pool: Pool, name: str, options: Mapping[str, Any]) -> None:
    """Refuse a predictor that cannot predict this pool, as far as that is soon told.

    Parameters
    ----------
    pool, options
        As for `prepare`.
    name
        Of the predictor.
    """
    if name == "fixed" and pool.probs is None and "probs" not in options:
        raise InvalidInput(
            "The predictor 'fixed' says what it was told, and this pool brings no "
            "probabilities; choose 'kernel', which learns."
        )
    if name == "network" and pool.kind != "images":
        raise InvalidInput(
            f"The predictor 'network' learns from pictures, and the items of this pool are "
            f"{pool.kind}; choose 'kernel'."
        )
    if name not in ("fixed", "network"):
        make_predictor(name, **options)


def _on_items(pool: Pool, options: Mapping[str, Any], cache: Path | None) -> Prepared | None:
    """What an estimator is fitted on that makes its own features; None if it makes none."""
    from askless.predictors.item_rows import items_of, rows_of, write_items
    from askless.predictors.sklearn_adapter import SklearnAdapter

    if not SklearnAdapter(**options).takes_items:
        return None
    items, numbers = items_of(pool), np.arange(len(pool), dtype=np.float64)[:, None]
    if cache is None:
        fitted_here = SklearnAdapter(**options, rows=rows_of(items))
        return Prepared(numbers, None, "sklearn", dict(options), (), fitted_here)
    key = hashlib.sha256("\n".join(pool.checksums).encode()).hexdigest()[:20]
    path = cache / f"items-{key}.json"
    write_items(path, items)
    x, x_path, _ = _kept(cache, "numbers", key, lambda: (numbers, None))
    return Prepared(x, x_path, "sklearn", {**options, "items": str(path)}, ())


def _prepare_own(
    pool: Pool,
    own: OwnParts,
    predictor: Predictor,
    features: Sequence[str] | Mapping[str, Mapping[str, Any]] | None,
    cache: Path | None,
    progress: Progress | None,
) -> Prepared:
    """What a predictor is fitted on that was given as an object."""
    name = type(predictor).__name__
    if own.x is not None:
        return Prepared(own.x, None, name, {}, (), predictor)
    sets = _feature_sets(pool, own, features, cache, progress)
    return Prepared(_joined(sets), None, name, {}, tuple(sets), predictor)


def _feature_sets(
    pool: Pool,
    own: OwnParts,
    features: Sequence[str] | Mapping[str, Mapping[str, Any]] | None,
    cache: Path | None,
    progress: Progress | None,
) -> dict[str, NDArray[Any]]:
    """The feature sets that were named, and those that were given; the usual ones if neither."""
    made: dict[str, NDArray[Any]] = {}
    if features is not None or not own.features:
        made |= make_features(pool, features, cache=cache, progress=_part(progress))
    return made | dict(own.features)


def _part(progress: Progress | None) -> Progress | None:
    return None if progress is None else lambda share: progress(_FEATURES_SHARE * share)


def _basis(sets: Mapping[str, NDArray[Any]], progress: Progress | None) -> tuple[NDArray[Any], Any]:
    def tell(share: float) -> None:
        if progress is not None:
            progress(_FEATURES_SHARE + (1 - _FEATURES_SHARE) * share)

    basis = kernel_basis(sets, progress=tell)
    # Half precision: as good for a model, and half the disk.
    return basis.columns.astype(np.float16), [[name, width] for name, width in basis.blocks]


def _joined(sets: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
    wide = [np.asarray(x, np.float32) for x in sets.values()]
    parts = [x - x.mean(0) if len(x) else x for x in wide]
    return parts[0] if len(parts) == 1 else side_by_side(parts)


def _key(sets: Mapping[str, NDArray[Any]], version: str) -> str:
    """Names the content of feature sets, and the way to go on from them."""
    digest = hashlib.sha256(version.encode())
    for name, x in sets.items():
        digest.update(f"{name} {x.dtype.str} {x.shape}".encode())
        for start in range(0, len(x), 4096):
            digest.update(np.ascontiguousarray(x[start : start + 4096]).tobytes())
    return digest.hexdigest()[:20]


def _kept(
    cache: Path | None, name: str, key: str, make: Callable[[], tuple[NDArray[Any], Any]]
) -> tuple[NDArray[Any], Path | None, Any]:
    """An array and some words about it: from the cache if they are there, else made and put there.

    Whatever is damaged is made again.
    """
    if cache is None:
        x, words = make()
        return x, None, words
    path, note = cache / f"{name}-{key}.npy", cache / f"{name}-{key}.json"
    with suppress(InvalidInput, OSError, ValueError):
        return open_array(path), path, json.loads(read_bytes(note, _NOTE_BYTES))
    x, words = make()
    write_array(path, x)
    write_whole(note, lambda file: file.write(json.dumps(words).encode()))
    return open_array(path, check=False), path, words


def _pixels(
    pool: Pool, cache: Path | None, progress: Progress | None
) -> tuple[NDArray[Any], Path | None, tuple[int, int, int]]:
    """Every picture as a row of bytes, all of one shape."""

    def make() -> tuple[NDArray[Any], Any]:
        first = _picture(pool, 0, None)
        side = _SIDE if first is None or max(first.shape[:2]) > _MOST_SIDE else _MOST_SIDE
        found = []
        for item in range(len(pool)):
            found.append(_picture(pool, item, side))
            if progress is not None and item % 256 == 0:
                progress(item / len(pool))
        shapes = {picture.shape[:2] for picture in found if picture is not None}
        if side == _MOST_SIDE and len(shapes) > 1:  # small, but not all alike
            found = [_picture(pool, item, _SIDE) for item in range(len(pool))]
        alike = side == _MOST_SIDE and len(shapes) == 1
        height, width = shapes.pop() if alike else (_SIDE, _SIDE)
        rows = np.stack([_fitted(picture, height, width) for picture in found])
        if (rows == rows[..., :1]).all():  # grey
            rows = rows[..., :1]
        return rows.reshape(len(rows), -1), list(rows.shape[1:])

    key = hashlib.sha256("\n".join(pool.checksums).encode()).hexdigest()[:20]
    x, path, shape = _kept(cache, "pixels", key, make)
    return x, path, (shape[0], shape[1], shape[2])


def _picture(pool: Pool, item: int, side: int | None) -> NDArray[np.uint8] | None:
    """The picture, or None if it cannot be shown: the person will be told, the network need not."""
    with suppress(InvalidInput):
        return pool.picture(item, side)
    return None


def _fitted(picture: NDArray[np.uint8] | None, height: int, width: int) -> NDArray[np.uint8]:
    """A picture in the middle of a black frame that is at least as large."""
    frame = np.zeros((height, width, 3), np.uint8)
    if picture is not None:
        high, wide = picture.shape[:2]
        top, left = (height - high) // 2, (width - wide) // 2
        frame[top : top + high, left : left + wide] = picture
    return frame
