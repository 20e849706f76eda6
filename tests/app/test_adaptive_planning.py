"""Questions follow the person: pace, channel, attention, and how far the model is to be trusted."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from askless.app.adaptive_planning import SMALL, channel_of
from askless.app.service import LabellingService
from askless.assemble.method import WRONG_LABEL_S
from askless.core.probability import Probs
from askless.core.question import GRID, Question
from askless.core.state import State, undecided
from tests.web.services import (
    client_of,
    get,
    is_red,
    likely,
    post,
    service_on,
    tell,
    texts,
    truthfully,
)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[LabellingService]:
    made = service_on(likely(tmp_path / "t.csv", 400), text="text", prob="prob")
    yield made
    made.close()


PROBS = {"text": "text", "prob": "prob"}


def _with_probs(path: Path, guess: Callable[[int], bool]) -> Path:
    """A table of 400 texts whose probabilities are sure of `guess`; the truth is `is_red`."""
    rows = [f"text {item},{0.97 if guess(item) else 0.03}\n" for item in range(400)]
    path.write_text("text,prob\n" + "".join(rows))
    return path


def _answer(client: TestClient, count: int, **more: Any) -> list[int]:
    """Answer so many questions truthfully, if there are; how many items each showed."""
    sizes = []
    for _ in range(count):
        question = post(client, "/api/ask", tab="t")["question"]
        if question is None:
            break
        sizes.append(len(question["items"]))
        tell(client, question, **{**truthfully(question, pointing=True), **more})
    return sizes


def test_questions_grow_once_the_probabilities_have_proved_right(
    service: LabellingService, client: TestClient
) -> None:
    sizes = _answer(client, 60)
    assert set(sizes[:30]) == {1}
    assert max(sizes[:40]) <= 8  # an audit may show eight
    assert max(sizes) > SMALL
    assert not get(client, "/api/progress")["model"]["learning"]


def test_worthless_guesses_keep_questions_small_and_the_page_is_told(tmp_path: Path) -> None:
    service = service_on(_with_probs(tmp_path / "t.csv", lambda item: item // 3 % 2 == 0), **PROBS)
    client = client_of(service)
    for _ in range(120):
        question = post(client, "/api/ask", tab="t")["question"]
        asked = service.session.history.asked[question["id"]]
        if asked.question.purpose == "label":
            assert len(question["items"]) <= SMALL
        assert question["learning"]
        tell(client, question)
    model = get(client, "/api/progress")["model"]
    assert model["learning"]
    assert model["labels_predicted"] > 80  # enough to know: it is calibrated by now, and no more
    assert model["calibration_error"] < 0.12
    service.close()


def test_guesses_the_wrong_way_round_are_of_use_once_they_are_turned(tmp_path: Path) -> None:
    service = service_on(_with_probs(tmp_path / "t.csv", lambda item: not is_red(item)), **PROBS)
    client = client_of(service)
    sizes = _answer(client, 30)
    assert max(sizes) <= SMALL
    assert get(client, "/api/progress")["model"]["learning"]
    _answer(client, 40)
    assert not get(client, "/api/progress")["model"]["learning"]
    service.close()


def test_the_channel_is_what_the_person_uses(service: LabellingService, client: TestClient) -> None:
    record = service.session.history
    assert channel_of(record, "ann") == "yes-no"
    wrong = {"kind": "pointed"}
    for label in (True, False):
        items = [item for item in range(400) if is_red(item) != label][:2]
        _put(service, items, label)
        question = post(client, "/api/ask", tab="t")["question"]
        tell(client, question, **wrong, wrong=items[:1])
    assert channel_of(record, "ann") == "pointed"
    assert get(client, "/api/session")["channel"] == "pointed"


def test_a_slow_looker_is_planned_for(service: LabellingService, client: TestClient) -> None:
    _answer(client, 60, seconds=30.0)
    slow = get(client, "/api/progress")["group"]["seconds"]
    assert slow[0] + slow[1] > 5


def test_a_planted_error_that_is_overlooked_makes_questions_with_doubtful_items_smaller(
    tmp_path: Path,
) -> None:
    service = service_on(likely(tmp_path / "many.csv", 4000), text="text", prob="prob")
    client = client_of(service)
    _answer(client, 60)
    assert service.method.max_n == GRID
    begun = service.method
    assert (begun.misses, begun.wrong_label_s) == (None, WRONG_LABEL_S)
    history, missed = service.session.history, 0
    while missed < 4:
        question = post(client, "/api/ask", tab="t")["question"]
        planted = history.asked[question["id"]].planted
        missed += bool(planted)
        honest = truthfully(question)
        tell(client, question, **({"kind": "yes", "wrong": []} if planted else honest))
    misses = service.method.misses
    assert misses is not None
    assert misses.chance(GRID) > 0.1
    planner, n = service.method.make_planner(), 4000
    careless = service.method.replace(misses=None).make_planner()
    state = State.blank(n)
    doubtful, sure = Probs(np.full(n, 0.2)), Probs(np.full(n, 0.001))
    for probs, smaller in ((doubtful, True), (sure, False)):
        shown, before = planner.plan(probs, state), careless.plan(probs, state)
        assert shown is not None
        assert before is not None
        assert (len(shown) < len(before)) is smaller
    audits = get(client, "/api/progress")["audits"]
    assert audits["missed"] == audits["overlooked"] == 4
    assert audits["planted"] < 10
    assert audits["low"] is None  # of so few the interval says nothing
    told = f"Of {audits['asked']} audits, questions whose answer was known, 4 were missed"
    assert told in get(client, "/api/summary")["text"]
    service.close()


def test_an_audit_looks_like_any_other_question(
    service: LabellingService, client: TestClient
) -> None:
    seen: dict[str, Any] = {}
    while "audit" not in seen:
        question = post(client, "/api/ask", tab="t")["question"]
        assert question is not None
        purpose = service.session.history.asked[question["id"]].question.purpose
        seen.setdefault(purpose, question)
        tell(client, question)
    assert set(seen) == {"label", "audit"}
    assert set(seen["audit"]) == set(seen["label"])
    assert seen["audit"]["purpose"] == "label"


def test_no_audit_comes_among_the_drawn_items_which_are_asked_alone(tmp_path: Path) -> None:
    service = service_on(likely(tmp_path / "t.csv", 200), text="text", prob="prob")
    client = client_of(service)
    while service.session.progress().draws_left:
        question = post(client, "/api/ask", tab="t")["question"]
        assert service.session.history.asked[question["id"]].question.purpose == "label"
        assert question["drawn"]
        tell(client, question)
    audits = 0
    while (question := post(client, "/api/ask", tab="t")["question"]) is not None:
        audits += service.session.history.asked[question["id"]].question.purpose == "audit"
        assert not question["drawn"]
        tell(client, question)
    assert audits
    service.close()


def test_the_person_may_say_how_many_items_at_most(
    service: LabellingService, client: TestClient
) -> None:
    assert post(client, "/api/group", max_n=2)["max_n"] == 2
    sizes = _answer(client, 70)
    purposes = [asked.question.purpose for asked in service.session.history.asked.values()]
    asked = [size for size, purpose in zip(sizes, purposes, strict=False) if purpose == "label"]
    assert max(asked) <= 2
    assert post(client, "/api/group", max_n=None)["max_n"] is None


def test_a_restart_remembers_the_pace_and_how_far_to_trust(tmp_path: Path) -> None:
    source = likely(tmp_path / "t.csv", 400)
    service = service_on(source, text="text", prob="prob")
    _answer(client_of(service), 60, seconds=20.0)
    before = service.method
    service.close()
    service = service_on(source, text="text", prob="prob")
    assert service.method.seconds == pytest.approx(before.seconds, rel=0.3)
    assert service.method.max_n == before.max_n != SMALL
    assert not service.planning.learning
    service.close()


def _put(service: LabellingService, items: list[int], label: bool) -> None:
    question = Question(tuple(items), (label,) * len(items))
    assert undecided(service.session.state, question)
    service.session.queue.put(question, "ann", "t")


def test_where_positives_are_rare_groups_are_asked_about_without_any_model(tmp_path: Path) -> None:
    service = service_on(texts(tmp_path / "t.csv", [f"text {n}" for n in range(1200)]))
    client = client_of(service)
    sizes = []
    for _ in range(70):
        question = post(client, "/api/ask", tab="t")["question"]
        rare = [i["item"] for i in question["items"] if i["item"] % 60 == 0]
        wrong = (
            rare
            if not question["guess"]
            else [i["item"] for i in question["items"] if i["item"] not in rare]
        )
        kind = "yes" if not wrong else "pointed"
        tell(client, question, kind=kind, wrong=wrong)
        sizes.append(len(question["items"]))
    assert set(sizes[:30]) == {1}
    assert max(sizes) > SMALL
    progress = get(client, "/api/progress")
    assert progress["labels_per_answer"] > 2
    assert progress["trainer"]["checkpoint"] == 0
    assert progress["model"]["learning"]  # there is none
    service.close()


def test_short_texts_that_went_well_are_no_reason_to_offer_as_many_long_ones(
    tmp_path: Path,
) -> None:
    # The surest items come first, and those are the short ones.
    rows = [
        f"{'' if item < 500 else 'word ' * 300}text {item},"
        f"{abs((not is_red(item)) - (0.98 if item < 500 else 0.9))}\n"
        for item in range(600)
    ]
    (tmp_path / "t.csv").write_text("text,prob\n" + "".join(rows))
    service = service_on(tmp_path / "t.csv", **PROBS)
    client = client_of(service)
    short: list[int] = []
    long: list[int] = []
    while (question := post(client, "/api/ask", tab="t")["question"]) is not None:
        size = len(question["items"])
        characters = sum(len(item["text"]) for item in question["items"])
        (long if characters > 1000 * size else short).append(size)
        seconds = 1 + 0.2 * size + characters / 100
        tell(client, question, **truthfully(question, pointing=True), seconds=seconds)
    service.close()
    assert max(short) >= 16
    assert max(long) <= 3
