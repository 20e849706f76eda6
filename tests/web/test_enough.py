"""A promise in the app: chosen, checked, proposed to stop at; going on loses nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from askless.app.opening import open_service
from askless.app.service import LabellingService
from askless.certificates.policy import Freeze
from askless.core.promise import Promise
from askless.folder.certificates import certificate_at, differences, read_certificate
from tests.web.services import (
    client_of,
    get,
    is_red,
    key,
    likely,
    post,
    service_on,
    tell,
    truthfully,
)

N = 400


@pytest.fixture
def service(tmp_path: Path) -> Iterator[LabellingService]:
    made = service_on(likely(tmp_path / "t.csv", N), text="text", prob="prob")
    yield made
    made.close()


@pytest.fixture
def client(service: LabellingService) -> TestClient:
    return client_of(service)


def _answer_until(
    client: TestClient, holds: Callable[[dict[str, Any]], bool], *, pointing: bool = False
) -> dict[str, Any]:
    """Answer truthfully until a reply is so; the reply."""
    reply = post(client, "/api/ask", tab="t")
    for _ in range(300):
        if holds(reply):
            return dict(reply)
        question = reply["question"]
        reply = tell(client, question, **truthfully(question, pointing=pointing))
    raise AssertionError(reply["progress"]["enough"])


def _enough(reply: dict[str, Any]) -> bool:
    return bool(reply["progress"]["enough"]["holds"])


def test_without_a_promise_there_is_nothing_to_say(client: TestClient) -> None:
    offers = get(client, "/api/enough")
    assert offers["promise"] is None
    assert [offer["promise"] for offer in offers["offers"]] == [None, "5%", "2%", "1%", "0.5%"]
    assert post(client, "/api/ask", tab="t")["progress"]["enough"] is None
    assert get(client, "/api/bounds") == {"answers": [], "share": []}


def test_a_promise_is_kept_with_the_session(service: LabellingService, client: TestClient) -> None:
    assert post(client, "/api/enough", promise="5%")["promise"] == "5%"
    assert service.method.promise == Promise("all", 0.05)
    source, folder = service.settings.current.source, service.settings.folder
    service.close()
    again = open_service(source, folder, learn=False)
    try:
        assert again.method.promise == Promise("all", 0.05)
        assert get(client_of(again), "/api/enough")["promise"] == "5%"
        assert post(client_of(again), "/api/enough", promise=None)["promise"] is None
        assert again.method.promise is None
    finally:
        again.close()


@pytest.mark.parametrize("promise", ["1 in 9", "150%", "most:1%", "", "x" * 100])
def test_what_is_no_promise_is_refused(client: TestClient, promise: str) -> None:
    assert client.post("/api/enough", json={"promise": promise}).status_code in (400, 422)
    assert get(client, "/api/enough")["promise"] is None


def test_from_the_promise_to_enough_and_on(service: LabellingService, client: TestClient) -> None:
    post(client, "/api/enough", promise="5%")
    first = post(client, "/api/ask", tab="t")["progress"]["enough"]
    assert (first["phase"], first["share"], first["limit"]) == ("learning", None, 0.05)
    assert first["says"].startswith("If you stopped now, nothing could be said")
    reply = _answer_until(client, _enough)
    enough = reply["progress"]["enough"]
    assert enough["says"].startswith("Enough. You looked at ")
    assert enough["accepted"] > 100
    assert enough["share"] <= 0.05
    claim = service.session.history.claims.current
    assert claim is not None
    wrong = [
        i for i in range(N) if service.session.state.is_open(i) and claim.guess[i] != is_red(i)
    ]
    assert len(wrong) <= enough["share"] * N
    curve = get(client, "/api/bounds")
    assert curve["share"][-1] == pytest.approx(enough["share"])
    assert curve["answers"][-1] == sum(reply["progress"]["answers"].values())
    assert reply["question"] is not None  # who goes on is asked
    on = _answer_until(client, lambda reply: reply["progress"]["enough"]["accepted"] < 50)
    assert _enough(on)
    assert on["progress"]["enough"]["share"] <= enough["share"]
    assert service.session.history.claims.current is claim
    done = _answer_until(client, lambda reply: reply["done"])
    assert done["progress"]["enough"]["says"].endswith("No label is left to the model.")


def test_taking_the_last_check_back_takes_the_certificate_back(client: TestClient) -> None:
    post(client, "/api/enough", promise="5%")
    _answer_until(client, _enough)
    undone = post(client, "/api/undo", tab="t", key=key())
    assert undone["progress"]["enough"]["holds"] is False
    assert _enough(tell(client, undone["question"]))


def test_the_certificate_is_had_as_a_file_and_in_words(
    service: LabellingService, client: TestClient, tmp_path: Path
) -> None:
    assert client.get("/api/certificate").status_code == 404
    assert get(client, "/api/certificate/slips") == {"says": ""}
    post(client, "/api/enough", promise="5%")
    enough = _answer_until(client, _enough)["progress"]["enough"]
    reply = client.get("/api/certificate")
    assert "certificate.json" in reply.headers["content-disposition"]
    found = reply.json()["certificate"]
    assert found["holds"] is True
    assert found["accepted"] == enough["accepted"]
    assert found["left_at_most"] / N == pytest.approx(enough["share"])
    path = tmp_path / "shown.json"
    path.write_bytes(reply.content)
    assert differences(read_certificate(path), certificate_at(service.settings.folder)) == []
    text = get(client, "/api/summary")["text"]
    assert found["methods"] in text
    assert "not labelled yet" not in text


def _frozen(service: LabellingService, form: str) -> TestClient:
    """Somebody whose next question is a check of this form, with something wrong in every draw."""
    post(client := client_of(service), "/api/enough", promise="5%")
    guesses = np.array([not is_red(item) for item in range(N)])
    wanted = Freeze(guesses, (1.0, 1.0), form=form, strata=True, seed="7" * 32)  # type: ignore[arg-type]
    service.session.freeze(Promise("all", 0.05), wanted)
    return client


def _check(service: LabellingService, client: TestClient) -> dict[str, Any]:
    """The next check of several items."""

    def is_check(reply: dict[str, Any]) -> bool:
        asked = service.session.history.asked[reply["question"]["id"]]
        return asked.check is not None and len(asked.question) > 1

    return dict(_answer_until(client, is_check)["question"])


def test_marks_in_a_yes_no_check_count_as_a_no(service: LabellingService) -> None:
    client = _frozen(service, "yes-no")
    question = _check(service, client)
    assert question["marks"] is False
    claim, state = service.session.history.claims.current, service.session.state
    assert claim is not None
    at = claim.look(state).pending[0]
    wrong = [item["item"] for item in question["items"]]
    tell(client, question, kind="pointed", wrong=wrong)
    assert claim.look(service.session.state).outcomes[at] == "no"


def test_a_bare_no_to_a_pointing_check_is_followed_by_the_same_question_for_marks(
    service: LabellingService,
) -> None:
    client = _frozen(service, "pointed")
    question = _check(service, client)
    assert question["marks"] is False
    claim = service.session.history.claims.current
    assert claim is not None
    at = claim.look(service.session.state).pending[0]
    again = tell(client, question, kind="no")["question"]
    assert again["items"] == question["items"]
    assert again["marks"] is True
    assert claim.look(service.session.state).outcomes[at] is None
    wrong = [item["item"] for item in question["items"]]
    following = tell(client, again, kind="pointed", wrong=wrong)["question"]
    assert following["marks"] is False
    assert claim.look(service.session.state).outcomes[at] == len(wrong)


def test_what_each_promise_takes_is_said_beside_labelling_everything(client: TestClient) -> None:
    assert {offer["cost"] for offer in get(client, "/api/enough")["offers"]} == {""}
    before = get(client, "/api/enough/costs")
    assert all(offer["cost"] for offer in before["offers"])
    assert "typical" in before["note"]
    _answer_until(client, lambda reply: reply["progress"]["settled"] >= 60)
    now = get(client, "/api/enough/costs")
    everything, five = (offer["cost"] for offer in now["offers"][:2])
    assert re.fullmatch(r"about [\d,]+ (min|h), [\d,]+ answers?", everything)
    assert five == "takes about as long as every label" or five.startswith("about ")
    assert "at your pace" in now["note"] or "Nothing is to be gained" in now["note"]


def test_recall_is_offered_where_positives_are_rare(tmp_path: Path) -> None:
    path = tmp_path / "rare.csv"
    rows = [f"text {item},{0.97 if item % 20 == 0 else 0.03}" for item in range(200)]
    path.write_text("\n".join(["text,prob", *rows]) + "\n")
    service = service_on(path, text="text", prob="prob")
    client = client_of(service)
    try:
        for _ in range(40):
            question = post(client, "/api/ask", tab="t")["question"]
            labels = {item["item"] % 20 == 0 for item in question["items"]}
            tell(client, question, kind="yes" if labels == {question["guess"]} else "no")
        offers = {offer["promise"]: offer for offer in get(client, "/api/enough")["offers"]}
        assert offers["recall:95%"]["title"] == "at least 95 % of all red found"
        assert post(client, "/api/enough", promise="recall:95%")["promise"] == "recall:95%"
    finally:
        service.close()
