import numpy as np
import pytest

from askless.assemble import SimulationOptions, load_pool, make_simulation
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
    assert report["bound_questions"] == simulation.bound_questions == pytest.approx(4)
    assert report["bits"] == pytest.approx(-np.log2(0.9 * 0.8 * 0.7 * 0.4))


def test_options_left_out_are_reported_with_the_values_they_took() -> None:
    about = make_simulation(POOL, SimulationOptions(more={"cost": "entropy"})).about
    assert about["options"]["cost"] == "entropy"
    assert about["options"]["reduce_certainty_factor"] == 0.01


def test_a_planner_nobody_knows_is_refused() -> None:
    with pytest.raises(UnknownPart, match="no planner named 'best'"):
        make_simulation(POOL, SimulationOptions(planner="best"))


def test_an_option_nobody_knows_is_refused() -> None:
    with pytest.raises(InvalidInput, match="got depth"):
        make_simulation(POOL, SimulationOptions(more={"depth": 3}))
