"""Parts by name, joined: what the command line and a Python user share.

`make_simulation` puts together a whole simulated run; `prepare` what a predictor needs to learn
about a pool.
"""

from askless.assemble.loading import load_pool
from askless.assemble.preparing import DEFAULT_PREDICTOR, Prepared, prepare
from askless.assemble.simulation import (
    DEFAULT_PLANNER,
    Simulation,
    SimulationOptions,
    make_simulation,
)

__all__ = [
    "DEFAULT_PLANNER",
    "DEFAULT_PREDICTOR",
    "Prepared",
    "Simulation",
    "SimulationOptions",
    "load_pool",
    "make_simulation",
    "prepare",
]
