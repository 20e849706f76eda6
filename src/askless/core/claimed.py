"""What the event ``claimed`` says: the guesses of all open items are frozen, to be checked.

A class beside those in `askless.core.events`, which reads it. It holds what nobody can derive: the
promise, the guesses, the prior and the seed of the draws. Which items it is about follows from the
events before it: all that are open. What it means for later events is in `askless.history.claims`.
Tested in tests/core/test_events.py and tests/history/test_claims.py.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final, get_args

import numpy as np
from numpy.typing import NDArray

from askless.core.claim import Form
from askless.core.content import Chance, Content
from askless.core.event import Kind
from askless.core.promise import Promise
from askless.errors import InvalidInput

Mask = NDArray[np.bool_]
Doubts = NDArray[np.float32]

_SEED: Final = re.compile(r"[0-9a-f]{16,128}")
_HALF: Final = np.dtype("<f2")
_LEAST_DOUBT: Final = 2.0**-24
"""The smallest number of half precision: no guess is certain."""


@dataclass(frozen=True, slots=True)
class Claimed(Content):
    """The guesses of the open items, frozen.

    Parameters
    ----------
    promise
        What is to hold before it is enough, as the fields of `askless.core.promise.Promise`.
    guesses
        One bit for each item of the pool, the first item in the highest bit of the first byte, in
        base64; 0 where the item is not open.
    checksum
        `claim_checksum` of the items and their guesses.
    seed
        Of the draws, in hexadecimal digits, from the operating system's entropy; used for nothing
        else.
    alpha
        The chance, at most, that this claim is ever certified and does not hold.
    expected
        How many guesses the predictor expected to be wrong: in all, or with strata among the items
        guessed False and among those guessed True.
    form
        How checks are answered.
    strata
        Whether a check is about items of one guess alone.
    trust
        The weight of `expected` in the prior.
    doubts
        For each open item, ascending, the chance that its guess is wrong as it was believed then: a
        half-precision number, least significant byte first, in base64. Empty if nobody noted it.
    """

    promise: Mapping[str, Any]
    guesses: str
    checksum: str
    seed: str
    alpha: Chance
    expected: tuple[float, ...]
    form: str = "yes-no"
    strata: bool = False
    trust: Chance = 0.75
    doubts: str = ""
    kind: ClassVar[Kind] = "claimed"

    def __post_init__(self) -> None:
        _ = self.promised
        if not 0 < self.alpha < 1:
            raise InvalidInput(f"A claim's alpha is between 0 and 1; got {self.alpha!r:.40}.")
        if self.form not in get_args(Form):
            raise InvalidInput(f"Checks are answered by yes-no or pointed; got {self.form!r:.40}.")
        if len(self.expected) != 1 + self.strata:
            raise InvalidInput(
                "A claim says how many wrong guesses are expected, once, or once for each of two "
                f"strata; got {len(self.expected)} numbers."
            )
        if not _SEED.fullmatch(self.seed):
            raise InvalidInput(f"A seed is 16 to 128 hexadecimal digits; got {self.seed!r:.40}.")
        if self.promised.kind == "recall" and not self.strata:
            raise InvalidInput("Recall needs a claim with two strata; got one.")

    @property
    def promised(self) -> Promise:
        """The promise; refuses what is none."""
        return Promise.of(self.promise)

    def read_guesses(self, open_items: Mask) -> Mask:
        """The guess for each item of the pool.

        Parameters
        ----------
        open_items
            Which items are open: what the claim is about.

        Raises
        ------
        InvalidInput
            They are not the guesses of these items.
        """
        n = len(open_items)
        packed = _unpacked(self.guesses, (n + 7) // 8, f"one bit for each of {n} items")
        bits = np.unpackbits(np.frombuffer(packed, np.uint8)).astype(bool)
        guess = bits[:n]
        if bits[n:].any() or guess[~open_items].any():
            raise InvalidInput("A claim guesses the labels of open items alone; these are others.")
        if claim_checksum(open_items, guess) != self.checksum:
            raise InvalidInput("The guesses of a claim are not the ones that were frozen.")
        return guess

    def read_doubts(self, count: int) -> Doubts | None:
        """The chance that each guess is wrong, as believed then; None if nobody noted it.

        Parameters
        ----------
        count
            How many items are open.

        Raises
        ------
        InvalidInput
            They are not as many chances.
        """
        if not self.doubts:
            return None
        packed = _unpacked(self.doubts, 2 * count, f"two bytes of doubt for each of {count} items")
        doubts = np.frombuffer(packed, _HALF).astype(np.float32)
        if not np.all((doubts >= 0) & (doubts <= 1)):  # NaN fails too
            raise InvalidInput("The doubts of a claim are numbers from 0 to 1; these are others.")
        return doubts


def freeze_guesses(
    promise: Promise,
    guess: Mask,
    open_items: Mask,
    seed: str,
    alpha: float,
    expected: tuple[float, ...],
    probs: NDArray[np.float64] | None = None,
    **options: Any,
) -> Claimed:
    """What to store when the guesses of these items are frozen; `options` as in `Claimed`.

    `probs` are what is believed about all items now; None to note nothing of it.
    """
    kept = np.logical_and(guess, open_items)
    doubts = b""
    if probs is not None:
        wrong = np.where(kept, 1 - probs, probs)[open_items]
        doubts = np.clip(wrong, _LEAST_DOUBT, 1).astype(_HALF).tobytes()
    return Claimed(
        promise=promise.plain(),
        guesses=base64.b64encode(np.packbits(kept).tobytes()).decode("ascii"),
        checksum=claim_checksum(open_items, kept),
        seed=seed,
        alpha=alpha,
        expected=expected,
        doubts=base64.b64encode(doubts).decode("ascii"),
        **options,
    )


def claim_checksum(open_items: Mask, guess: Mask) -> str:
    """SHA-256 of which items are open and of their guesses, both packed to bits."""
    packed = np.packbits(open_items).tobytes() + np.packbits(guess).tobytes()
    return hashlib.sha256(packed).hexdigest()


def _unpacked(text: str, size: int, what: str) -> bytes:
    """So many bytes from base64; `what` says what they are."""
    try:
        if len(text) != 4 * ((size + 2) // 3):
            raise ValueError
        packed = base64.b64decode(text.encode("ascii"), validate=True)
        if len(packed) != size:
            raise ValueError
    except (ValueError, binascii.Error):
        raise InvalidInput(f"A claim holds {what}, in base64; got {text!r:.40}.") from None
    return packed
