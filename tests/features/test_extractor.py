"""What an extractor of your own gives is checked before anything learns from it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from askless.errors import InvalidInput
from askless.features import make_features
from askless.features.cache import FeatureCache, PartialWork, Rows
from askless.features.extractor import FeatureExtractor
from askless.seams import Pool
from tests.features.small_pools import SmallPool


class Given(FeatureExtractor):
    """A set of your own that extracts what it was told to."""

    kind = "texts"
    version = 1
    cost_ms = 1.0
    extracted: Any = None

    def extract(self, pool: Pool, work: PartialWork, cache: FeatureCache) -> Rows:
        """What it was told."""
        return cast("Rows", Given.extracted)


@pytest.mark.parametrize(
    ("extracted", "sentence"),
    [
        (np.zeros((3, 2), np.float32), "got ndarray, which is no list."),
        ((x for x in [np.zeros((3, 2), np.float32)]), "got generator, which is no list."),
        ([[1.0], [2.0], [3.0]], "got list."),
        ([np.zeros(3, np.float32)], "got an array of float32 of shape (3,)."),
        ([np.zeros((3, 2), np.int64)], "got an array of int64 of shape (3, 2)."),
        ([np.zeros((2, 2), np.float32)], "got 2 rows."),
        ([np.zeros((2, 2)), np.zeros((1, 3))], "got blocks of 2 and 3 columns."),
        ([np.full((3, 2), np.nan)], "got numbers that are not finite."),
    ],
)
def test_what_is_no_feature_set_is_refused_in_a_sentence(
    extracted: object, sentence: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(Given, "extracted", extracted)
    pool = SmallPool("texts", texts=["a", "b", "c"])
    for cache in (None, tmp_path):
        with pytest.raises(InvalidInput) as refused:
            make_features(pool, [f"{__name__}:Given"], cache=cache)
        assert f"one row for each of the 3 items in all; {sentence}" in str(refused.value)


def test_blocks_are_put_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Given, "extracted", [np.zeros((2, 2)), np.ones((1, 2))])
    made = make_features(SmallPool("texts", texts=["a", "b", "c"]), [f"{__name__}:Given"])
    assert [rows.sum() for rows in made.values()] == [2.0]
