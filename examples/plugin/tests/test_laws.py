"""The planner keeps the laws of its seam."""

import pytest
from askless_example.in_order import InOrder

from askless.checks import planner_laws


@pytest.mark.parametrize("law", planner_laws(), ids=lambda law: law.__name__)
@pytest.mark.parametrize("seed", range(5))
def test_in_order_keeps_every_law(law, seed):  # type: ignore[no-untyped-def]
    """One situation a seed."""
    law(lambda: InOrder(seed=0), seed=seed)
