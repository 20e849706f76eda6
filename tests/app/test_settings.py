"""What the app keeps beside the answers is found again, and refused where it makes no sense."""

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from askless.app.opening import open_service, session_folder
from askless.app.settings import AppSettings, SettingsFile, read_settings
from askless.cli import main
from tests.web.services import pictures


@pytest.mark.parametrize(
    ("notes", "sentence"),
    [
        ("[]", "they are an object; got []."),
        ("[" * 200_000, "it cannot be read: maximum recursion depth exceeded"),
        ("5", "they are an object; got 5."),
        ("null", "they are an object; got None."),
        ('{"max_n": "x"}', "max_n is a whole number from 1 or null; got 'x'."),
        ('{"max_n": 0}', "max_n is a whole number from 1 or null; got 0."),
        ('{"port": 70000}', "port is from 0 to 65535 or null; got 70000."),
        ('{"port": true}', "port is from 0 to 65535 or null; got True."),
        ('{"source": 5}', "source is a text; got 5."),
        ('{"options": []}', "options is an object; got []."),
        ('{"positive": null}', "positive is a text; got None."),
        ('{"negative": 5}', "negative is a text or null; got 5."),
        ('{"confirmed": 1}', "confirmed is true or false; got 1."),
        ('{"pinned": 5}', "pinned is a list of items; got 5."),
        ('{"reviewed": ["a"]}', "reviewed is a list of items; got ['a']."),
        ('{"features": ["pixels"]}', "features is null, or an object"),
        ('{"features": 5}', "features is null, or an object"),
        ('{"features": {}}', "features is null, or an object"),
        ('{"features": {"pixels": null}}', "features is null, or an object"),
        ('{"features": {"pixels": 5}}', "features is null, or an object"),
        ('{"features": "pixels"}', "features is null, or an object"),
    ],
)
def test_notes_that_make_no_sense_are_refused_in_a_sentence(
    notes: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "p"
    pictures(source, 2)
    folder = session_folder(source)
    open_service(source, folder, {}, learn=False).close()
    (folder / "app.json").write_text(notes)
    for named in (source, folder):
        assert main(["label", str(named)]) == 2
        said = capsys.readouterr().err
        assert len(said.splitlines()) == 1
        assert f"must hold the app's notes as JSON; {sentence}" in said
        assert "Remove it to begin new notes; the answers are elsewhere." in said


def test_every_note_is_found_again(tmp_path: Path) -> None:
    kept: dict[str, Any] = {
        "source": "p",
        "options": {"text": "t"},
        "positive": "cats",
        "negative": "dogs",
        "confirmed": True,
        "pinned": (1,),
        "reviewed": (2, 3),
        "port": 8000,
        "max_n": 9,
        "features": {"pixels": {"columns": 5}},
    }
    assert set(kept) == {entry.name for entry in fields(AppSettings)}
    SettingsFile(tmp_path).change(**kept)
    assert read_settings(tmp_path) == AppSettings(**kept)
