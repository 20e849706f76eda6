"""What the Makefile installs for those who work on askless."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tools.dependency_group import requirements

SCRIPT = Path(__file__).parents[1] / "tools" / "dependency_group.py"


def test_groups_are_put_together_without_repeats() -> None:
    both = requirements(["dev", "experiments"])
    assert set(requirements(["experiments"])) < set(both)
    assert len(both) == len(set(both))


def test_an_unknown_group_is_refused() -> None:
    with pytest.raises(KeyError, match="nothing"):
        requirements(["nothing"])


def test_what_is_printed_is_safe_in_a_shell() -> None:
    done = subprocess.run(
        [sys.executable, SCRIPT, "dev"], capture_output=True, text=True, check=True
    )
    assert shlex.split(done.stdout) == requirements(["dev"])
