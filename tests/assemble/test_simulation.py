import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from askless.assemble import SimulationOptions, load_pool, make_simulation
from askless.assemble.preparing import Prepared
from askless.assemble.simulation import _feature_options
from askless.core.probability import Probs
from askless.errors import InvalidInput, UnknownPart
from askless.lab.known_pool import KnownPool

POOL = KnownPool(Probs(np.array([0.9, 0.8, 0.3, 0.6])), np.array([True, True, False, False]))


def test_demo_is_the_bundled_pool() -> None:
    assert len(load_pool("demo")) == 2000


def test_a_simulation_labels_its_pool_and_reports() -> None:
    simulation = make_simulation(POOL, SimulationOptions(planner="one-by-one", max_n=1, seed=5))
    run = simulation.run()
    assert run.labels.tolist() == [1, 1, 0, 0]
    report = simulation.report(run)
    assert (report["questions"], report["labels_right"]) == (4, 4)
    assert (report["planner"], report["max_n"], report["seed"]) == ("one-by-one", 1, 5)
    assert report["chosen"] == "one-by-one"
    assert report["objective"] is report["same_guess"] is None
    assert report["bound_questions"] == simulation.bound_questions == pytest.approx(4)
    assert report["bits"] == pytest.approx(-np.log2(0.9 * 0.8 * 0.7 * 0.4))


def test_options_left_out_are_reported_with_the_values_they_took() -> None:
    options = SimulationOptions(planner="lookahead", more={"cost": "entropy"})
    about = make_simulation(POOL, options).about
    assert about["options"]["cost"] == "entropy"
    assert about["options"]["reduce_certainty_factor"] == 0.01


def test_options_of_the_sets_that_were_learnt_from_are_told_in_plain_values() -> None:
    sets: dict[str, dict[str, Any]] = {
        "backbone": {"weights": Path("w.pth"), "side": 64},
        "pixels": {"columns": 5},
    }
    options = SimulationOptions(features=sets)
    learnt = Prepared(np.zeros((4, 1)), None, "kernel", {}, ("backbone", "patches"))
    told = _feature_options(options, learnt)
    assert told == {"backbone.weights": "w.pth", "backbone.side": 64}
    assert json.loads(json.dumps(told)) == told
    assert _feature_options(options, None) == {}
    assert _feature_options(SimulationOptions(features=["backbone"]), learnt) == {}


def test_a_planner_nobody_knows_is_refused() -> None:
    with pytest.raises(UnknownPart, match="no planner named 'best'"):
        make_simulation(POOL, SimulationOptions(planner="best"))


def test_an_option_nobody_knows_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"The planner .auto. has the options .*got .*depth"):
        make_simulation(POOL, SimulationOptions(more={"depth": 3}))


@pytest.mark.parametrize(
    ("options", "max_n"),
    [
        (SimulationOptions(), 8),
        (SimulationOptions(objective="labels"), 8),
        (SimulationOptions(answers="pointed"), 24),
        (SimulationOptions(objective="seconds"), None),
        (SimulationOptions(answers="pointed", objective="seconds"), None),
        (SimulationOptions(objective="seconds", max_n=5), 5),
        (SimulationOptions(max_n=None), None),
    ],
)
def test_how_many_items_are_shown_unless_it_is_said(
    options: SimulationOptions, max_n: int | None
) -> None:
    simulation = make_simulation(POOL, options)
    assert simulation.planner.max_n == simulation.about["max_n"] == max_n


def test_the_pace_reaches_the_planner_and_the_report() -> None:
    simulation = make_simulation(POOL, SimulationOptions(seconds=(2.0, 3.0, 4.0)))
    assert getattr(simulation.planner, "seconds", None) == (2.0, 3.0, 4.0)
    run = simulation.run()
    assert simulation.report(run)["one_by_one"]["seconds"] == 4 * 5.0


def test_an_option_asked_for_that_the_planner_does_not_have_is_refused() -> None:
    for options in (
        SimulationOptions(planner="lookahead", objective="labels"),
        SimulationOptions(planner="lookahead", same_guess=True),
    ):
        with pytest.raises(InvalidInput, match="The planner 'lookahead' has the options"):
            make_simulation(POOL, options)


def test_a_simulation_can_be_run_twice_and_asks_the_same() -> None:
    rng = np.random.default_rng(0)
    probs = rng.beta(0.3, 0.3, 200)
    pool = KnownPool(Probs(probs), rng.random(200) < probs)
    simulation = make_simulation(pool)
    assert simulation.run().trace == simulation.run().trace
