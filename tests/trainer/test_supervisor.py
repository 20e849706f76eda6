"""The machine by itself, with a worker that says what it is told to and a clock that is set."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from askless.core.probability import Probs
from askless.errors import InvalidInput
from askless.seams import Checkpoint
from askless.trainer._job import Request
from askless.trainer._supervisor import Supervisor


class Puppet:
    """A worker that does nothing by itself."""

    def __init__(self, from_checkpoint: bool) -> None:
        self.from_checkpoint = from_checkpoint
        self.asked: list[tuple[int, int]] = []
        self.says: list[dict[str, Any]] = []
        self.ended = False

    def fileno(self) -> int:
        return -1

    def request(self, number: int, request: Request) -> None:
        self.asked.append((number, request.answers))

    def replies(self) -> list[dict[str, Any]]:
        said, self.says = self.says, []
        return said

    def end(self) -> str:
        self.ended = True
        return "It was ended."


class Stage:
    """A supervisor with all it is given."""

    def __init__(self) -> None:
        self.now = 0.0
        self.puppets: list[Puppet] = []
        self.start: Callable[[bool], Puppet] = Puppet
        self.supervisor = Supervisor(
            self._start,
            self._accept,
            lambda: self.now,
            timeout_s=60.0,
            first_s=1.0,
        )

    def put(self, answers: int) -> None:
        self.supervisor.put(Request(np.full(3, -1, np.int8), (), answers))

    def step(self, *said: dict[str, Any]) -> float | None:
        """The worker says this, and the supervisor takes one step."""
        if said:
            self.puppets[-1].says = list(said)
        return self.supervisor.step()

    def at_work(self, answers: int = 1) -> None:
        """Up to the moment a worker has been given data."""
        self.put(answers)
        self.step()
        self.step({"ready": True})

    def is_free(self) -> bool:
        return self.supervisor.free

    def _start(self, from_checkpoint: bool) -> Puppet:
        self.puppets.append(self.start(from_checkpoint))
        return self.puppets[-1]

    def _accept(self, path: str) -> Checkpoint:
        if path == "bad":
            raise InvalidInput("Probs lie between 0 and 1; got nan for item 0.")
        number, answers = map(int, path.split("/"))
        return Checkpoint(number, Probs(np.full(3, 0.5)), answers)


@pytest.fixture
def stage() -> Stage:
    return Stage()


def test_nothing_is_started_before_there_are_data(stage: Stage) -> None:
    assert stage.step() is None
    assert stage.puppets == []
    assert stage.supervisor.status().state == "idle"
    assert stage.is_free()


def test_data_are_fitted_and_their_checkpoint_is_given_once(stage: Stage) -> None:
    stage.put(4)
    assert not stage.is_free()
    stage.step()
    assert stage.supervisor.status().state == "starting"
    stage.step({"ready": True})
    assert stage.puppets[0].asked == [(1, 4)]
    assert stage.supervisor.status().state == "fitting"
    stage.step({"done": "1/4"})
    fresh = stage.supervisor.take()
    assert fresh is not None
    assert (fresh.number, fresh.answers) == (1, 4)
    assert stage.supervisor.take() is None
    status = stage.supervisor.status()
    assert (status.state, status.checkpoint, status.answers) == ("idle", 1, 4)
    assert stage.is_free()


def test_newest_data_win_and_the_rest_is_never_fitted(stage: Stage) -> None:
    stage.at_work(1)
    for answers in range(2, 100):
        stage.put(answers)
        stage.step()
    stage.step({"done": "1/1"})
    assert stage.puppets[0].asked == [(1, 1), (2, 99)]


def test_only_the_newest_checkpoint_is_given(stage: Stage) -> None:
    stage.at_work(1)
    stage.put(2)
    stage.step({"done": "1/1"})
    stage.step({"done": "2/2"})
    fresh = stage.supervisor.take()
    assert fresh is not None
    assert fresh.number == 2
    assert stage.supervisor.take() is None


@pytest.mark.parametrize(
    "said", [{"failed": "It raised."}, {"ended": "It was killed."}, {"done": "bad"}]
)
def test_failure_ends_the_worker_and_the_same_data_are_tried_again(
    stage: Stage, said: dict[str, Any]
) -> None:
    stage.at_work(5)
    stage.step(said)
    assert stage.puppets[0].ended
    status = stage.supervisor.status()
    assert (status.state, status.failures, status.retry_in_s) == ("waiting", 1, 1.0)
    assert status.last_failure is not None
    stage.now = 1.0
    stage.step()
    stage.step({"ready": True})
    assert stage.puppets[1].asked == [(1, 5)]
    stage.step({"done": "1/5"})
    status = stage.supervisor.status()
    assert (status.state, status.failures, status.restarts) == ("idle", 0, 1)
    assert status.last_failure is not None  # still shown


def test_pause_doubles_with_every_failure_in_a_row_up_to_the_longest(stage: Stage) -> None:
    stage.put(1)
    pauses = []
    for _ in range(11):
        stage.step()
        stage.step({"failed": "Again."})
        pause = stage.supervisor.status().retry_in_s
        assert pause is not None
        pauses.append(pause)
        stage.now += pause - 0.001
        count = len(stage.puppets)
        assert stage.step() == pytest.approx(0.001)
        assert len(stage.puppets) == count
        stage.now += 0.002
    assert pauses == pytest.approx([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300])


def test_success_makes_the_next_pause_short_again(stage: Stage) -> None:
    stage.put(1)
    for _ in range(3):
        stage.step()
        stage.step({"failed": "Again."})
        stage.now += 100
    stage.step()
    stage.step({"ready": True})
    stage.step({"done": "1/1"})
    stage.put(2)
    stage.step()
    stage.step({"failed": "Once more."})
    assert stage.supervisor.status().retry_in_s == pytest.approx(1.0)


def test_checkpoint_is_under_suspicion_after_two_failures_in_a_row(stage: Stage) -> None:
    stage.put(1)
    for _ in range(3):
        stage.step()
        stage.step({"failed": "Again."})
        stage.now += 100
    assert [puppet.from_checkpoint for puppet in stage.puppets] == [True, True, False]


def test_newer_data_replace_those_that_failed(stage: Stage) -> None:
    stage.at_work(5)
    stage.step({"failed": "Too few labels."})
    assert stage.is_free()  # else data that always fail would keep better ones out
    stage.put(6)
    assert not stage.is_free()
    stage.now = 1.0
    stage.step()
    stage.step({"ready": True})
    assert stage.puppets[1].asked == [(1, 6)]


def test_worker_that_takes_too_long_is_ended(stage: Stage) -> None:
    stage.at_work()
    assert stage.step() == pytest.approx(60.0)
    verdicts = []
    for stage.now in (59.9, 60.1):
        stage.step()
        verdicts.append(stage.puppets[0].ended)
    assert verdicts == [False, True]
    assert stage.supervisor.status().last_failure == (
        "The predictor did not finish within 60 s and was ended."
    )


def test_worker_that_never_gets_ready_is_ended(stage: Stage) -> None:
    stage.put(1)
    stage.step()
    stage.now = 60.1
    stage.step()
    assert stage.puppets[0].ended


def test_idle_worker_may_be_silent_for_ever(stage: Stage) -> None:
    stage.at_work()
    stage.step({"done": "1/1"})
    stage.now = 1e9
    assert stage.step() is None
    assert not stage.puppets[0].ended


def test_worker_that_dies_in_its_sleep_is_replaced_when_there_are_data(stage: Stage) -> None:
    stage.at_work()
    stage.step({"done": "1/1"})
    stage.step({"ended": "It was killed."})
    assert stage.is_free()
    assert len(stage.puppets) == 1
    stage.put(2)
    stage.step()
    assert stage.supervisor.status().state == "waiting"
    stage.now = 1.0
    stage.step()
    stage.step({"ready": True})
    assert stage.puppets[1].asked == [(2, 2)]


def test_process_that_cannot_be_started_is_a_failure_like_any_other(stage: Stage) -> None:
    def refuse(from_checkpoint: bool) -> Puppet:
        raise OSError(24, "Too many open files")

    stage.start = refuse
    stage.put(1)
    stage.step()
    status = stage.supervisor.status()
    assert status.state == "waiting"
    assert "Too many open files" in str(status.last_failure)
    stage.start = Puppet
    stage.now = 1.0
    stage.step()
    stage.step({"ready": True})
    assert stage.puppets[0].asked == [(1, 1)]


def test_last_good_checkpoint_outlives_failures(stage: Stage) -> None:
    stage.at_work(1)
    stage.step({"done": "1/1"})
    stage.put(2)
    stage.step()
    stage.step({"done": "bad"})
    assert stage.supervisor.status().checkpoint == 1
    fresh = stage.supervisor.take()
    assert fresh is not None
    assert fresh.number == 1


def test_stopping_ends_the_worker(stage: Stage) -> None:
    stage.at_work()
    stage.supervisor.stop()
    assert stage.puppets[0].ended
    assert stage.supervisor.status().state == "closed"
    assert not stage.is_free()
