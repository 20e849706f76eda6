"""Models given as objects: fitted ones guess first, others learn, and what is none is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.svm import LinearSVC

import askless
from askless.errors import InvalidInput
from askless.labelling.own_model import is_fitted
from askless.labelling.question import ShownQuestion
from askless.predictors.logistic import Logistic
from askless.predictors.sklearn_adapter import takes_items

N = 30
TRUTH = np.arange(N) % 2 == 0
TEXTS = [f"{'lovely' if good else 'awful'} thing {n}" for n, good in enumerate(TRUTH)]
X = np.where(TRUTH, 1.0, -1.0)[:, None] + np.random.default_rng(0).normal(0, 0.1, (N, 1))


def right(question: ShownQuestion) -> bool:
    return all(TRUTH[at] == guess for at, guess in zip(question.ids, question.guess, strict=True))


def questions(data: Any = TEXTS, **more: Any) -> int:
    labelling = askless.label(data, positive="praise", negative="complaint", **more)
    labelling.run(right)
    assert labelling.progress.settled == N
    return sum(labelling.progress.answers.values())


def pipeline() -> Any:
    return make_pipeline(TfidfVectorizer(), LogisticRegression(C=100))


def test_a_pipeline_is_fitted_on_the_texts() -> None:
    model = pipeline()
    assert questions(model=model) < 28
    assert not is_fitted(model)


def test_a_pipeline_is_fitted_on_the_rows_of_a_table() -> None:
    frame = pd.DataFrame({"kind": np.where(TRUTH, "a", "b"), "n": np.arange(N)})
    encode = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), ["kind"]))
    assert questions(frame, model=make_pipeline(encode, LogisticRegression(C=100))) < 28


def test_an_estimator_is_fitted_on_features() -> None:
    assert questions(model=RandomForestClassifier(10), features=X) < 28
    assert questions(model=LogisticRegression(C=100), features=sparse.csr_matrix(X)) < 28
    assert questions(model=LogisticRegression(C=100)) <= N  # the usual ones


def test_a_predictor_is_an_object_too() -> None:
    assert questions(model=Logistic(), features=X) < 22
    assert questions(model="logistic", features=X) < 22


@pytest.mark.parametrize("names", [["complaint", "praise"], [False, True], [0, 1]])
def test_a_fitted_model_gives_the_first_guesses(names: list[Any]) -> None:
    fitted = pipeline().fit(TEXTS, [names[int(good)] for good in TRUTH])
    labelling = askless.label(TEXTS, positive="praise", negative="complaint", model=fitted)
    assert labelling.pool.probs is not None
    assert ((labelling.pool.probs > 0.5) == TRUTH).all()
    labelling.run(right)
    assert sum(labelling.progress.answers.values()) < 15


def test_a_fitted_model_is_given_the_features_it_was_fitted_on() -> None:
    fitted = LogisticRegression().fit(X, TRUTH)
    assert questions(model=fitted, features=X) < 15
    assert questions(X, model=fitted) < 15
    with pytest.raises(InvalidInput, match="takes no texts; give that as features"):
        questions(model=fitted)
    with pytest.raises(InvalidInput, match="could not predict"):
        questions(model=fitted, features=np.c_[X, X])
    with pytest.raises(InvalidInput, match="not fitted on features that askless makes"):
        questions(model=fitted, features="words")
    with pytest.raises(InvalidInput, match="give one of them"):
        questions(model=fitted, features=X, probs=[0.5] * N)


def test_classes_that_are_not_the_labels_are_refused() -> None:
    with pytest.raises(InvalidInput, match=r"has cat, dog\. Name the positive one"):
        questions(model=pipeline().fit(TEXTS, np.where(TRUTH, "cat", "dog")))


@pytest.mark.parametrize(
    ("model", "sentence"),
    [
        (LogisticRegression, r"Make one of it: LogisticRegression\(\)"),
        (LinearSVC(), "says no probabilities"),
        (LinearRegression(), "says no probabilities"),
        (7, "got int"),
        (lambda x: x, "got function"),
        ("nobody", "no predictor named 'nobody'"),
    ],
)
def test_what_is_no_model_is_refused(model: Any, sentence: str) -> None:
    with pytest.raises(InvalidInput, match=sentence):
        questions(model=model)


def test_what_wraps_a_pipeline_takes_items() -> None:
    assert takes_items(GridSearchCV(pipeline(), {"logisticregression__C": [1, 2]}))
    assert not takes_items(RandomForestClassifier())


def test_a_model_that_cannot_be_fitted_is_told_of_and_questions_go_on() -> None:
    labelling = askless.label(TEXTS, model=make_pipeline(LogisticRegression()))
    with pytest.warns(UserWarning, match="could not convert string"):
        labelling.run(right)
    assert labelling.progress.settled == N


def test_a_folder_says_what_it_does_not_keep(tmp_path: Path) -> None:
    def opened(**more: Any) -> askless.Labelling:
        return askless.label(TEXTS, folder=tmp_path / "s", **more)

    with (
        pytest.warns(UserWarning, match=r"give these again to go on: model \(Pipeline\)") as kept,
        opened(model=pipeline()) as labelling,
    ):
        labelling.run(right, max_questions=5)
    with pytest.warns(UserWarning, match="begun with model .Pipeline. of your own") as lost:
        again = opened()
    assert {kept[0].filename, lost[0].filename} == {__file__}  # the caller's line is shown
    assert sum(again.progress.answers.values()) == 5
    again.run(right)
    assert again.done
    again.close()
