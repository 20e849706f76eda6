"""The loss of refuted guesses: the cross-entropy of the answer no.

Also known as a loss for "at least one of these is wrong", or as negated multiple-instance
learning. Not to be confused with training on complementary labels, one for each item.

With s_i = +1 for the guess True and -1 for False, z_i the logits and P = prod_i sigmoid(s_i z_i)
the probability that the whole guess is right, a no costs

    -log(1 - P) = -log(1 - exp(-a)),   a = sum_i softplus(-s_i z_i)

which stays finite, with a useful slope, when the network is quite sure of all of them (Sec. 4.1 of
the paper). Loads torch on the first call. Used by `askless.predictors.network` alone.
Tested in tests/predictors/test_clause_loss.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from torch import Tensor

_LEAST: Final = 1e-6  # so that log(1 - P) is finite


def clause_loss(logits: Tensor, signs: Tensor, clause: Tensor, clauses: int) -> Tensor:
    """The sum of the losses of all refuted guesses.

    Parameters
    ----------
    logits
        Of every item of every guess, one after the other.
    signs
        +1 where the guess is True, -1 where it is False.
    clause
        Which guess each belongs to, from 0.
    clauses
        How many guesses there are.
    """
    import torch
    from torch.nn import functional

    surprisals = functional.softplus(-signs * logits)
    # A product with a matrix of zeros and ones adds up in the same order every time.
    members = clause == torch.arange(clauses, device=clause.device)[:, None]
    total = members.to(surprisals.dtype) @ surprisals
    return -torch.log(-torch.expm1(-total - _LEAST)).sum()
