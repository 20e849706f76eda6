"""The laws of each seam, callable by anyone on a part of their own.

    from askless.checks import planner_laws

    for law in planner_laws():
        law(lambda: MyPlanner(seed=0), seed=1)

A law takes a function that makes a fresh part, and a seed for the situations it
is put into; it raises `LawBroken` with a sentence about what was seen. The laws are
run on every registered part by tests/laws; nothing else imports this.
"""

from askless.checks.calibrators import MakeCalibrator, calibrator_laws
from askless.checks.planners import MakePlanner, planner_laws
from askless.checks.pools import OpenPool, pool_laws
from askless.checks.predictors import MakePredictor, predictor_laws
from askless.checks.stores import OpenStore, store_laws
from askless.errors import LawBroken

__all__ = [
    "LawBroken",
    "MakeCalibrator",
    "MakePlanner",
    "MakePredictor",
    "OpenPool",
    "OpenStore",
    "calibrator_laws",
    "planner_laws",
    "pool_laws",
    "predictor_laws",
    "store_laws",
]
