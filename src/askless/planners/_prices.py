"""Shadow prices: what a question is worth in bits, settled items, suspicion and open clauses.

An answer that is "yes" with chance p tells h(p) bits, and a yes settles the s items of its
question. A pool with H bits to tell and R guesses that are right needs answers that carry H
and yes answers that settle R, at most M at a time (`askless.core.bounds`). So a question is
worth

    h(p) + mu p s + nu max(0, 2 w - (1 - p)) + kappa c (p solved - (1 - p) opened)

*Bits* have the price 1. *Settled items* have the price mu. With room for R/M yes answers and no
more, all questions full and alike, p / h(p) = R / (M H); and the price at which
just such a question is worth most, h'(p) + mu M = 0, is mu M = g = log2(p / (1 - p)). When bits are
scarcer, R / (M H) < 1/2, room is free and g = 0; a little is paid even so, mu M = 0.08, so that of
two questions that tell as much the one that settles more is asked. *Suspicion*: the most suspect
item of the question is wrong with chance w, and the term is what the answer takes off
min(w, 1 - w). It counts, nu = g - 1, where room is so scarce that each wrong item should cost one
"no" and no further search. *Open clauses* have to be carried on: c are open, a yes solves some of
them, a "no" opens another if the question held unconstrained items.

H and R are those of the unconstrained items, and change as they are used up. The prices of bits and
items are the Lagrange multipliers of the two constraints; the other two were found by trial on
synthetic pools, and nothing hangs on their exact values.
Used by `askless.planners.fill`; tested in tests/planners/test_prices.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from askless.core.entropy import binary_entropy_bits

Floats = NDArray[np.float64]

_LEAST_ROOM: Final = 0.08
_CLAUSE: Final = 0.015

_G: Final = np.linspace(0.0, 40.0, 401)
_YES: Final = 1.0 / (1.0 + 2.0**-_G)
_SCARCITY: Final = _YES / binary_entropy_bits(_YES)


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices in bits.

    Parameters
    ----------
    item
        Of a settled item, mu.
    suspicion
        Of certainty about whether the most suspect item is wrong, nu.
    clause
        Of an open clause, kappa times their number.
    """

    item: float
    suspicion: float
    clause: float

    @property
    def scarce_room(self) -> bool:
        """Whether room in the questions is scarcer than bits are, g > 1."""
        return self.suspicion > 0.0

    def worth(
        self,
        log_yes: Floats,
        size: NDArray[np.intp],
        most_suspect: Floats,
        solved: Floats,
        opened: NDArray[np.bool_],
    ) -> Floats:
        """The worth of each of many questions.

        Parameters
        ----------
        log_yes
            Natural logarithm of the chance of a yes.
        size
            The number of items.
        most_suspect
            The chance of the most suspect item to be wrong.
        solved, opened
            How many clauses a yes solves; whether a no opens a new one.
        """
        yes = np.exp(log_yes)
        no = np.maximum(-np.expm1(log_yes), 1e-12)
        bits = -(yes * log_yes + no * np.log(no)) / np.log(2.0)
        learnt = np.maximum(2.0 * most_suspect - no, 0.0)
        clauses = yes * solved - no * opened
        worth: Floats = bits + self.item * yes * size
        worth += self.suspicion * learnt + self.clause * clauses
        return worth


def prices(bits: float, right: float, most: int, n_clauses: int) -> Prices:
    """The prices for a pool.

    Parameters
    ----------
    bits, right
        H and R of the unconstrained items: their entropy, and the expected number of right guesses.
    most
        M, the most items in a question.
    n_clauses
        How many clauses are open.
    """
    scarcity = right / (most * bits) if bits > 0.0 else np.inf
    g = float(np.interp(scarcity, _SCARCITY, _G))
    return Prices(max(_LEAST_ROOM, g) / most, max(0.0, g - 1.0), _CLAUSE * n_clauses)
