"""Feature sets by name: made once, kept, taken up after a kill, made again when damaged."""

from __future__ import annotations

import itertools
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from askless.errors import InvalidInput, UnknownPart
from askless.features import (
    FEATURES,
    check_features,
    default_features,
    make_features,
    may_run_code,
    reduction,
)
from askless.features.cache import FeatureCache, PartialWork, Rows
from askless.features.extractor import FeatureExtractor
from askless.features.pixels import Pixels
from askless.features.self_supervised import SelfSupervised
from askless.seams import Pool, PoolKind
from tests.features.small_pools import SmallPool, bars

PLAIN: Mapping[str, Mapping[str, Any]] = {
    "scattering": {"columns": 20},
    "patches": {"words": 8, "columns": 20},
    "pixels": {"columns": 20},
}
TEXTS = SmallPool("texts", texts=["win a prize now", "win prizes", "see you at home", "home late"])
ROWS = SmallPool("rows", table={"a": np.arange(6.0), "b": np.array(list("xyxyxz"))})


class Choosy(Pixels):
    """A set of your own that does not take every value."""

    def __init__(self, *, taste: Any = None) -> None:
        super().__init__()
        if taste is not None:
            raise ValueError("no taste")


class Own(Pixels):
    """A set of your own with a column of zeros."""

    def extract(self, pool: Pool, work: PartialWork, cache: FeatureCache) -> Rows:
        """The zeros."""
        return [np.zeros((len(pool), 1), np.float32)]


class Unfinished(FeatureExtractor):
    """A set of your own that does not say everything."""

    kind = "images"

    def extract(self, pool: Pool, work: PartialWork, cache: FeatureCache) -> Rows:
        """Nothing."""
        return []


def nearest(x: NDArray[Any]) -> NDArray[Any]:
    distances = np.linalg.norm(x[:, None] - x, axis=-1)
    np.fill_diagonal(distances, np.inf)
    return np.asarray(distances.argmin(1))


def test_images_get_sets_that_bring_like_pictures_together() -> None:
    sets = make_features(bars(), PLAIN)
    assert list(sets) == list(PLAIN)
    for x in sets.values():
        assert x.dtype == np.float16
        assert len(x) == 60
        assert np.mean(nearest(x) % 2 == np.arange(60) % 2) > 0.85


def test_colour_pictures_of_many_sizes_are_welcome() -> None:
    rng = np.random.default_rng(0)
    sizes = [(32, 32), (90, 40), (8, 8), (20, 33), (1, 50)]
    pictures = [rng.integers(0, 256, (*size, 3)).astype(np.uint8) for size in sizes]
    for x in make_features(SmallPool("images", pictures=pictures), PLAIN).values():
        assert len(x) == 5
        assert np.all(np.isfinite(x))


def test_grey_pictures_cost_one_colour() -> None:
    grey = bars(20)
    tinted = SmallPool("images", pictures=[np.stack([p] * 3, 2) for p in grey.pictures])
    for name in PLAIN:
        some = {name: PLAIN[name]}
        assert np.array_equal(make_features(grey, some)[name], make_features(tinted, some)[name])


@pytest.mark.parametrize("pool", [TEXTS, ROWS], ids=["texts", "rows"])
def test_texts_and_rows_have_features_without_any_choice(pool: SmallPool) -> None:
    first = default_features(pool.kind)[0]
    x = make_features(pool, [first])[first]
    assert x.dtype == np.float16
    assert len(x) == len(pool)
    assert x.shape[1] > 0


@pytest.mark.parametrize("kind", ["images", "texts", "rows"])
def test_usual_sets_are_registered(kind: PoolKind) -> None:
    assert default_features(kind)
    assert set(default_features(kind)) <= set(FEATURES.names())


@pytest.mark.parametrize("name", FEATURES.names())
def test_every_set_has_options_with_defaults(name: str) -> None:
    assert all(not isinstance(value, type) for value in FEATURES.options(name).values())


@pytest.mark.parametrize("kind", ["images", "texts", "rows"])
def test_empty_pool_has_empty_features(kind: PoolKind, tmp_path: Path) -> None:
    pool = SmallPool(kind)
    name = default_features(kind)[0]
    for cache in (None, tmp_path):
        assert make_features(pool, [name], cache=cache)[name].shape[0] == 0


def test_second_time_the_set_is_taken_from_the_cache(tmp_path: Path) -> None:
    pool = bars()
    first = make_features(pool, PLAIN, cache=tmp_path)
    looked = pool.looked
    again = make_features(pool, PLAIN, cache=tmp_path)
    assert pool.looked == looked == len(pool)  # thumbnails are shared, too
    for name in PLAIN:
        assert isinstance(again[name], np.memmap)
        assert np.array_equal(first[name], again[name])
        assert np.array_equal(first[name], make_features(pool, {name: PLAIN[name]})[name])
    assert not list(tmp_path.glob("*.parts"))


