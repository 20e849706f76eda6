"""How long `learn`, `replay` and `retract` take, and how much memory a large state needs.

    python -m benchmarks.state [--items 1000000] [--answers 200000] [--json FILE]

A truthful annotator is asked about groups of eight, half of which hold one wrong item that is
then found by halving. Times are for this machine; compare them within one run only.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import time
from collections.abc import Iterator
from pathlib import Path

from askless.core.question import Answer, Question
from askless.core.state import State, learn, replay, retract

GROUP = 8


def history(items: int, seed: int) -> Iterator[Answer]:
    """Answers that settle a shuffled pool group by group, until every item has its label."""
    rng = random.Random(seed)
    order = list(range(items))
    rng.shuffle(order)
    at = 0
    while at + GROUP <= items:
        if rng.random() < 0.5:
            yield _question(order, at, GROUP).yes()
            at += GROUP
            continue
        yield _question(order, at, GROUP).no()
        wrong, size = at + rng.randrange(GROUP), GROUP
        while size > 1:
            half = size // 2
            if wrong < at + half:
                yield _question(order, at, half).no()
                size = half
            else:
                yield _question(order, at, half).yes()
                at, size = at + half, size - half
        at += 1


def _question(order: list[int], at: int, size: int) -> Question:
    return Question(tuple(order[at : at + size]), (True,) * size)


def measure(items: int, count: int) -> dict[str, float]:
    """Seconds and bytes for `count` answers about `items` items."""
    answers = [answer for answer, _ in zip(history(items, 0), range(count), strict=False)]
    state = State.blank(items)
    begun = time.perf_counter()
    for answer in answers:
        state = learn(state, answer)
    learn_s = time.perf_counter() - begun
    begun = time.perf_counter()
    state = replay(items, answers)
    replay_s = time.perf_counter() - begun
    begun = time.perf_counter()
    retract(state, len(answers) // 2)
    retract_s = time.perf_counter() - begun
    return {
        "items": items,
        "answers": len(answers),
        "learn_us": learn_s / len(answers) * 1e6,
        "replay_s": replay_s,
        "retract_ms": retract_s * 1e3,
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def main() -> None:
    """Measure, print, and save if asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--items", type=int, default=1_000_000)
    parser.add_argument("--answers", type=int, default=200_000)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    result = measure(arguments.items, arguments.answers)
    for name, value in result.items():
        print(f"{name:12} {value:12,.1f}")
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
