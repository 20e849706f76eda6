"""Every command of docs/tutorial.md works, in order, for somebody who follows it."""

from __future__ import annotations

import csv
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.labels import Pool
from tests.browser.opening import sit_down
from tests.browser.serving import Server

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

pytestmark = pytest.mark.browser

PAGE = Path(__file__).parents[2] / "docs" / "tutorial.md"
PHOTOS = 24


def test_tutorial_leads_from_a_folder_of_pictures_to_a_table_of_labels(
    tmp_path: Path, garments: Pool, serve: Callable[..., Server], context: BrowserContext
) -> None:
    truth = _prepare(tmp_path, garments)
    for command in commands():
        if command[1] in {"label", "demo"}:
            server = serve(*command[1:])
            person = sit_down(context, server, lambda name: truth.get(name, False))
            assert person.look() is not None
            if "photos" in command:
                person.label_everything()
            person.page.close()
            server.stop()
        else:
            script = Path(sys.executable).with_name("askless")
            subprocess.run([script, *command[1:]], cwd=tmp_path, check=True, capture_output=True)
    with (tmp_path / "labels.csv").open(newline="", encoding="utf-8") as file:
        rows = {row["id"]: row for row in csv.DictReader(file)}
    assert {name: row["label"] for name, row in rows.items()} == {
        name: "cats" if label else "something else" for name, label in truth.items()
    }
    assert {row["certain"] for row in rows.values()} == {"true"}


def commands() -> list[list[str]]:
    """The commands of the page, as a shell would split them."""
    blocks = re.findall(r"^```sh\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    return [shlex.split(line) for block in blocks for line in block.splitlines()]


def _prepare(folder: Path, garments: Pool) -> dict[str, bool]:
    """What the reader has: a folder of photos and a table of reviews."""
    source, labels = garments
    (folder / "photos" / "more").mkdir(parents=True)
    truth = {}
    for number, (name, label) in enumerate(list(labels.items())[:PHOTOS]):
        kept = f"more/{name}" if number % 2 else name
        shutil.copy(source / name, folder / "photos" / kept)
        truth[kept] = label
    said = [f"The soup was {'good' if n % 2 else 'cold'}, wrote guest {n}." for n in range(40)]
    (folder / "reviews.csv").write_text("\n".join(["review", *(f'"{one}"' for one in said)]) + "\n")
    return truth
