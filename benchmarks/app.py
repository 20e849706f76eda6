"""How long a person waits in the app: from a key press to the next question, painted.

    python -m benchmarks.app [--answers 200] [--pause 0.6] [--rows 100000] [--json FILE]

Starts the real server by its command, drives the real page in Chromium, and answers truthfully by
keyboard after a pause, as somebody would who looks. For the 2000 pictures of the demo and for a
table of made-up texts: seconds from the command to the first question (definition confirmed
at once), milliseconds from a key press to the next question painted (median, 95th percentile,
worst), how many questions had to be waited for, and the server's memory. The model is prepared
and fitted in the background all the while. Times are for this machine and what else it does.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import platform
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

from askless.pools.demo import PICTURES
from tests.browser.conftest import FLAGS
from tests.browser.person import Person
from tests.browser.serving import Server

# From the key's own time to after the frame in which another question is on the screen, its
# pictures decoded.
_STOPWATCH = """() => {
  window.waits = [];
  const shown = () => document.querySelector(".grid")?.dataset.shown;
  const whole = () => [...document.querySelectorAll(".grid img")].every((image) => image.complete);
  addEventListener("keydown", (event) => {
    const [began, before] = [event.timeStamp, shown()];
    let frames = 0;
    const look = () => {
      frames += 1;
      if (shown() === before || !whole()) return requestAnimationFrame(look);
      const painted = new MessageChannel();
      painted.port1.onmessage = () => waits.push([performance.now() - began, frames]);
      return painted.port2.postMessage(0);
    };
    if ("yn".includes(event.key)) requestAnimationFrame(look);
  }, true);
}"""
_PRAISE = ("warm", "kind", "bright", "lasting", "careful", "delicious", "honest", "quick")
_BLAME = ("cold", "rude", "dull", "broken", "careless", "stale", "crooked", "slow")
_FILLER = ("the room", "a soup", "their service", "my order", "this book", "that film", "it all")


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print, and write it as JSON where asked to."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--answers", type=int, default=200)
    parser.add_argument("--pause", type=float, default=0.6, help="seconds of looking")
    parser.add_argument("--rows", type=int, default=100_000, help="texts in the table")
    parser.add_argument("--json", type=Path, metavar="FILE")
    chosen = parser.parse_args(arguments)

    path = next(found for name in ("chromium", "google-chrome") if (found := shutil.which(name)))
    rows = []
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        for case in (_pictures, _texts):
            name, command, truth = case(Path(folder), chosen.rows)
            row = measure(browser, Path(folder), command, truth, chosen.answers, chosen.pause)
            rows.append({"pool": name, **row})
            print(json.dumps(rows[-1], indent=1), flush=True)
        browser.close()
    if chosen.json is not None:
        about = {
            "answers": chosen.answers,
            "pause_s": chosen.pause,
            "python": platform.python_version(),
            "machine": platform.machine(),
            "cores": os.cpu_count(),
            "load": round(os.getloadavg()[1], 1),
        }
        chosen.json.write_text(json.dumps({"about": about, "rows": rows}, indent=1) + "\n")


def measure(
    browser: Browser,
    folder: Path,
    command: Sequence[str],
    truth: Callable[[str], bool],
    answers: int,
    pause_s: float,
) -> dict[str, Any]:
    """Label a part of one pool and time it."""
    server = Server(*command, cwd=folder)
    began = time.perf_counter()
    server.start()
    link_s = time.perf_counter() - began
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    try:
        page.goto(server.link)
        person = Person(page, truth)
        person.confirm_definition()
        person.look()
        first_s = time.perf_counter() - began
        page.evaluate(_STOPWATCH)
        sizes = _answer(page, person, answers, pause_s)
        waits = np.array(page.evaluate("() => waits"), float)
        progress = page.evaluate("() => fetch('/api/progress').then((reply) => reply.json())")
        return {
            "items": progress["items"],
            "link_s": round(link_s, 2),
            "first_question_s": round(first_s, 2),
            "answers": len(waits),
            "median_ms": round(float(np.median(waits[:, 0])), 1),
            "p95_ms": round(float(np.quantile(waits[:, 0], 0.95)), 1),
            "worst_ms": round(float(waits[:, 0].max()), 1),
            "not_in_next_frame": int(np.sum(waits[:, 1] > 1)),
            "largest_question": max(sizes),
            "settled": progress["settled"],
            "trainer": {
                key: progress["trainer"][key] for key in ("state", "checkpoint", "preparing")
            },
            "server_mb": _memory_mb(server.pid),
        }
    finally:
        page.close()
        server.stop()


def _answer(page: Page, person: Person, answers: int, pause_s: float) -> list[int]:
    """Look, then press a key; the sizes of the questions."""
    sizes: list[int] = []
    while len(sizes) < answers and (seen := person.look()) is not None:
        sizes.append(len(seen.names))
        page.wait_for_timeout(1000 * pause_s)
        person.page.keyboard.press("n" if person.wrong(seen) else "y")
        page.wait_for_function("count => waits.length >= count", arg=len(sizes))
    return sizes


def _pictures(_: Path, __: int) -> tuple[str, list[str], Callable[[str], bool]]:
    """The demo."""
    with np.load(PICTURES) as stored:
        footwear = stored["footwear"]
    return "pictures", ["demo"], lambda name: bool(footwear[int(name)])


def _texts(folder: Path, rows: int) -> tuple[str, list[str], Callable[[str], bool]]:
    """A table of praise and blame; the row's number says which it is."""
    rng = np.random.default_rng(0)
    praise = rng.random(rows) < 0.3
    table = folder / "texts.csv"
    with table.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "text"])
        for number in range(rows):
            words = rng.choice(_PRAISE if praise[number] else _BLAME, 6)
            about = rng.choice(_FILLER, 6)
            said = " and ".join(f"{what} was {how}" for what, how in zip(about, words, strict=True))
            writer.writerow([number, f"{said}, said guest {number}."])
    command = ["label", str(table), "--text", "text", "--id", "id", "--positive", "praise",
               "--negative", "complaints", "--definition", "The guest was content."]  # fmt: skip
    return "texts", command, lambda name: bool(praise[int(name)])


def _memory_mb(pid: int) -> dict[str, float]:
    """Resident memory of the server now and at its most, and of the processes it started."""
    children = [
        int(entry.name)
        for entry in Path("/proc").iterdir()
        if entry.name.isdigit() and _parent(int(entry.name)) == pid
    ]
    return {
        "server": _status(pid, "VmRSS"),
        "server_most": _status(pid, "VmHWM"),
        "trainer": round(sum(_status(child, "VmRSS") for child in children), 1),
    }


def _parent(pid: int) -> int | None:
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:  # it has just ended
        return None
    return int(text.rpartition(")")[2].split()[1])


def _status(pid: int, name: str) -> float:
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:  # it has just ended
        return 0.0
    found = [line for line in lines if line.startswith(f"{name}:")]
    return round(int(found[0].split()[1]) / 1024, 1) if found else 0.0


if __name__ == "__main__":
    main()
