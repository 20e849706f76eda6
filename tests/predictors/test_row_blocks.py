"""Blocks cover every row once, and none is too large."""

from __future__ import annotations

import numpy as np
import pytest

from askless.predictors._row_blocks import row_blocks


@pytest.mark.parametrize(("rows", "columns"), [(0, 3), (1, 0), (10, 7), (11, 5), (4, 1000)])
def test_every_row_is_in_one_block_and_no_block_is_too_large(
    rows: int, columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("askless.predictors._row_blocks.NUMBERS", 20)
    blocks = [np.arange(rows)[block] for block in row_blocks(rows, columns)]
    assert np.array_equal(np.concatenate([np.empty(0, int), *blocks]), np.arange(rows))
    assert all(len(block) == 1 or block.size * columns <= 20 for block in blocks)
