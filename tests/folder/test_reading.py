"""A session folder that somebody made by hand: what its first event claims is not believed."""

from __future__ import annotations

import tracemalloc
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from askless.assemble import open_session
from askless.assemble.reading import read_session
from askless.core.event import Event
from askless.core.probability import Probs
from askless.errors import AsklessError, Damaged
from askless.folder.verifying import verify_session
from askless.stores.sqlite import SqliteStore


def crafted(folder: Path, **claims: Any) -> Path:
    """A session whose first event claims these things; None takes a claim away."""
    with open_session(Probs(np.full(12, 0.5)), folder=folder / "sound") as working:
        opening = {**(working.session.history.opening or {}), **claims}
    folder = folder / "crafted"
    folder.mkdir()
    (folder / "probs.npy").write_bytes((folder.parent / "sound" / "probs.npy").read_bytes())
    store = SqliteStore(folder / "events.sqlite")
    store.append([Event("opened", payload={k: v for k, v in opening.items() if v is not None})])
    store.close()
    return folder


@pytest.mark.parametrize("n", [10**7, 2**33, 2**53])
def test_a_claim_of_too_many_items_takes_no_memory(tmp_path: Path, n: int) -> None:
    """Seen to fail first: the state was made for as many items as the event claimed."""
    folder = crafted(tmp_path, n=n)
    tracemalloc.start()
    try:
        for look in (read_session, lambda folder: open_session(folder=folder)):
            with pytest.raises(Damaged, match=rf"{n:,} items, and probs.npy has room for \d\d\."):
                look(folder)
        (finding,) = verify_session(folder).findings
        assert "Put back good copies" in finding
        (folder / "probs.npy").unlink()
        assert "has room for 0" in verify_session(folder).findings[0]
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 2**22


@pytest.mark.parametrize(
    "claims",
    [
        {"n": None},
        {"n": -1},
        {"n": "12"},
        {"n": 13},
        {"planner": None},
        {"planner": 5},
        {"planner": "no such"},
        {"options": [1]},
        {"options": {"no_such": 1}},
        {"probs": None},
        {"probs": "other"},
        {"about": 5},
        {"manners": {"seed": "x"}},
        {"correction": "yes"},
        {"correction": {"no_such": 1}},
        {"correction": {"sample": "x"}},
        {"correction": {"order": 5}},
    ],
    ids=str,
)
def test_an_opening_that_no_session_wrote_is_refused_in_a_sentence(
    tmp_path: Path, claims: dict[str, Any]
) -> None:
    folder = crafted(tmp_path, **claims)
    with pytest.raises(AsklessError, match=r"\.$"):
        open_session(folder=folder)
    for look in (read_session, verify_session):
        with suppress(AsklessError):  # and nothing else
            look(folder)
