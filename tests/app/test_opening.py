"""What a source gives: probabilities are corrected and stay so, labels are taken once."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from askless.app.exporting import write_labels
from askless.app.opening import open_service
from askless.app.service import LabellingService
from askless.app.terms import Terms
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


def _hows(service: LabellingService) -> list[tuple[bool | None, str]]:
    return [(entry.label, entry.how) for entry in service.session.labels()]


def test_labels_that_the_source_gives_are_taken_once_and_only_by_open_items(
    tmp_path: Path,
) -> None:
    table = tmp_path / "t.csv"
    table.write_text("text,y\na,spam\nb,ham\nc,ignore\nd,\n")
    said = {"label": "y", "true": "spam", "false": "ham"}
    service = service_on(table, **said)
    given = [(True, "given"), (False, "given"), (None, ""), (None, "")]
    assert _hows(service) == given
    service.session.correct(0, False, "ann")
    service.session.correct(2, True, "ann")
    service.close()
    table.write_text("text,y\na,spam\nb,ham\nc,ham\nd,spam\n")
    for _ in range(2):
        service = service_on(table)
        assert _hows(service) == [
            (False, "alone"),
            (False, "given"),
            (True, "alone"),
            (True, "given"),
        ]
        assert not service.session.history.disputes
        assert service.session.history.tally.of("source")[0] == 2
        service.close()


def test_a_label_that_nobody_named_is_called_as_the_source_calls_it(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("text,y\na,spam\nb,ham\nc,\n")
    options = {"label": "y", "true": "spam"}
    service = open_service(table, tmp_path / "s", options, learn=False)
    assert (service.names.positive, service.names.negative) == ("spam", "ham")
    service.close()
    service = open_service(table, tmp_path / "t", options, Terms("junk", "SPAM"), learn=False)
    assert (service.names.positive, service.names.negative) == ("junk", "SPAM")
    service.close()


def test_a_source_goes_on_when_a_value_that_meant_a_label_is_gone_and_another_came(
    tmp_path: Path,
) -> None:
    table = tmp_path / "t.csv"
    table.write_text("id,text,y\n1,a,spam\n2,b,ham\n3,c,\n")
    service = service_on(table, label="y", true="spam")
    assert [label for label, _ in _hows(service)] == [True, False, None]
    service.close()
    table.write_text("id,text,y\n3,c,\n4,d,maybe\n5,e,ham\n")
    service = service_on(table)
    assert [label for label, _ in _hows(service)] == [True, False, None, None, False]
    assert service.session.history.source.gone == {0, 1}
    service.close()


def test_a_value_with_a_bar_is_no_name_for_one_and_for_many(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("text,y\na,x|y\nb,z\n")
    service = open_service(table, tmp_path / "s", {"label": "y", "true": "x|y"}, learn=False)
    assert (service.names.positive, service.names.negative) == ("positive", "z")
    service.close()


def test_a_session_starts_from_the_labels_of_an_earlier_export_by_their_names(
    tmp_path: Path,
) -> None:
    table = tmp_path / "t.csv"
    table.write_text("text\na\nb\nc\n")
    terms = Terms("a cat|cats", annotator="ann")
    service = open_service(table, tmp_path / "s", {}, terms, learn=False)
    service.session.correct(0, True, "ann")
    service.session.correct(1, False, "ann")
    write_labels(service, tmp_path / "labels.csv", "csv")
    service.close()
    options = {"text": "text", "label": "label"}
    service = open_service(tmp_path / "labels.csv", tmp_path / "t", options, terms, learn=False)
    assert _hows(service) == [(True, "given"), (False, "given"), (None, "")]
    write_labels(service, tmp_path / "again.csv", "csv")
    service.close()
    again = (tmp_path / "again.csv").read_text().splitlines()
    assert again[0] == "text,label,certain,how,probability"
    assert again[2].startswith("b,something other than cats,true,given,")
    with pytest.raises(InvalidInput, match="Say which of the values of 'label'"):
        open_service(tmp_path / "labels.csv", tmp_path / "u", options, Terms("dogs"), learn=False)


@pytest.mark.parametrize("label", [True, False])
def test_an_export_with_only_one_of_the_labels_is_taken_over_by_its_name(
    label: bool, tmp_path: Path
) -> None:
    name, other = ("cats", "dogs") if label else ("dogs", "cats")
    table, terms = tmp_path / "t.csv", Terms("a cat|cats", "a dog|dogs")
    options = {"text": "text", "label": "label"}
    table.write_text(f"text,label\na,{name}\nb,\n")
    open_service(table, tmp_path / "s", options, terms, learn=False).close()
    table.write_text(f"text,label\na,{name}\nb,{other}\n")  # goes on when the other one has come
    service = open_service(table, tmp_path / "s", learn=False)
    assert _hows(service)[0] == (label, "given")
    assert _hows(service)[1] == (not label, "given")
    service.close()


def test_a_value_beside_the_name_of_a_label_never_becomes_the_other_label(tmp_path: Path) -> None:
    table, options = tmp_path / "t.csv", {"text": "text", "label": "label"}
    table.write_text("text,label\na,cats\nb,ignore\n")
    with pytest.raises(InvalidInput, match="Say which of the values of 'label'"):
        open_service(table, tmp_path / "s", options, Terms("cats", "dogs"), learn=False)


def test_nobody_is_called_as_the_source(table: Path) -> None:
    with pytest.raises(InvalidInput, match="name another --annotator"):
        service_on(table, text="text", terms=Terms(annotator="source"))


def test_a_session_begun_when_all_other_values_were_negative_goes_on_so(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("text,y\na,spam\nb,ham\nc,ignore\nd,\n")
    service = service_on(table, label="y", true="spam", false="*")
    settings = service.settings.folder / "app.json"
    service.close()
    stored = json.loads(settings.read_text())
    stored["options"] = {"label": "y", "positive": "spam"}
    settings.write_text(json.dumps(stored))
    service = service_on(table)
    assert service.settings.current.options == {"label": "y", "true": "spam", "false": "*"}
    assert [label for label, _ in _hows(service)] == [True, False, False, None]
    service.close()
