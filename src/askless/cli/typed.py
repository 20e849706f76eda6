"""Commands as they can be typed again, here and now.

In a virtual environment that is not activated there is no ``askless`` on the path, and a hint
such as ``askless export ...`` would only say "command not found".
Tested in tests/cli/test_typed.py.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path


def typed(*words: str | Path) -> str:
    """A command of askless, quoted for the shell.

    Parameters
    ----------
    words
        What follows the program's name.
    """
    return shlex.join([_program(), *map(str, words)])


def _program() -> str:
    started = sys.argv[0]
    if Path(started).name != "askless" or not os.path.isfile(started):
        return "askless"  # called from Python
    found = shutil.which("askless")
    return "askless" if found is not None and os.path.samefile(found, started) else started
