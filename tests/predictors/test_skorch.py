"""Your own torch network, through skorch and the scikit-learn adapter."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from askless.predictors.sklearn_adapter import SklearnAdapter

pytestmark = pytest.mark.torch


def test_skorch_classifier_is_a_predictor_through_the_adapter() -> None:
    pytest.importorskip("skorch", reason="the skorch extra is not installed")
    import torch
    from torch import nn

    class Small(nn.Sequential):
        def __init__(self) -> None:
            super().__init__(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 2), nn.Softmax(dim=-1))

    rng = np.random.default_rng(0)
    truth = np.arange(80) % 2 == 0
    x = (rng.standard_normal((80, 2)) + 3 * truth[:, None]).astype(np.float32)
    labels = np.where(np.arange(80) < 40, truth, -1).astype(np.int8)
    params: dict[str, Any] = {
        "module": Small,
        "max_epochs": 60,
        "lr": 0.5,
        "train_split": None,
        "verbose": 0,
    }
    torch.manual_seed(0)
    predictor = SklearnAdapter(estimator="skorch:NeuralNetClassifier", params=params)
    assert np.array_equal(predictor.predict(x), np.full(80, 0.5))
    predictor.fit(x, labels)
    probs = predictor.predict(x)
    assert probs.dtype == np.float64
    assert np.mean((probs > 0.5) == truth) > 0.9
