"""Predictors that anybody can fit in seconds, on whatever labelled data there is.

A predictor is named ``data-method``. The data are cut at random, by a seed: a small part is
learnt from, at most 6000 others are the pool. ``digits`` and ``cancer`` come with
scikit-learn; the others are taken from ``$ASKLESS_DATA``, in ``tables/`` and
``first6000/``, where there is such a folder. The methods are as miscalibrated as they are found in
practice: naive Bayes is far too sure, neighbours all agree and are wrong even so, boosted trees are
bold, forests timid.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.decomposition import PCA
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from askless.core.probability import Probs
from askless.lab.known_pool import KnownPool

MOST: Final = 6000
"""Items in a pool, at most."""


@dataclass(frozen=True, slots=True)
class Shallow:
    """One predictor.

    Parameters
    ----------
    source
        Gives what is to be judged, and which labels are True.
    make
        Makes the estimator, for a seed.
    learnt
        How many items it learns from.
    needs
        The file under ``$ASKLESS_DATA`` that the source reads; empty for none.
    """

    source: Callable[[], tuple[Any, np.ndarray[Any, Any]]]
    make: Callable[[int], Any]
    learnt: int
    needs: str = ""


def present(name: str) -> bool:
    """Whether the data of this predictor are here."""
    needs = SHALLOW[name].needs
    return not needs or (_data() is not None and Path(str(_data()), needs).exists())


def predicted(name: str, seed: int) -> KnownPool:
    """What the predictor says of its pool, beside the truth.

    Parameters
    ----------
    name
        One of `SHALLOW`.
    seed
        Fixes who is learnt from, who is in the pool, and what the estimator leaves to chance.
    """
    shallow = SHALLOW[name]
    items, positive = shallow.source()
    order = np.random.default_rng(seed).permutation(len(positive))
    learnt, pool = order[: shallow.learnt], order[shallow.learnt :][:MOST]
    estimator = shallow.make(seed).fit(items[learnt], positive[learnt])
    probs = estimator.predict_proba(items[pool])[:, 1]
    return KnownPool(Probs(np.clip(probs.astype(float), 0.0, 1.0)), positive[pool])


def _digits() -> tuple[Any, Any]:
    x, y = load_digits(return_X_y=True)
    return x, y > 4


def _cancer() -> tuple[Any, Any]:
    x, y = load_breast_cancer(return_X_y=True)
    return x, y == 1


def _htru2() -> tuple[Any, Any]:
    with np.load(_file("tables/htru2.npz")) as found:
        return found["x"], found["y"] == 1


def _sms() -> tuple[Any, Any]:
    with _file("tables/sms_spam.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    texts = np.array([row["text"] for row in rows], dtype=object)
    return texts, np.array([row["label"] == "1" for row in rows])


def _images(name: str) -> Callable[[], tuple[Any, Any]]:
    def read() -> tuple[Any, Any]:
        with np.load(_file(f"first6000/{name}.npz")) as found:
            images, labels = found["images"], found["labels"]
        return images.reshape(len(images), -1) / 255.0, labels > 4

    return read


def _data() -> str | None:
    return os.environ.get("ASKLESS_DATA")


def _file(name: str) -> Path:
    return Path(os.environ["ASKLESS_DATA"], name)


def _trees(seed: int) -> Any:
    return HistGradientBoostingClassifier(random_state=seed)


def _bayes(seed: int) -> Any:
    return GaussianNB()


def _logistic(seed: int) -> Any:
    return make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))


def _forest(seed: int) -> Any:
    return RandomForestClassifier(100, random_state=seed)


def _neighbours(seed: int) -> Any:
    return make_pipeline(PCA(30, random_state=seed), KNeighborsClassifier(10))


def _pixels(seed: int) -> Any:
    return make_pipeline(PCA(50, random_state=seed), LogisticRegression(max_iter=1000))


def _words_bayes(seed: int) -> Any:
    return make_pipeline(TfidfVectorizer(), MultinomialNB(alpha=0.1))


def _words_logistic(seed: int) -> Any:
    return make_pipeline(TfidfVectorizer(), LogisticRegression(C=10.0))


_HTRU2, _SMS = "tables/htru2.npz", "tables/sms_spam.csv"
SHALLOW: Final = {
    "digits-bayes": Shallow(_digits, _bayes, 400),
    "digits-forest": Shallow(_digits, _forest, 200),
    "cancer-logistic": Shallow(_cancer, _logistic, 60),
    "htru2-trees": Shallow(_htru2, _trees, 2000, _HTRU2),
    "htru2-bayes": Shallow(_htru2, _bayes, 2000, _HTRU2),
    "sms-bayes": Shallow(_sms, _words_bayes, 500, _SMS),
    "sms-logistic": Shallow(_sms, _words_logistic, 500, _SMS),
    "mnist-neighbours": Shallow(_images("mnist"), _neighbours, 1000, "first6000/mnist.npz"),
    "fashion-forest": Shallow(
        _images("fashion_mnist"), _forest, 500, "first6000/fashion_mnist.npz"
    ),
    "cifar10-logistic": Shallow(_images("cifar10"), _pixels, 1000, "first6000/cifar10.npz"),
}
