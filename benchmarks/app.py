"""How long a person waits in the app: from a key press to the next question, painted.

    python -m benchmarks.app

Starts the real server by its command, drives the real page in Chromium, and answers truthfully by
keyboard after a pause, as somebody would who looks. For the 2000 pictures of the demo and for
tables of made-up texts with rough probabilities, of a hundred thousand rows and of a million:
seconds from the command to the first question (definition confirmed at once), milliseconds from a
key press to the next question painted (median, 95th percentile, worst), of all questions and of
those with several items, how many had to be waited for, in what share of them the trainer was at
work, and the server's memory. Takes six to eight minutes and writes benchmarks/results/app.json.
Times are for this machine and what else it does.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import platform
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Browser, Page

from askless.pools.demo import PICTURES
from tests.browser.opening import chromium, profile, sit_down
from tests.browser.person import Person
from tests.browser.serving import Server

RESULTS = Path(__file__).parent / "results" / "app.json"
# From the key's own time to after the frame in which another question is on the screen, its
# pictures decoded; with the number of frames, of items then shown, and what the trainer was doing.
_STOPWATCH = """(app) => {
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
      painted.port1.onmessage = () => waits.push({
        ms: performance.now() - began, frames, items: document.querySelectorAll(".tile").length,
        trainer: app.progress.trainer.state, preparing: app.progress.trainer.preparing ?? 1,
      });
      return painted.port2.postMessage(0);
    };
    if ("yn".includes(event.key)) requestAnimationFrame(look);
  }, true);
}"""
_PRAISE = ("warm", "kind", "bright", "lasting", "careful", "delicious", "honest", "quick")
_COMPLAINT = ("cold", "rude", "dull", "broken", "careless", "stale", "crooked", "slow")
_FILLER = ("the room", "a soup", "their service", "my order", "this book", "that film", "it all")


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print, and write it as JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pictures", type=int, default=120, help="answers about pictures")
    parser.add_argument("--texts", type=int, default=180, help="answers about texts")
    parser.add_argument("--pause", type=float, default=0.4, help="seconds of looking")
    parser.add_argument("--rows", default="100000,1000000", help="texts in each table")
    parser.add_argument("--pools", default="pictures,texts")
    parser.add_argument("--json", type=Path, metavar="FILE", default=RESULTS)
    chosen = parser.parse_args(arguments)

    rows = []
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        place = Path(folder)
        cases = [("pictures", *_pictures(), chosen.pictures)]
        for count in map(int, chosen.rows.split(",")):
            cases.append(("texts", *_texts(place, count), chosen.texts))
        for name, command, truth, answers in cases:
            if name not in chosen.pools.split(","):
                continue
            row = measure(browser, place, command, truth, answers, chosen.pause)
            rows.append({"pool": name, **row})
            print(json.dumps(rows[-1], indent=1), flush=True)
    about = {
        "pause_s": chosen.pause,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "cores": len(os.sched_getaffinity(0)),
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
    try:
        with profile(browser) as context:
            person = sit_down(context, server, truth)
            page = person.page
            person.look()
            first_s = time.perf_counter() - began
            page.evaluate(
                _STOPWATCH,
                page.evaluate_handle("async () => (await import('/static/js/app.js')).app"),
            )
            _answer(page, person, answers, pause_s)
            waits = page.evaluate("() => waits")
            progress = page.evaluate("() => fetch('/api/progress').then((reply) => reply.json())")
            groups = [wait for wait in waits if wait["items"] > 1]
            at_work = [w for w in waits if w["trainer"] == "fitting" or w["preparing"] < 1]
            return {
                "items": progress["items"],
                "link_s": round(link_s, 2),
                "first_question_s": round(first_s, 2),
                **_times(waits),
                "groups": _times(groups) if groups else None,
                "largest_question": max(wait["items"] for wait in waits),
                "settled": progress["settled"],
                "trainer": {
                    "at_work": round(len(at_work) / len(waits), 3),
                    **{key: progress["trainer"][key] for key in ("checkpoint", "preparing")},
                },
                "server_mb": _memory_mb(server.pid),
            }
    finally:
        server.stop()


def _times(waits: Sequence[dict[str, Any]]) -> dict[str, Any]:
    took_ms = [wait["ms"] for wait in waits]
    return {
        "answers": len(waits),
        "median_ms": round(float(np.median(took_ms)), 1),
        "p95_ms": round(float(np.quantile(took_ms, 0.95)), 1),
        "worst_ms": round(max(took_ms), 1),
        "not_in_next_frame": sum(wait["frames"] > 1 for wait in waits),
    }


def _answer(page: Page, person: Person, answers: int, pause_s: float) -> None:
    """Look, then press a key."""
    for given in range(answers):
        seen = person.look()
        if seen is None:
            return
        page.wait_for_timeout(1000 * pause_s)
        person.page.keyboard.press("n" if person.wrong(seen) else "y")
        page.wait_for_function("count => waits.length >= count", arg=given + 1)


def _pictures() -> tuple[list[str], Callable[[str], bool]]:
    """The demo."""
    with np.load(PICTURES) as stored:
        footwear = stored["footwear"]
    return ["demo"], lambda name: bool(footwear[int(name)])


def _texts(folder: Path, rows: int) -> tuple[list[str], Callable[[str], bool]]:
    """A table of praise and complaints, told apart by the row number and, roughly, by the prob.

    With the probs there are groups as soon as the hundred random draws are over.
    """
    rng = np.random.default_rng(0)
    praise = rng.random(rows) < 0.3
    prob = np.clip(np.where(praise, 0.9, 0.1) + rng.normal(0, 0.12, rows), 0.01, 0.99)
    drawn = rng.integers((len(_FILLER), len(_PRAISE)), size=(rows, 6, 2)).tolist()
    table = folder / f"texts{rows}.csv"
    with table.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "text", "prob"])
        for number in range(rows):
            words = _PRAISE if praise[number] else _COMPLAINT
            said = " and ".join(f"{_FILLER[a]} was {words[b]}" for a, b in drawn[number])
            writer.writerow([number, f"{said}, said guest {number}.", f"{prob[number]:.3f}"])
    command = ["label", str(table), "--text", "text", "--id", "id", "--prob", "prob",
               "--positive", "praise", "--negative", "complaints",
               "--definition", "The guest was content."]  # fmt: skip
    return command, lambda name: bool(praise[int(name)])


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
