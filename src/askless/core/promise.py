"""What a person wants to hold of all labels before it is enough: "at most 1 % are wrong".

`askless.core.claim` says when it holds. Plain values, stored with every claim.
Tested in tests/core/test_promise.py.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, Literal, cast, get_args

from askless.errors import InvalidInput

OFF: Final = "off"
"""What is said to promise nothing from now on."""
_MOST: Final = 10**12
"""More items than any pool has."""
Kind = Literal["all", "accepted", "count", "recall"]


@dataclass(frozen=True, slots=True)
class Promise:
    """What is to hold of the labels before it is enough.

    Parameters
    ----------
    kind
        ``all``: at most this share of all labels is wrong, those given being right. ``accepted``:
        at most this share of the accepted ones. ``count``: at most so many are wrong. ``recall``:
        at least this share of the items of a label has been given it.
    value
        The share, or the number.
    confidence
        A promise said to hold is untrue at most once in 1 / (1 - confidence) times.
    """

    kind: Kind = "all"
    value: float = 0.01
    confidence: float = 0.95

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind):
            raise InvalidInput(
                f"A promise is about one of {', '.join(get_args(Kind))}; got {self.kind!r:.40}."
            )
        for got in (self.value, self.confidence):
            if type(got) not in (int, float) or not math.isfinite(got):
                raise InvalidInput(
                    f"The value and the confidence of a promise are numbers; got {got!r:.40}."
                )
        if not 0.5 <= self.confidence < 1:
            raise InvalidInput(
                f"The confidence of a promise is at least 0.5 and below 1; got {self.confidence}."
            )
        if self.kind == "count":
            if not 0 <= self.value <= _MOST or self.value != int(self.value):
                raise InvalidInput(
                    f"A promise of a count allows a whole number, 0 to {_MOST:,}; "
                    f"got {self.value!r:.40}."
                )
        elif self.kind == "recall":
            if not 0 < self.value <= 1:
                raise InvalidInput(f"Recall is above 0 and at most 1; got {self.value}.")
        elif not 0 <= self.value < 1:
            raise InvalidInput(
                f"The share of labels that may be wrong is at least 0 and below 1; "
                f"got {self.value}."
            )

    @classmethod
    def parse(cls, text: str, kind: Kind = "all", confidence: float = 0.95) -> Promise:
        """The promise that a person writes as ``1%``, ``0.01``, ``accepted:1%`` or ``recall:95%``.

        Parameters
        ----------
        text
            A share, or for a count a number; before it, with a colon, the kind.
        kind
            What it is about where the text does not say.
        confidence
            As for a promise.
        """
        before, colon, after = text.strip().rpartition(":")
        named = before.strip() if colon else kind
        if named not in get_args(Kind):
            raise InvalidInput(
                f"A promise is about one of {', '.join(get_args(Kind))}, written as 1%, "
                f"accepted:1%, count:20 or recall:95%; got {text!r:.40}."
            )
        percent = after.endswith("%")
        try:
            number = Decimal(after.removesuffix("%").strip())
            value = float(number / 100 if percent else number)
        except (ArithmeticError, ValueError):
            raise InvalidInput(
                "A promise is written as a share, such as 1% or 0.01, or for a count as a number, "
                f"such as count:20; got {text!r:.40}."
            ) from None
        if percent and named == "count":
            raise InvalidInput(f"A count is a number without %; got {text!r:.40}.")
        return cls(cast("Kind", named), value, confidence)

    @classmethod
    def of(cls, value: object) -> Promise:
        """The promise that this is, is written as, or has as its plain values.

        Raises
        ------
        InvalidInput
            It is none.
        """
        if isinstance(value, Promise):
            return value
        if isinstance(value, str):
            return cls.parse(value)
        if not isinstance(value, Mapping) or set(value) != {"kind", "value", "confidence"}:
            raise InvalidInput(
                f"A promise has a kind, a value and a confidence, or is text; got {value!r:.80}."
            )
        try:
            return cls(**value)
        except (TypeError, OverflowError):  # numbers that JSON can hold and nothing else
            raise InvalidInput(f"A promise is made of numbers; got {value!r:.80}.") from None

    def plain(self) -> dict[str, Any]:
        """All of it in JSON values."""
        return asdict(self)

    @property
    def text(self) -> str:
        """As a person writes it; `parse` reads it back, but for the confidence."""
        if self.kind == "count":
            return f"count:{int(self.value)}"
        share = f"{Decimal(repr(self.value)) * 100:f}"
        share = share.rstrip("0").rstrip(".") if "." in share else share
        return f"{share}%" if self.kind == "all" else f"{self.kind}:{share}%"

    @property
    def alpha(self) -> float:
        """The chance, at most, that a promise is ever said to hold and does not."""
        return float(1 - Fraction(repr(self.confidence)))

    @property
    def missed_per_found(self) -> float:
        """How many items of a label a promise of recall lets be missed for each that is found."""
        return min((1 - self.value) / self.value, _MOST)

    def allowed(self, items: int, accepted: int) -> int:
        """The most accepted labels that may be wrong; not for recall, which is no one number.

        Parameters
        ----------
        items
            Of the whole pool.
        accepted
            How many of them have the model's label.
        """
        if self.kind == "recall":
            raise InvalidInput(
                "How many labels recall allows to be wrong depends on their kind; "
                "compare Evidence.recall_at_least with the promise's value."
            )
        if self.kind == "count":
            return int(self.value)
        whole = items if self.kind == "all" else accepted
        return math.floor(Fraction(repr(self.value)) * whole)  # 29 % of 100 is 29


def share_text(share: float | Fraction, *, up: bool) -> str:
    """A share in per cent with two digits or so, rounded `up` or down: never in its favour."""
    percent = 100 * (Fraction(repr(share)) if isinstance(share, float) else share)
    places = 1 if percent >= 1 else 2
    scaled = percent * 10**places
    whole = math.ceil(scaled) if up else math.floor(scaled)
    return f"{whole / 10**places:g} %"
