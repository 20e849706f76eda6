"""The house rules that no other tool checks: what is loaded, exported, named and locked."""

from __future__ import annotations

import ast
import importlib.metadata
import pkgutil
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import askless

ROOT = Path(__file__).parents[1]
SRC = ROOT / "src" / "askless"
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
MODULES = sorted(
    module.name for module in pkgutil.walk_packages(askless.__path__, prefix="askless.")
)

# Importing askless must not cost anyone these.
HEAVY = {
    "fastapi",
    "matplotlib",
    "pydantic",
    "rich",
    "scipy",
    "sklearn",
    "sqlalchemy",
    "sqlite3",
    "torch",
    "typer",
}
# The word askless uses is in docs/concepts.md.
OTHER_WORDS = re.compile(
    r"\b(label(ed|ing|er)|oracle|pseudo-?labels?|TODO|FIXME|XXX)\b", re.IGNORECASE
)
# Words of earlier versions; the field has a name for each of these things.
FORMER_WORDS = re.compile(
    r"(?<![A-Za-z])(voices?|chorus|sealed|menu|dish(es)?|riders?|rides?|riding|ingredients?|tempo"
    r"|final labels?|label is final|readings|reckon(s|ed|ing)?|yardsticks?|nought"
    r"|wish(es)?|foret(old|ells?)|culprits?|blames?)(?![A-Za-z])",
    re.IGNORECASE,
)
FORMER_NAMES = re.compile(
    r"\b(Beliefs?|Wishes|Recalibrated|Corrected|Manners|Desk|Doorway|Shelf|Bench|Maker|_Hand|Fresh"
    r"|Foretold|AS_IT_IS|STRAIGHT|_TASTE|Suspects|own_order|much_is_made|make_simulation)\b"
)
DRAWERS = {"common", "helpers", "misc", "tools", "util", "utils"}


def test_importing_askless_loads_nothing_heavy() -> None:
    code = "import sys, askless; print(*{name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert HEAVY.isdisjoint(done.stdout.split())


def test_every_exported_name_is_there_and_no_other_public_name_is() -> None:
    for name in askless.__all__:
        assert getattr(askless, name).__module__.startswith("askless.")
    public = {name for name in dir(askless) if not name.startswith("_")}
    modules = {name for name in public if f"askless.{name}" in sys.modules}
    standard = {"annotations", "importlib", "TYPE_CHECKING", "Any"}
    assert public - modules - standard == set(askless.__all__)


def test_exported_names_are_listed_once_in_order() -> None:
    assert askless.__all__ == sorted(set(askless.__all__))


def test_every_dependency_has_its_reason_in_the_decisions() -> None:
    decisions = "\n".join(page.read_text() for page in ROOT.glob("docs/decisions/*.md"))
    assert [name for name in _dependencies() if f"`{name}" not in decisions] == []


def test_lock_covers_every_dependency_and_names_no_place_to_fetch_it_from() -> None:
    assert set(_dependencies()) <= set(_lock())
    assert "://" not in (ROOT / "constraints.txt").read_text()


def test_installed_versions_are_the_locked_ones() -> None:
    lock = _lock()
    installed = {
        # A build for one kind of machine says so behind a plus: 2.13.0+cpu.
        _canonical(found.metadata["Name"]): found.version.partition("+")[0]
        for found in importlib.metadata.distributions()
    }
    installed.pop("setuptools", None)  # came with the environment itself
    asked_for = {name: version for name, version in installed.items() if name in lock}
    assert asked_for == {name: lock[name] for name in asked_for}
    assert set(_dependencies("dev", "experiments")) <= set(asked_for)


def test_the_mathematics_opens_no_file() -> None:
    rooms = [*(SRC / "core").rglob("*.py"), *(SRC / "planners").rglob("*.py"), SRC / "seams.py"]
    calls = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in rooms
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in {"open", "print", "input"}
    ]
    assert calls == []


def test_import_contract_guards_every_pure_room_that_exists() -> None:
    contracts = PYPROJECT["tool"]["importlinter"]["contracts"]
    guarded = next(found for found in contracts if found["type"] == "forbidden")["source_modules"]
    rooms = ("core", "seams", "planners", "history", "certificates", "session")
    pure = [f"askless.{room}" for room in rooms]
    assert sorted(guarded) == sorted(set(pure).intersection(MODULES))
    assert not any(option.startswith("ignore") for found in contracts for option in found)


def test_import_contract_keeps_the_server_from_every_command_but_the_one_that_serves() -> None:
    contracts = PYPROJECT["tool"]["importlinter"]["contracts"]
    (guarded,) = (
        found["source_modules"]
        for found in contracts
        if found.get("forbidden_modules") == ["askless.web"]
    )
    commands = {f"askless.cli.{path.stem}" for path in (ROOT / "src/askless/cli").glob("*.py")}
    assert set(guarded) == commands - {"askless.cli.__init__", "askless.cli.serving"}


def test_architecture_draws_the_layers_that_are_checked() -> None:
    contracts = PYPROJECT["tool"]["importlinter"]["contracts"]
    layers = next(found for found in contracts if found["type"] == "layers")["layers"]
    assert "\n".join(["```", *layers, "```"]) in (ROOT / "ARCHITECTURE.md").read_text()
    drawn = {room for line in layers for room in line.split(" | ")}
    built = {name.removeprefix("askless.") for name in MODULES if name.count(".") == 1}
    assert {room for room in drawn if not room.startswith("(")} == built


def test_no_file_is_longer_than_four_hundred_lines() -> None:
    lengths = {path: len(path.read_text().splitlines()) for path in _python_files()}
    assert {str(path.relative_to(ROOT)): n for path, n in lengths.items() if n > 400} == {}


def test_no_file_is_a_drawer_for_odds_and_ends() -> None:
    assert [path for path in _python_files() if DRAWERS & {path.stem, path.parent.name}] == []


def test_code_and_pages_keep_to_one_word_for_one_thing() -> None:
    allowed = {ROOT / "docs" / "notation.md", Path(__file__)}  # these two name the other words
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in [*_python_files(), *PAGES, *_page_files()]
        if path not in allowed
        for number, line in enumerate(path.read_text().splitlines(), start=1)
        if any(words.search(line) for words in (OTHER_WORDS, FORMER_WORDS, FORMER_NAMES))
    ]
    assert found == []


def _python_files() -> list[Path]:
    rooms = ("src", "tests", "experiments", "benchmarks", "examples")
    return sorted(path for room in rooms for path in (ROOT / room).rglob("*.py"))


def _page_files() -> list[Path]:
    """What the app's page is made of, but for what others have written."""
    static = SRC / "web" / "static"
    files = [path for kind in ("html", "css", "js") for path in static.rglob(f"*.{kind}")]
    return sorted(path for path in files if "vendor" not in path.parts)


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _dependencies(*extras: str) -> list[str]:
    """What pyproject.toml asks for: the base and these extras and groups, or everything."""
    optional = PYPROJECT["project"]["optional-dependencies"] | PYPROJECT["dependency-groups"]
    wanted = [*PYPROJECT["project"]["dependencies"]]
    for extra in extras or optional:
        wanted += optional[extra]
    names = [_canonical(re.split(r"[<>=~! \[]", text)[0]) for text in wanted]
    return [name for name in names if name != "askless"]


def _lock() -> dict[str, str]:
    """Locked version by package."""
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pins = [line.partition(" ;")[0].split("==") for line in lines if not line.startswith("#")]
    return {_canonical(name): version for name, version in pins}
