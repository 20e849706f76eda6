"""The README's figures are what its commands print."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from askless.cli import main

README = (Path(__file__).parents[1] / "README.md").read_text()
ROWS = re.findall(r"\| \**(\d+)\** \| `\.venv/bin/askless (simulate [^`]+)` \|", README)


def test_there_are_figures() -> None:
    assert len(ROWS) == 3


@pytest.mark.parametrize(("questions", "command"), ROWS)
def test_a_figure_is_what_its_command_prints(
    questions: str, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*shlex.split(command), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["questions"] == int(questions)
    assert report["labels_right"] == report["items"]
    assert f"| {report['bound_questions']:.0f} | printed by each" in README
