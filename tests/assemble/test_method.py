"""A method is one plain value: it comes back from JSON as it was, and nonsense is refused."""

from __future__ import annotations

import json
import shutil
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from askless.assemble import Method, method_of, open_session
from askless.assemble.method import differences
from askless.core.misses import MissRate
from askless.core.probability import Probs
from askless.core.promise import Promise
from askless.errors import InvalidInput, UnknownPart
from askless.history.history import History

GOLDEN = Path(__file__).parents[1] / "golden"


def test_a_method_comes_back_from_json_as_it_was() -> None:
    method = Method(
        planner="lookahead",
        planner_options={"cost": "entropy"},
        seconds=(2, 0.5, 1),
        features={"table": {}, "pixels": {"columns": 5}},
        test_sample=30,
        seed=7,
    )
    again = Method(**json.loads(json.dumps(method.plain())))
    assert again == method
    assert again.seconds == (2.0, 0.5, 1.0)


def test_misses_come_back_from_json_and_are_no_difference() -> None:
    method = Method(objective="seconds", wrong_label_s=20, misses=MissRate(-2.0, 0.5))
    again = Method(**json.loads(json.dumps(method.plain())))
    assert again == method
    assert differences(method, method.replace(misses=None)) == {}
    assert set(differences(method, method.replace(wrong_label_s=0))) == {"wrong_label_s"}


def test_a_promise_comes_back_from_json_and_without_one_nothing_is_stored() -> None:
    method = Method(promise=Promise.parse("recall:95%"))
    assert Method(**json.loads(json.dumps(method.plain()))) == method
    assert Method(promise="1%").promise == Promise("all", 0.01)  # type: ignore[arg-type]
    assert "promise" not in Method().plain()
    assert set(differences(method, Method())) == {"promise"}


def test_a_policy_is_made_for_what_the_method_asks() -> None:
    assert Method().make_policy() is None
    promise = Promise.parse("1%")
    policy = Method(promise=promise, objective="seconds", channel="pointed", seed=3).make_policy()
    assert policy is not None
    assert (policy.promise, policy.form, policy.max_n) == (promise, "pointed", None)
    assert (policy.same_guess, policy.objective, policy.seed) == (True, "seconds", 3)
    assert policy.draw_seed is None
    mixed = Method(promise=promise, same_guess=False).make_policy()
    assert mixed is not None
    assert (mixed.same_guess, mixed.max_n) == (False, 8)


def test_a_method_is_never_changed_in_place() -> None:
    with pytest.raises(FrozenInstanceError):
        Method().max_n = 3  # type: ignore[misc]
    assert Method().replace(max_n=3).max_n == 3


def test_what_is_not_said_follows_from_the_objective() -> None:
    assert (Method().max_n, Method().sample) == (8, 1.0)
    soon = Method(objective="labels")
    assert (soon.schedule, soon.sample) == (Method(objective="seconds").schedule, 0.01)
    assert Method(objective="seconds").max_n is None


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"objective": "fame"}, "objective is one of: questions, labels, seconds; got 'fame'"),
        ({"max_n": 0}, "max_n is a whole number, 1 or more, or None for no limit; got 0"),
        ({"max_n": True}, "max_n is a whole number, 1 or more, or None for no limit; got True"),
        ({"seconds": [1, 2]}, "seconds are three numbers"),
        ({"seconds": [1, 2, float("nan")]}, "seconds are three numbers"),
        ({"wrong_label_s": 5}, "it needs the objective 'seconds'; got None"),
        ({"misses": [1]}, "misses are two numbers"),
        ({"seed": -1}, "seed is a whole number, 0 or more; got -1"),
        ({"sample": 2}, "sample is a number 0 or more and at most 1; got 2"),
        ({"lease_s": float("inf")}, "lease_s is a number above 0; got inf"),
        ({"recalibrate": "no"}, "recalibrate is True or False; got 'no'"),
        ({"features": ["table"]}, "features is a mapping"),
        ({"sample": 10**400}, "sample is a number 0 or more"),
        ({"features": {"table": 3}}, r"features\.table is a mapping"),
        ({"planner": ["auto"]}, "planner is text"),
        ({"promise": "most"}, "A promise is written as a share"),
        ({"promise": {"kind": "all"}}, "A promise has a kind, a value and a confidence"),
    ],
)
def test_a_value_that_makes_no_sense_is_refused(values: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InvalidInput, match=sentence):
        Method(**values)


def test_parts_nobody_knows_are_refused() -> None:
    with pytest.raises(UnknownPart, match="schedule named 'backwards'"):
        Method(schedule="backwards")
    with pytest.raises(UnknownPart, match="no planner named 'best'"):
        Method(planner="best").make_planner()
    with pytest.raises(InvalidInput, match=r"The planner .auto. has the options .*got depth"):
        Method(planner_options={"depth": 3}).make_planner()
    with pytest.raises(InvalidInput, match="The planner 'lookahead' has the options"):
        Method(planner="lookahead", objective="labels").make_planner()


def test_two_methods_differ_where_they_ask_for_different_things() -> None:
    assert differences(Method(), Method(objective="questions", same_guess=True)) == {}
    assert differences(Method(), Method(seed=3)) == {"seed": (0, 3)}
    spelt_out: dict[str, Any] = {"cost": "entropy", "max_depth": 4}
    one = Method(planner="lookahead", planner_options=spelt_out)
    assert differences(one, one.replace(planner_options={"cost": "log-size", "max_depth": 4})) == {
        "cost": ("entropy", "log-size")
    }


def test_the_method_of_an_older_session_is_read_from_how_it_was_opened(tmp_path: Path) -> None:
    shutil.copytree(GOLDEN / "session-format-1-corrected", tmp_path / "s")
    with open_session(folder=tmp_path / "s") as opened:
        method = opened.method
    assert (method.planner, method.max_n, method.planner_options) == ("lookahead", 4, {"seed": 0})
    assert (method.test_sample, method.audit_every, method.seed) == (2, 6, 3)
    assert (method.recalibrate, method.sample) == (True, 1.0)


@pytest.mark.parametrize(
    "method",
    [{"planner": 3}, {"tomorrow": 1}, {"planner_options": []}, {"max_n": 10**400, "seed": "x"}],
)
def test_a_stored_method_that_makes_no_sense_is_refused_with_a_sentence(
    method: dict[str, Any],
) -> None:
    history = History(3)
    history.method = method
    with pytest.raises(InvalidInput, match="Use the askless that wrote it, or a newer one"):
        method_of(history)
    history.method = None
    openings: list[dict[str, Any]] = [{}, {"planner": "auto", "options": 3}]
    for opening in [*openings, {"planner": [], "options": {}}]:
        history.opening = opening
        with pytest.raises(InvalidInput, match="Use the askless that wrote it, or a newer one"):
            method_of(history)


def test_a_change_of_the_method_is_stored_and_outlives_the_process(tmp_path: Path) -> None:
    with open_session(Probs(np.full(9, 0.9)), Method(max_n=2), tmp_path / "s") as opened:
        opened.plan(opened.method.replace(max_n=5))
        asked = opened.session.ask("ann")
        assert asked is not None
        assert len(asked.question) > 2
    with open_session(folder=tmp_path / "s") as opened:
        assert opened.method.max_n == 5
