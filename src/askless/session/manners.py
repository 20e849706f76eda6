"""How a session behaves, in a few numbers.

Kept with a session on disk, so that it behaves the same when it is taken up again.
Tested in tests/session/test_choosing.py.
"""

from __future__ import annotations

from dataclasses import dataclass

from askless.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Manners:
    """How a session behaves.

    Parameters
    ----------
    lease_s
        Seconds until a question that was not answered returns to the pool.
    audit_every
        One audit after so many questions, per annotator; 0 for none.
    draw
        So many items are drawn uniformly at random and asked first, one at a time: a sample
        of the pool that nothing has chosen, good for testing what is learnt from the rest.
    seed
        Fixes which items are drawn and audited.
    """

    lease_s: float = 600.0
    audit_every: int = 0
    draw: int = 0
    seed: int = 0

    def __post_init__(self) -> None:
        if not self.lease_s > 0:
            raise InvalidInput(f"A lease lasts more than 0 seconds; got {self.lease_s}.")
        for name in ("audit_every", "draw", "seed"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < 0:
                raise InvalidInput(f"{name} is a whole number, 0 or more; got {value!r}.")
