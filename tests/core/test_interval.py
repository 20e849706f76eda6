"""Wilson's interval against known values and its own laws."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askless.core.interval import Share
from askless.errors import InvalidInput


def test_known_values() -> None:
    # 8 of 10: the score interval, computed by hand from Wilson's formula
    assert Share(8, 10).interval == pytest.approx((0.4901625, 0.9433178), abs=1e-6)
    assert Share(0, 10).interval == pytest.approx((0.0, 0.2775328), abs=1e-6)


def test_nothing_is_known_before_the_first_trial() -> None:
    assert Share(0, 0).value is None
    assert Share(0, 0).interval == (0.0, 1.0)


@given(st.integers(1, 10_000), st.data())
def test_the_interval_holds_the_share_and_mirrors_with_it(trials: int, data: st.DataObject) -> None:
    hits = data.draw(st.integers(0, trials))
    low, high = Share(hits, trials).interval
    assert 0 <= low <= hits / trials <= high <= 1
    mirrored = Share(trials - hits, trials).interval
    assert (1 - high, 1 - low) == pytest.approx(mirrored, abs=1e-9)


def test_more_hits_than_trials_are_refused() -> None:
    with pytest.raises(InvalidInput, match="between 0 and 2"):
        Share(3, 2)
