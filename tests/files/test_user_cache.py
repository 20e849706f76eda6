from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

import pytest
from platformdirs import user_cache_dir

from askless.errors import InvalidInput, UnsafeFile
from askless.files import user_cache
from askless.files.user_cache import PoolCache, cache_folder, cache_size, clear_cache, pool_key


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ASKLESS_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def filled(word: str, size: int = 1000) -> PoolCache:
    cache = PoolCache([word])
    (cache / "features").mkdir(exist_ok=True)
    (cache / "features" / "x.npy").write_bytes(bytes(size))
    return cache


def test_the_cache_is_where_the_system_keeps_caches_unless_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("ASKLESS_CACHE")
    assert cache_folder() == Path(user_cache_dir("askless", appauthor=False))


def test_a_pool_is_known_by_its_checksums_in_their_order() -> None:
    assert pool_key(["a", "b"]) == pool_key(iter(("a", "b"))) != pool_key(["b", "a"])
    assert pool_key(["ab"]) != pool_key(["a", "b"])
    assert pool_key(["\ud800", "../../x"])  # whatever a session says its checksums are


def test_only_the_owner_may_look_inside(own_cache: Path) -> None:
    own_cache.mkdir(mode=0o755)
    own_cache.chmod(0o755)
    cache = filled("a")
    for folder in (own_cache, cache.folder):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((cache / "lock").stat().st_mode) == 0o600
    cache.close()


def test_what_is_held_is_not_cleared() -> None:
    one, other = filled("a"), filled("b", 5000)
    again = PoolCache(["a"])
    other.close()
    found = clear_cache()
    assert (found.pools, found.size, found.in_use) == (1, 5000, 1)
    one.close()
    assert clear_cache().in_use == 1
    again.close()
    again.close()
    assert clear_cache(pool_key(["b"])).pools == 0
    assert clear_cache(pool_key(["a"])).pools == 1
    assert cache_size() == (0, 0)


def test_above_its_bound_the_cache_loses_what_was_not_used_for_the_longest_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(user_cache, "MOST_BYTES", 2500)
    caches = [filled(word) for word in "abc"]
    for age, cache in enumerate(caches):
        os.utime(cache.folder, (1000 + age, 1000 + age))
    caches[1].close()
    caches[2].close()
    PoolCache(["d"]).close()
    left = {word for word in "abcd" if cache_size(pool_key([word]))[0]}
    assert left == {"a", "c", "d"}  # a is the oldest, and held
    caches[0].close()


def test_whatever_else_lies_in_the_cache_is_left_alone(own_cache: Path, tmp_path: Path) -> None:
    filled("a").close()
    (own_cache / "thesis").mkdir()
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "file").touch()
    (own_cache / ("0" * 32)).symlink_to(tmp_path / "outside")
    assert clear_cache().pools == 1
    assert sorted(path.name for path in own_cache.iterdir()) == ["0" * 32, "thesis"]
    assert (tmp_path / "outside" / "file").exists()


def test_links_in_the_cache_are_refused_and_cleared_without_following(tmp_path: Path) -> None:
    cache = filled("a")
    cache.close()
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "file").touch()
    shutil.rmtree(cache / "features")
    (cache / "features").symlink_to(tmp_path / "outside")
    with pytest.raises(UnsafeFile, match="symbolic link"):
        PoolCache(["a"])
    assert clear_cache().pools == 1
    assert (tmp_path / "outside" / "file").exists()


def test_a_cache_that_cannot_be_written_is_a_sentence(own_cache: Path) -> None:
    own_cache.write_text("a file")
    with pytest.raises(InvalidInput, match="ASKLESS_CACHE"):
        PoolCache(["a"])
