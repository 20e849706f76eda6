import json

import pytest

from askless.lab.known_pool import KnownPool, as_labels, as_probs
from askless.lab.report import report
from askless.lab.simulate import simulate
from tests.lab.handmade import Halves

POOL = KnownPool(as_probs([0.5, 0.5, 0.75, 0.25]), as_labels([1, 1, 1, 1]))


def test_a_report_is_json_and_its_figures_are_those_of_the_run() -> None:
    run = simulate(Halves(4), POOL.probs, POOL.labels, clock=lambda: 0.0)
    found = report(run, POOL, max_n=4)
    assert json.loads(json.dumps(found)) == found
    assert found["questions"] == run.questions == sum(found["answers"].values())
    assert found["items_shown"] == run.items_shown
    assert found["labels_right"] == found["items"] == 4
    assert found["questions_at"] == {"4": run.questions}
    assert found["entropy_bits"] == pytest.approx(2 + 2 * 0.8112781)
    assert found["bits"] == pytest.approx(1 + 1 + 0.4150375 + 2)
    assert found["planning_s"] == 0
