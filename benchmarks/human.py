"""How long a person takes to label a whole pool in the app, beside one item at a time.

    python -m benchmarks.human
    python -m benchmarks.human --pools short-texts --pace 1,0.3,1,2 --speed 5 --items 1500

Starts the real server by its command and drives the real page in Chromium. A scripted person reads
every item in full, answers truthfully and marks what is wrong, and spends on each question the
seconds of a pace model:

    a + b * items + c * marks + d * hundreds of characters read

with a second more for every text that is cut and has to be opened, and for every question that
has to be scrolled. With `--crowding` every mark takes that much longer for each other mark in the
question: where much is wrong nothing stands out. The person lives `--speed` times as fast as that,
and so does the pace that the app learns: only the trainer has less time than with a real person.
For pictures, short texts and long texts: answers, seconds at the pace, seconds one by one at the
same pace, questions that showed something cut or out of sight, milliseconds from an answer without
marks to the next question, and labels that are wrong at the end. Writes
benchmarks/results/human.json.
Short texts are the messages of `tables/sms_spam.csv` in the folder that `ASKLESS_DATA` names,
otherwise made up as the long ones are.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from playwright.sync_api import Browser

from askless.pools.demo import PICTURES
from tests.browser.opening import chromium, profile, sit_down
from tests.browser.person import Seen
from tests.browser.serving import Server

RESULTS: Final = Path(__file__).parent / "results" / "human.json"
_OPENING_S: Final = 1.0
"""To open a text that is cut, or to scroll to what is out of sight."""
# What a person sees of each item: characters, whether its text is cut, whether it is in sight.
_SIGHT: Final = """() => {
  const bottom = document.querySelector(".answers, #answer-yes").getBoundingClientRect().top;
  return [...document.querySelectorAll(".grid .tile")].map((tile) => {
    const text = tile.querySelector(".words") ?? tile;
    const box = tile.getBoundingClientRect();
    return {
      characters: tile.querySelector("img") ? 0 : text.textContent.length,
      cut: text.scrollHeight > text.clientHeight + 2,
      outside: box.top < 0 || box.bottom > Math.min(innerHeight, bottom) + 2,
    };
  });
}"""
_POSITIVE: Final = ("True", "true", "spam", "footwear")
_PRAISE: Final = ("warm", "kind", "bright", "lasting", "careful", "delicious", "honest", "quick")
_COMPLAINT: Final = ("cold", "rude", "dull", "broken", "careless", "stale", "crooked", "slow")
_NEUTRAL: Final = (
    "we came on a friday with some friends and sat by the window for most of it then went home "
    "after an hour or two since there was a train to catch and the street was full of people"
)


@dataclass(frozen=True)
class Pace:
    """Seconds a person takes: for a question, an item, a mark, a hundred characters."""

    question_s: float = 1.0
    item_s: float = 0.3
    mark_s: float = 1.0
    hundred_s: float = 2.0
    crowding_s: float = 0.0

    def seconds(self, items: int, marks: int, characters: float) -> float:
        """What a question takes."""
        a, b, c, d, crowding = astuple(self)
        c += crowding * max(0, marks - 1)
        return float(a + b * items + c * marks + d * characters / 100)


@dataclass(frozen=True)
class Case:
    """One pool: how to label it, and the right labels by the names on the page."""

    name: str
    command: Sequence[str]
    truth: Callable[[str], bool]
    lengths: Sequence[int]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print, and write it as JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pools", default="pictures,short-texts,long-texts")
    parser.add_argument("--pace", default="1,0.3,1,2", help="a,b,c,d of the pace model")
    parser.add_argument(
        "--crowding", type=float, default=0.0, help="seconds a mark, per other mark"
    )
    parser.add_argument("--speed", type=float, help="times as fast as the pace")
    parser.add_argument("--items", type=int, help="texts in a pool")
    parser.add_argument("--window", default="1280x800")
    parser.add_argument("--json", type=Path, metavar="FILE", default=RESULTS)
    chosen = parser.parse_args(arguments)
    a, b, c, d = map(float, chosen.pace.split(","))
    pace = Pace(a, b, c, d, chosen.crowding)
    width, height = map(int, chosen.window.split("x"))

    rows = []
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        for name in chosen.pools.split(","):
            place = Path(folder) / name
            place.mkdir()
            make, items, speed = _CASES[name]
            case = make(place, chosen.items or items)
            window = {"width": width, "height": height}
            rows.append(measure(browser, place, case, pace, chosen.speed or speed, window))
            print(json.dumps(rows[-1], indent=1), flush=True)
    about = {
        "pace": astuple(pace),
        "window": chosen.window,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "cores": len(os.sched_getaffinity(0)),
        "load": round(os.getloadavg()[1], 1),
    }
    chosen.json.write_text(json.dumps({"about": about, "rows": rows}, indent=1) + "\n")


def measure(
    browser: Browser, folder: Path, case: Case, pace: Pace, speed: float, window: dict[str, int]
) -> dict[str, Any]:
    """Label one pool to its end."""
    server = Server(*case.command, cwd=folder)
    server.start()
    tally = _Tally()
    try:
        with profile(browser, viewport=window) as context:
            person = sit_down(context, server, case.truth)
            seen = person.look()
            while seen is not None:
                began = time.perf_counter()
                sight = person.page.evaluate(_SIGHT)
                marks = len(person.wrong(seen)) if len(seen.names) > 1 else 0
                seconds = tally.add(seen, sight, marks, pace)
                spent = time.perf_counter() - began
                person.page.wait_for_timeout(max(0.0, 1000 * (seconds / speed - spent)))
                began = time.perf_counter()
                person.answer(seen)
                seen = person.look()
                if not marks:  # else marking takes the script some time
                    tally.waits_ms.append(1000 * (time.perf_counter() - began))
            person.wait_until_saved()
    finally:
        server.stop()
    wrong = _count_wrong(case, folder)
    n = len(case.lengths)
    alone_s = sum(pace.seconds(1, 0, length) for length in case.lengths)
    return {
        "pool": case.name,
        "items": n,
        "speed": speed,
        "answers": tally.answers,
        "largest": tally.largest,
        "seconds": round(tally.seconds),
        "one_by_one_s": round(alone_s),
        "share_of_one_by_one": round(tally.seconds / alone_s, 3),
        "cut_or_out_of_sight": tally.cut,
        "wait_p50_ms": round(float(np.quantile(tally.waits_ms, 0.5)), 1),
        "wait_p95_ms": round(float(np.quantile(tally.waits_ms, 0.95)), 1),
        "wrong_labels": wrong,
        "last_tenth": tally.end_game(n),
    }


class _Tally:
    """What was asked and what it took."""

    def __init__(self) -> None:
        self.answers = self.cut = self.largest = 0
        self.seconds = 0.0
        self.waits_ms: list[float] = []
        self._questions: list[tuple[int, int, float]] = []

    def add(self, seen: Seen, sight: list[dict[str, Any]], marks: int, pace: Pace) -> float:
        """Count a question; the seconds it takes."""
        cut, outside = sum(bool(one["cut"]) for one in sight), any(one["outside"] for one in sight)
        characters = sum(int(one["characters"]) for one in sight)
        seconds = pace.seconds(len(seen.names), marks, characters) + _OPENING_S * (cut + outside)
        self.answers += 1
        self.largest = max(self.largest, len(seen.names))
        self.cut += bool(cut or outside) and len(seen.names) > 1
        self.seconds += seconds
        self._questions.append((len(seen.names), marks, seconds))
        return seconds

    def end_game(self, n: int) -> dict[str, float]:
        """The questions in which the last tenth of the items was shown."""
        shown = 0
        items = marks = answers = 0
        seconds = 0.0
        for size, marked, took_s in reversed(self._questions):
            if shown >= n / 10:
                break
            shown += size
            items, marks, answers = items + size, marks + marked, answers + 1
            seconds += took_s
        return {"answers": answers, "items": items, "marks": marks, "seconds": round(seconds)}


def _count_wrong(case: Case, folder: Path) -> int:
    """Labels that are wrong or missing, by the command a person would use."""
    session = next(folder.rglob("events.sqlite")).parent
    out = folder / "labels.csv"
    script = Path(sys.executable).with_name("askless")
    command = [str(script), "export", str(session), str(out)]
    subprocess.run(command, check=True, cwd=folder, capture_output=True)
    with out.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    labelled = [row for row in rows if row["label"]]
    right = [(row["label"] in _POSITIVE) == case.truth(row["id"]) for row in labelled]
    return len(case.lengths) - sum(right)


def _pictures(folder: Path, items: int) -> Case:
    """The demo."""
    with np.load(PICTURES) as stored:
        footwear = stored["footwear"]
    return Case("pictures", ["demo"], lambda name: bool(footwear[int(name)]), [0] * len(footwear))


def _short_texts(folder: Path, items: int) -> Case:
    """Messages of the SMS Spam Collection where they are, otherwise one made-up sentence each."""
    data = os.environ.get("ASKLESS_DATA")
    if not data:
        return _made_up("short-texts", folder, items, words=(6, 24))
    with (Path(data) / "tables" / "sms_spam.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))[:items]
    return _table("short-texts", folder, [(r["text"], r["label"] in ("1", "spam")) for r in rows])


def _long_texts(folder: Path, items: int) -> Case:
    """Made-up reviews of 30 to 500 words, a tenth of them praise or complaint."""
    return _made_up("long-texts", folder, items, words=(30, 500))


def _made_up(name: str, folder: Path, items: int, words: tuple[int, int]) -> Case:
    rng = np.random.default_rng(0)
    least, most = words
    neutral, rows = _NEUTRAL.split(), []
    for praise in rng.random(items) < 0.3:
        n = int(np.exp(rng.uniform(np.log(least), np.log(most))))
        telling = rng.choice(_PRAISE if praise else _COMPLAINT, max(2, n // 10))
        said = [*telling, *rng.choice(neutral, n - len(telling))]
        rows.append((" ".join(rng.permutation(said)), bool(praise)))
    return _table(name, folder, rows)


def _table(name: str, folder: Path, rows: Sequence[tuple[str, bool]]) -> Case:
    table = folder / "texts.csv"
    with table.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "text"])
        writer.writerows([number, text] for number, (text, _) in enumerate(rows))
    command = ["label", str(table), "--text", "text", "--id", "id",
               "--positive", "spam", "--negative", "ham",
               "--definition", "The text is one of those sought."]  # fmt: skip
    return Case(name, command, lambda name: rows[int(name)][1], [len(text) for text, _ in rows])


_CASES: Final = {
    "pictures": (_pictures, 2000, 5.0),
    "short-texts": (_short_texts, 600, 12.0),
    "long-texts": (_long_texts, 200, 24.0),
}
"""How each pool is made, its number of items, and how many times as fast the person lives."""

if __name__ == "__main__":
    main()
