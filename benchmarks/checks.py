"""How long a check takes through a session: asked, told, and what it proves.

    .venv/bin/python -m benchmarks.checks --json benchmarks/results/checks.json

Everything is claimed, one guess in a thousand is wrong, 1 % are allowed, and checks of 24 items are
answered with the truth until that is proved, but for the seventh, which is denied. `ask` has the
policy decide, which weighs anew at the first check and after the one that is denied, and draws and
stores a check; `standing` says what the checks prove,
`again` says it when nothing has changed; `progress` is what the page asks for after every answer.
The first of each is the dearest; then the median, and the largest but the first. CPU time of one
process, session in memory; `replay` folds all events, with a look at the end.
`benchmarks.certificates` measures the evidence alone.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from askless.certificates.enough import PromisePolicy
from askless.certificates.policy import Freeze
from askless.certificates.standing import standing_of
from askless.core.probability import Probs
from askless.core.promise import Promise
from askless.history.history import History
from askless.planners import make_planner
from askless.session.session import Session

_CHECKS = 30
_DENIED = 6


class _StoppedClock:
    def wall_s(self) -> float:
        return 0.0

    def steady_s(self) -> float:
        return 0.0


def measure(n: int, *, strata: bool) -> dict[str, Any]:
    """One row of the table, in milliseconds."""
    truth = np.arange(n) % 3 == 0
    guess = truth ^ (np.arange(n) % 1000 == 0)
    probs = Probs(np.where(guess, 0.999, 0.001))
    planner = make_planner("one-by-one")
    policy = PromisePolicy(Promise("all", 0.01), same_guess=strata)
    session = Session(None, {"n": n}, planner, probs, _StoppedClock(), policy=policy)
    expected = (n / 2000, n / 2000) if strata else (n / 1000,)
    taken: dict[str, list[float]] = {}

    def timed(name: str, call: Callable[[], Any]) -> Any:
        began = time.process_time()
        found = call()
        taken.setdefault(name, []).append(1000 * (time.process_time() - began))
        return found

    wanted = Freeze(guess, expected, strata=strata, seed="5" * 32)
    timed("freeze", lambda: session.freeze(Promise("all", 0.01), wanted))
    for number in range(_CHECKS):
        asked = timed("ask", lambda: session.ask("ann"))
        question = asked.question
        if question.purpose != "check":
            taken["ask"].pop()
            break
        right = bool(np.all(truth[list(question.items)] == np.array(question.guess)))
        answer = question.yes() if right and number != _DENIED else question.no()
        timed("tell", lambda: session.tell(asked.id, answer, str(number)))  # noqa: B023
        timed("standing", session.standing)
        timed("again", session.standing)
        timed("progress", session.progress)
    timed("undo", lambda: (session.undo("ann"), session.standing()))
    timed("replay", lambda: standing_of(History.of(n, session.events_in_memory())))
    return {
        "items": n,
        "strata": strata,
        "checks": len(taken["tell"]),
        **{f"{name}_cpu_ms": _summary(times) for name, times in taken.items()},
    }


def _summary(times: list[float]) -> float | list[float]:
    if len(times) == 1:
        return round(times[0], 3)
    return [round(each, 3) for each in (times[0], statistics.median(times[1:]), max(times[1:]))]


def main() -> None:
    """Measure, print, and save if asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--items", type=int, nargs="+", default=[20_000, 1_000_000])
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    rows = []
    for items in arguments.items:
        for strata in (False, True):
            rows.append(measure(items, strata=strata))
            print(json.dumps(rows[-1]), flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
