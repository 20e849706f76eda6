"""Features and a trainer, made out of the way; whatever fails is said and stops nothing."""

import json
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from askless.app._preparing import _prepare
from askless.app.opening import open_service
from askless.app.preparation import Preparation
from askless.app.service import LabellingService
from askless.app.terms import Terms
from askless.files.arrays import open_array
from askless.files.user_cache import cache_folder
from askless.folder.files import ITEMS
from askless.folder.reading import cache_key
from askless.seams import Trainer
from tests.web.services import client_of, get, post, tell, texts


def _until(true: Callable[[], bool], most_s: float = 600) -> None:
    end = time.monotonic() + most_s
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def _preparing(folder: Path, script: str, ready: list[Trainer]) -> Preparation:
    made = Preparation(folder, 4, {}, ready.append, command=(sys.executable, "-c", script))
    made.start()
    return made


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("import sys; sys.exit(3)", "ended by itself, with status 3; preparing.log may say why"),
        ("import os; os.kill(os.getpid(), 9)", "was killed by SIGKILL"),
        ('print(\'{"refused": "no such set"}\')', "no such set"),
        ('print(\'{"failed": "no room"}\')', "no room"),
        ("print('nonsense')", "makes no sense"),
        ("print('[1]')", "makes no sense"),
        ('print(\'{"predictor": "no-such", "options": {}, "features": null}\')', "no-such"),
    ],
)
def test_a_failure_is_said_with_its_reason(tmp_path: Path, script: str, reason: str) -> None:
    ready: list[Trainer] = []
    made = _preparing(tmp_path, script, ready)
    _until(lambda: made.failure is not None)
    assert reason in str(made.failure)
    assert made.share is None
    assert ready == []
    made.close()


def test_a_later_trainer_takes_the_place_of_the_first(tmp_path: Path) -> None:
    line = '{"predictor": "fixed", "options": {"probs": [%s]}, "features": null, "note": ""}'
    script = "\n".join(
        f"print({line % ', '.join([value] * 4)!r}, flush=True)" for value in ("0.2", "0.7")
    )
    ready: list[Trainer] = []
    made = _preparing(tmp_path, script, ready)
    _until(lambda: len(ready) == 2)
    assert ready[0].status().state == "closed"
    assert ready[1].status().state != "closed"
    made.close()
    assert ready[1].status().state == "closed"


def test_a_child_that_takes_its_leave_slowly_has_not_failed_and_is_not_waited_for(
    tmp_path: Path,
) -> None:
    script = """
import atexit, time
from askless.app import _preparing
atexit.register(time.sleep, 600)
made = {"predictor": "fixed", "options": {"probs": [0.2] * 4}, "features": None}
_preparing._prepare = lambda job, tell: tell(**made)
_preparing.main()
"""
    ready: list[Trainer] = []
    made = _preparing(tmp_path, script, ready)
    made._thread.join()
    assert made.failure is None
    assert made.retry_in_s is None
    assert ready == [made.trainer]
    made.close()


def test_closing_ends_a_child_that_is_still_at_work(tmp_path: Path) -> None:
    made = _preparing(tmp_path, "import time; time.sleep(600)", [])
    _until(lambda: made.child is not None)
    assert made.child is not None
    made.close()
    with pytest.raises(ProcessLookupError):
        os.kill(made.child.pid, 0)
    assert made.failure is None


def test_a_child_that_refuses_its_job_is_not_started_again(tmp_path: Path) -> None:
    made = _preparing(tmp_path, 'print(\'{"refused": "no such set"}\')', [])
    made._thread.join()
    assert made.failure is not None
    assert made.retry_in_s is None
    made.close()


def test_it_is_said_that_a_killed_child_will_be_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("askless.app.preparation.pause_after", lambda _: 600.0)
    made = _preparing(tmp_path, "import time; time.sleep(600)", [])
    _until(lambda: made.child is not None)
    assert made.child is not None
    os.kill(made.child.pid, signal.SIGKILL)
    _until(lambda: made.failure is not None)
    assert made.retry_in_s is not None
    assert made.retry_in_s > 0
    assert "killed by SIGKILL" in str(made.failure)
    assert made.note == "Questions go on with no model."
    made.close()


