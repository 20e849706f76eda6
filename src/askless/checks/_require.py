"""What a broken law says: a sentence about the part under test.

Imported by the checks alone; tested with the laws in tests/laws.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from askless.errors import AsklessError, LawBroken


def require(part: str, holds: bool | np.bool_, fault: str) -> None:
    """Raise `LawBroken` unless it holds.

    Parameters
    ----------
    part
        What is under test, as "planner".
    holds
        What must be true.
    fault
        What the part does otherwise: the rest of a sentence.
    """
    if not holds:
        raise LawBroken(f"The {part} {fault}.")


@contextmanager
def require_refusal(part: str, error: type[AsklessError], fault: str) -> Iterator[None]:
    """Raise `LawBroken` unless what is done in here raises this error."""
    try:
        yield
    except error:
        return
    require(part, False, fault)
