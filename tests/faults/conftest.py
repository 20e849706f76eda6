"""Where faults are played out."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

MEMORY = Path("/dev/shm")


@pytest.fixture
def quick_folder() -> Iterator[Path]:
    """A folder in memory if there is one, for faults that do not need a real disk."""
    with tempfile.TemporaryDirectory(
        prefix="askless-", dir=MEMORY if MEMORY.is_dir() else None
    ) as name:
        yield Path(name)
