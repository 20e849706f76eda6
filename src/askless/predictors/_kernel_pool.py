"""The kernels of one pool, ready to learn with: columns, and what is thought of their weights.

Without a prior a kernel is a block of the basis as it is, its weights N(0, 1). With one, every
kernel also has the prior's two columns, and two more kernels have no others: `AS_GIVEN` says what
the prior says and hardly learns, the other corrects it by a line, a bend and the bias.
Tested in tests/predictors/test_kernel.py.
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

AS_GIVEN: Final = "as given"
"""The name of the kernel that says what the prior says."""


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
    seed
        Fixes the anchors.
    """

    def __init__(
        self, x: NDArray[Any], blocks: Blocks | None, prior: Floats | None, seed: int
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
        self.kernels = _plain(parts) if prior is None else _with_prior(parts, prior, self.n)
        self.trusted = None if prior is None else 0
        """The kernel believed before any label, `AS_GIVEN`; None if there is no prior."""

    def made_of(self, x: NDArray[Any]) -> bool:
        """Whether x is what the kernels were made of."""
        same = self._x is x or (self._x.shape == x.shape and np.array_equal(self._x, x))
        if same:
            self._x = x  # the next look is at the same object
        return same


def _plain(parts: list[tuple[str, NDArray[np.float32]]]) -> list[KernelColumns]:
    return [
        KernelColumns(name, part, np.zeros(part.shape[1]), np.ones(part.shape[1]))
        for name, part in parts
    ]


def _with_prior(
    parts: list[tuple[str, NDArray[np.float32]]], prior: Floats, n: int
) -> list[KernelColumns]:
    score = _score(prior, n)
    own = np.stack([score, score / (1 + np.abs(score))], axis=1)
    mean, variance = np.array([1.0, 0.0]), np.array([0.25, 1.0])
    bias = np.full((n, 1), BIAS, np.float32)
    found = [
        KernelColumns(AS_GIVEN, score[:, None], np.ones(1), np.full(1, 0.02**2)),
        KernelColumns(
            "prior alone",
            np.concatenate([bias, own], axis=1),
            np.r_[0.0, mean],
            np.r_[1.0, variance],
        ),
    ]
    for name, part in parts:
        width = part.shape[1]
        found.append(
            KernelColumns(
                name,
                np.concatenate([part, own], axis=1),
                np.r_[np.zeros(width), mean],
                np.r_[np.ones(width), variance],
            )
        )
    return found


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
