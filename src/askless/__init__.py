"""Label a whole binary-classification pool with as few yes/no answers as possible.

    from askless import Probs, State, learn, make_planner

    state, planner = State.blank(n), make_planner("lookahead")
    while not state.done:
        question = planner.plan(probs, state)     # a few items, a label guessed for each
        state = learn(state, question.yes())      # or question.no(), as the annotator says
    state.labels()

Importing this loads numpy and nothing else; planners and the lab come when they are used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from askless.core.probability import Probs
from askless.core.question import Answer, Question
from askless.core.state import State, learn, replay
from askless.errors import AsklessError

if TYPE_CHECKING:
    from askless.assemble import load_pool
    from askless.lab.simulate import simulate
    from askless.planners import make_planner, planner_names

__all__ = [
    "Answer",
    "AsklessError",
    "Probs",
    "Question",
    "State",
    "learn",
    "load_pool",
    "make_planner",
    "planner_names",
    "replay",
    "simulate",
]

_LATER = {
    "load_pool": "askless.assemble",
    "make_planner": "askless.planners",
    "planner_names": "askless.planners",
    "simulate": "askless.lab.simulate",
}


def __getattr__(name: str) -> Any:
    """Load a public name on its first use."""
    if name == "__version__":
        from importlib.metadata import version

        return version("askless")
    if name not in _LATER:
        raise AttributeError(f"module 'askless' has no attribute {name!r}")
    value = getattr(importlib.import_module(_LATER[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER, "__version__"})
