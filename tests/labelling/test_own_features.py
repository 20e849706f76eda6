"""Features given as an array, a matrix, a column or a function reach the model, row by row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from PIL import Image
from scipy import sparse

import askless
from askless.errors import InvalidInput
from askless.labelling.own_features import feature_arrays
from askless.labelling.question import ShownQuestion
from askless.pools import open_pool

N = 30
TRUTH = np.arange(N) % 2 == 0
TEXTS = [f"number {n}" for n in range(N)]
X = np.where(TRUTH, 1.0, -1.0)[:, None] + np.random.default_rng(0).normal(0, 0.1, (N, 2))


def right(question: ShownQuestion) -> bool:
    return all(TRUTH[at] == guess for at, guess in zip(question.ids, question.guess, strict=True))


def questions(data: Any, **more: Any) -> int:
    labelling = askless.label(data, **more)
    labelling.run(right)
    return sum(labelling.progress.answers.values())


@pytest.mark.parametrize(
    "features",
    [
        X,
        X.tolist(),
        sparse.csr_matrix(X),
        sparse.coo_array(X),
        pd.DataFrame(X),
        pl.DataFrame(X),
        pd.Series(list(X)),
        lambda texts: X,
        {"mine": X},
    ],
    ids=lambda value: f"{type(value).__module__}.{type(value).__name__}",
)
def test_features_of_ones_own_are_learnt_from(features: Any) -> None:
    assert questions(TEXTS, features=features) < 22


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame, dict])
def test_a_column_of_embeddings_is_features_and_not_shown(library: Callable[[Any], Any]) -> None:
    data = library({"text": TEXTS, "embedding": X.tolist()})
    labelling = askless.label(data, features="embedding")
    assert labelling.pool.kind == "texts"
    labelling.run(right)
    assert sum(labelling.progress.answers.values()) < 22


def test_sets_by_name_and_of_ones_own_stand_side_by_side() -> None:
    labelling = askless.label(TEXTS, features={"words": {}, "mine": X})
    assert labelling._opened.prepared is not None
    assert labelling._opened.prepared.features == ("words", "mine")


def test_copies_and_empty_rows_have_no_features_of_their_own() -> None:
    pool = open_pool(["a", "b", "", "a", "c"])
    found = feature_arrays({"x": np.arange(5)}, pool, 5)["x"]
    assert found.ravel().tolist() == [0.0, 1.0, 4.0]


def test_a_function_is_given_pictures_of_pillow() -> None:
    seen: list[Any] = []

    def encode(pictures: list[Image.Image]) -> Any:
        seen.extend(pictures)
        return [[np.asarray(picture).mean()] for picture in pictures]

    shades = np.arange(70, dtype=np.uint8)[:, None, None] + np.zeros((70, 3, 3), np.uint8)
    found = feature_arrays({"x": encode}, open_pool(shades), 70)["x"]
    assert found.ravel().tolist() == list(range(70))
    assert all(isinstance(picture, Image.Image) for picture in seen)


def test_a_wide_sparse_matrix_is_reduced() -> None:
    wide = sparse.random_array((N, 5000), density=0.01, rng=np.random.default_rng(0)).tocsr()
    assert feature_arrays({"x": wide}, open_pool(TEXTS), N)["x"].shape[1] <= N


class _Transformer:
    def fit_transform(self, x: Any) -> Any:
        return x


@pytest.mark.parametrize(
    ("features", "sentence"),
    [
        (X[:5], "one row for each of the 30 rows of the source; got 5"),
        (np.full((N, 1), np.nan), "row 0 of 'own' holds one that is not"),
        (np.array(TEXTS), "Features are numbers"),
        ([[1.0], [1.0, 2.0]] * 15, "each row has as many"),
        (np.zeros((N, 2, 2)), "Features are numbers, one row an item"),
        (_Transformer(), "Give its method"),
        (_Transformer, "got the class _Transformer"),
        (lambda texts: 1 / 0, "failed: ZeroDivisionError"),
        (lambda texts: X[:3], "got 3"),
        ("nobody", "named by a feature set, or by a column"),
        (["words", "nobody"], "got 'nobody'"),
        (7, "Features are numbers"),
        (object(), "Features are numbers"),
    ],
)
def test_what_are_no_features_is_refused(features: Any, sentence: str) -> None:
    with pytest.raises(InvalidInput, match=sentence):
        askless.label(TEXTS, features=features)


def test_a_name_that_means_two_things_is_refused() -> None:
    with pytest.raises(InvalidInput, match="a feature set and of a column"):
        askless.label({"text": TEXTS, "words": X.tolist()}, features="words", text="text")
