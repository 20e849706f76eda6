"""Parts by name, joined: what the app, the commands and a Python user share.

`Method` is the whole way of labelling as one value. `open_session` opens a session that works by
it, `read_session` looks at one on disk, `open_simulation` plays one against known labels, and
`prepare` makes what a predictor learns from. Stands above the folder, the lab and the trainer,
below the app.
"""

from askless.assemble.loading import load_pool
from askless.assemble.method import DEFAULT_PLANNER, Method, method_of
from askless.assemble.opening import OpenSession, open_session
from askless.assemble.own_parts import OwnParts
from askless.assemble.preparing import DEFAULT_PREDICTOR, Prepared, prepare
from askless.assemble.reading import SessionSnapshot, read_session
from askless.assemble.simulation import Simulation, open_simulation

__all__ = [
    "DEFAULT_PLANNER",
    "DEFAULT_PREDICTOR",
    "Method",
    "OpenSession",
    "OwnParts",
    "Prepared",
    "SessionSnapshot",
    "Simulation",
    "load_pool",
    "method_of",
    "open_session",
    "open_simulation",
    "prepare",
    "read_session",
]
