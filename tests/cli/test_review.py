"""`askless review`: the labels of a session that are likeliest to be wrong."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from askless.assemble import open_session
from askless.assemble.preparing import prepare
from askless.cli import main
from askless.core.question import Question
from tests.web.services import service_on

WRONG = 17


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Rows with the sign of x for a label, but for one that was overlooked in its group."""
    monkeypatch.setenv("ASKLESS_CACHE", str(tmp_path / "cache"))
    x = np.random.default_rng(0).normal(size=(120, 2))
    np.savez(tmp_path / "rows.npz", x=x)
    service = service_on(tmp_path / "rows.npz")
    truth = x[:, 0] > 0
    truth[WRONG] = not truth[WRONG]
    told = service.session
    for label in (True, False):
        items = np.flatnonzero(truth == label).tolist()
        for at in range(0, len(items), 8):
            some = tuple(items[at : at + 8])
            told.tell(None, Question(some, (label,) * len(some)).yes(), f"{label} {at}", "ann")
    prepare(service.pool, cache=service.cache / "features")
    service.close()
    return service.settings.folder


def test_the_likeliest_comes_first_for_scripts(
    session: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["review", str(session), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["probabilities"] == "held-out"
    assert len(found["items"]) == 120
    first = found["items"][0]
    assert (first["item"], first["how"]) == (WRONG, "group")
    chances = [one["chance_wrong"] for one in found["items"]]
    assert chances == sorted(chances, reverse=True)
    low, high = found["interval"]
    assert low <= found["expected_wrong"] <= high
    assert 1 <= found["worth_a_look"] < 60
    assert (found["looked_at"], found["found_wrong"]) == (0, 0)


def test_without_json_there_is_a_table_and_a_sentence(
    session: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["review", str(session)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["wrong", "item", "label", "how"]
    chance, item, label, how = lines[1].split()
    assert (item, how) == (str(WRONG), "group")
    assert chance.endswith("%")
    assert label in ("red", "blue")
    assert sum(line.endswith("group") for line in lines) == 20
    assert any("of the next" in line for line in lines)
    assert lines[-1].endswith("a model that learnt from the other questions alone.")


def test_without_features_it_says_so_and_goes_by_what_was_believed(
    session: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASKLESS_CACHE", str(session / "none"))
    assert main(["review", str(session), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["probabilities"] == "given"


def test_where_nothing_is_settled_there_is_nothing_to_list(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "t.csv").write_text("text\ngood\nbad\n")
    service = service_on(tmp_path / "t.csv")
    service.close()
    assert main(["review", str(service.settings.folder)]) == 0
    assert capsys.readouterr().out == "No label is settled that nobody has looked at again.\n"


def test_a_folder_without_a_session_is_refused_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["review", str(tmp_path), "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"].startswith("There is no session in")


def test_review_status_and_verify_say_what_asking_again_has_shown(
    session: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with open_session(folder=session) as opened:
        opened.session.reask.want("ann", 10, seed="5" * 32)
        for turn in range(10):
            asked = opened.session.ask("ann")
            assert asked is not None
            said = asked.question.yes() if turn else asked.question.no()
            opened.session.tell(asked.id, said, f"again {turn}")
    sentence = "You agreed with yourself in 9 of 10 labels that were asked again."
    for command in ("review", "status", "verify"):
        assert main([command, str(session)]) == 0
        assert sentence in capsys.readouterr().out.splitlines()
    for command in ("review", "status"):
        main([command, str(session), "--json"])
        (found,) = json.loads(capsys.readouterr().out)["consistency"]
        assert (found["annotator"], found["labels"], found["asked"]) == ("ann", 120, 10)
        assert found["says"][0] == sentence
        assert 1 / 120 <= found["share"] == pytest.approx(found["at_most"] / 120, abs=1e-6)
    main(["verify", str(session), "--json"])
    verified = json.loads(capsys.readouterr().out)
    assert (verified["reasks"], verified["consistency"][0]) == (10, sentence)
