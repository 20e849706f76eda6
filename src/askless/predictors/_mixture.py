"""A fixed-share mixture: the average of experts, weighted by their likelihood, with forgetting.

Also known as fixed-share prediction with expert advice (Herbster and Warmuth 1998) and as Bayesian
model averaging with forgetting. Not to be confused with a mixture of experts, whose gate depends
on the item, nor with stacking, which adds scores (`askless.predictors._stacking`).

Every label is predicted before it is learnt from (prequentially). The weights follow Bayes' rule,
and then every expert gets an equal share of a small part f of the total, so that one that
was wrong early can recover:

    w <- (1 - f) w P(label) / sum w P(label) + f / count

The total code length is at most that of the best expert plus log2 of their number, and a
little for the forgetting. Experts are recalibrations of scores: a score s, the link function and
grids of temperatures T and label noise e give the experts

    e / 2 + (1 - e) link(T s)

which is temperature scaling learnt online, without a hold-out. Cost: O(experts) a label. Not
for labels that were chosen because an expert is sure of them: that expert pays for all mistakes.
Used by `askless.predictors._stacking` (13 temperatures, probit) and `askless.predictors.network`
(12, logistic). Tested in tests/predictors/test_mixture.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class FixedShareMixture:
    """The weights of the experts; an update gives a new mixture.

    Parameters
    ----------
    weights
        By score, temperature and label noise; they add up to one.
    share
        f of the module's formula, the part of the weight that is redistributed at each label.
    bits
        The code length of the labels so far, each predicted by the mixture just before it was
        learnt.
    """

    weights: Floats
    share: float
    bits: float = 0.0

    def update(self, likelihoods: Floats) -> tuple[FixedShareMixture, Floats]:
        """The mixture after some labels in turn, and log2 of what each score gave them.

        Parameters
        ----------
        likelihoods
            P(label) by label and expert, shape (labels, scores, temperatures, noise rates).
        """
        weights, bits = self.weights, self.bits
        evidence = np.zeros(len(weights))
        for likelihood in likelihoods:
            joint = weights * likelihood
            total = float(joint.sum())
            evidence += np.log2(joint.sum((1, 2)) / weights.sum((1, 2)))
            bits -= float(np.log2(total))
            weights = (1 - self.share) * joint / total + self.share / joint.size
        return FixedShareMixture(weights, self.share, bits), evidence


def tempered_probs(
    link: Callable[[Floats], Floats], scores: Floats, temperatures: Floats, noise: Floats
) -> Floats:
    """P(label) by the experts of these scores, shape (*scores, temperatures, noise rates)."""
    probs = link(scores[..., None] * temperatures)[..., None]
    return noise / 2 + (1 - noise) * probs
