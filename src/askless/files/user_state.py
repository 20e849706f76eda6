"""The user's own state folder: what askless must not lose, and believes.

Nothing in a session's folder is believed about the user, since such a folder may come from a
stranger. Imported by the rooms that keep something there; tested in tests/web/test_secret.py.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from platformdirs import user_state_dir

STATE: Final = "ASKLESS_STATE"
"""Environment variable that names another state folder."""


def state_folder() -> Path:
    """Where askless keeps what is the user's own."""
    return Path(os.environ.get(STATE) or user_state_dir("askless", appauthor=False))
