"""How long a durable append takes, how fast a store is read, and how many bytes an answer needs.

    python -m benchmarks.store [--answers 100000] [--appends 2000] [--folder DIR] [--json FILE]

An answer to a question of eight items, among a million, is appended together with the next
question: that is one transaction and one ``fsync``. For comparison, `fsync_p50_ms` is that of a
bare file on the same disk. `_cpu_s` is processor time, which a busy machine does not stretch.
Times are for this machine; compare them within one run only.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from askless.core.event import Event
from askless.core.json_form import answer_from, answer_record, question_from, question_record
from askless.core.question import Question
from askless.stores.sqlite import SqliteStore

ITEMS = 1_000_000
GROUP = 8
T = TypeVar("T")


def turn(rng: random.Random, number: int) -> list[Event]:
    """An answer, and the question after it."""
    items = tuple(rng.sample(range(ITEMS), GROUP))
    question = Question(items, tuple(rng.random() < 0.5 for _ in items))
    answer = rng.choice([question.yes(), question.no()])
    told = {"question_id": max(2 * number - 1, 0), "answer": answer_record(answer)}
    asks = {"question": question_record(question), "probs_version": 7, "chance": 0.512345}
    at_s = 1.7e9 + 1.7 * number
    return [
        Event("answered", "annotator", told, at_s, f"{rng.getrandbits(128):032x}"),
        Event("asked", "annotator", asks, at_s),
    ]


def measure(folder: Path, answers: int, appends: int) -> dict[str, float]:
    """Milliseconds, seconds and bytes for a store of `answers` answers."""
    rng = random.Random(0)
    path = folder / "store.db"
    with closing(SqliteStore(path)) as store:
        for first in range(0, answers, 1000):
            turns = (turn(rng, n) for n in range(first, min(first + 1000, answers)))
            store.append([event for events in turns for event in events])
        live = [turn(rng, answers + n) for n in range(appends)]
        append_ms = [_timed(store.append, events)[0] * 1e3 for events in live]
    open_s, open_cpu_s, store = _timed(SqliteStore, path)
    read_s, read_cpu_s, _ = _timed(_read, store)
    verify_s, verify_cpu_s, _ = _timed(store.verify)
    store.close()
    return {
        "answers": answers + appends,
        "append_p50_ms": _quantile(append_ms, 0.5),
        "append_p99_ms": _quantile(append_ms, 0.99),
        "fsync_p50_ms": _quantile(fsyncs_ms(folder, appends), 0.5),
        "bytes_per_answer": path.stat().st_size / (answers + appends),
        "open_s": open_s,
        "open_cpu_s": open_cpu_s,
        "read_s": read_s,
        "read_cpu_s": read_cpu_s,
        "verify_s": verify_s,
        "verify_cpu_s": verify_cpu_s,
    }


def fsyncs_ms(folder: Path, times: int) -> list[float]:
    """What a sync of two pages at the end of a bare file takes."""
    fd = os.open(folder / "bare", os.O_WRONLY | os.O_CREAT)
    taken = []
    for number in range(times):
        os.pwrite(fd, bytes(8192), 8192 * number)
        taken.append(_timed(os.fdatasync, fd)[0] * 1e3)
    os.close(fd)
    return taken


def _read(store: SqliteStore) -> None:
    """Read everything as a session does: checked, and down to questions and answers."""
    question = None
    for event in store.read():
        if event.kind == "asked":
            question = question_from(event.payload["question"])
        elif question is not None:
            answer_from(event.payload["answer"], question)


def _timed(do: Callable[..., T], *given: object) -> tuple[float, float, T]:
    """Seconds by the clock, seconds of the processor, and what came of it."""
    begun, begun_cpu = time.perf_counter(), time.process_time()
    result = do(*given)
    return time.perf_counter() - begun, time.process_time() - begun_cpu, result


def _quantile(values: list[float], share: float) -> float:
    return sorted(values)[int(share * (len(values) - 1))]


def main() -> None:
    """Measure, print, and save if asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--answers", type=int, default=100_000)
    parser.add_argument("--appends", type=int, default=2_000)
    parser.add_argument("--folder", type=Path, help="on the disk to measure; a temporary one")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
        result = measure(Path(folder), asked.answers, asked.appends)
    for name, value in result.items():
        print(f"{name:18} {value:12,.2f}")
    if asked.json:
        asked.json.write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
