"""Processor time of two versions of askless at the same tasks, side by side.

    python -m benchmarks.compare BEFORE AFTER [--rounds 7] [--live] [--json FILE]

BEFORE and AFTER are checkouts, each with its own ``.venv``. Every task runs in a process of its
own, now of one version, now of the other, so that both meet the same load; the least time of each
counts. Tasks are commands that both versions have, and a session that is stored and read: its
events are made here, in the first stored format, which every version writes and reads.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import tempfile
from pathlib import Path

SIMULATIONS = {
    "simulate demo": [],
    "simulate demo, one by one": ["--planner", "one-by-one"],
    "simulate demo, not recalibrated": ["--no-recalibrate"],
    "simulate demo, lookahead": ["--planner", "lookahead"],
}
# Compiled code is kept, so that only the first round pays for it.
ENVIRONMENT = {
    "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "",
}  # fmt: skip
STORED = """
import random, sys, time
from pathlib import Path
from askless.core.event import Event
from askless.stores.sqlite import SqliteStore
try:
    from askless.history.history import History
except ImportError:
    from askless.certificates.record import Record as History
answers, items = 4000, 100_000
rng = random.Random(0)
order = rng.sample(range(items), 8 * answers)
events = [Event("opened", payload={"n": items, "format": 1})]
for k in range(answers):
    question = {"items": order[8 * k : 8 * k + 8], "guess": [True] * 8}
    asked = {**question, "probs_version": 0, "probs": 3, "chance": 0.512345, "tab": "abc"}
    told = {"question_id": 2 * k + 1, **question, "answer": rng.choice(["yes", "no"])}
    events.append(Event("asked", "ann", asked, 1.7e9 + k))
    events.append(Event("answered", "ann", {**told, "seconds": 1.5}, 1.7e9 + k, f"key {k:027d}"))
path = Path(sys.argv[1]) / "events.sqlite"
store = SqliteStore(path)
for first in range(0, len(events), 2000):
    store.append(events[first : first + 2000])
store.close()
store = SqliteStore(path, write=False)
best = {}
for _ in range(3):
    marks = [time.process_time()]
    History.of(items, store.read())
    marks.append(time.process_time())
    store.verify()
    marks.append(time.process_time())
    for name, begun, ended in zip(("replay", "verify"), marks, marks[1:]):
        best[name] = min(best.get(name, 1e9), (ended - begun) / answers * 1e6)
print(best["replay"], best["verify"])
"""


def cpu_s(checkout: Path, command: list[str]) -> float:
    """Seconds of the processor that a command of this checkout takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    _run(checkout, command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def stored_us(checkout: Path) -> tuple[float, float]:
    """Microseconds of the processor an answer, to replay a stored session and to verify it."""
    with tempfile.TemporaryDirectory() as folder:
        said = _run(checkout, ["python", "-c", STORED, folder])
    replay, verify = map(float, said.split())
    return replay, verify


def live_ms(checkout: Path) -> float:
    """Milliseconds of the processor that `tell` and `ask` take together, the median."""
    script = ["python", "-m", "benchmarks.session", "--items", "1000", "--stored", "10"]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        _run(checkout, [*script, "--json", str(report)])
        runs = json.loads(report.read_text())["runs"]
    return float(runs[0]["tell_ask_cpu_p50_ms"])


def _run(checkout: Path, command: list[str]) -> str:
    program = str(checkout / ".venv" / "bin" / command[0])
    done = subprocess.run(
        [program, *command[1:]],
        cwd=checkout,
        env={**os.environ, **ENVIRONMENT},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return done.stdout


def main() -> None:
    """Measure, print a table, and save it if asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--live", action="store_true", help="tell and ask too, by the minute")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    both = [asked.before.absolute(), asked.after.absolute()]
    found: dict[str, tuple[list[float], list[float]]] = {}

    def note(task: str, version: int, value: float) -> None:
        found.setdefault(task, ([], []))[version].append(value)

    for _ in range(asked.rounds):
        for version, checkout in enumerate(both):
            note("import askless, s", version, cpu_s(checkout, ["python", "-c", "import askless"]))
            for name, options in SIMULATIONS.items():
                command = ["askless", "simulate", "demo", *options]
                note(f"{name}, s", version, cpu_s(checkout, command))
            replay, verify = stored_us(checkout)
            note("replay of a stored session, us an answer", version, replay)
            note("verify of its store, us an answer", version, verify)
            if asked.live:
                note("tell and ask, ms", version, live_ms(checkout))
    table = {}
    for task, times in found.items():
        before, after = map(min, times)
        table[task] = {"before": before, "after": after, "ratio": after / before}
        print(f"| {task} | {before:.3g} | {after:.3g} | {after / before:.2f} |")
    if asked.json:
        cores, load = os.cpu_count(), os.getloadavg()[0]
        machine = {"cores": cores, "load": load, "rounds": asked.rounds}
        asked.json.write_text(json.dumps({"machine": machine, "tasks": table}, indent=2) + "\n")


if __name__ == "__main__":
    main()
