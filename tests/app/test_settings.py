"""What the app keeps beside the answers is found again, and refused where it makes no sense."""

import os
from pathlib import Path
from typing import Any

import pytest

from askless.app.opening import open_service, session_folder
from askless.app.settings import AppSettings, SettingsFile, read_settings
from askless.cli import main
from askless.errors import InvalidInput
from tests.web.services import pictures


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ("[]", "the file: Input should be an object; got []."),
        ("[" * 200_000, "the file: Invalid JSON: recursion limit exceeded"),
        ("5", "the file: Input should be an object; got 5."),
        ("null", "the file: Input should be an object; got None."),
        ('{"max_n": "x"}', "max_n: Input should be a valid integer; got 'x'."),
        ('{"max_n": 0}', "max_n: Input should be greater than or equal to 1; got 0."),
        ('{"port": 70000}', "port: Input should be less than or equal to 65535; got 70000."),
        ('{"port": true}', "port: Input should be a valid integer; got True."),
        ('{"source": 5}', "source: Input should be a valid string; got 5."),
        ('{"source": "\\ud800"}', "the file: Invalid JSON"),
        ('{"options": []}', "options: Input should be an object; got []."),
        ('{"positive": null}', "positive: Input should be a valid string; got None."),
        ('{"negative": 5}', "negative: Input should be a valid string; got 5."),
        ('{"confirmed": 1}', "confirmed: Input should be a valid boolean; got 1."),
        ('{"pinned": 5}', "pinned: Input should be a valid array; got 5."),
        ('{"pinned": [-1]}', "pinned.0: Input should be greater than or equal to 0; got -1."),
        ('{"reviewed": ["a"]}', "reviewed.0: Input should be a valid integer; got 'a'."),
        ('{"features": ["pixels"]}', "features: Input should be an object"),
        ('{"features": {}}', "features: Dictionary should have at least 1 item"),
        ('{"features": {"pixels": null}}', "features.pixels: Input should be an object"),
        ('{"features": "pixels"}', "features: Input should be an object"),
    ],
)
def test_settings_that_make_no_sense_are_refused_in_a_sentence(
    settings: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "p"
    pictures(source, 2)
    folder = session_folder(source)
    open_service(source, folder, {}, learn=False).close()
    (folder / "app.json").write_text(settings)
    for named in (source, folder):
        assert main(["label", str(named)]) == 2
        said = capsys.readouterr().err
        assert len(said.splitlines()) == 1
        assert f"must hold the settings of the app as JSON; {sentence}" in said
        assert "Remove it to begin with new settings; the answers are elsewhere." in said


def test_every_setting_is_found_again(tmp_path: Path) -> None:
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
        "predictor": {"logistic": {"scale": 2.0}},
    }
    assert set(kept) == set(AppSettings.model_fields)
    SettingsFile(tmp_path).change(**kept)
    assert read_settings(tmp_path) == AppSettings(**kept)


def test_a_setting_that_makes_no_sense_is_not_written(tmp_path: Path) -> None:
    settings = SettingsFile(tmp_path)
    with pytest.raises(ValueError, match="max_n"):
        settings.change(max_n=0)
    assert settings.current == read_settings(tmp_path) == AppSettings()


def test_a_fifo_in_the_place_of_the_settings_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "app.json")
    with pytest.raises(InvalidInput, match="a fifo"):
        read_settings(tmp_path)


@pytest.mark.parametrize(
    "settings",
    [
        '{"positive": "' + "x" * 15_000_000 + '"}',
        '{"positive": "' + "x" * 30_000_000 + '"}',
        '{"options": {"text": [' + '"",' * 4_000_000 + '""]}}',
        '{"source": "' + "x" * 15_000_000 + '"}',
    ],
    ids=["a long name", "a long file", "many columns", "a long source"],
)
def test_settings_of_any_length_end_in_a_sentence(
    settings: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "p"
    pictures(source, 2)
    folder = session_folder(source)
    open_service(source, folder, {}, learn=False).close()
    (folder / "app.json").write_text(settings)
    assert main(["status", str(folder)]) == 0
    assert len(capsys.readouterr().out) < 2000
    assert main(["label", str(folder)]) == 2
    assert len(capsys.readouterr().err) < 1000
