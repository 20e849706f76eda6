"""The loss of refuted guesses is the cross-entropy of no, and teaches even a sure network."""

from __future__ import annotations

import pytest

from askless.predictors.network import clause_loss

pytestmark = pytest.mark.torch


def test_clause_loss_is_the_cross_entropy_of_no() -> None:
    import torch

    logits = torch.tensor([0.3, -1.0, 2.0, 0.5], dtype=torch.float64)
    signs = torch.tensor([1.0, -1.0, 1.0, 1.0], dtype=torch.float64)
    which = torch.tensor([0, 0, 1, 1])
    right = torch.sigmoid(signs * logits)
    expected = -torch.log1p(-right[0] * right[1]) - torch.log1p(-right[2] * right[3])
    found = clause_loss(logits.float(), signs.float(), which, 2)
    assert float(found) == pytest.approx(float(expected), rel=1e-4)


def test_clause_loss_still_teaches_a_network_that_is_quite_sure() -> None:
    import torch

    logits = torch.tensor([9.0, 8.0], requires_grad=True)
    loss = clause_loss(logits, torch.ones(2), torch.zeros(2, dtype=torch.long), 1)
    (slope,) = torch.autograd.grad(loss, logits)
    assert torch.isfinite(loss)
    assert bool((slope > 0.1).all())
