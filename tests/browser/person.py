"""Somebody who knows the right labels, sees only what the page shows, and answers truthfully."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.serving import Server

By = Literal["keys", "plain keys", "pointer"]

_TRIES: Final = 20
BOUNCE_MS: Final = 130  # a click sooner than this the page takes for a double click
ROOT: Final = (  # the page, or the widget in a notebook
    "const root = document.querySelector('.askless-cell')?.shadowRoot ?? document;"
)
_LOOK: Final = """() => {
  ROOT
  const ask = root.querySelector(".ask");
  if (!ask) return {phase: "elsewhere"};
  if (ask.hidden) return {phase: "end"};
  if (root.querySelector(".ask.waiting .chip[data-kind=bad]")) return {phase: "stuck"};
  const tiles = [...root.querySelectorAll(".grid .tile")];
  return {
    phase: /waiting|loading|fitting/.test(ask.className) || !tiles.length ? "waiting" : "asking",
    shown: root.querySelector(".grid").dataset.shown ?? "",
    guess: ask.dataset.guess === "positive",
    sentence: root.querySelector("#sentence").textContent,
    tiles: tiles.map((tile, place) => ({
      item: Number(tile.dataset.item), name: tile.title, letter: tile.dataset.letter,
      marked: tile.getAttribute("aria-pressed") === "true",
    })),
  };
}""".replace("ROOT", ROOT)
_SETTLED: Final = """() => {
  ROOT
  const ask = root.querySelector(".ask");
  if (!ask) return false;
  if (ask.hidden || root.querySelector(".ask.waiting .chip[data-kind=bad]")) return true;
  return !/waiting|loading|fitting/.test(ask.className)
    && root.querySelector(".grid .tile") !== null;
}""".replace("ROOT", ROOT)
_CHANGED: Final = """before => {
  ROOT
  const ask = root.querySelector(".ask");
  return ask.hidden || ask.classList.contains("waiting")
    || root.querySelector(".grid").dataset.shown !== before;
}""".replace("ROOT", ROOT)
_IN_HAND: Final = """app => app.outbox.size || app.flow.looking ? null : app.flow.room"""
_OVER: Final = "main .screen:is([data-phase=done], [data-phase=enough]):not([hidden])"
_GOES_ON: Final = f"""() => {{
  {ROOT}
  return !root.querySelector(".ask")?.hidden || root.querySelector("{_OVER}") !== null;
}}"""
_APP: Final = """async () =>
  (await import(new URL("static/js/app.js", document.baseURI))).app"""


@dataclass(frozen=True)
class Seen:
    """What is on the screen: the items by name and letter, the label guessed, the places marked."""

    shown: str
    guess: bool
    sentence: str
    names: tuple[str, ...]
    letters: tuple[str, ...]
    items: tuple[int, ...]
    marked: tuple[int, ...]


class Person:
    """Answers what the page asks.

    Parameters
    ----------
    page
        What they look at.
    truth
        The right label of an item, by its name.
    by
        With the keyboard alone, pointing out what is wrong or by plain yes and no; or with the
        pointer alone.
    server
        Whose page it is, for tests that end it.
    """

    def __init__(
        self,
        page: Page,
        truth: Callable[[str], bool],
        by: By = "keys",
        server: Server | None = None,
    ) -> None:
        self.page = page
        self.truth = truth
        self.by = by
        self._server = server
        self.answered = 0

    @property
    def server(self) -> Server:
        """Whose page it is."""
        assert self._server is not None
        return self._server

    def confirm_definition(self) -> None:
        """The first minute."""
        start = self.page.get_by_role("button", name="Start")
        if self.by == "pointer":
            start.click()
        else:
            start.wait_for()
            self.page.keyboard.press("Enter")
        self.page.wait_for_selector("dialog", state="detached")

    def look(self) -> Seen | None:
        """The question on the screen, once there is one; None when there is nothing to ask.

        Without the connection that may be so before everything is settled.
        """
        got: dict[str, Any] = {"phase": "waiting"}
        while got["phase"] == "waiting":  # it may have changed between the two
            self.page.wait_for_function(_SETTLED)
            got = self.page.evaluate(_LOOK)
        if got["phase"] in {"end", "stuck"}:
            return None
        tiles = got["tiles"]
        return Seen(
            got["shown"],
            got["guess"],
            got["sentence"],
            tuple(tile["name"] for tile in tiles),
            tuple(tile["letter"] for tile in tiles),
            tuple(tile["item"] for tile in tiles),
            tuple(place for place, tile in enumerate(tiles) if tile["marked"]),
        )

    def question(self) -> Seen:
        """The question on the screen; there must be one."""
        seen = self.look()
        assert seen is not None
        return seen

    def wrong(self, seen: Seen) -> list[int]:
        """Which of the tiles shown do not have the guessed label, by place."""
        return [place for place, name in enumerate(seen.names) if self.truth(name) != seen.guess]

    def read(self, seen: Seen) -> None:
        """Scroll a text that is longer than the window to its end."""
        if len(seen.names) == 1 and self.page.locator(".tile.goes-on").count():
            self.page.wait_for_selector(".tile .end button")  # the rest of it has come
            if self.by == "pointer":
                self.page.locator(".tile .end button").click()
            else:
                self.page.keyboard.press("End")
            self.page.wait_for_selector("#answer-yes:not(:disabled)")

    def answer(self, seen: Seen) -> None:
        """Answer truthfully, once more where the page could not take it just then."""
        for _ in range(_TRIES):
            self._answer_once(seen)
            if self.page.evaluate(_CHANGED, seen.shown):
                self.answered += 1
                return
            again = self.look()  # it was fitting the question to the window, and said so
            if again is None or again.shown != seen.shown:
                self.answered += 1
                return
            seen = again
        raise AssertionError(self.page.locator(".chips").inner_text())

    def _answer_once(self, seen: Seen) -> None:
        self.read(seen)
        wrong = self.wrong(seen)
        if wrong and len(seen.names) > 1 and self.by != "plain keys":
            for place in sorted({*wrong} ^ {*seen.marked}):  # tiles that stayed keep their marks
                self.point_at(seen, place)
            self._say("Enter", "#answer-only")
        elif wrong:
            self._say("n" if self.answered % 2 else "ArrowLeft", "#answer-no")
        else:
            self._say("y" if self.answered % 2 else "ArrowRight", "#answer-yes")

    def slip(self, seen: Seen) -> None:
        """Answer the opposite of what is true."""
        if self.wrong(seen):
            self._say("y", "#answer-yes")
        else:
            self._say("n", "#answer-no")
        self._moved_on(seen)

    def undo(self) -> None:
        """Take the last answer back."""
        self._do("z", "#tool-undo")

    def cannot_tell(self, seen: Seen, place: int, note: str) -> None:
        """Set one tile aside, saying why."""
        self._do("u", "#tool-unsure")
        if len(seen.names) > 1:
            self.page.wait_for_selector(".picking, dialog[open]")
            self.point_at(seen, place)
        self.page.wait_for_selector("dialog[open] #unsure-note")
        self.page.keyboard.type(note)
        if self.by == "pointer":
            self.page.locator("dialog[open] button[type=submit]").click()
        else:
            self.page.keyboard.press("Enter")
        self.page.wait_for_function(
            f"one => {{ {ROOT}"
            "return ![...root.querySelectorAll('.tile')].some(t => t.title === one); }",
            arg=seen.names[place],
        )

    def point_at(self, seen: Seen, place: int) -> None:
        """Click a tile, or press its letter."""
        if self.by == "pointer":
            self.page.locator(f'.tile[data-item="{seen.items[place]}"]').click()
        else:
            self.page.keyboard.press(seen.letters[place])

    def label_everything(
        self, meanwhile: Callable[[Seen], Seen] = lambda seen: seen, most: int = 5000
    ) -> None:
        """Answer until nothing is left; `meanwhile` says what is then seen instead."""
        for _ in range(most):
            seen = self.look()
            if seen is not None:
                self.answer(meanwhile(seen))
            elif self.page.locator(_OVER).count():
                return
            else:
                self.page.wait_for_function(_GOES_ON)  # another window has the rest
        raise AssertionError(f"{most} answers were not enough.")

    def answer_until_group(self, least: int) -> Seen:
        """Answer until a question has so many tiles, and nothing comes in its place any more."""
        while True:
            self.wait_until_saved()
            seen = self.question()
            if len(seen.names) >= least:
                return seen
            self.answer(seen)

    # --- what the page has in hand ------------------------------------------------------------

    def wait_for_room(self, answers: int) -> None:
        """Look until all is saved and the page can go on for so many answers by itself.

        Only once it has ended to look ahead: what it asks for then takes the place of what it had,
        and if the server dies before the pictures have come, there is less room than before.
        """
        app = self.page.evaluate_handle(_APP)
        room = self.page.wait_for_function(_IN_HAND, arg=app).json_value()
        if room < answers:  # the server took too long; after the next answer it would look again
            self.page.evaluate("app => app.flow.lookAhead()", app)
            room = self.page.wait_for_function(_IN_HAND, arg=app).json_value()
        assert room >= answers, f"The page has room for {room} answers, not {answers}."

    def wait_until_prepared(self) -> None:
        """Look until the page knows what it would ask after each answer."""
        self.page.wait_for_function(
            "app => app.flow.question.ahead !== undefined", arg=self.page.evaluate_handle(_APP)
        )

    def wait_until_saved(self) -> None:
        """Look until the page says that every answer is in the store."""
        self.page.wait_for_function(
            f"() => {{ {ROOT} return root.getElementById('saved-text').textContent === 'Saved'"
            " && !Object.keys(localStorage).some(name => name.startsWith('askless.outbox')); }"
        )

    # --- hands --------------------------------------------------------------------------------

    def _say(self, name: str, answer: str) -> None:
        if self.by == "pointer":
            self.page.wait_for_timeout(BOUNCE_MS)
        self._do(name, answer)

    def _do(self, name: str, button: str) -> None:
        if self.by == "pointer":
            self.page.locator(button).click()
        else:
            self.page.keyboard.press(name)

    def _moved_on(self, seen: Seen) -> None:
        self.answered += 1
        self.page.wait_for_function(_CHANGED, arg=seen.shown)
