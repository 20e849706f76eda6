"""`askless label --enough`: what is promised is stored, kept by later starts, and taken back."""

from __future__ import annotations

import dataclasses
import json
from contextlib import closing
from pathlib import Path
from typing import Any, Literal

import pytest

from askless.app.opening import open_service
from askless.app.terms import Terms
from askless.assemble import read_session
from askless.cli import main
from askless.cli.label import _promise
from askless.core.promise import Promise
from askless.folder.files import open_store
from askless.folder.verifying import verify_session
from askless.stores.sqlite import SqliteStore
from tests.folder.test_folder import work

Said = pytest.CaptureFixture[str]


@pytest.mark.parametrize(
    ("enough", "recall", "promise"),
    [
        ("1%", None, Promise("all", 0.01)),
        ("0.02", None, Promise("all", 0.02)),
        ("count:20", None, Promise("count", 20)),
        ("recall:95%", None, Promise("recall", 0.95)),
        (None, "95%", Promise("recall", 0.95)),
        (" OFF ", None, "off"),
        (None, None, None),
    ],
)
def test_the_words_are_those_of_simulate_and_off(
    enough: str | None, recall: str | None, promise: Promise | Literal["off"] | None
) -> None:
    assert _promise(enough, recall) == promise


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--enough", "cheap"], "A promise is written as a share"),
        (["--enough", "200%"], "at least 0 and below 1; got 2"),
        (["--enough", "1%", "--recall", "95%"], "Give one of them"),
        (["--enough", "off", "--recall", "95%"], "Give one of them"),
        (["--recall", "off"], "A promise is written as a share"),
        (["--enough", "nan"], "are numbers; got nan"),
        (["--enough", "1e999999"], "are numbers; got inf"),
        (["--enough", "count:1e30"], "0 to 1,000,000,000,000"),
    ],
)
def test_what_is_no_promise_is_refused_before_anything_is_opened(
    words: list[str], says: str, tmp_path: Path, capsys: Said
) -> None:
    (tmp_path / "t.csv").write_text("text\ngood\nbad\n")
    assert main(["label", str(tmp_path / "t.csv"), *words]) == 2
    said = capsys.readouterr().err
    assert says in said
    assert len(said.splitlines()) == 1
    assert not (tmp_path / "t.csv.askless").exists()


def _open(tmp_path: Path, promise: Promise | Literal["off"] | None) -> tuple[Any, tuple[str, ...]]:
    terms = Terms("cats", "dogs", annotator="ann", promise=promise)
    service = open_service(tmp_path / "t.csv", tmp_path / "s", {"text": "text"}, terms, learn=False)
    with closing(service):
        return service.method.promise, service.notices


def test_a_promise_is_stored_kept_by_later_starts_and_taken_back_by_off(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("text\n" + "".join(f"line {i}\n" for i in range(40)))
    one, two = Promise("all", 0.01), Promise("recall", 0.9)
    assert _open(tmp_path, None) == (None, ())
    promise, told = _open(tmp_path, one)
    assert promise == one
    assert told == ("Questions end once this is proved: at most 1 % of all labels wrong.",)
    assert _open(tmp_path, None) == (one, ())
    assert _open(tmp_path, one) == (one, ())
    assert read_session(tmp_path / "s").method.promise == one
    standing = read_session(tmp_path / "s").standing()
    assert standing is not None
    assert (standing.promise, standing.phase) == (one, "learning")
    promise, (told_,) = _open(tmp_path, two)
    assert promise == two
    assert "at least 90 % of all cats found; before it was at most 1 % of all labels" in told_
    promise, (told_,) = _open(tmp_path, "off")
    assert promise is None
    assert told_.startswith("Nothing is promised any more")
    assert _open(tmp_path, "off") == (None, ())
    assert read_session(tmp_path / "s").standing() is None


def test_status_says_what_is_promised_before_anything_is_claimed(
    tmp_path: Path, capsys: Said
) -> None:
    (tmp_path / "t.csv").write_text("text\n" + "".join(f"line {i}\n" for i in range(40)))
    _open(tmp_path, Promise("all", 0.02))
    assert main(["status", str(tmp_path / "s")]) == 0
    assert "nothing has been claimed (at most 2 % of all labels wrong" in capsys.readouterr().out
    assert main(["status", str(tmp_path / "s"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["standing"]["phase"] == "learning"
    assert main(["verify", str(tmp_path / "s"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["certificate"] is None


@pytest.mark.parametrize(
    "promise", [7, "cheap", {"kind": "all"}, {"kind": "all", "value": [], "confidence": 0.95}]
)
def test_a_forged_promise_in_the_method_is_found_by_verify(
    promise: Any, tmp_path: Path, capsys: Said
) -> None:
    folder = tmp_path / "s"
    work(folder, 2)
    with closing(open_store(folder, write=False)) as store:
        events = list(store.read())
    at = next(event.number for event in events if event.kind == "planned")
    method = {**events[at].payload["method"], "promise": promise}
    events[at] = dataclasses.replace(events[at], payload={**events[at].payload, "method": method})
    for path in folder.glob("events.sqlite*"):
        path.unlink()
    with closing(SqliteStore(folder / "events.sqlite")) as store:
        store.append(events)
    found = verify_session(folder)
    assert not found.sound
    assert "promise" in " ".join(found.findings).lower()
    assert found.certificate is None
    assert main(["status", str(folder)]) == 2
    assert "in a way this askless understands" in capsys.readouterr().err
