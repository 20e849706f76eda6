from __future__ import annotations

import json
from pathlib import Path

import pytest

from askless.cli import main
from askless.cli.doctor import Finding, _print
from askless.files.user_cache import PoolCache


@pytest.fixture(autouse=True)
def held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PoolCache:
    monkeypatch.setenv("ASKLESS_CACHE", str(tmp_path / "cache"))
    cache = PoolCache(["a"])
    (cache / "x").write_bytes(bytes(2_000_000))
    return cache


def test_the_size_is_told_and_what_is_in_use_is_kept(
    held: PoolCache, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["cache", "--clear"]) == 0
    told = capsys.readouterr().out
    assert "In use, and kept: 1 pool." in told
    assert f"The cache in {tmp_path / 'cache'} holds 2.0 MB, of 1 pool" in told
    held.close()
    assert main(["cache", "--clear", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["cleared"] == {"pools": 1, "bytes": 2_000_000}
    assert (found["pools"], found["bytes"]) == (0, 0)


def test_doctor_shows_brackets_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    _print([Finding("server", False, "install askless[postgres]", "keeping answers")], False)
    assert "install askless[postgres]" in capsys.readouterr().out


def test_doctor_tells_the_size_too(held: PoolCache, capsys: pytest.CaptureFixture[str]) -> None:
    main(["doctor", "--json"])
    findings = json.loads(capsys.readouterr().out)["findings"]
    assert any(one["what"] == "cache" and "2.0 MB in" in one["detail"] for one in findings)
    held.close()
