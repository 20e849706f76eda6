"""Print the requirements of dependency groups of pyproject.toml, for a pip that knows no groups.

    python tools/dependency_group.py dev experiments

Each in quotes, so that a shell does not take ``>`` for a redirection. Used by the Makefile; tested
in tests/test_dependency_group.py.
"""

from __future__ import annotations

import shlex
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path

PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"


def requirements(names: Iterable[str]) -> list[str]:
    """What these groups ask for, each once."""
    groups = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["dependency-groups"]
    return list(dict.fromkeys(requirement for name in names for requirement in groups[name]))


if __name__ == "__main__":
    print(" ".join(map(shlex.quote, requirements(sys.argv[1:]))))