def test_a_killed_child_comes_back_and_finishes(tmp_path: Path) -> None:
    began = tmp_path / "began"
    script = f"""
import pathlib, time
from askless.app import _preparing
began = pathlib.Path({str(began)!r})
made = {{"predictor": "fixed", "options": {{"probs": [0.2] * 4}}, "features": None}}
def prepare(job, tell):
    tell(**made, share=0.0, note="A first glance.")
    if not began.exists():
        began.touch()
        time.sleep(600)
    tell(share=None, note="")
_preparing._prepare = prepare
_preparing.main()
"""
    ready: list[Trainer] = []
    made = _preparing(tmp_path, script, ready)
    _until(began.exists)
    assert made.child is not None
    os.kill(made.child.pid, signal.SIGKILL)
    made._thread.join()
    assert made.failure is None
    assert made.note == ""
    assert ready == [made.trainer]  # the first one went on: it learns from the same features
    made.close()


def test_features_are_finished_after_the_process_that_makes_them_was_killed(tmp_path: Path) -> None:
    source = texts(tmp_path / "t.csv", [f"text number {n}" for n in range(12)])
    service = open_service(source, tmp_path / "s", {}, Terms(features={"tf-idf": {}}))
    preparation = service.preparation
    assert isinstance(preparation, Preparation)
    _until(lambda: preparation.child is not None)
    assert preparation.child is not None
    os.kill(preparation.child.pid, signal.SIGKILL)
    preparation._thread.join()
    assert preparation.failure is None
    assert preparation.trainer is not None
    assert get(client_of(service), "/api/progress")["trainer"]["preparing"] is None
    service.close()


def test_a_model_joins_while_questions_are_asked(tmp_path: Path) -> None:
    rows = [f"the {'cat' if n % 3 == 0 else 'dog'} number {n}" for n in range(60)]
    source = texts(tmp_path / "t.csv", rows)
    terms = Terms("a cat|cats", annotator="ann")
    service = open_service(source, tmp_path / "s", {}, terms)
    client = client_of(service)
    question = post(client, "/api/ask", tab="t")["question"]  # at once
    answers = 0
    while question is not None and service.session.history.checkpoint == 0:
        question = tell(client, question)["question"]
        answers += 1
        time.sleep(0.1 if answers < 50 else 0)
        if answers > 20:
            _until(lambda: get(client, "/api/progress")["trainer"]["checkpoint"] > 0)
    trainer = get(client, "/api/progress")["trainer"]
    assert trainer["last_failure"] is None
    assert trainer["checkpoint"] > 0
    service.close()


def _refreshed(service: LabellingService) -> bool:
    with service.lock:
        return service.session.refresh()


def test_the_model_learns_from_what_was_asked_for_also_after_a_restart(tmp_path: Path) -> None:
    source = texts(tmp_path / "t.csv", [f"text number {n}" for n in range(12)])
    folder = tmp_path / "s"
    sets = {"tf-idf": {"columns": 1}, "words": {}}
    for terms in (Terms(features=sets), Terms()):
        service = open_service(source, folder, {}, terms)
        preparation = service.preparation
        assert preparation is not None
        _until(lambda made=preparation: made.share is None)  # type: ignore[misc]
        assert preparation.failure is None
        assert preparation.trainer is not None
        service.close()
        cache = service.cache / "features"
        assert len(list(cache.glob("kernel-*.npy"))) == 1  # what the first glance needed is gone
        assert json.loads((cache / "looked").read_text()) == sets
    assert len(list(cache.glob("tf-idf-*.npy"))) == len(list(cache.glob("words-*.npy"))) == 1
    (table,) = cache.glob("tf-idf-*.npy")
    assert open_array(table).shape == (12, 1)


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test finds what another has made of the same items."""
    monkeypatch.setenv("ASKLESS_CACHE", str(tmp_path / "user-cache"))


def _features(folder: Path) -> Path:
    """Where the features of a session's pool are."""
    return cache_folder() / str(cache_key(folder)) / "features"


def _prepared(source: Path, folder: Path, features: dict[str, dict[str, Any]] | None = None) -> str:
    """What went wrong in making the model of a session, or nothing."""
    service = open_service(source, folder, {}, Terms(features=features))
    preparation = service.preparation
    assert preparation is not None
    _until(lambda: preparation.share is None)
    service.close()
    return preparation.failure or ""


