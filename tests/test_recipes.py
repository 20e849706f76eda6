"""The first recipe is short and takes no more questions than a simulation.

That every page runs is tested in tests/test_docs.py.
"""

from __future__ import annotations

import doctest
import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from askless.cli import app

PAGE = Path(__file__).parents[1] / "docs" / "recipes" / "dataframe.md"


def test_the_first_recipe_is_short_and_takes_no_more_questions_than_a_simulation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    recipe = next(block for block in blocks if "askless.label(" in block)
    assert len(recipe.strip().splitlines()) <= 8
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    parsed = doctest.DocTestParser().get_examples("\n".join(blocks))
    exec("".join(example.source for example in parsed), names)
    table, labels = names["df"], names["labels"]
    table.drop(columns=["label", "certain", "how", "probability"]).assign(  # type: ignore[attr-defined]
        y=labels
    ).to_csv("known.csv", index=False)
    columns = ["--text", "review", "--label", "y", "--true", "praise"]
    done = CliRunner().invoke(app, ["simulate", "known.csv", *columns, "--json"])
    simulated = json.loads(done.stdout)
    answers = names["progress"].answers  # type: ignore[attr-defined]
    assert len(table) == simulated["items"] == 400  # type: ignore[arg-type]
    assert sum(answers.values()) <= simulated["questions"]
