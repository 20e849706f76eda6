"""One way to open a session, in memory or on disk, with whatever learns."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from askless.assemble import Method, OpenSession, open_session
from askless.core.event import Event
from askless.core.probability import Probs
from askless.core.promise import Promise
from askless.errors import InvalidInput
from askless.folder.files import make_session_folder, open_store, write_sources
from askless.pools import OpenedPool, open_pool
from askless.trainer.background import BackgroundTrainer
from askless.trainer.inline import InlineTrainer


def rows() -> OpenedPool:
    x = np.random.default_rng(0).normal(size=(40, 3))
    return open_pool(x)


def test_a_session_needs_a_pool_or_a_folder() -> None:
    with pytest.raises(InvalidInput, match="needs a pool, or a folder"):
        open_session()


def test_a_session_in_memory_learns_from_the_answers_here_and_now() -> None:
    pool = rows()
    with open_session(pool, Method(test_sample=2), trainer="inline") as opened:
        assert isinstance(opened.trainer, InlineTrainer)
        for number in range(2):
            asked = opened.session.ask("ann")
            assert asked is not None
            opened.session.tell(asked.id, asked.question.yes(), f"k{number}")
        opened.session.refresh()
        assert opened.trainer.status().checkpoint == 2
        assert np.ptp(opened.session.probs.values) > 0


def test_nothing_learns_from_probabilities_alone() -> None:
    with open_session(Probs(np.array([0.2, 0.7])), trainer="inline") as opened:
        assert opened.trainer is None
    with pytest.raises(InvalidInput, match="nothing to learn from"):
        open_session(Probs(np.array([0.2, 0.7])), Method(predictor="kernel"), trainer="inline")


def test_a_trainer_in_the_background_needs_a_folder_and_keeps_its_files_there(
    tmp_path: Path,
) -> None:
    with pytest.raises(InvalidInput, match="needs a folder"):
        open_session(rows(), trainer="background")
    with open_session(rows(), folder=tmp_path / "s", trainer="background") as opened:
        assert isinstance(opened.trainer, BackgroundTrainer)
    assert (tmp_path / "s" / "training").is_dir()
    assert opened.trainer.status().state == "closed"


@pytest.mark.parametrize(
    "method",
    [
        Method(predictor="tests.faults.faulty_predictors:Anything"),
        Method(predictor="sklearn", predictor_options={"estimator": "os:abort"}),
        Method(features={"somebody:Else": {}}),
    ],
)
def test_a_folder_does_not_decide_that_code_is_run(method: Method, tmp_path: Path) -> None:
    open_session(rows(), folder=tmp_path / "s").close()
    store = open_store(tmp_path / "s")
    store.append([Event("planned", "", {"method": method.plain()})])
    store.close()
    with pytest.raises(InvalidInput, match="does not decide whether code is run"):
        open_session(rows(), folder=tmp_path / "s", trainer="inline")
    open_session(rows(), folder=tmp_path / "s").close()  # nothing is run: nothing to refuse


@pytest.mark.parametrize(
    ("stored", "now"),
    [
        ("easy", "planner-order"),
        ("rounds", "random-rounds"),
        ("rounds-then-easy", "random-rounds-then-planner-order"),
    ],
)
def test_a_session_stored_with_an_earlier_name_of_a_schedule_opens_and_goes_on(
    tmp_path: Path, stored: str, now: str
) -> None:
    n = 80
    make_session_folder(tmp_path / "s")
    opening = write_sources(tmp_path / "s", Probs(np.full(n, 0.5)), None, None)
    correction = {"recalibrate": False, "sample": 1.0, "order": stored, "seed": 0}
    opening |= {"planner": "auto", "options": {"max_n": 4}, "correction": correction}
    store = open_store(tmp_path / "s")
    store.append([Event("opened", payload=opening)])
    store.close()
    for answers in (1, 2):
        with open_session(folder=tmp_path / "s") as opened:
            assert opened.method.schedule == now
            asked = opened.session.ask("ann")
            assert asked is not None
            opened.session.tell(asked.id, asked.question.yes(), f"k{answers}")
            assert len(opened.session.history.answers) == answers


def sure(n: int = 400) -> Probs:
    return Probs(np.full(n, 0.999))


def answer_until_enough(opened: OpenSession) -> int:
    """Say yes until the promise holds; how many questions that took."""
    session, questions = opened.session, 0
    while (standing := session.standing()) is not None and not standing.enough:
        asked = session.ask("ann")
        assert asked is not None
        session.tell(asked.id, asked.question.yes(), f"k{asked.id}")
        questions += 1
    return questions


def test_a_session_with_a_promise_is_asked_until_it_holds_and_goes_on_from_its_folder(
    tmp_path: Path,
) -> None:
    method = Method(promise=Promise.parse("2%"))
    with open_session(sure(), method, tmp_path / "s") as opened:
        assert opened.session.standing() is not None
    with open_session(folder=tmp_path / "s") as opened:
        assert opened.method.promise == method.promise
        answer_until_enough(opened)
        standing = opened.session.standing()
    assert standing is not None
    assert standing.accepted > 100
    assert (standing.at_most, standing.allowed) == (8, 8)
    with open_session(folder=tmp_path / "s") as opened:
        assert opened.session.standing() == standing


def test_a_promise_may_be_changed_taken_back_and_given_later(tmp_path: Path) -> None:
    with open_session(sure(), Method(), tmp_path / "s") as opened:
        assert opened.session.standing() is None
        opened.plan(opened.method.replace(promise=Promise.parse("5%")))
        answer_until_enough(opened)
        opened.plan(opened.method.replace(promise=Promise.parse("2%")))
        standing = opened.session.standing()
        assert standing is not None
        assert not standing.enough
        assert answer_until_enough(opened) > 0
    with open_session(folder=tmp_path / "s") as opened:
        assert opened.method.promise == Promise.parse("2%")
        opened.plan(opened.method.replace(promise=None))
    with open_session(folder=tmp_path / "s") as opened:
        assert opened.method.promise is None
        while (asked := opened.session.ask("ann")) is not None:
            assert asked.question.purpose == "label"
            opened.session.tell(asked.id, asked.question.yes(), f"k{asked.id}")
        assert opened.session.state.done


def test_draws_are_fixed_in_the_lab_alone() -> None:
    method = Method(promise=Promise.parse("5%"))
    seeds = []
    for draw_seed in (1, 1, None, None):
        with open_session(sure(), method) as opened:
            if draw_seed is not None:
                opened.fix_draws(draw_seed)
            answer_until_enough(opened)
            claim = opened.session.history.claims.current
            assert claim is not None
            seeds.append(claim.seed)
    assert seeds[0] == seeds[1]
    assert len(set(seeds)) == 3


def test_what_promises_will_cost_is_said_with_and_without_one() -> None:
    with open_session(sure(), Method()) as opened:
        before = opened.projections()
        opened.plan(opened.method.replace(promise=Promise.parse("5%")))
        assert [each.promise.text for each in before] == ["5%", "2%", "1%", "0.5%"]
        assert opened.projections()[0].full_questions == before[0].full_questions
        answer_until_enough(opened)
        after = opened.projections([Promise.parse("5%")])
    assert len(after) == 1
    assert after[0].questions < before[0].questions


def test_what_a_policy_has_seen_stays_when_the_method_changes() -> None:
    with open_session(sure(), Method(promise=Promise.parse("5%"))) as opened:
        opened.session.ask("ann")
        policy = opened._policy
        assert policy is not None
        opened.plan(opened.method.replace(max_n=4))
        assert opened._policy is not None
        assert opened._policy.record is policy.record
        assert opened._policy.max_n == 4
