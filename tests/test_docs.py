"""The pages tell the truth: their examples run, their links lead somewhere, nothing is left out."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest
from typer.main import get_command

import askless
from askless.cli import app

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
MODULES = sorted(
    module.name for module in pkgutil.walk_packages(askless.__path__, prefix="askless.")
)


def test_reference_names_every_exported_name() -> None:
    reference = (ROOT / "docs" / "reference.md").read_text()
    assert [name for name in askless.__all__ if f"`{name}`" not in reference] == []


def test_planners_page_has_a_section_for_every_registered_planner() -> None:
    page = (ROOT / "docs" / "planners.md").read_text()
    sections = re.findall(r"^## `([\w-]+)`", page, re.MULTILINE)
    assert sorted(sections) == sorted(askless.planner_names())


def test_commands_page_has_a_section_for_every_command() -> None:
    page = (ROOT / "docs" / "commands.md").read_text()
    sections = re.findall(r"^## `askless ([\w -]+)`", page, re.MULTILINE)
    assert sorted(sections) == sorted(_commands())


def test_commands_page_names_every_option_in_its_command_section() -> None:
    page = (ROOT / "docs" / "commands.md").read_text()
    for name, options in _commands().items():
        section = page.partition(f"## `askless {name}`")[2].partition("\n## ")[0]
        long = [option for option in options if option.startswith("--")]
        assert [option for option in long if option not in section] == []


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_are_true(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_examples_in_pages_are_true(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner()
    monkeypatch.chdir(tmp_path)
    example = parser.get_doctest("\n".join(blocks), {}, page.name, str(page), 0)
    assert runner.run(example).failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_pages_link_to_files_that_exist(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text())
    local = [target for target in targets if "://" not in target]
    assert [target for target in local if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_pages_name_make_targets_that_exist(page: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"`make ([a-z-]+)", page.read_text())) <= targets


def _commands() -> dict[str, list[str]]:
    """Every command of the command line, with the names of its options."""
    commands = getattr(get_command(app), "commands", {})
    return {
        name: [option for parameter in command.params for option in parameter.opts]
        for name, command in commands.items()
    }
