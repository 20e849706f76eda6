import json
from pathlib import Path

import numpy as np
import pytest

from askless.assemble import Method, load_pool, open_simulation
from askless.core.probability import Probs
from askless.lab.known_pool import KnownPool

POOL = KnownPool(Probs(np.array([0.9, 0.8, 0.3, 0.6])), np.array([True, True, False, False]))


def test_demo_is_the_bundled_pool() -> None:
    assert len(load_pool("demo")) == 2000


def test_a_simulation_labels_its_pool_and_reports() -> None:
    with open_simulation(POOL, Method(planner="one-by-one", max_n=1, seed=5)) as simulation:
        run = simulation.run()
    assert run.labels.tolist() == [1, 1, 0, 0]
    report = simulation.report(run)
    assert (report["questions"], report["labels_right"]) == (4, 4)
    assert (report["planner"], report["max_n"], report["seed"]) == ("one-by-one", 1, 5)
    assert report["chosen"] == "one-by-one"
    assert report["objective"] is report["same_guess"] is None
    assert report["bound_questions"] == pytest.approx(4)
    assert report["bits"] == pytest.approx(-np.log2(0.9 * 0.8 * 0.7 * 0.4))


def test_options_left_out_are_reported_with_the_values_they_took() -> None:
    method = Method(planner="lookahead", planner_options={"cost": "entropy"})
    with open_simulation(POOL, method) as simulation:
        about = simulation.about
    assert about["options"]["cost"] == "entropy"
    assert about["options"]["reduce_certainty_factor"] == 0.01


def test_options_of_the_sets_that_were_learnt_from_are_told_in_plain_values(
    tmp_path: Path,
) -> None:
    x = np.random.default_rng(0).normal(size=(40, 3))
    np.savez(tmp_path / "m.npz", x=x, positive=x[:, 0] > 0)
    method = Method(features={"table": {}})
    with open_simulation(load_pool(tmp_path / "m.npz"), method) as simulation:
        about = simulation.about
    assert (about["features"], about["feature_options"]) == (["table"], {})
    assert json.loads(json.dumps(about)) == about


@pytest.mark.parametrize(
    ("method", "max_n"),
    [
        (Method(), 8),
        (Method(objective="labels"), 8),
        (Method(channel="pointed"), 24),
        (Method(objective="seconds"), None),
        (Method(channel="pointed", objective="seconds"), None),
        (Method(objective="seconds", max_n=5), 5),
        (Method(max_n=None), None),
    ],
)
def test_how_many_items_are_shown_unless_it_is_said(method: Method, max_n: int | None) -> None:
    with open_simulation(POOL, method) as simulation:
        assert simulation.opened.planner.max_n == simulation.about["max_n"] == max_n


def test_the_seconds_reach_the_planner_and_the_report() -> None:
    with open_simulation(POOL, Method(seconds=(2.0, 3.0, 4.0))) as simulation:
        assert simulation.opened.method.all_planner_options()["seconds"] == (2.0, 3.0, 4.0)
        run = simulation.run()
    assert simulation.report(run)["one_by_one"]["seconds"] == 4 * 5.0


def test_the_same_method_asks_the_same() -> None:
    rng = np.random.default_rng(0)
    probs = rng.beta(0.3, 0.3, 200)
    pool = KnownPool(Probs(probs), rng.random(200) < probs)
    traces = []
    for _ in range(2):
        with open_simulation(pool) as simulation:
            traces.append(simulation.run().trace)
    assert traces[0] == traces[1]
