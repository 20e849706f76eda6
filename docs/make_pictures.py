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
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image
from playwright.sync_api import Page

from askless.pools.demo import PICTURES
from tests.browser.opening import chromium, profile, sit_down
from tests.browser.person import Person, Seen
from tests.browser.serving import Server

OUT: Final = Path(__file__).parent / "pictures"
WINDOW: Final = (1180, 760)
SCALE: Final = 0.62
SCENES: Final = 9
LONGEST: Final = 80
FEW: Final = 6
NEARLY_GREY: Final = 8
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
    parser.add_argument("--large", type=int, default=12, help="tiles to a question, at most")
    parser.add_argument("--most", type=int, default=1500, help="answers until then, at most")
    parser.add_argument("--session", type=Path, help="an earlier demo to go on with")
    chosen = parser.parse_args(arguments)
    with np.load(PICTURES) as stored:
        footwear = stored["footwear"]
    OUT.mkdir(exist_ok=True)
    width, height = WINDOW
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        session = (chosen.session or Path(folder) / "session").resolve()
        server = Server("demo", "--session", session, cwd=Path(folder))
        server.start()
        try:
            with profile(browser, viewport={"width": width, "height": height}) as context:
                person = sit_down(context, server, lambda name: bool(footwear[int(name)]),
                                  confirm=False)  # fmt: skip
                person.page.wait_for_selector("dialog[open], .tile")
                if person.page.locator("dialog[open]").count():
                    person.confirm_definition()
                _set_largest(person.page, chosen.large)
                _until_large(person, chosen.large, chosen.most)
                _film(person)
        finally:
            server.stop()


def _set_largest(page: Page, large: int) -> None:
    """At most this many tiles to a question: more would be too small in a picture."""
    page.evaluate("() => { location.hash = 'settings'; }")
    page.fill("#most", str(large))
    page.locator("form", has=page.locator("#most")).get_by_role("button").click()
    page.wait_for_selector(".notice")
    page.get_by_role("button", name="Dismiss").click()
    page.evaluate("() => { location.hash = 'label'; }")


def _until_large(person: Person, large: int, most: int) -> None:
    """Answer at a person's pace until questions are large."""
    for _ in range(most):
        seen = person.look()
        if seen is None or len(seen.names) >= large:
            return
        person.page.wait_for_timeout(400)
        person.answer(seen)


def _film(person: Person) -> None:
    """Questions in a row, each looked at, then answered; one in which something is wrong."""
    scenes: list[list[tuple[Image.Image, int]]] = []
    pointed: int | None = None
    for _ in range(LONGEST):
        seen = person.look()
        if seen is None or (pointed is not None and len(scenes) >= pointed + 1 + SCENES // 2):
            break
        person.page.wait_for_timeout(300)
        scenes.append([(_frame(person.page), 1000), *_answer(person, seen, still=pointed is None)])
        if pointed is None and len(seen.names) > 1 and person.wrong(seen):
            pointed = len(scenes) - 1
    frames = [frame for scene in scenes[-SCENES:] for frame in scene]
    small = _in_few_colours([image for image, _ in frames])
    small[0].save(
        OUT / "labelling.gif",
        save_all=True,
        append_images=small[1:],
        duration=[shown_ms for _, shown_ms in frames],
        loop=0,
        optimize=True,
    )
    person.page.evaluate("() => { location.hash = 'progress'; }")
    person.page.wait_for_timeout(2000)
    person.page.screenshot(path=OUT / "progress.png")


def _answer(person: Person, seen: Seen, *, still: bool) -> list[tuple[Image.Image, int]]:
    """Answer one question; the frames in which keys are pressed. `still` keeps a picture too."""
    page, wrong = person.page, person.wrong(seen)
    frames = []
    pressed = [seen.letters[place] for place in wrong] if len(seen.names) > 1 else []
    for letter in pressed:
        page.keyboard.press(letter)
        page.evaluate(_SHOW_KEY, letter)
        frames.append((_frame(page), 700))
    if still and len(seen.names) >= FEW:
        page.evaluate(_SHOW_KEY, "")
        page.screenshot(path=OUT / "question.png")
    last = "Enter" if pressed else "n" if wrong else "y"
    page.evaluate(_SHOW_KEY, last)
    frames.append((_frame(page), 350))
    page.evaluate(_SHOW_KEY, "")
    page.keyboard.press(last)
    page.wait_for_function(
        "before => document.querySelector('.grid').dataset.shown !== before", arg=seen.shown
    )
    return frames


def _frame(page: Page) -> Image.Image:
    """What is on the screen, small."""
    whole = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    size = (int(whole.width * SCALE), int(whole.height * SCALE))
    return whole.resize(size, Image.Resampling.LANCZOS)


def _in_few_colours(frames: Sequence[Image.Image]) -> list[Image.Image]:
    """All with the same colours, so that nothing flickers: greys, and those the page uses most."""
    width, height = frames[0].size
    together = Image.new("RGB", (width, height * len(frames)))
    for place, frame in enumerate(frames):
        together.paste(frame, (0, place * height))
    found = together.getcolors(together.width * together.height) or []
    used = [colour for _, colour in sorted(found, reverse=True) if isinstance(colour, tuple)]
    bright = [colour for colour in used if max(colour) - min(colour) > NEARLY_GREY]
    greys = [(level, level, level) for level in range(0, 256, 4)]
    chosen = [*used[:16], *bright[:112], *greys]
    palette = Image.new("P", (1, 1))
    palette.putpalette([channel for colour in chosen for channel in colour])
    return [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]


if __name__ == "__main__":
    main()
