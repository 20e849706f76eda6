"""Texts and tables become vectors in which likeness is nearness."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from askless.errors import InvalidInput
from askless.features import make_features
from askless.features.table import table_features
from askless.features.text import TfIdf, runs, words_and_pairs
from tests.features.small_pools import SmallPool

TEXTS = [
    "call 0800 123 now to win a prize",
    "win a prize now, call 0845 999",
    "see you at home for dinner tonight",
    "home late tonight, dinner without me",
]


def text_features(texts: list[str]) -> NDArray[np.float32]:
    return make_features(SmallPool("texts", texts=texts), ["tf-idf"])["tf-idf"]


def test_texts_with_common_words_are_near() -> None:
    x = text_features(TEXTS)
    likeness = x @ x.T
    assert likeness[0, 1] > 2 * abs(likeness[0, 2])
    assert likeness[2, 3] > 2 * abs(likeness[2, 1])


def test_numbers_teach_about_other_numbers() -> None:
    x = text_features(["111", "222", "word", "word"])
    assert x[0] @ x[1] > 0.5 * (x[0] @ x[0])


def test_empty_texts_and_pools_are_welcome() -> None:
    assert np.all(text_features([*TEXTS, ""])[-1] == 0)
    assert text_features(["", ""]).shape == (2, 0)
    assert text_features([]).shape == (0, 0)


def test_outliers_do_not_stretch_a_column() -> None:
    x = table_features(np.array([[1.0], [2.0], [3.0], [4.0], [1e12]]))
    assert np.ptp(x[:4, 0]) > 0.01 * np.ptp(x[:, 0])


def test_scale_and_shift_of_a_column_do_not_matter() -> None:
    rng = np.random.default_rng(0)
    x = rng.standard_normal((50, 3))
    assert np.allclose(table_features(x), table_features(1e6 * x + 1e7), atol=1e-3)


def test_missing_numbers_and_categories_have_columns() -> None:
    numbers = np.array([1.0, np.nan, 3.0, 4.0])
    kinds = np.array(["a", "b", "a", "b"], dtype=object)
    x = table_features([numbers, kinds])
    assert x.shape == (4, 2 + 1 + 2)
    assert np.all(np.isfinite(x))


def test_names_of_rows_add_nothing() -> None:
    names = np.array([f"row {at}" for at in range(5)], dtype=object)
    assert np.array_equal(table_features([np.arange(5.0), names]), table_features([np.arange(5.0)]))


def test_infinite_numbers_are_taken_for_the_largest() -> None:
    finite = table_features([np.array([1.0, 2.0, 3.0, 3.0, 1.0])])
    assert np.allclose(table_features([np.array([1.0, 2.0, 3.0, np.inf, -np.inf])]), finite)


def test_constant_or_empty_columns_are_welcome() -> None:
    assert np.all(np.isfinite(table_features(np.full((4, 2), np.nan))))
    assert np.all(table_features(np.ones((4, 1))) == 0)
    assert table_features(np.ones((4, 0))).shape == (4, 0)


def test_columns_of_unequal_length_are_refused() -> None:
    with pytest.raises(InvalidInput, match="one length"):
        table_features([np.ones(3), np.ones(4)])


def test_texts_beyond_the_sample_are_described_by_what_it_taught(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(TfIdf, "_sample", 40)
    monkeypatch.setattr("askless.features.text._ROWS", 7)
    rng = np.random.default_rng(0)
    about = ["win a prize now", "home for dinner tonight"]
    texts = [f"{about[at % 2]} {rng.integers(100)}" for at in range(90)]
    for name in ("tf-idf", "words"):
        x = make_features(SmallPool("texts", texts=texts), [name])[name]
        assert x.shape[0] == 90
        likeness = x @ x.T
        assert np.all(likeness[::2, ::2] > likeness[::2, 1::2].max())


def test_runs_of_letters_stay_within_words() -> None:
    rows, terms = runs(["ab cd", "abcd"])
    assert np.bincount(rows).tolist() == [2 + 1 + 2 + 1, 4 + 3 + 2]
    assert len(set(terms[rows == 0].tolist()) & set(terms[rows == 1].tolist())) == 2  # " ab", "cd "


def test_pairs_of_words_stay_within_a_text() -> None:
    rows, terms = words_and_pairs(["a b", "b a", "", "a b"])
    assert np.bincount(rows).tolist() == [3, 3, 0, 3]
    assert sorted(terms[rows == 0].tolist()) == sorted(terms[rows == 3].tolist())
    assert sorted(terms[rows == 0].tolist()) != sorted(terms[rows == 1].tolist())


def test_odd_texts_are_welcome() -> None:
    x = text_features(["\ud800 broken", "\x00", "🙂" * 50, " \n\t ", "a" * 100_000, "🙂🙂"])
    assert np.all(np.isfinite(x))
