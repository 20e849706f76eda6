"""Every planner asks, question for question, what it asked when its traces were recorded.

``python -m tests.planners.test_binary_traces`` records them anew, for a change that is meant to
change what is asked.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from askless.core.json_form import answer_record, question_record
from askless.lab.simulate import simulate_planner
from askless.lab.truthful import TruthfulAnnotator
from askless.planners import make_planner
from askless.planners.schedule import make_schedule

RECORD = Path(__file__).with_suffix(".json")

POOLS: dict[str, tuple[int, float, float]] = {
    "sure": (600, 0.05, 0.05),
    "mild": (250, 0.4, 0.8),
    "rare": (400, 0.2, 3.0),
}
"""By name: items, and the two parameters of the beta distribution of their probabilities."""

PLANNERS: list[tuple[str, dict[str, Any]]] = [
    ("auto", {}),
    ("auto", {"max_n": None}),
    ("auto", {"answers": "pointed"}),
    ("auto", {"objective": "seconds", "max_n": None}),
    ("auto", {"objective": "labels"}),
    ("fill", {}),
    ("fill", {"same_guess": False}),
    ("fill", {"max_n": None}),
    ("nested", {}),
    ("nested", {"same_guess": False, "max_n": None}),
    ("nested", {"objective": "labels", "max_n": 64}),
    ("grid", {}),
    ("grid", {"objective": "seconds", "max_n": None}),
    ("lookahead", {}),
    ("lookahead", {"cost": "entropy", "al_method": "random"}),
    ("one-by-one", {}),
    ("one-by-one", {"order": "random"}),
]


def traced(pool: str, name: str, options: dict[str, Any], schedule: str | None) -> list[Any]:
    """The number of questions of a run, and a digest of everything asked and answered."""
    n, a, b = POOLS[pool]
    rng = np.random.default_rng([n, len(pool)])
    probs = np.round(rng.beta(a, b, n), 4)
    labels = rng.random(n) < probs
    pointing = name == "grid" or options.get("answers") == "pointed"
    run = simulate_planner(
        make_planner(name, **options),
        probs,
        labels,
        annotator=TruthfulAnnotator(labels, pointing=pointing),
        schedule=None if schedule is None else make_schedule(schedule, n, seed=3),
    )
    steps = [
        question_record(step.answer.question)
        | answer_record(step.answer)
        | {"settled": step.settled}
        for step in run.trace.steps
    ]
    return [run.questions, hashlib.sha256(json.dumps(steps).encode()).hexdigest()[:16]]


def key(pool: str, name: str, options: dict[str, Any], schedule: str | None) -> str:
    """The name of a run in the record."""
    return f"{pool} {POOLS[pool][0]} {name} {json.dumps(options, sort_keys=True)} {schedule}"


@pytest.mark.parametrize("schedule", [None, "random-rounds"])
@pytest.mark.parametrize(("name", "options"), PLANNERS)
def test_the_questions_are_those_on_record(
    name: str, options: dict[str, Any], schedule: str | None
) -> None:
    record = json.loads(RECORD.read_text())
    for pool in POOLS:
        expected = record[key(pool, name, options, schedule)]
        assert traced(pool, name, options, schedule) == expected


if __name__ == "__main__":
    runs = [(p, n, o, s) for p in POOLS for n, o in PLANNERS for s in (None, "random-rounds")]
    RECORD.write_text(json.dumps({key(*run): traced(*run) for run in runs}, indent=1) + "\n")
