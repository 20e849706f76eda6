"""Probabilities that a source gives are corrected as in a simulation, and stay so."""

import csv
from pathlib import Path

import numpy as np
import pytest

from askless.app.opening import Terms, open_service
from askless.app.service import LabellingService
from askless.calibration.online import recalibrate
from askless.core.probability import Probs
from askless.errors import InvalidInput
from tests.web.services import client_of, post, service_on, tell

N = 150


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Texts with probabilities that are far too sure of themselves: every third is wrong."""
    with (tmp_path / "t.csv").open("w", newline="", encoding="utf-8") as file:
        rows = [[f"text {item}", 0.001 + item * 1e-5] for item in range(N)]
        csv.writer(file).writerows([["text", "prob"], *rows])
    return tmp_path / "t.csv"


def _answer(service: LabellingService, count: int) -> None:
    client = client_of(service)
    for _ in range(count):
        tell(client, post(client, "/api/ask", tab="t")["question"])
    post(client, "/api/ask", tab="t")


def _given() -> Probs:
    return Probs(np.array([0.001 + item * 1e-5 for item in range(N)]))


def test_what_a_source_believes_is_corrected_by_the_answers_also_after_a_restart(
    table: Path,
) -> None:
    service = service_on(table, text="text", prob="prob")
    _answer(service, 34)
    believed, state = service.session.probs.values, service.session.state
    assert believed.mean() > 20 * _given().values.mean()
    assert state.n_settled >= 20
    service.close()
    service = service_on(table)
    _answer(service, 1)
    again = recalibrate(_given(), service.session.state).values
    assert np.allclose(service.session.probs.values, again, rtol=0.2)
    service.close()


def test_it_is_taken_as_it_is_if_the_person_says_so_also_after_a_restart(table: Path) -> None:
    terms = Terms("red", "blue", annotator="ann", recalibrate=False)
    service = service_on(table, text="text", prob="prob", terms=terms)
    service.close()
    service = service_on(table)
    _answer(service, 34)
    assert np.array_equal(service.session.probs.values, _given().values)
    service.close()


def test_the_choice_is_made_once(table: Path) -> None:
    service_on(table, text="text", prob="prob").close()
    folder = table.with_name("t.csv.askless")
    with pytest.raises(InvalidInput, match="begun with --recalibrate and goes on so"):
        open_service(table, folder, {}, Terms(recalibrate=False), learn=False)
    open_service(table, folder, {}, Terms(recalibrate=True), learn=False).close()


def test_a_store_that_failed_is_opened_again_with_the_same_correction(table: Path) -> None:
    service = service_on(table, text="text", prob="prob")
    _answer(service, 34)
    before = service.session.probs.values
    service._open_again()
    _answer(service, 1)
    assert np.allclose(service.session.probs.values, before, rtol=0.3)
    service.close()


def test_a_source_that_is_sure_and_worthless_costs_small_questions_only(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    rows = [[f"text {item}", rng.choice([0.01, 0.99])] for item in range(N)]
    with (tmp_path / "t.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["text", "prob"], *rows])
    service = service_on(tmp_path / "t.csv", text="text", prob="prob")
    client = client_of(service)
    sizes = []
    for answered in range(50):
        question = post(client, "/api/ask", tab="t")["question"]
        assert question["learning"] or answered >= 40  # by then it is known to be worthless
        sizes.append(len(question["items"]))
        tell(client, question)
    assert max(sizes) <= 4
    assert sum(sizes) < 70
    service.close()
