"""What tests of faults need."""

from __future__ import annotations

import pytest

from tests.faults import shim

needs_shim = pytest.mark.skipif(
    not shim.WORKS, reason="the disk shim needs Linux and a C compiler named cc"
)
