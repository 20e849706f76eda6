"""The kernels of one pool, ready to learn with: their columns, and the prior of their weights.

Without given probabilities every kernel is a block of the basis, its weights N(0, 1). With them
there are two more kernels, before the others. `PRIOR` has the score s alone, Phi(s) = probability,
and hardly learns; the second corrects s by a line, a bend and the bias: weights 1 +- 1/2 of s,
0 +- 1 of s / (1 + abs(s)). With a stacked expert, which adds scores, the other kernels stay as they
are; without one, each of them gets these two columns too.
Used by `askless.predictors.kernel`. Tested in tests/predictors/test_kernel_prior.py.
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

PRIOR: Final = "prior"
"""The name of the kernel that gives the prior's probabilities as they are."""
_MEAN: Final = np.array([1.0, 0.0])
_VARIANCE: Final = np.array([0.25, 1.0])
"""Of the weights of the prior's two columns: its score, and the bend of it."""


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
        P(label is True) for every item; None if there is none.
    stacked
        Whether a stacked expert adds up the kernels (`askless.predictors._stacking`).
    seed
        Fixes the landmarks.
    """

    def __init__(
        self,
        x: NDArray[Any],
        blocks: Blocks | None,
        prior: Floats | None,
        *,
        stacked: bool,
        seed: int,
    ) -> None:
        self.n = len(x)
        self._x = x
        if blocks is None:
            basis = kernel_basis(x, seed=seed)
            x, blocks = basis.columns, basis.blocks
        widths = [width for _, width in blocks]
        if sum(widths) != x.shape[1]:
            raise InvalidInput(
                f"The blocks of a kernel basis cover its {x.shape[1]} columns; got widths {widths}."
            )
        self.kernels: list[KernelColumns] = []
        added = np.empty((self.n, 0), np.float32)
        if prior is not None:
            score = _score(prior, self.n)
            pair = np.stack([score, score / (1 + np.abs(score))], axis=1)
            self.kernels = _prior_kernels(pair)
            added = added if stacked else pair
        self.n_prior_kernels = len(self.kernels)
        """How many of the kernels, the first ones, have the prior's columns alone."""
        ends = np.cumsum(widths, dtype=int)
        for (name, width), end in zip(blocks, ends, strict=True):
            columns = np.asarray(x[:, end - width : end], np.float32)  # a view, if it can be one
            self.kernels.append(_block_kernel(name, columns, added))

    def is_made_of(self, x: NDArray[Any]) -> bool:
        """Whether x is what the kernels were made of."""
        same = self._x is x or (self._x.shape == x.shape and np.array_equal(self._x, x))
        if same:
            self._x = x  # so that the next comparison is of one object with itself
        return same


def require_prior(prior: Floats, n: int) -> None:
    """Refuse the probabilities of another pool."""
    if len(prior) != n:
        raise InvalidInput(f"A prior has one probability per item; got {len(prior)} for {n} items.")


def _prior_kernels(pair: NDArray[np.float32]) -> list[KernelColumns]:
    bias = np.full((len(pair), 1), BIAS, np.float32)
    corrected = np.concatenate([bias, pair], axis=1)
    return [
        KernelColumns(PRIOR, pair[:, :1], np.ones(1), np.full(1, 0.02**2)),
        KernelColumns("prior corrected", corrected, np.r_[0.0, _MEAN], np.r_[1.0, _VARIANCE]),
    ]


def _block_kernel(
    name: str, block: NDArray[np.float32], added: NDArray[np.float32]
) -> KernelColumns:
    few, width = added.shape[1], block.shape[1]
    columns = np.concatenate([block, added], axis=1) if few else block
    mean, variance = np.r_[np.zeros(width), _MEAN[:few]], np.r_[np.ones(width), _VARIANCE[:few]]
    return KernelColumns(name, columns, mean, variance)


def _score(prior: Floats, n: int) -> NDArray[np.float32]:
    """Probabilities as scores of a probit."""
    from scipy.special import ndtri

    require_prior(prior, n)
    return np.asarray(ndtri(np.clip(prior, 1e-7, 1 - 1e-7)), np.float32)
