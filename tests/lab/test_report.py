import json

import pytest

from askless.core.annotation_cost import AnnotationCost
from askless.lab.known_pool import KnownPool, as_labels, as_probs
from askless.lab.report import bounds_of, report
from askless.lab.simulate import simulate_planner
from askless.lab.truthful import TruthfulAnnotator
from tests.lab.handmade import Halves

POOL = KnownPool(as_probs([0.5, 0.5, 0.75, 0.25]), as_labels([1, 1, 1, 1]))


def test_a_report_is_json_and_its_figures_are_those_of_the_run() -> None:
    run = simulate_planner(Halves(4), POOL.probs, POOL.labels, clock=lambda: 0.0)
    found = report(run, POOL, max_n=4)
    assert json.loads(json.dumps(found)) == found
    assert found["questions"] == run.questions == sum(found["answers"].values())
    assert list(found["answers"]) == ["yes", "no", "pointed"]
    assert found["answers"]["pointed"] == 0
    assert found["items_shown"] == run.items_shown
    assert found["labels_right"] == found["items"] == 4
    assert found["questions_at"] == {"4": run.questions}
    assert found["probs_changes"] == found["planning_s"] == found["calibrating_s"] == 0


def test_seconds_are_those_of_the_pace_beside_their_baselines_and_their_floor() -> None:
    pace = AnnotationCost(2.0, 0.5, 7.0)
    annotator = TruthfulAnnotator(POOL.labels, pointing=True)
    run = simulate_planner(Halves(4), POOL.probs, POOL.labels, annotator=annotator)
    found = report(run, POOL, max_n=4, pace=pace, pointing=True)
    # Guessed above one half only: the third item is right, the other three are pointed at.
    assert found["answers"] == {"yes": 0, "no": 0, "pointed": 1}
    assert found["seconds"] == 2 + 4 * 0.5 + 3 * 7
    assert found["one_by_one"] == {"questions": 4, "items_shown": 4, "seconds": 10.0}
    # In the plain grid one half is guessed True: only the last item is wrong.
    assert found["marked_grid"]["seconds"] == 2 + 4 * 0.5 + 7
    assert found["floor_seconds"] == 2.0


def test_the_bounds_are_entropy_cap_and_code_length_raw_and_calibrated() -> None:
    found = bounds_of(POOL, max_n=1)
    assert found["entropy_bits"] == pytest.approx(2 + 2 * 0.8112781)
    assert found["bound_questions"] == pytest.approx(4)
    assert found["bits"] == pytest.approx(1 + 1 + 0.4150375 + 2)
    assert found["bits_calibrated"] == pytest.approx(0, abs=0.01)


def test_no_number_of_bits_bounds_the_questions_of_somebody_who_points() -> None:
    assert set(bounds_of(POOL, max_n=None, pointing=True).values()) == {None}
