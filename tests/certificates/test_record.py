"""What a policy remembers: how many more guesses are wrong than the predictor says."""

from __future__ import annotations

import numpy as np
import pytest

from askless.certificates.record import Record


def filled(rate: float, said: float, n: int = 2000, open_items: int = 0) -> Record:
    """A record of random items of which a share is wrong where another was said to be."""
    record = Record()
    items = np.arange(n)
    labels = (np.arange(n) < rate * n).astype(np.int8)
    record.draw(items, np.full(n, said), np.zeros(n, bool))
    labels[n - open_items :] = -1
    record.note(labels, np.full(3, 0.1), None)
    return record


def test_the_ratio_is_that_of_wrong_guesses_to_those_expected() -> None:
    assert filled(0.02, 0.01).look(0.5, 0, 0) == pytest.approx(2, rel=0.1)
    assert filled(0.01, 0.01).look(0.5, 0, 0) == pytest.approx(1, rel=0.1)


def test_without_random_items_little_is_assumed() -> None:
    assert Record().look(0.5, 0, 0) == pytest.approx(1.2, rel=0.1)


def test_only_items_as_sure_as_wanted_count() -> None:
    assert filled(0.5, 0.4).look(0.01, 0, 0) == Record().look(0.01, 0, 0)


def test_items_still_open_wait_and_count_later() -> None:
    record = filled(0.01, 0.01, n=1000, open_items=400)
    assert len(record.waiting[0][0]) == 400
    labels = np.zeros(1000, np.int8)
    record.note(labels, np.full(3, 0.1), None)
    assert not record.waiting
    assert sum(map(len, record.predicted)) == 1000


def test_checks_that_are_refused_raise_the_ratio_and_others_lower_it() -> None:
    record = Record()
    record.rates = [(0.005, 24)] * 40
    before = Record().look(0.5, 0, 0)
    assert record.look(0.5, 10, 30) > 3 * before
    assert record.look(0.5, 40, 0) < before


def test_the_slope_is_that_of_the_errors_by_labels() -> None:
    record = Record()
    assert record.slope() == pytest.approx(0.4)
    for known in np.geomspace(50, 1000, 30).astype(int):
        labels = np.zeros(2000, np.int8)
        labels[known:] = -1
        record.note(labels, np.full(3, 2.0 / known), None)
    assert record.slope() == pytest.approx(0.9, abs=0.15)


def test_a_new_claim_forgets_the_checks_of_the_last() -> None:
    record = Record()
    record.rates, record.settled_at = [(0.1, 8)], 4
    record.note(np.zeros(3, np.int8), np.zeros(0), 7)
    assert (record.rates, record.settled_at) == ([], 0)
