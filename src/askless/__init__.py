"""Label a whole binary-classification pool with as few yes/no answers as possible.

    import askless

    labelling = askless.label(df, text="review", positive="praise", negative="complaints")
    labelling.run(lambda question: ...)     # a few texts, a label guessed for each: all right?
    df.join(labelling.labels())

Importing this loads numpy and nothing else; the rest comes when it is used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from askless.core.probability import Probs
from askless.core.question import Answer, Question
from askless.core.state import State, learn, replay
from askless.errors import AsklessError

if TYPE_CHECKING:
    from askless.assemble import Method, load_pool, open_session
    from askless.lab.simulate import simulate
    from askless.labelling import Labelling, label, widget
    from askless.planners import make_planner, planner_names
    from askless.pools import open_pool
    from askless.session.session import Session

__all__ = [
    "Answer",
    "AsklessError",
    "Labelling",
    "Method",
    "Probs",
    "Question",
    "Session",
    "State",
    "label",
    "learn",
    "load_pool",
    "make_planner",
    "open_pool",
    "open_session",
    "planner_names",
    "replay",
    "simulate",
    "widget",
]

_LATER = {
    "Labelling": "askless.labelling",
    "Method": "askless.assemble",
    "Session": "askless.session.session",
    "label": "askless.labelling",
    "load_pool": "askless.assemble",
    "make_planner": "askless.planners",
    "open_pool": "askless.pools",
    "open_session": "askless.assemble",
    "planner_names": "askless.planners",
    "simulate": "askless.lab.simulate",
    "widget": "askless.labelling",
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
