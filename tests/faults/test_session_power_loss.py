"""The power goes while a session is at work: nothing acknowledged is lost, no half file believed.

A sample of the moments; all of them with ``python -m tests.faults.power_loss 5 --jobs 16
--results tests/faults/results/power_loss.json``, whose last results stand there.

Seen to fail first: the test below takes syncs away; and without syncing the folder
that the session's own folder is in, all of a session could be gone.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.faults.disk import Operation
from tests.faults.marks import needs_shim
from tests.faults.power_loss import Moment, losses, moments, record, without

pytestmark = needs_shim
TRAINED = 3
"""A session with a trainer at work (`tests.faults.kinds.Kind.drawn`)."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("power")


@pytest.fixture(scope="module")
def log(place: Path) -> list[Operation]:
    return record(TRAINED, place)


def test_a_session_survives_a_power_loss_at_any_sync(place: Path, log: list[Operation]) -> None:
    assert list(losses(TRAINED, log, sample(log, 40), place)) == []


@pytest.mark.parametrize("what", ["files", "folders"])
def test_a_power_loss_is_not_survived_without_syncing(
    place: Path, log: list[Operation], what: str
) -> None:
    careless = without(log, what)
    unlucky = (Moment(at, 0.0) for at in range(len(careless) - 1, 0, -40))
    found = losses(TRAINED, careless, list(unlucky), place)
    assert next(found, None) is not None


@pytest.mark.parametrize("by", ["session", "trainer"])
def test_checkpoint_that_is_taken_up_is_made_durable_first(quick_folder: Path, by: str) -> None:
    """Who wrote it may have been killed before its name was durable, and it is noted for good."""
    log = record(0, quick_folder, how=by)
    assert list(losses(0, log, [Moment(len(log), 0.0)], quick_folder)) == []


def sample(log: list[Operation], count: int) -> list[Moment]:
    """As many moments of opening as of everything after it, where there are more of them."""
    opened = next(at for at, operation in enumerate(log) if b'"opened"' in operation.content)
    every = list(moments(log))
    early = [moment for moment in every if moment.at <= opened]
    late = [moment for moment in every if moment.at > opened]
    rng = Random(2)
    return rng.sample(early, count) + rng.sample(late, count)
