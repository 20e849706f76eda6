"""How a session behaves, in a few numbers.

Part of `askless.assemble.method.Method`, which is kept with a session.
Tested in tests/session/test_chooser.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from askless.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class SessionOptions:
    """How a session behaves.

    Parameters
    ----------
    lease_s
        Seconds until a question that was not answered returns to the pool.
    audit_every
        One audit after this many questions, per annotator; 0 for none.
    test_sample
        This many items are drawn uniformly at random and asked first, one at a time: a sample
        of the pool that nothing has chosen, good for testing what is learnt from the rest.
    seed
        Fixes which items are in the test sample and in audits.
    """

    lease_s: float = 600.0
    audit_every: int = 0
    test_sample: int = 0
    seed: int = 0

    def __post_init__(self) -> None:
        if type(self.lease_s) not in (int, float) or not self.lease_s > 0:
            raise InvalidInput(f"A lease lasts more than 0 seconds; got {self.lease_s!r:.80}.")
        for name in ("audit_every", "test_sample", "seed"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < 0:
                raise InvalidInput(f"{name} is a whole number, 0 or more; got {value!r:.80}.")

    def test_items(self, sizes: Sequence[int]) -> list[int]:
        """The test sample of a pool, in the order in which it is asked.

        Of the items that were added later, each has the same chance to be among them as those of
        the beginning had, so the sample stays one of the whole pool.

        Parameters
        ----------
        sizes
            How many items the pool had at the beginning, and after each time it grew.
        """
        first = sizes[0]
        if not self.test_sample or not first:
            return []
        drawn = np.random.default_rng(self.seed).permutation(first)[: self.test_sample].tolist()
        share = len(drawn) / first
        for before, after in pairwise(sizes):
            rng = np.random.default_rng([self.seed, before])
            more = int(share * (after - before) + rng.random())
            drawn += (before + rng.permutation(after - before)[:more]).tolist()
        return [int(item) for item in drawn]
