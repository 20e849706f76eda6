from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from askless.assemble import Method, open_session, read_session
from askless.assemble.updating import in_words, store_update, update_of
from askless.core.probability import Probs
from askless.folder.files import TRAINING
from askless.folder.verifying import verify_session
from askless.pools import as_before, open_pool
from askless.seams import Checkpoint
from askless.trainer.checkpoint import newest_checkpoint, write_checkpoint

TEXTS = ["one", "two", "three", "four"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A session over four texts, with a checkpoint."""
    folder = tmp_path / "s"
    open_session(open_pool(TEXTS), Method(planner="nested"), folder).close()
    (folder / TRAINING).mkdir()
    write_checkpoint(folder / TRAINING, Checkpoint(3, Probs(np.array([0.1, 0.2, 0.3, 0.4])), 5))
    return folder


def grown(folder: Path, texts: list[str]) -> str:
    """Have the session go on with these texts; what has changed, in words."""
    opened = open_session(folder=folder)
    items = read_session(folder).items()
    found = as_before(open_pool(texts), items.ids, items.checksums, add=True)
    update = update_of(found, items)
    assert update is not None
    store_update(opened, folder, update).close()
    return in_words(found, update)


def test_what_was_believed_of_the_old_items_is_believed_after_growth(folder: Path) -> None:
    assert grown(folder, [*TEXTS, "five", "six"]).endswith("last time: 2 new.")
    kept = read_session(folder)
    assert kept.history.state.n == 6
    with open_session(folder=folder) as opened:
        assert np.allclose(opened.session.probs.values[:4], [0.1, 0.2, 0.3, 0.4])
        assert len(opened.session.probs) == 6
    assert verify_session(folder).sound


def test_a_session_killed_before_its_checkpoint_was_lengthened_is_sound(folder: Path) -> None:
    grown(folder, [*TEXTS, "five"])
    found = newest_checkpoint(folder / TRAINING, 5)
    assert found.path is not None
    found.path.unlink()
    assert verify_session(folder).sound
    with open_session(folder=folder) as opened:
        assert opened.session.probs.values.tolist() == [0.5] * 5


def test_new_duplicates_are_copies_and_no_new_items(folder: Path) -> None:
    assert grown(folder, [*TEXTS, "two"]) == ""
    items = read_session(folder).items()
    assert (len(items.ids), items.copies) == (4, {1: ("5",)})
    assert grown(folder, ["two", "one", "three"]).endswith(
        "1 gone. Labels of what is gone or changed are kept in the record and not exported."
    )
    items = read_session(folder).items()
    assert (items.ids[:3], items.copies, items.missing) == (["2", "1", "3"], {}, {3})


def test_a_source_that_has_not_changed_needs_no_event(folder: Path) -> None:
    items = read_session(folder).items()
    found = as_before(open_pool(TEXTS), items.ids, items.checksums, add=True)
    assert update_of(found, items) is None
