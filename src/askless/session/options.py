"""How a session behaves, in a few numbers.

Kept with a session on disk, so that it behaves the same when it is taken up again.
Tested in tests/session/test_chooser.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

from askless.errors import InvalidInput

_STORED: Final = {
    "lease_s": "lease_s",
    "audit_every": "audit_every",
    "draw": "test_sample",
    "seed": "seed",
}
"""What each option is called in stored sessions."""


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

    @classmethod
    def from_json(cls, stored: Any) -> Self:
        """Read what `to_json` wrote; refuse anything else."""
        if not isinstance(stored, Mapping) or not set(stored) <= set(_STORED):
            raise InvalidInput(
                f"A session's options are among {', '.join(_STORED)}; got {stored!r:.120}."
            )
        return cls(**{_STORED[name]: value for name, value in stored.items()})

    def to_json(self) -> dict[str, Any]:
        """In plain JSON values."""
        return {name: getattr(self, attribute) for name, attribute in _STORED.items()}
