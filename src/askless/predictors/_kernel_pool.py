"""The kernels of one pool, ready to learn with: columns, and what is thought of their weights.

Without a prior a kernel is a block of the basis as it is, its weights N(0, 1). With one, there are
two kernels more, before the others: `AS_IT_IS` says what the prior says and hardly learns, the
second corrects it by a line, a bend and the bias. Where there is a chorus to add up what is said,
the other kernels stay as they are; where there is none, each of them has the prior's two columns.
Tested in tests/predictors/test_kernel_prior.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.errors import InvalidInput
from askless.predictors.kernel_basis import BIAS, kernel_basis

Floats = NDArray[np.float64]
Blocks = tuple[tuple[str, int], ...]

AS_IT_IS: Final = "prior as it is"
"""The name of the kernel that says what the prior says."""
_MEAN: Final = np.array([1.0, 0.0])
_VARIANCE: Final = np.array([0.25, 1.0])
"""What is thought of the weights of the prior's columns: its score, and the bend of it."""


@dataclass(frozen=True, slots=True, eq=False)
class KernelColumns:
    """One kernel.

    Parameters
    ----------
    name
        The name of its block.
    columns
        Shape (n, width).
    mean, variance
        Of its weights before any label, shape (width,).
    """

    name: str
    columns: NDArray[np.float32]
    mean: Floats
    variance: Floats


class KernelPool:
    """Every kernel of a pool.

    Parameters
    ----------
    x
        Features if `blocks` is None, otherwise a kernel basis with these blocks.
    blocks
        Name and width of each block.
    prior
        P(label is True) for every item; None for none.
    chorus
        Whether what the kernels say is added up (`askless.predictors._voices`).
    seed
        Fixes the anchors.
    """

    def __init__(
        self,
        x: NDArray[Any],
        blocks: Blocks | None,
        prior: Floats | None,
        *,
        chorus: bool,
        seed: int,
    ) -> None:
        self.n = len(x)
        self._x = x
        if blocks is None:
            made = kernel_basis(x, seed=seed)
            columns, blocks = made.columns, made.blocks
        else:
            columns = np.asarray(x, dtype=np.float32)
        if sum(width for _, width in blocks) != columns.shape[1]:
            raise InvalidInput(
                f"The blocks of a kernel basis cover its {columns.shape[1]} columns; "
                f"got widths {[width for _, width in blocks]}."
            )
        parts, start = list[tuple[str, NDArray[np.float32]]](), 0
        for name, width in blocks:
            parts.append((name, columns[:, start : start + width]))
            start += width
        brought: list[KernelColumns] = []
        if prior is not None:
            score = _score(prior, self.n)
            own = np.stack([score, score / (1 + np.abs(score))], axis=1)
            brought = _brought(own)
        self.brought = len(brought)
        """How many of the kernels, the first ones, have the prior's columns alone."""
        added = None if prior is None or chorus else own
        self.kernels = [*brought, *(_of_block(name, part, added) for name, part in parts)]

    def made_of(self, x: NDArray[Any]) -> bool:
        """Whether x is what the kernels were made of."""
        same = self._x is x or (self._x.shape == x.shape and np.array_equal(self._x, x))
        if same:
            self._x = x  # the next look is at the same object
        return same


def _brought(own: NDArray[np.float32]) -> list[KernelColumns]:
    bias = np.full((len(own), 1), BIAS, np.float32)
    return [
        KernelColumns(AS_IT_IS, own[:, :1], np.ones(1), np.full(1, 0.02**2)),
        KernelColumns(
            "prior corrected",
            np.concatenate([bias, own], axis=1),
            np.r_[0.0, _MEAN],
            np.r_[1.0, _VARIANCE],
        ),
    ]


def _of_block(
    name: str, part: NDArray[np.float32], own: NDArray[np.float32] | None
) -> KernelColumns:
    zeros, ones = np.zeros(part.shape[1]), np.ones(part.shape[1])
    if own is None:
        return KernelColumns(name, part, zeros, ones)
    columns = np.concatenate([part, own], axis=1)
    return KernelColumns(name, columns, np.r_[zeros, _MEAN], np.r_[ones, _VARIANCE])


def require_prior(prior: Floats, n: int) -> None:
    """Refuse probabilities that are those of another pool."""
    if len(prior) != n:
        raise InvalidInput(f"A prior has one probability per item; got {len(prior)} for {n} items.")


def _score(prior: Floats, n: int) -> NDArray[np.float32]:
    """Probabilities as scores of a probit."""
    from scipy.special import ndtri

    require_prior(prior, n)
    score: NDArray[np.float32] = ndtri(np.clip(prior, 1e-7, 1 - 1e-7)).astype(np.float32)
    return score
