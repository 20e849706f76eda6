"""The template of a plugin is installed, found by its entry points, and keeps the laws."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PLUGIN = Path(__file__).parents[2] / "examples" / "plugin"
REVIEWS = "review,label\n" + "".join(f"{'good ' * n},{n % 2}\n" for n in range(1, 21))


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with nothing but the plugin, as pip installs it."""
    place = tmp_path_factory.mktemp("plugin")
    copy = shutil.copytree(PLUGIN, place / "source")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    command += ["--no-build-isolation", "--target", str(place / "packages"), str(copy)]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return place / "packages"


def run(installed: Path, *arguments: str, cwd: Path) -> str:
    paths = [str(installed), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    done = subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_an_installed_planner_is_chosen_by_its_name(installed: Path, tmp_path: Path) -> None:
    arguments = ("simulate", "demo", "--planner", "in-order", "--max-n", "1", "--json")
    report = json.loads(run(installed, "askless", *arguments, cwd=tmp_path))
    assert report["questions"] == report["labels_right"] == 2000


def test_installed_features_and_formats_are_chosen_by_their_names(
    installed: Path, tmp_path: Path
) -> None:
    (tmp_path / "reviews.csv").write_text(REVIEWS)
    columns = ("--text", "review", "--label", "label")
    kept = ("--features", "lengths", "--session", "kept", "--json")
    report = json.loads(
        run(installed, "askless", "simulate", "reviews.csv", *columns, *kept, cwd=tmp_path)
    )
    assert report["labels_right"] == 20
    run(installed, "askless", "export", "kept", "out.positives.txt", cwd=tmp_path)
    assert len((tmp_path / "out.positives.txt").read_text().split()) == 10


def test_the_laws_that_the_template_applies_hold(installed: Path) -> None:
    told = run(installed, "pytest", "-q", "-p", "no:cacheprovider", "tests", cwd=PLUGIN)
    assert " passed" in told