def test_nothing_that_lies_in_the_current_folder_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = texts(tmp_path / "t.csv", [f"text number {n}" for n in range(12)])
    here = tmp_path / "here"
    here.mkdir()
    for name in ("PIL", "scipy", "numpy", "askless"):
        (here / f"{name}.py").write_text("open('ran', 'w')\nraise SystemExit(9)\n")
    monkeypatch.chdir(here)
    assert _prepared(source, tmp_path / "s", {"tf-idf": {}}) == ""
    assert not (here / "ran").exists()


def test_a_set_of_ones_own_is_found_where_the_app_finds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = texts(tmp_path / "t.csv", [f"text number {n}" for n in range(12)])
    (tmp_path / "mine").mkdir()
    words = "from askless.features.text import Words\n\nclass Mine(Words):\n    pass\n"
    (tmp_path / "mine" / "own_words.py").write_text(words)
    monkeypatch.syspath_prepend(tmp_path / "mine")
    assert _prepared(source, tmp_path / "s", {"own_words:Mine": {}}) == ""


@pytest.mark.parametrize("there", [b"\xff\xfe", b"other"])
def test_the_mark_of_a_closer_look_is_replaced_whatever_it_was(
    tmp_path: Path, there: bytes
) -> None:
    source = texts(tmp_path / "t.csv", [f"text number {n}" for n in range(12)])
    assert _prepared(source, tmp_path / "s", {"tf-idf": {}}) == ""
    looked = _features(tmp_path / "s") / "looked"
    looked.write_bytes(there)
    assert _prepared(source, tmp_path / "s") == ""
    assert looked.read_bytes() == b'{"tf-idf": {}}'


@pytest.mark.parametrize("options", [{"columns": "x"}, {"columns": 2.5}, {"rows": 5}])
def test_options_in_the_notes_that_make_no_sense_are_a_sentence(
    tmp_path: Path, options: dict[str, Any]
) -> None:
    source = texts(tmp_path / "t.csv", [f"text number {n}" for n in range(12)])
    open_service(source, tmp_path / "s", {}, learn=False).close()
    notes = tmp_path / "s" / "app.json"
    kept = json.loads(notes.read_bytes())
    notes.write_text(json.dumps({**kept, "features": {"tf-idf": options}}))
    service = open_service(source, tmp_path / "s", {})
    preparation = service.preparation
    assert preparation is not None
    _until(lambda: preparation.failure is not None)
    assert "feature set 'tf-idf'" in str(preparation.failure)
    assert "status" not in str(preparation.failure)
    assert preparation.note == "Questions go on with a simple model."
    service.close()


def test_the_first_glance_is_left_out_only_where_the_same_closer_look_was_finished(
    tmp_path: Path,
) -> None:
    source = texts(tmp_path / "t.csv", [f"text number {n}" for n in range(12)])
    assert _prepared(source, tmp_path / "s", {"tf-idf": {}}) == ""
    job = {"source": str(source), "options": {}, "items": str(tmp_path / "s" / ITEMS)}
    job["cache"] = str(_features(tmp_path / "s"))
    told: list[dict[str, Any]] = []
    for options, glances in (({}, 0), ({"columns": 5}, 1), ({"columns": 5}, 0)):
        told.clear()
        _prepare({**job, "features": {"tf-idf": options}}, lambda **what: told.append(what))
        assert sum("predictor" in what for what in told) == 1 + glances
        assert ("A first glance" in told[0]["note"]) == bool(glances)
        shares = [what["share"] for what in told if what.get("share") is not None]
        assert shares == sorted(shares)  # what the page shows never goes back


def test_probabilities_that_the_source_brings_are_where_the_model_begins(tmp_path: Path) -> None:
    table, items = tmp_path / "t.csv", 40
    rows = "".join(f"text number {i},{0.9 if i % 2 else 0.1}\n" for i in range(items))
    table.write_text("text,prob\n" + rows)
    options = {"text": "text", "prob": "prob"}
    service = open_service(table, tmp_path / "s", options, Terms("odd", annotator="ann"))
    client = client_of(service)
    question = post(client, "/api/ask", tab="t")["question"]
    tell(client, question, kind="yes")
    _until(lambda: _refreshed(service))
    believed = service.session.probs.values
    others = [i for i in range(items) if i != question["items"][0]["item"]]
    assert min(believed[i] for i in others if i % 2) > max(believed[i] for i in others if not i % 2)
    service.close()
