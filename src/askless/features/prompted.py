"""First guesses by words: which items are nearer to one sentence than to another.

Also known as zero-shot classification. An encoder that puts items and sentences into one space
(CLIP for pictures, a sentence encoder for texts) gives an item the margin m = x . (a - b), for unit
vectors x of the item, a of the prompt and b of the negative prompt. Without a negative prompt the
pool stands for it: m = x . a less its mean over the pool. Then

    P(label is True) = 1 / (1 + exp(-SLOPE m / s)),     s the root mean square of m over the pool

so that no scale of a particular encoder is needed. These are first guesses: the predictor takes
them as its prior and learns from the answers how far to trust them (`askless.predictors.kernel`).
Derived from by the feature sets whose encoder reads sentences, so features and guesses come from
one encoder. Cost: two sentences. Tested in tests/features/test_prompted.py.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.errors import InvalidInput
from askless.features.extractor import FeatureExtractor
from askless.features.reduction import unit_rows
from askless.seams import Pool

SLOPE: Final = 2.0
_LONGEST: Final = 2000
_ROWS: Final = 4096


@dataclass(kw_only=True)
class Prompted(FeatureExtractor):
    """A feature set whose encoder reads sentences too.

    Parameters
    ----------
    prompt
        What a positive item is, in words; None for no first guesses.
    negative_prompt
        What a negative item is; None for whatever else is in the pool.
    """

    prompt: str | None = None
    negative_prompt: str | None = None

    @abstractmethod
    def describe_sentences(self, sentences: list[str]) -> NDArray[Any]:
        """Sentences in the space of the items, one row each."""

    def check_prompts(self) -> None:
        """Refuse prompts that are none; for ``__post_init__``."""
        for word, said in (("prompt", self.prompt), ("negative_prompt", self.negative_prompt)):
            if said is not None and not 0 < len(said.strip()) <= _LONGEST:
                raise InvalidInput(
                    f"A {word} has 1 to {_LONGEST:,} letters; got {len(said.strip()):,}."
                )
        if self.negative_prompt is not None and self.prompt is None:
            raise InvalidInput("A negative prompt stands beside a prompt; got it alone.")

    def misfit(self, pool: Pool) -> str | None:
        """First guesses from two sides."""
        if self.prompt is None or pool.probs is None:
            return None
        return (
            "The pool brings probabilities, and a prompt gives other first guesses; leave one of "
            "them out."
        )

    def guesses(self, x: NDArray[Any]) -> NDArray[np.float64] | None:
        """P(label is True) for every item by its features; None if nothing was prompted.

        Parameters
        ----------
        x
            What `extract` gave.
        """
        if self.prompt is None or not len(x):
            return None
        words = [self.prompt] + ([] if self.negative_prompt is None else [self.negative_prompt])
        vectors = unit_rows(np.asarray(self.describe_sentences(words), np.float32))
        if vectors.shape[1] != x.shape[1]:
            raise InvalidInput(
                "A prompt is compared with items in one space; this encoder gives sentences "
                f"{vectors.shape[1]} numbers and items {x.shape[1]}. Give both halves of one model."
            )
        toward = vectors[0] if len(vectors) == 1 else vectors[0] - vectors[1]
        margins = np.concatenate(
            [
                unit_rows(np.asarray(x[at : at + _ROWS], np.float32)) @ toward
                for at in range(0, len(x), _ROWS)
            ]
        ).astype(np.float64)
        if len(vectors) == 1:
            margins -= margins.mean()
        spread = float(np.sqrt(np.mean(np.square(margins))))
        if spread < 1e-12:
            return np.full(len(x), 0.5)
        return np.asarray(1 / (1 + np.exp(-SLOPE * margins / spread)))
