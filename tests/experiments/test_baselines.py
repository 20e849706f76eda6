"""Other ways to a guarantee: that they are what they are said to be."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.stats import binom

from experiments.certificates.baselines import (
    RECALLS,
    RESULTS,
    SHARES,
    fixed_audit,
    hypergeometric_stop,
    may_be_seen,
    pac_labels,
    upper,
)
from experiments.certificates.frozen import POOLS, learn
from experiments.scratch.pools import ScratchPool


@pytest.mark.parametrize(("wrong", "n"), [(0, 50), (3, 80), (40, 90)])
def test_the_bound_is_where_so_few_would_be_seen_once_in_twenty(wrong: int, n: int) -> None:
    assert binom.cdf(wrong, n, upper(wrong, n)) == pytest.approx(0.05)
    assert upper(n, n) == 1.0
    most = may_be_seen(200, 0.05)
    assert upper(most, 200) <= 0.05 < upper(most + 1, 200)
    assert may_be_seen(20, 0.05) == -1


def test_a_fixed_audit_without_errors_is_the_rule_of_three_and_errors_make_it_longer() -> None:
    sizes = [fixed_audit(5000, wrong, 100) for wrong in (0, 20, 60)]
    assert sizes[0] == pytest.approx(3 * 5000 / 100, rel=0.05)
    assert sizes == sorted(sizes, key=lambda size: size or 0)
    assert fixed_audit(5000, 500, 100) is None


def test_pac_labels_keeps_sure_predictions_and_no_more_wrong_ones_than_allowed_as_a_rule() -> None:
    rng = np.random.default_rng(0)
    doubt = rng.random(4000) ** 3 / 2
    wrong = rng.random(4000) < doubt
    broken, runs = 0, 200
    for _ in range(runs):
        labels = pac_labels(doubt, wrong, 80, 400, rng)
        assert labels is not None
        assert 400 <= labels < 4000
        kept = np.sort(doubt)[: 4000 - labels]
        broken += int(wrong[doubt < kept[-1]].sum()) > 80 if len(kept) else 0
    assert broken / runs <= 0.1
    assert pac_labels(doubt, wrong, 1, 40, rng) is None


def test_the_hypergeometric_stop_reads_less_where_the_ranking_is_good() -> None:
    rng = np.random.default_rng(0)
    good = np.arange(2000) < 200
    read, reached = hypergeometric_stop(good, 300, 0, 0.9, rng)
    assert reached == 1.0
    assert read < 1000
    poor = rng.permutation(good)
    assert hypergeometric_stop(poor, 300, 0, 0.9, rng)[0] > read


def test_predictions_are_kept_for_each_size_and_leave_out_what_was_labelled() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(120, 3)).astype(np.float32)
    pool = ScratchPool(x, (("table", 3),), x[:, 0] > 0, None)
    found = learn(pool, 0, (8, 40))
    probs, labels = found.rest(1)
    assert len(probs) == len(labels) == 80
    assert found.probs.shape == (2, 120)
    assert np.mean((probs > 0.5) == labels) > 0.8


def test_results_on_file_are_complete_and_each_pool_learns() -> None:
    found = json.loads(RESULTS.read_text())
    assert set(found["pools"]) == set(POOLS)
    for one in found["pools"].values():
        assert set(one["shares"]) == {f"{share:g}" for share in SHARES}
        assert one["wrong"][-1] < one["wrong"][0]
        for ways in one["shares"].values():
            for way in ways.values():
                assert way["labels"] is None or way["labels"] <= one["items"] / 2
    assert set(found["pools"]["sms_spam"]["recall"]) == {f"{recall:g}" for recall in RECALLS}
