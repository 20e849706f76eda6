"""How fast a session answers: durable, at a million items, while the trainer is at work.

    python -m benchmarks.session [--items 1000 1000000] [--answers 2000] [--stored 100000]
        [--json FILE]

A truthful annotator answers through `Session.ask`, `prepare` and `tell` on a real SQLite file.
With the trainer busy, a background process fits a logistic regression to 16 columns all
the time. `one durable commit` is what the disk alone costs: an append of one event. `prepare` is
done while the person looks, and with it the first plan with a new checkpoint. `_cpu` is
processor time, which a busy machine does not stretch. At last a session with `--stored` answers is
made and taken up again.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from askless.assemble import Method, open_session
from askless.core.event import Event
from askless.core.json_form import answer_record, question_record
from askless.core.probability import Probs
from askless.core.question import Question
from askless.files.arrays import write_array
from askless.stores.sqlite import SqliteStore
from askless.trainer.background import BackgroundTrainer

COLUMNS = 16


def measure(items: int, answers: int, *, busy: bool, planner: str, where: Path) -> dict[str, Any]:
    """Times in milliseconds for one session."""
    rng = np.random.default_rng(0)
    probs = rng.beta(0.15, 0.15, items)
    truth = rng.random(items) < probs
    trainer = None
    if busy:
        features = where / "features.npy"
        x = rng.standard_normal((items, COLUMNS)).astype(np.float32) + truth[:, None]
        write_array(features, x)
        trainer = BackgroundTrainer(
            where / "training", items, predictor="logistic", features=features
        )
        labels = np.where(rng.random(items) < 0.5, truth, -1).astype(np.int8)
        trainer.submit(labels, (), 1)
        deadline = time.monotonic() + 60
        while trainer.status().state != "fitting" and time.monotonic() < deadline:
            time.sleep(0.05)
    tells, asks, prepares, computed, progresses = [], [], [], [], []
    fits = 0
    method = Method(planner=planner, max_n=8)
    with open_session(Probs(probs), method, where / "session", trainer=trainer) as working:
        session = working.session
        asked = session.ask("ann")
        begun = time.perf_counter()
        for number in range(answers):
            if asked is None:
                break
            start = time.perf_counter()
            session.queue.plan_ahead(asked.id)
            prepared = time.perf_counter()
            question = asked.question
            right = bool(np.all(truth[list(question.items)] == np.array(question.guess)))
            answer = question.yes() if right else question.no()
            begin, begin_cpu = time.perf_counter(), time.thread_time()
            session.tell(asked.id, answer, f"{number}")
            told = time.perf_counter()
            asked = session.ask("ann")
            done = time.perf_counter()
            computed.append(time.thread_time() - begin_cpu)
            begin_cpu = time.thread_time()
            session.progress()
            progresses.append(time.thread_time() - begin_cpu)
            prepares.append(prepared - start)
            tells.append(told - begin)
            asks.append(done - told)
            fits = session.history.checkpoint
        spent = time.perf_counter() - begun
    reopening = time.perf_counter()
    with open_session(folder=where / "session"):
        opened = time.perf_counter() - reopening
    if trainer is not None:
        trainer.close()
    size = (where / "session" / "events.sqlite").stat().st_size
    both = np.array(tells) + np.array(asks)
    return {
        "items": items,
        "trainer": "busy" if busy else "idle",
        "answers": len(tells),
        "answers_a_second": len(tells) / spent,
        "checkpoints_taken": fits,
        **_percentiles("tell", np.array(tells)),
        **_percentiles("ask", np.array(asks)),
        **_percentiles("tell_ask", both),
        **_percentiles("tell_ask_cpu", np.array(computed)),
        **_percentiles("progress_cpu", np.array(progresses)),
        **_percentiles("prepare", np.array(prepares)),
        "open_s": opened,
        "bytes_an_answer": size / len(tells),
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def measure_opening(items: int, stored: int, where: Path) -> dict[str, Any]:
    """Seconds to take up a session that has so many answers, and milliseconds to go on."""
    rng = np.random.default_rng(0)
    probs = rng.beta(0.15, 0.15, items)
    truth = rng.random(items) < probs
    open_session(Probs(probs), Method(max_n=8), where / "session").close()
    groups = rng.permutation(items)[: stored * 8].reshape(-1, 8)
    with closing(SqliteStore(where / "session" / "events.sqlite")) as store:
        for first in range(0, len(groups), 1000):
            events: list[Event] = []
            for k, group in enumerate(groups[first : first + 1000], first):
                guess = probs[group] >= 0.5
                question = Question(tuple(group.tolist()), tuple(guess.tolist()))
                right = bool(np.all(guess == truth[group]))
                body = {
                    "question_id": 2 * k + 2,
                    **question_record(question),
                    **answer_record(question.yes() if right else question.no()),
                }
                asking = {**question_record(question), "probs_version": 0, "chance": 0.512345}
                events.append(Event("asked", "ann", asking, 1.7e9 + k))
                events.append(Event("answered", "ann", body, 1.7e9 + k, f"key {k:027d}"))
            store.append(events)
    begun, begun_cpu = time.perf_counter(), time.process_time()
    with open_session(folder=where / "session") as working:
        opened, opened_cpu = time.perf_counter() - begun, time.process_time() - begun_cpu
        asked = working.session.ask("ann")
        first_question = time.perf_counter() - begun - opened
        begin = time.perf_counter()
        if asked is not None:
            working.session.tell(asked.id, asked.question.no(), "next")
        told = time.perf_counter() - begin
    size = (where / "session" / "events.sqlite").stat().st_size
    return {
        "items": items,
        "stored": len(groups),
        "open_s": opened,
        "open_cpu_s": opened_cpu,
        "first_ask_s": first_question,
        "tell_ms": told * 1e3,
        "bytes_an_answer": size / len(groups),
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def one_commit_ms(where: Path, count: int = 200) -> dict[str, float]:
    """What an append of one small event costs."""
    store = SqliteStore(where / "one.sqlite")
    times = []
    for _ in range(count):
        begun = time.perf_counter()
        store.append([Event("defined", payload={"text": "x"})])
        times.append(time.perf_counter() - begun)
    store.close()
    return _percentiles("commit", np.array(times))


def _percentiles(name: str, seconds: np.ndarray[Any, np.dtype[np.float64]]) -> dict[str, float]:
    middle, most = np.percentile(seconds * 1e3, [50, 99])
    return {f"{name}_p50_ms": float(middle), f"{name}_p99_ms": float(most)}


def main() -> None:
    """Measure every combination, print, and save if asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--items", type=int, nargs="+", default=[1_000, 1_000_000])
    parser.add_argument("--answers", type=int, default=600)
    parser.add_argument("--stored", type=int, default=100_000)
    parser.add_argument("--planner", default="auto")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    # What else the machine was doing stretches every time but `_cpu`.
    machine = {"cores": os.cpu_count(), "load": os.getloadavg()[0]}
    results = []
    root = Path(tempfile.mkdtemp(prefix="askless-benchmark-", dir="."))
    try:
        commit = one_commit_ms(root)
        print("one durable commit:", {key: round(value, 2) for key, value in commit.items()})
        for items in arguments.items:
            for busy in (False, True):
                where = root / f"{items}-{busy}"
                where.mkdir()
                found = measure(
                    items, arguments.answers, busy=busy, planner=arguments.planner, where=where
                )
                results.append(found)
                print(
                    json.dumps(
                        {k: round(v, 2) if isinstance(v, float) else v for k, v in found.items()}
                    )
                )
                shutil.rmtree(where)
        (root / "opening").mkdir()
        opening = measure_opening(max(arguments.items), arguments.stored, root / "opening")
        print(json.dumps(opening))
    finally:
        shutil.rmtree(root)
    if arguments.json:
        arguments.json.write_text(
            json.dumps(
                {"machine": machine, "commit": commit, "runs": results, "opening": opening},
                indent=2,
            )
            + "\n"
        )


if __name__ == "__main__":
    main()
