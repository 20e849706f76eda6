"""Hints are commands that work as they stand."""

import sys
from pathlib import Path

import pytest

from askless.cli.typed import typed


@pytest.fixture
def program(tmp_path: Path) -> Path:
    made = tmp_path / "bin" / "askless"
    made.parent.mkdir()
    made.write_text("#!/bin/sh\n")
    made.chmod(0o755)
    return made


def test_a_program_on_the_path_is_called_by_its_name(
    program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", [str(program)])
    monkeypatch.setenv("PATH", str(program.parent))
    assert typed("export", Path("my photos.askless")) == "askless export 'my photos.askless'"


def test_one_elsewhere_is_called_as_it_was_started(
    program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.chdir(program.parent.parent)
    monkeypatch.setattr(sys, "argv", ["bin/askless"])
    assert typed("demo") == "bin/askless demo"


def test_another_program_of_that_name_on_the_path_is_not_meant(
    program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other" / "askless"
    other.parent.mkdir()
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    monkeypatch.setenv("PATH", str(other.parent))
    monkeypatch.setattr(sys, "argv", [str(program)])
    assert typed("demo") == f"{program} demo"


def test_called_from_python_it_has_its_plain_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["-c"])
    assert typed("demo") == "askless demo"
