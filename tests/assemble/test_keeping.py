from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from askless.assemble import Method, open_session, read_session
from askless.assemble.keeping import keep_session
from askless.errors import InvalidInput
from askless.folder.verifying import verify_session
from askless.lab.simulate import simulate
from askless.pools import open_pool

POOL = open_pool([f"text {number}" for number in range(12)])
TRUTH = np.arange(12) % 2 == 0


def test_a_session_in_memory_goes_on_in_a_folder(tmp_path: Path) -> None:
    opened = open_session(POOL, Method(max_n=4))
    simulate(opened.session, TRUTH, max_questions=3)
    before = opened.session.state.labels().tolist()
    with keep_session(opened, POOL, tmp_path / "s") as kept:
        assert kept.session.state.labels().tolist() == before
        assert kept.method == Method(max_n=4)
        assert simulate(kept.session, TRUTH).labels_right == 12
    assert read_session(tmp_path / "s").history.state.n_settled == 12
    with pytest.raises(InvalidInput, match="holds one already"):
        keep_session(open_session(POOL), POOL, tmp_path / "s")
    assert verify_session(tmp_path / "s").sound