def test_other_items_order_or_options_are_another_set(tmp_path: Path) -> None:
    pool = bars(20)
    turned = SmallPool("images", pictures=pool.pictures[::-1])
    one = make_features(pool, PLAIN, cache=tmp_path)["scattering"]
    other = make_features(turned, PLAIN, cache=tmp_path)["scattering"]
    assert np.linalg.norm(one - other) > 0.1
    few = make_features(pool, {"scattering": {"columns": 3}}, cache=tmp_path)["scattering"]
    assert few.shape == (20, 3)


def test_new_version_of_a_maker_is_another_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_features(TEXTS, ["tf-idf"], cache=tmp_path)
    monkeypatch.setattr("askless.features.text.TfIdf.version", 1000)
    make_features(TEXTS, ["tf-idf"], cache=tmp_path)
    assert len(list(tmp_path.glob("tf-idf-*.npy"))) == 2


@pytest.mark.parametrize("harm", ["cut", "flip", "empty"])
def test_damaged_set_is_made_again(tmp_path: Path, harm: str) -> None:
    good = np.array(make_features(TEXTS, ["tf-idf"], cache=tmp_path)["tf-idf"])
    (path,) = tmp_path.glob("tf-idf-*.npy")
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(bytes({"cut": content[:-30], "flip": content, "empty": b""}[harm]))
    assert np.array_equal(make_features(TEXTS, ["tf-idf"], cache=tmp_path)["tf-idf"], good)
    assert np.array_equal(make_features(TEXTS, ["tf-idf"], cache=tmp_path)["tf-idf"], good)


class Killed(BaseException):
    pass


@pytest.mark.parametrize("name", PLAIN)
def test_work_goes_on_where_it_was_cut_short(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(reduction, "BLOCK", 10)
    monkeypatch.setattr(reduction, "SAMPLE", 20)
    pool = bars()
    some = {name: PLAIN[name]}
    whole = make_features(pool, some)[name]
    made = 0
    described = reduction._describe_in_threads

    def counted(describe: object, items: NDArray[Any]) -> NDArray[Any]:
        nonlocal made
        made += len(items)
        return described(describe, items)  # type: ignore[arg-type]

    monkeypatch.setattr(reduction, "_describe_in_threads", counted)
    for kills in itertools.count():

        def kill_late(share: float, at: float = 0.17 * kills + 0.3) -> None:
            if share > at:
                raise Killed

        try:
            make_features(pool, some, cache=tmp_path, progress=kill_late)
            break
        except Killed:
            continue
    assert kills > 2
    assert np.array_equal(make_features(pool, some, cache=tmp_path)[name], whole)
    # What a kill costs is one block, or the sample if it came while that was looked at.
    assert made <= 60 + kills * 20


def test_damaged_piece_of_unfinished_work_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reduction, "BLOCK", 10)
    pool, some = bars(), {"patches": PLAIN["patches"]}
    whole = make_features(pool, some)["patches"]

    def kill(share: float) -> None:
        if share > 0.97:
            raise Killed

    with pytest.raises(Killed):
        make_features(pool, some, cache=tmp_path, progress=kill)
    pieces = list(tmp_path.glob("patches-*.parts/*.npy"))
    assert len(pieces) > 5
    for piece in pieces:
        content = bytearray(piece.read_bytes())
        content[-100] ^= 255
        piece.write_bytes(content)
    assert np.array_equal(make_features(pool, some, cache=tmp_path)["patches"], whole)


