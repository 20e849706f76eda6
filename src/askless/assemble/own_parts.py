"""Parts given as objects: what has no name that a session could keep.

A `Method` names its parts, so that a folder can say how a session goes on. A planner, a model or
features of your own are handed over beside it, and again whenever the session is opened.
Imported by `askless.assemble` and above; tested in tests/assemble/test_own_parts.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from numpy.typing import NDArray

from askless.seams import Planner, Predictor


@dataclass(frozen=True, eq=False, slots=True)
class OwnParts:
    """Objects to work with in place of what the method names.

    Parameters
    ----------
    planner
        Chooses the questions; None for the method's.
    predictor
        Predicts the labels; None for the method's.
    features
        Feature sets by name, one row an item. Those that the method names are made beside them; if
        it names none, these are all.
    x
        What the predictor is fitted on, one row an item, where that is no feature set.
    """

    planner: Planner | None = None
    predictor: Predictor | None = None
    features: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    x: NDArray[Any] | None = None


NOTHING_OWN: Final = OwnParts()
