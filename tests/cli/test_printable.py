"""Names of files and the like on a terminal."""

import json
from pathlib import Path

import pytest

from askless.cli import main
from askless.cli.printable import printable
from tests.web.services import client_of, label_all, pictures, service_on


@pytest.mark.parametrize(
    "text", ["", "a cat.png", "\u00fcber \u732b \U0001f468\u200d\U0001f373\xa0x"]
)
def test_what_people_write_stays_as_it_is(text: str) -> None:
    assert printable(text) == text


def test_what_a_terminal_would_obey_is_spelt_out() -> None:
    assert printable("a\x1b[2J\r\nOpen this link: \x07\udcff\u202eb") == (
        r"a\x1b[2J\r\nOpen this link: \x07\udcff\u202eb"
    )


def test_status_spells_out_what_the_settings_of_a_session_would_tell_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    service = service_on(pictures(tmp_path / "p", 4))
    label_all(client_of(service))
    service.close()
    path = service.settings.folder / "app.json"
    names = {"positive": "red\x1b]0;owned\x07\x1b[2J", "negative": "blue\r\nall is well\u202e"}
    path.write_text(json.dumps({**json.loads(path.read_text()), **names}))
    assert main(["status", str(service.settings.folder)]) == 0
    said = capsys.readouterr().out
    assert r"red\x1b]0;owned\x07\x1b[2J" in said
    assert not set(said) & {"\x1b", "\x07", "\r", "\u202e"}
    assert "\nall is well" not in said
