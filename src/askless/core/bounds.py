"""What no procedure can beat: marks to print beside every figure.

**Without a cap.** Each answer carries at most one bit, so on average Q >= H(Y).

**With at most M items in a question**, for procedures that always guess the
likelier label and are answered yes or no. Let e_i = min(p_i, 1 - p_i) be the
chance that the guess of item i is wrong, and y and n the expected numbers of
yes and no answers. Then

    y >= sum_i (1 - e_i) / M          a right guess is only ever settled by a yes, M at a time;
    n >= sum_i e_i                    each wrong guess needs a no of its own, in which it
                                      is the only wrong one;
    (y + n) h(y / (y + n)) >= H(Y)    what answers that come out yes that often can carry.

The bound is the smallest y + n that satisfies all three. The left side of the
third is concave and grows with y and with n, so the problem is convex, and it
is solved exactly: one root of one increasing function.

**For one realised labelling** compare with its code length, the sum of
-log2 P(label), which averages to H(Y) when the probs are calibrated.

All O(n). The paper has the first bound only (Sec. 3). Every one assumes that
the probs are calibrated and the labels independent. None holds in expectation
for pointed answers, which tell more than a bit; the capped one also fails for
procedures that guess less likely labels.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from askless.core.entropy import independent_entropy_bits
from askless.core.probability import Probs
from askless.errors import InvalidInput

SMALLEST_CHANCE = 1e-7


def capped_bound_questions(probs: ArrayLike, max_n: int | None) -> float:
    """The fewest expected questions about at most `max_n` items, guessing the likelier label.

    With ``max_n=1`` this is the number of items, exactly: y + n cannot be less
    than sum (1 - e_i) + sum e_i, and those y and n carry enough, since h is
    concave. With nothing to learn (all e_i = 0) it is n / max_n, and with
    nothing known (all e_i = 1/2) the number of items again.

    Parameters
    ----------
    probs
        P(label is True) for every item.
    max_n
        The most items a question may show; None for no cap, which gives H(Y).
    """
    p = Probs(np.asarray(probs)).values
    entropy = independent_entropy_bits(p)
    if max_n is None:
        return entropy
    return capped_bound_from_sums(entropy, float(np.sum(np.minimum(p, 1 - p))), len(p), max_n)


def capped_bound_from_sums(entropy_bits: float, wrong: float, n: float, max_n: int) -> float:
    """`capped_bound_questions`, from sums over the items alone.

    Parameters
    ----------
    entropy_bits
        H(Y).
    wrong
        How many of the likelier labels are expected to be wrong: the sum of all e_i.
    n
        Number of items.
    max_n
        The most items a question may show.
    """
    if max_n < 1:
        raise InvalidInput(f"A question shows at least one item; got max_n = {max_n}.")
    fewest_yes = (n - wrong) / max_n
    # h(e) >= 2 e, so wrong <= H / 2 always. If fewest_yes is below that too, H / 2 of
    # each will do: the point where H bits take the fewest answers.
    if fewest_yes <= entropy_bits / 2:
        return entropy_bits
    # Otherwise y = fewest_yes: by convexity every further yes saves less than one no.
    return fewest_yes + max(wrong, _fewest_no(fewest_yes, entropy_bits))


def code_length_bits(probs: ArrayLike, labels: ArrayLike) -> float:
    """The bits a realised labelling is worth under the probs: sum of -log2 P(label).

    No label is held less likely than `SMALLEST_CHANCE`, so that one confident mistake of a
    real predictor does not make the sum infinite.

    Parameters
    ----------
    probs
        P(label is True) for every item.
    labels
        The right label of every item.
    """
    p = Probs(np.asarray(probs)).values
    truth = np.asarray(labels)
    if truth.shape != p.shape or not np.all((truth == 0) | (truth == 1)):
        raise InvalidInput(
            "A code length needs one right label, True or False, for each of the "
            f"{len(p)} probs; got an array of shape {truth.shape}."
        )
    chance = np.where(truth.astype(bool), p, 1 - p).clip(SMALLEST_CHANCE, 1 - SMALLEST_CHANCE)
    return float(-np.sum(np.log2(chance)))


def _fewest_no(yes: float, entropy: float) -> float:
    """The n at which `yes` yes and n no answers can just carry the entropy.

    Called with yes > entropy / 2, so n = entropy / 2 is always enough. Bisected
    until floating point ends it; the lower end is kept, so that it stays a bound.
    """
    low, high = 0.0, entropy / 2
    while low < (middle := (low + high) / 2) < high:
        if _carried_bits(yes, middle) < entropy:
            low = middle
        else:
            high = middle
    return low


def _carried_bits(yes: float, no: float) -> float:
    """(y + n) h(y / (y + n)), in a form that keeps its digits when n is tiny."""
    per_no = math.log2(yes + no) - math.log2(no)
    per_yes = math.log1p(no / yes) / math.log(2)
    return no * per_no + yes * per_yes
