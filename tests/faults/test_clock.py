"""The wall clock jumps backwards, and forwards: it decides nothing.

Seen to fail first: with leases by the wall clock, a jump forwards took a question from who was
looking at it; with negative gaps counted, the time left came out negative.
"""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

from askless.assemble import Method, open_session
from askless.core.probability import Probs
from askless.folder.verifying import verify_session
from askless.session.pace import pace_of
from askless.session.session import Session

N = 40
JUMPS_S = (0.0, -86_400.0, 5.0, -1e9, 3e9, -7.0)


def answer_some(session: Session, monkeypatch: pytest.MonkeyPatch, key: str) -> list[int]:
    """Six answers, the clock jumping before each."""
    numbers = []
    now = time.time()
    held = session.ask("bob")
    assert held is not None
    for k, jump in enumerate(JUMPS_S):
        now += jump
        monkeypatch.setattr(time, "time", lambda now=now: now)
        asked = session.ask("ann")
        assert asked is not None
        assert session.ask("bob") is held
        numbers.append(session.tell(asked.id, asked.question.yes(), f"{key}{k}").number)
    return numbers


def test_clock_that_jumps_changes_no_order_no_lease_and_no_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "s"
    probs = Probs(np.linspace(0.1, 0.9, N))
    method = Method(planner="one-by-one", lease_s=30.0)
    with open_session(probs, method, folder) as working:
        numbers = answer_some(working.session, monkeypatch, "a")
        before = working.session.state
        progress = working.session.progress()
        pace = pace_of(working.session.history, "ann").cost
    assert numbers == sorted(numbers)
    with open_session(folder=folder) as working:
        assert working.session.state == before
        numbers += answer_some(working.session, monkeypatch, "b")
    assert numbers == sorted(numbers)
    assert verify_session(folder).sound
    assert progress.seconds_left is None or progress.seconds_left.expected > 0
    assert all(seconds > 0 for seconds in pace)
