"""`askless demo` serves a session of the bundled pool; what the page does is tested elsewhere."""

from pathlib import Path

import pytest

from askless import folder as folders
from askless.cli import main


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("askless.cli.serving.PATIENCE_S", 0.3)
    monkeypatch.delenv("DISPLAY", raising=False)


def test_without_a_terminal_it_ends_by_itself_and_says_how_to_go_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["demo"]) == 0
    shown = capsys.readouterr().out
    assert "2,000 items to label" in shown
    assert "http://127.0.0.1:" in shown
    assert "Go on with: askless demo" in shown
    assert folders.verify(Path("askless-demo")).sound


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
