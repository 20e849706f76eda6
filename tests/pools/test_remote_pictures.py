"""Tables of addresses: fetched once, kept, shown and exported without a network."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from askless.cli import main
from askless.errors import InvalidInput
from askless.files.user_cache import cache_size, clear_cache
from askless.pools import open_pool
from askless.pools.remote_pictures import copies_key
from tests.pools.picture_server import PictureServer, png
from tests.web.served import Served
from tests.web.services import key


@pytest.fixture
def server() -> Iterator[PictureServer]:
    with PictureServer().running() as running:
        yield running


def _table(path: Path, *cells: str) -> Path:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([["picture"], *([cell] for cell in cells)])
    return path


def test_addresses_are_fetched_once_each_and_kept(server: PictureServer, tmp_path: Path) -> None:
    (tmp_path / "here.png").write_bytes(png(200))
    cells = [f"{server.origin}/{n}.png" for n in (1, 2, 2, 3)]
    source = _table(tmp_path / "table.csv", *cells, "here.png")
    pool = open_pool(source, image="picture", remote=server.origin)
    assert (len(pool), pool.kind, sum(map(len, pool.copies.values()))) == (4, "images", 1)
    assert pool.picture(1)[0, 0].tolist() == [2, 0, 0]
    assert pool.original(0) == (png(1), ".png")
    assert pool.picture(3)[0, 0].tolist() == [200, 0, 0]
    assert sorted(server.asked) == ["/1.png", "/2.png", "/3.png"]
    again = open_pool(source, image="picture", remote=[server.origin], again=True)
    assert again.checksums == pool.checksums
    assert len(server.asked) == 3


def test_nothing_is_fetched_unless_it_is_allowed(server: PictureServer, tmp_path: Path) -> None:
    (tmp_path / "here.png").write_bytes(png(200))
    source = _table(tmp_path / "table.csv", f"{server.origin}/1.png", "here.png")
    pool = open_pool(source, image="picture")
    assert len(pool) == 1
    assert "allow it with --remote" in pool.unreadable[0].reason
    pool = open_pool(source, image="picture", remote="https://images.example.org")
    assert f"allow it with --remote {server.origin}" in pool.unreadable[0].reason
    assert server.asked == []


def test_what_cannot_be_had_or_is_no_picture_is_left_out(
    server: PictureServer, tmp_path: Path
) -> None:
    cells = [f"{server.origin}/{name}" for name in ("1.png", "nowhere", "page")]
    pool = open_pool(_table(tmp_path / "t.csv", *cells), image="picture", remote=server.origin)
    assert len(pool) == 1
    reasons = [one.reason for one in pool.unreadable]
    assert "status 404" in reasons[0]
    assert "not a picture" in reasons[1]


def test_a_copy_that_is_damaged_or_gone_is_fetched_again_where_that_is_allowed(
    server: PictureServer, tmp_path: Path
) -> None:
    source = _table(tmp_path / "table.csv", f"{server.origin}/1.png", f"{server.origin}/2.png")
    pool = open_pool(source, image="picture", remote=server.origin)
    assert cache_size(copies_key(tmp_path))[0] == 1
    del pool  # who uses the copies keeps them from being cleared
    assert clear_cache(copies_key(tmp_path)).pools == 1
    unseen = open_pool(source, image="picture", again=True)
    assert len(unseen) == 2
    with pytest.raises(InvalidInput, match="nothing is fetched"):
        unseen.picture(0)
    assert len(server.asked) == 2
    pool = open_pool(source, image="picture", remote=server.origin, again=True)
    assert pool.picture(0)[0, 0].tolist() == [1, 0, 0]
    assert len(server.asked) == 4


@pytest.mark.parametrize("remote", [3, ["a", 4], "nowhere", {"https": 1}])
def test_what_is_no_rule_is_refused_at_the_door(tmp_path: Path, remote: object) -> None:
    source = _table(tmp_path / "table.csv", "1.png")
    with pytest.raises(InvalidInput, match="remote"):
        open_pool(source, image="picture", remote=remote)  # type: ignore[arg-type]


def test_a_session_over_addresses_goes_on_and_is_exported_without_a_network(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with PictureServer().running() as server:
        source = _table(tmp_path / "t.csv", *(f"{server.origin}/{n}.png" for n in range(1, 5)))
        args: list[str | Path] = [
            "label",
            source,
            "--image",
            "picture",
            "--no-browser",
            "--annotator",
            "ann",
        ]
        with Served(*args, "--remote", server.origin, cwd=tmp_path) as served:
            picture = served.client.get("/api/items/0/picture")
            assert picture.headers["content-type"] == "image/png"
            served.post("/api/revise", tab="t", items=[0, 1], what="positive", key=key())
            assert (
                f"--remote {server.origin}" in served.client.get("/api/session").json()["command"]
            )
    kept = json.loads((tmp_path / "t.csv.askless" / "app.json").read_text())
    assert "remote" not in json.dumps(kept)
    with Served(*args, cwd=tmp_path) as served:  # the server is gone
        assert served.client.get("/api/items/2/picture?size=full").status_code == 200
    out = tmp_path / "labels.csv"
    assert main(["export", str(tmp_path / "t.csv.askless"), str(out)]) == 0
    labels = [row["label"] for row in csv.DictReader(out.read_text().splitlines())]
    assert labels[:2] == ["positive", "positive"]
    assert labels[2:] == ["", ""]
    assert main(["forget", str(tmp_path / "t.csv.askless"), "--yes"]) == 0
    assert cache_size(copies_key(tmp_path)) == (0, 0)
    capsys.readouterr()
