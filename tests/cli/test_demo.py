"""`askless demo` serves a session of the bundled pool; what the page does is tested elsewhere."""

from pathlib import Path

import pytest

from askless.app.terms import Terms
from askless.cli import main
from askless.cli.serving import serve_session
from askless.folder import files as folders
from askless.folder.verifying import verify_session


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("askless.cli.serving.PATIENCE_S", 0.3)
    monkeypatch.delenv("DISPLAY", raising=False)


def test_without_a_terminal_it_ends_by_itself_and_says_why_and_how_to_go_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["demo"]) == 0
    shown = capsys.readouterr().out
    assert "2,000 items to label" in shown
    assert "http://127.0.0.1:" in shown
    assert "There is no terminal here" in shown
    assert "Nobody opened the link within 0.3 seconds, so the app has ended." in shown
    assert "Run it in a terminal to have it wait for you: askless demo" in shown
    assert verify_session(Path("askless-demo")).sound


def test_what_was_to_wait_for_ever_never_says_that_nobody_came(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("t.csv").write_text("text\ngood\nbad\n")
    monkeypatch.setattr("askless.web.server.serve", lambda *_, **__: False)  # ended by a signal
    serve_session("t.csv", Path("s"), {}, Terms(), again="again", browser=False)
    shown = capsys.readouterr().out
    assert "Nobody opened the link" not in shown
    assert "0 of 2 items are settled. Go on with: again" in shown


def test_items_that_came_with_labels_are_not_counted_as_work(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("t.csv").write_text("text,y\ngood,yes\nbad,no\nfine,\n")
    serve_session(
        "t.csv", Path("s"), {"label": "y"}, Terms(), again="", browser=False, patient=False
    )
    assert "1 item to label, 2 came with labels." in capsys.readouterr().out


def test_rows_that_are_copies_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    for rows, told in (
        (["good", "bad", "good"], "1 more row has the same text as another"),
        (["good", "bad", "good", "bad", "new"], "2 more rows have the same text as others"),
    ):
        Path("t.csv").write_text("\n".join(["text", *rows, ""]))
        serve_session("t.csv", Path("s"), {}, Terms(), again="", browser=False, patient=False)
        assert told in capsys.readouterr().out


def test_a_second_time_goes_on_with_the_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo"]) == 0
    assert main(["demo"]) == 0
    assert "Going on: 0 of 2,000 items are settled" in capsys.readouterr().out


def test_somebody_elses_files_are_left_alone(capsys: pytest.CaptureFixture[str]) -> None:
    Path("askless-demo").mkdir()
    Path("askless-demo/labels.csv").write_text("my work")
    assert main(["demo"]) == 2
    assert "holds something else" in capsys.readouterr().err
    assert Path("askless-demo/labels.csv").read_text() == "my work"
    assert main(["demo", "--session", "elsewhere/deep"]) == 0
    assert folders.exists(Path("elsewhere/deep"))


def test_a_session_deleted_meanwhile_is_not_said_to_go_on(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    events = Path("askless-demo/events.sqlite")
    monkeypatch.setattr("askless.web.server.serve", lambda *_, **__: events.unlink())
    assert main(["demo"]) != 0
    shown = capsys.readouterr()
    assert "Go on with" not in shown.out
    assert "must be in events.sqlite, and that is gone" in shown.err
