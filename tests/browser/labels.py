"""What the tests ask of a page with labels: the download, its errors, where tiles are."""

from __future__ import annotations

import csv
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

Pool = tuple[Path, dict[str, bool]]
SURE_COLUMNS = ("--image", "picture", "--prob", "prob")
NAMES = ("--positive", "footwear", "--negative", "other clothing")


def go(page: Page, view: str) -> None:
    """Open a view."""
    page.evaluate("view => { location.hash = view; }", view)
    page.wait_for_function("view => document.body.dataset.view === view", arg=view)


def exported(page: Page) -> dict[str, dict[str, str]]:
    """The labels that the finish screen's download holds, by item."""
    go(page, "finish")
    with page.expect_download() as started:
        page.locator("#download-csv").press("Enter")
    with Path(started.value.path()).open(newline="", encoding="utf-8") as file:
        return {
            row.get("id") or row.get("picture") or row["text"]: row for row in csv.DictReader(file)
        }


def wrong_labels(
    rows: dict[str, dict[str, str]], truth: dict[str, bool], but: Collection[str] = ()
) -> list[str]:
    """The items whose exported label is missing, not certain or wrong."""
    return [
        name
        for name, label in truth.items()
        if name not in but
        and (
            rows[name]["label"] != NAMES[3 if label is False else 1]
            or rows[name]["certain"] != "true"
        )
    ]


def answers_stored(page: Page) -> int:
    """How many answers the store has, audits among them."""
    return int(
        page.evaluate(
            "() => fetch('api/progress').then(r => r.json())"
            ".then(p => Object.values(p.answers).reduce((a, b) => a + b, 0) + p.audits.asked)"
        )
    )


def places(page: Page) -> dict[str, tuple[float, float]]:
    """Where each tile is on the screen, by name."""
    found: list[list[object]] = page.evaluate(
        "() => [...document.querySelectorAll('.tile')].map(t => "
        "[t.title, t.getBoundingClientRect().left, t.getBoundingClientRect().top])"
    )
    return {str(name): (float(str(left)), float(str(top))) for name, left, top in found}
