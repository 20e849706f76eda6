"""Somebody who knows the right labels, sees only what the page shows, and answers truthfully."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

_LOOK = """() => {
  const ask = document.querySelector(".ask");
  if (!ask) return {phase: "elsewhere"};
  if (ask.hidden) return {phase: "end"};
  const tiles = [...document.querySelectorAll(".grid .tile")];
  return {
    phase: /waiting|loading/.test(ask.className) || !tiles.length ? "waiting" : "asking",
    shown: document.querySelector(".grid").dataset.shown ?? "",
    guess: ask.dataset.guess === "positive",
    sentence: document.querySelector("#sentence").textContent,
    tiles: tiles.map((tile, place) => ({
      item: Number(tile.dataset.item), name: tile.title, letter: tile.dataset.letter,
    })),
  };
}"""
_SETTLED = """() => {
  const ask = document.querySelector(".ask");
  if (!ask) return false;
  if (ask.hidden) return true;
  return !ask.classList.contains("waiting") && !ask.classList.contains("loading")
    && document.querySelector(".grid .tile") !== null;
}"""


@dataclass(frozen=True)
class Seen:
    """What is on the screen: the items shown, by name and letter, and the label guessed."""

    shown: str
    guess: bool
    sentence: str
    names: tuple[str, ...]
    letters: tuple[str, ...]
    items: tuple[int, ...]


class Person:
    """Answers by keys or by pointing.

    Parameters
    ----------
    page
        What they look at.
    truth
        The right label of an item, by its name.
    """

    def __init__(self, page: Page, truth: Callable[[str], bool]) -> None:
        self.page = page
        self.truth = truth
        self.answered = 0

    def confirm_definition(self) -> None:
        """The first minute."""
        self.page.get_by_role("button", name="Start").click()

    def look(self) -> Seen | None:
        """The question on the screen, once there is one; None when there is nothing to ask."""
        got: dict[str, Any] = {"phase": "waiting"}
        while got["phase"] == "waiting":  # it may have changed between the two
            self.page.wait_for_function(_SETTLED)
            got = self.page.evaluate(_LOOK)
        if got["phase"] == "end":
            return None
        tiles = got["tiles"]
        return Seen(
            got["shown"],
            got["guess"],
            got["sentence"],
            tuple(tile["name"] for tile in tiles),
            tuple(tile["letter"] for tile in tiles),
            tuple(tile["item"] for tile in tiles),
        )

    def wrong(self, seen: Seen) -> list[int]:
        """Which of the tiles shown do not have the guessed label, by place."""
        return [place for place, name in enumerate(seen.names) if self.truth(name) != seen.guess]

    def answer_by_keys(self, seen: Seen, *, plain: bool) -> None:
        """Press keys; `plain` for a no that does not say which."""
        wrong = self.wrong(seen)
        if not wrong:
            self.page.keyboard.press("y" if self.answered % 2 else "ArrowRight")
        elif plain or len(seen.names) == 1:
            self.page.keyboard.press("n" if self.answered % 2 else "ArrowLeft")
        else:
            for place in wrong:
                self.page.keyboard.press(seen.letters[place])
            self.page.keyboard.press("Enter")
        self._answered(seen)

    def answer_by_pointing(self, seen: Seen) -> None:
        """Use the pointer alone."""
        wrong = self.wrong(seen)
        if wrong and len(seen.names) > 1:
            for place in wrong:
                self.page.locator(f'.tile[data-item="{seen.items[place]}"]').click()
            self._press("#answer-only")
        else:
            self._press("#answer-no" if wrong else "#answer-yes")
        self._answered(seen)

    def label_everything(self, how: Callable[[Person, Seen], None], most: int = 5000) -> None:
        """Answer until nothing is left."""
        for _ in range(most):
            seen = self.look()
            if seen is not None:
                how(self, seen)
            elif self.page.locator("main .screen a[href='#finish']").count():
                return
            else:
                self.page.wait_for_timeout(100)  # another window has the rest
        raise AssertionError(f"{most} answers were not enough.")

    def _press(self, answer: str) -> None:
        self.page.wait_for_timeout(130)  # sooner than this the page takes it for a double click
        self.page.locator(answer).click()

    def _answered(self, seen: Seen) -> None:
        self.answered += 1
        self.page.wait_for_function(
            """before => {
              const ask = document.querySelector(".ask");
              return ask.hidden || ask.classList.contains("waiting")
                || document.querySelector(".grid").dataset.shown !== before;
            }""",
            arg=seen.shown,
        )


def keys(person: Person, seen: Seen) -> None:
    """By keyboard, pointing out what is wrong."""
    person.answer_by_keys(seen, plain=False)


def plain_keys(person: Person, seen: Seen) -> None:
    """By keyboard, yes and no alone."""
    person.answer_by_keys(seen, plain=True)


def pointing(person: Person, seen: Seen) -> None:
    """By pointer alone."""
    person.answer_by_pointing(seen)
