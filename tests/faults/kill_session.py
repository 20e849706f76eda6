"""Kills processes that work on sessions, again and again, and looks at what is left.

    python -m tests.faults.kill_session 10000 --jobs 16 --results tests/faults/results/kills.json

Every session is of another kind (`tests.faults.worker`): another planner, answers by yes
and no or by pointing, probabilities fixed, corrected on the way, or from a trainer at work in
a process of its own. A worker is forked from a parent that has loaded everything, and killed:
at a random moment, in the middle of a chosen kind of deed, by its own hand between a commit
and its acknowledgement, or just before or after a file takes its name. Then everything
in `tests.faults.survivors` must hold, and the next worker goes on in the same folder.

With ``--results`` a run that was stopped goes on where it was, and a finished one leaves its
figures there. ``--without commits`` (acknowledge first, commit later) and ``--without
"whole files"`` (write exports and checkpoints in place) take a mechanism away, to see it missed.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import platform
import re
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import alembic.runtime.environment  # noqa: F401  (so that no child spends its life loading it)

from askless.errors import AsklessError
from askless.stores import _file
from tests.faults.kinds import Kind
from tests.faults.survivors import Lost, Witness
from tests.faults.worker import Death, Place, Worker

SESSION_KILLS = 25
"""So many kills, then a new session: making one is a moment to die in too."""
PATIENCE_S = 60.0
_AIMS = ("opening", "answering", "undoing", "correcting", "exporting", "writing a checkpoint")


@dataclass(slots=True)
class Body:
    """What is found after each kill of a session's workers."""

    witness: Witness
    said: Path
    read_to: int = 0
    partials: set[Path] = field(default_factory=set)

    def listen(self) -> None:
        """Hear what the last worker said."""
        said = self.said.read_bytes()
        end = said.rindex(b"\n") + 1 if said else 0
        self.witness.hear(said[self.read_to : end])
        self.read_to = end

    def left_behind(self) -> list[str]:
        """What the last kill left half done."""
        folder = self.witness.folder
        partials = set(folder.glob("**/.*.partial"))
        new, self.partials = partials - self.partials, partials
        found = [f"half of {re.findall('[a-z]+', path.name)[0]}" for path in new]
        log = folder / "events.sqlite-wal"
        if log.exists() and log.stat().st_size:
            found.append("a log that is not yet in the database")
        return found


def play(number: int, kills: int, where: Path, without: str) -> dict[str, Any]:
    """Kill so many workers of session `number`; what came of it, or why answers were lost."""
    rng = Random(number)
    folder = where / f"{number}"
    folder.mkdir()
    witness = Witness(Kind.drawn(number), folder / "s")
    body = Body(witness, folder / "said")
    places: Counter[str] = Counter()
    left: Counter[str] = Counter()
    lost = ""
    try:
        for life in range(kills):
            places[_run_and_kill(body, rng, life, without)] += 1
            left.update(body.left_behind())
            body.listen()
            witness.look(thoroughly=life % 5 == 4 or life == kills - 1)
    except (Lost, AsklessError) as error:
        lost = f"session {number} ({witness.kind}), life {life}: {error}"
    shutil.rmtree(folder, ignore_errors=True)
    told = witness.answered & witness.acknowledged
    return {
        "session": number, "kills": sum(places.values()), "planner": witness.kind.planner,
        "trained": bool(witness.kind.predictor), "recalibrated": witness.kind.recalibrate,
        "pointing": witness.kind.pointing, "answers": len(told),
        "deeds": len(witness.acknowledged), "places": places, "left": left, "lost": lost,
    }  # fmt: skip


def _run_and_kill(body: Body, rng: Random, life: int, without: str) -> str:
    """One life; what it was doing at its end."""
    place = Place()
    how = rng.random()
    death = Death()
    if how < 0.2:
        death = Death(after_commits=rng.randrange(1, 9))
    elif how < 0.3:
        death = Death(after_files=rng.randrange(1, 4), named=rng.random() < 0.5)
    witness = body.witness
    said = os.open(body.said, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    seed = rng.random()
    child = os.fork()
    if child == 0:
        try:
            worker = Worker(
                witness.folder, witness.kind, place, said, Random(seed), death, life, without
            )
            worker.work(witness.pending)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    os.close(said)
    if 0.3 <= how < 0.6:
        _wait_until(child, place, rng.choice(_AIMS), 1.0)
        _spin(rng.uniform(0.0, 0.003))
    else:
        if how < 0.9:  # let it open the session first; the others may die in that
            _wait_until(child, place, "between deeds", PATIENCE_S)
        # A trainer takes a third of a second to begin.
        time.sleep(rng.uniform(0.0, 1.2 if witness.kind.predictor else 0.25))
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status):
        raise Lost("a worker ended by itself; see its traceback")
    return place.now