def test_two_at_once_make_a_set_once(tmp_path: Path) -> None:
    pool = bars()
    found = list[NDArray[Any]]()

    def work() -> None:
        found.append(make_features(pool, ["scattering"], cache=tmp_path)["scattering"])

    workers = [threading.Thread(target=work) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert np.array_equal(found[0], found[1])
    assert pool.looked == len(pool)


def test_progress_never_goes_back_and_ends_at_one(tmp_path: Path) -> None:
    told = list[float]()
    make_features(bars(), PLAIN, cache=tmp_path, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert len(told) > 5


def test_picture_that_has_gone_does_not_stop_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = bars(10)

    def picture(item: int, side: int | None = None) -> NDArray[np.uint8]:
        if item == 3:
            raise FileNotFoundError("3.png")
        return SmallPool.picture(pool, item, side)

    whole = make_features(pool, PLAIN)
    monkeypatch.setattr(pool, "picture", picture)
    for name, x in make_features(pool, PLAIN).items():
        assert x.shape == whole[name].shape
        assert np.all(np.isfinite(x))


def test_set_for_another_kind_of_pool_is_refused() -> None:
    with pytest.raises(InvalidInput, match="for pools of texts; got one of images"):
        make_features(bars(3), ["tf-idf"])


def test_what_cannot_be_made_is_refused_beforehand() -> None:
    check_features(bars(3), PLAIN)
    with pytest.raises(InvalidInput, match="for pools of texts; got one of images"):
        check_features(bars(3), ["tf-idf"])
    with pytest.raises(InvalidInput, match="has the options columns"):
        check_features(bars(3), {"pixels": {"rows": 3}})


@pytest.mark.parametrize("name", FEATURES.names())
def test_every_option_can_be_typed(name: str) -> None:
    for option, default in FEATURES.options(name).items():
        assert FEATURES.check(name, option, str(default)) == default


def test_sets_that_may_run_code_are_known_without_loading_them() -> None:
    names: dict[str, dict[str, Any]] = {name: {} for name in FEATURES.names()}
    assert may_run_code({**names, "backbone": {"weights": "w.pth"}}) == []
    assert may_run_code({**names, "sentences": {"model": "m"}}) == ["sentences"]
    assert may_run_code({**names, "sentences": {"model": None}}) == []
    assert may_run_code({"no.such:Extractor": {}, "pixels": {}}) == ["no.such:Extractor"]


def test_unknown_names_and_options_are_refused() -> None:
    with pytest.raises(UnknownPart, match="feature set named 'nothing'"):
        make_features(TEXTS, ["nothing"])
    with pytest.raises(InvalidInput, match="has the options columns"):
        make_features(TEXTS, {"tf-idf": {"rows": 3}})
    with pytest.raises(InvalidInput, match="At least one"):
        make_features(TEXTS, [])
    with pytest.raises(InvalidInput, match="several names"):
        make_features(TEXTS, "tf-idf")


@pytest.mark.parametrize(
    ("name", "options", "sentence"),
    [
        ("pixels", {"columns": "x"}, "The option columns of the feature set 'pixels' is int;"),
        ("pixels", {"columns": 2.5}, "is int; got 2.5: it should be a valid integer."),
        ("pixels", {"columns": True}, "is int; got True: it should be"),
        ("pixels", {"columns": None}, "is int; got None: it should be"),
        ("backbone", {"network": 5}, "is str; got 5: it should be a valid string."),
        ("backbone", {"side": "wide"}, "is int | None; got 'wide': it should be"),
        ("backbone", {"weights": 5}, "Path | None; got 5: it should be an instance of Path."),
        ("self-supervised", {"most_hours": "x"}, "is float; got 'x': it should be a"),
        ("patches", {"seed": -1}, "is int; got -1: it should be greater than or equal to 0."),
        ("self-supervised", {"seed": -1}, "got -1: it should be greater than or equal to 0."),
        ("patches", {"seed": 2**32}, "it should be less than or equal to 4294967295."),
        ("os:getcwd", {}, ".extractor.FeatureExtractor; got 'os:getcwd', which is not."),
        ("builtins:dict", {}, "derived from askless.features.extractor.FeatureExtractor"),
        (":Extractor", {}, "package.module:NAME; got ':Extractor'"),
        (
            "askless.features.extractor:FeatureExtractor",
            {},
            "must be made with its options; got none, and:",
        ),
        (f"{__name__}:Choosy", {"taste": [1]}, "got taste=[1], and: no taste. Give others"),
        (f"{__name__}:Unfinished", {}, "without version, cost_ms. Add it to the class."),
    ],
)
def test_options_and_classes_that_make_no_set_are_a_sentence(
    name: str, options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(InvalidInput) as refused:
        check_features(bars(3), {name: options})
    assert sentence in str(refused.value)
    assert str(refused.value).count("; got ") == 1  # a sentence is not told within another


def test_numbers_of_numpy_and_whole_hours_are_welcome() -> None:
    check_features(bars(3), {"pixels": {"columns": np.int64(5)}})
    SelfSupervised(most_hours=2, seed=2**32 - 1)
    assert make_features(bars(3), {f"{__name__}:Own": {}})[f"{__name__}:Own"].shape == (3, 1)


def test_cache_that_is_no_folder_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidInput, match="need a folder"):
        make_features(TEXTS, cache=tmp_path / "file")


_KILLED = """
import os, signal, sys
from pathlib import Path
from askless.features import make_features, reduction
from tests.features.small_pools import bars

reduction.BLOCK = 10

def tell(share):
    if share > 0.95:
        os.kill(os.getpid(), signal.SIGKILL)

make_features(bars(), {"scattering": {"columns": 20}}, cache=Path(sys.argv[1]), progress=tell)
"""


def test_killed_process_leaves_blocks_that_the_next_one_uses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = [sys.executable, "-c", _KILLED, str(tmp_path)]
    died = subprocess.run(command, cwd=Path(__file__).parents[2], check=False)
    assert died.returncode == -signal.SIGKILL
    assert list(tmp_path.glob("scattering-*.parts/rows-*.npy"))
    monkeypatch.setattr(reduction, "BLOCK", 10)
    described = list[int]()
    monkeypatch.setattr(
        reduction, "_describe_in_threads", lambda describe, items: described.append(1)
    )
    some = {"scattering": PLAIN["scattering"]}
    x = make_features(bars(), some, cache=tmp_path)["scattering"]
    assert described == []  # all pictures had been described before the kill
    monkeypatch.undo()
    monkeypatch.setattr(reduction, "BLOCK", 10)
    assert np.array_equal(x, make_features(bars(), some)["scattering"])
