"""A browser, pools on disk, servers, people, and a folder for screenshots."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image

from askless.pools.demo import PICTURES
from tests.browser.labels import NAMES, SURE_COLUMNS, Pool
from tests.browser.opening import chromium, profile, sit_down
from tests.browser.person import By, Person
from tests.browser.serving import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

SHOTS = Path(os.environ.get("ASKLESS_SHOTS", "build/screens"))
PART = 200
SURE = 80  # how many of them come with probabilities, mostly right, for questions in groups


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One Chromium for the tests of a file; each has a profile of its own.

    No longer than that: while it runs an event loop is at work in this thread, and tests of
    other files that run a loop of their own would be refused it.
    """
    pytest.importorskip("playwright", reason="tier browser: no playwright")
    with chromium() as running:
        yield running


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A fresh profile."""
    with profile(browser) as fresh:
        yield fresh


@pytest.fixture
def begin(serve: Callable[..., Server], context: BrowserContext) -> Callable[..., Person]:
    """Start a server on a pool; a person who has begun to label it."""

    def start(pool: Pool, *args: str | Path, by: By = "keys", confirm: bool = True) -> Person:
        source, truth = pool
        columns = SURE_COLUMNS if source.suffix == ".csv" else ()
        server = serve("label", source, *columns, *NAMES, *args)
        return sit_down(context, server, truth.__getitem__, by, confirm=confirm)

    return start


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Start servers; they end with the test."""
    started: list[Server] = []

    def start(*args: str | Path) -> Server:
        server = Server(*args, cwd=tmp_path)
        started.append(server)
        server.start()
        return server

    yield start
    for server in started:
        server.stop()


@pytest.fixture
def shoot() -> Callable[[Page, str], None]:
    """Keep a picture of what the page shows."""
    SHOTS.mkdir(parents=True, exist_ok=True)

    def keep(page: Page, name: str) -> None:
        page.screenshot(path=SHOTS / f"{name}.png")

    return keep


@pytest.fixture(scope="session")
def garments(tmp_path_factory: pytest.TempPathFactory) -> Pool:
    """Some of the demo's pictures as files, and which of them are footwear by name."""
    folder = tmp_path_factory.mktemp("pool") / "garments"
    folder.mkdir()
    with np.load(PICTURES) as stored:
        pictures, footwear = stored["images"][:PART], stored["footwear"][:PART]
    truth = {}
    for number, (pixels, label) in enumerate(zip(pictures, footwear, strict=True)):
        name = f"{number:04d}.png"
        Image.fromarray(pixels).save(folder / name)
        truth[name] = bool(label)
    return folder, truth


@pytest.fixture
def sure(garments: Pool, tmp_path: Path) -> Pool:
    """A table of pictures with probabilities, and the truth by name."""
    return table_of(garments, tmp_path)


def table_of(garments: Pool, place: Path, share_right: float = 0.94) -> Pool:
    """Make such a table in a folder."""
    folder, truth = garments
    rng = np.random.default_rng(0)
    shutil.copytree(folder, place / "garments")
    part = {f"garments/{name}": label for name, label in list(truth.items())[:SURE]}
    right = rng.random(len(part)) < share_right
    rows = [
        f"{name},{0.96 if label == good else 0.04}"
        for (name, label), good in zip(part.items(), right, strict=True)
    ]
    table = place / "sure.csv"
    table.write_text("\n".join(["picture,prob", *rows]) + "\n")
    return table, part


@pytest.fixture
def three(garments: Pool, tmp_path: Path) -> Pool:
    """Three pictures, all of them guessed to be footwear, and the last of them is not.

    The first question is about all of them, since no answer says anything else yet, and whatever
    is asked after a no is about some of them.
    """
    folder, truth = garments
    names = [name for name, label in truth.items() if label][:2]
    names.append(next(name for name, label in truth.items() if not label))
    right = {f"garments/{name}": truth[name] for name in names}
    shutil.copytree(folder, tmp_path / "garments")
    table = tmp_path / "three.csv"
    table.write_text("\n".join(["picture,prob", *(f"{name},0.96" for name in right)]) + "\n")
    return table, right


@pytest.fixture
def pool(garments: Pool, tmp_path: Path) -> Pool:
    """The same, in a folder that is this test's own."""
    folder, truth = garments
    return Path(shutil.copytree(folder, tmp_path / "garments")), truth
