"""A share and how far it can be trusted.

Wilson's score interval (1927): honest for few trials and for shares near 0 and 1,
where the textbook interval promises the impossible. Tested in tests/core/test_interval.py.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from askless.errors import InvalidInput

_Z_95 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Share:
    """`hits` out of `trials`, and the interval that holds the true share 19 times in 20.

    Parameters
    ----------
    hits
        How often it happened.
    trials
        How often it could have.
    """

    hits: int
    trials: int

    def __post_init__(self) -> None:
        if not 0 <= self.hits <= self.trials:
            raise InvalidInput(
                f"A share has between 0 and {self.trials} hits in {self.trials} trials; "
                f"got {self.hits}."
            )

    @property
    def value(self) -> float | None:
        """The share seen; None before the first trial."""
        return self.hits / self.trials if self.trials else None

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval; everything from 0 to 1 before the first trial."""
        if not self.trials:
            return 0.0, 1.0
        n, seen, z2 = self.trials, self.hits / self.trials, _Z_95**2
        centre = (seen + z2 / (2 * n)) / (1 + z2 / n)
        half = _Z_95 / (1 + z2 / n) * math.sqrt(seen * (1 - seen) / n + z2 / (4 * n * n))
        low = 0.0 if self.hits == 0 else centre - half
        high = 1.0 if self.hits == n else centre + half
        return max(0.0, low), min(1.0, high)
