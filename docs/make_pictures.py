"""Make the pictures of the app, from the app.

    python -m docs.make_pictures [--large 12]

Starts `askless demo` in a folder of its own, answers truthfully by keyboard in a real Chromium
until questions are large, and keeps what it saw: docs/pictures/question.png, progress.png and
the short animation labelling.gif. Takes as long as the model needs to get to know the pool, a
minute or a few.
"""

from __future__ import annotations

import argparse
import io
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image
from playwright.sync_api import Page, sync_playwright

from askless.pools.demo import PICTURES
from tests.browser.conftest import FLAGS
from tests.browser.person import Person, Seen
from tests.browser.serving import Server

OUT: Final = Path(__file__).parent / "pictures"
WINDOW: Final = (1180, 760)
SCALE: Final = 0.62
SCENES: Final = 9
_SHOW_KEY = """(name) => {
  let cap = document.getElementById("pressed");
  if (!cap) {
    cap = document.createElement("div");
    cap.id = "pressed";
    Object.assign(cap.style, {
      position: "fixed", right: "28px", top: "76px", padding: "6px 20px", zIndex: 9,
      borderRadius: "12px", background: "#1d1f20", color: "#fff", font: "600 26px system-ui",
    });
    document.body.append(cap);
  }
  cap.textContent = name;
  cap.hidden = !name;
}"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Label until it is worth a picture, then take them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--large", type=int, default=12, help="tiles that make a large question")
    parser.add_argument("--most", type=int, default=1500, help="answers until then, at most")
    parser.add_argument("--session", type=Path, help="an earlier demo to go on with")
    chosen = parser.parse_args(arguments)
    with np.load(PICTURES) as stored:
        footwear = stored["footwear"]
    path = shutil.which("chromium") or shutil.which("google-chrome")
    OUT.mkdir(exist_ok=True)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        session = (chosen.session or Path(folder) / "session").resolve()
        server = Server("demo", "--session", session, cwd=Path(folder))
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        page = browser.new_page(viewport={"width": WINDOW[0], "height": WINDOW[1]})
        try:
            page.goto(server.start())
            person = Person(page, lambda name: bool(footwear[int(name)]))
            page.wait_for_selector("dialog[open], .tile")
            if page.locator("dialog[open]").count():
                person.confirm_definition()
            _until_large(person, chosen.large, chosen.most)
            _film(person)
            _stills(person)
        finally:
            browser.close()
            server.stop()


def _until_large(person: Person, large: int, most: int) -> None:
    """Answer at a person's pace until questions are large and one of them holds a mistake."""
    for _ in range(most):
        seen = person.look()
        if seen is None or (len(seen.names) >= large and len(seen.names) > 3):
            return
        person.page.wait_for_timeout(500)
        person.answer_by_keys(seen, plain=False)


def _film(person: Person) -> None:
    """Some questions in a row, each looked at, then answered."""
    frames: list[tuple[Image.Image, int]] = []
    for _ in range(SCENES):
        seen = person.look()
        if seen is None:
            break
        frames.append((_frame(person.page), 900))
        frames += _answer(person, seen)
    small = [image for image, _ in frames]
    small[0].save(
        OUT / "labelling.gif",
        save_all=True,
        append_images=small[1:],
        duration=[shown_ms for _, shown_ms in frames],
        loop=0,
        optimize=True,
    )


def _answer(person: Person, seen: Seen) -> list[tuple[Image.Image, int]]:
    """Answer one question; the frames in which keys are pressed."""
    page, wrong = person.page, person.wrong(seen)
    frames = []
    pressed = [seen.letters[place] for place in wrong] if len(seen.names) > 1 else []
    for letter in pressed:
        page.keyboard.press(letter)
        page.evaluate(_SHOW_KEY, letter)
        frames.append((_frame(page), 700))
    last = "Enter" if pressed else "n" if wrong else "y"
    page.evaluate(_SHOW_KEY, last)
    frames.append((_frame(page), 350))
    page.evaluate(_SHOW_KEY, "")
    page.keyboard.press(last)
    page.wait_for_function(
        "before => document.querySelector('.grid').dataset.shown !== before", arg=seen.shown
    )
    return frames


def _stills(person: Person) -> None:
    """A large question, with what is wrong marked if something is; and the progress."""
    page = person.page
    for _ in range(60):
        seen = person.look()
        if seen is None:
            break
        wrong = person.wrong(seen)
        if len(seen.names) > 8 and 0 < len(wrong) < 3:
            for place in wrong:
                page.keyboard.press(seen.letters[place])
            page.evaluate("() => document.activeElement.blur()")
            break
        page.wait_for_timeout(300)
        person.answer_by_keys(seen, plain=False)
    page.mouse.move(5, 400)
    page.screenshot(path=OUT / "question.png")
    page.evaluate("() => { location.hash = 'progress'; }")
    page.wait_for_timeout(1500)
    page.screenshot(path=OUT / "progress.png")


def _frame(page: Page) -> Image.Image:
    """What is on the screen, small, in few colours."""
    whole = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    size = (int(whole.width * SCALE), int(whole.height * SCALE))
    return whole.resize(size, Image.Resampling.LANCZOS).quantize(96, dither=Image.Dither.NONE)


if __name__ == "__main__":
    main()