def _wait_until(child: int, place: Place, aim: str, most_s: float) -> None:
    """Until the child is doing that, or has ended."""
    end = time.monotonic() + most_s
    ended = os.WEXITED | os.WNOHANG | os.WNOWAIT
    while place.now != aim and time.monotonic() < end:
        if os.waitid(os.P_PID, child, ended) is not None:
            return
        time.sleep(0.0002)


def _spin(seconds: float) -> None:
    """Wait less than the system can sleep."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass


def summary(done: list[dict[str, Any]], took_s: float, jobs: int) -> dict[str, Any]:
    """All sessions together."""

    def total(name: str) -> dict[str, int]:
        counts: Counter[str] = Counter()
        for session in done:
            counts.update(session[name])
        return dict(sorted(counts.items()))

    def kills_of(name: str) -> int:
        return sum(session["kills"] for session in done if session[name])

    planners: Counter[str] = Counter()
    for session in done:
        planners[session["planner"]] += session["kills"]
    return {
        "kills": sum(session["kills"] for session in done),
        "acknowledged_answers": sum(session["answers"] for session in done),
        "acknowledged_deeds": sum(session["deeds"] for session in done),
        "lost": [session["lost"] for session in done if session["lost"]],
        "sessions": len(done),
        "kills_with": {
            "a trainer at work": kills_of("trained"),
            "recalibration": kills_of("recalibrated"),
            "answers by pointing": kills_of("pointing"),
            **{f"planner {name}": planners[name] for name in sorted(planners)},
        },
        "killed": total("places"),
        "left_behind": total("left"),
        "took_s": round(took_s, 1),
        "jobs": jobs,
        "python": platform.python_version(),
    }


def kill(
    times: int, *, jobs: int = 1, first: int = 0, results: Path | None = None, without: str = ""
) -> dict[str, Any]:
    """Kill so many workers, `jobs` sessions at a time; the figures of all of them."""
    _file.WRITER_SETTINGS["wal_autocheckpoint"] = "16"  # so that kills fall into that too
    sessions = -(-times // SESSION_KILLS)
    began = time.monotonic()
    part = None
    if results is not None:
        results.parent.mkdir(parents=True, exist_ok=True)
        part = results.with_suffix(".part")
    done: list[dict[str, Any]] = []
    if part is not None and part.exists():
        done = [json.loads(line) for line in part.read_text().splitlines()]
    ahead = sorted(set(range(first, first + sessions)) - {session["session"] for session in done})
    # In memory if there is room for it there: a kill leaves what was written, synced or not.
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:
        game = partial(play, kills=SESSION_KILLS, where=Path(name), without=without)
        with multiprocessing.get_context("fork").Pool(jobs) as pool:
            for session in pool.imap_unordered(game, ahead):
                done.append(session)
                if part is not None:
                    with part.open("a") as file:
                        file.write(json.dumps(session) + "\n")
                if session["lost"]:
                    print(f"LOST: {session['lost']}", flush=True)  # noqa: T201
    told = summary(done, time.monotonic() - began, jobs)
    if results is not None and part is not None:
        results.write_text(json.dumps(told, indent=1) + "\n")
        part.unlink()
    return told


def main() -> int:
    """Do what the command line says."""
    parser = argparse.ArgumentParser()
    parser.add_argument("times", type=int, help=f"in steps of {SESSION_KILLS}")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first session")
    parser.add_argument("--results", type=Path)
    parser.add_argument("--without", choices=["", "commits", "whole files"], default="")
    asked = parser.parse_args()
    told = kill(
        asked.times,
        jobs=asked.jobs,
        first=asked.first,
        results=asked.results,
        without=asked.without,
    )
    lost = len(told["lost"])
    print(  # noqa: T201
        f"{told['kills']} kills, {told['acknowledged_answers']} acknowledged answers among "
        f"{told['acknowledged_deeds']} deeds, {lost or 'none'} lost"
    )
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
