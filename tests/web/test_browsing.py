"""Looking back: the gallery, corrections, the review, answers, the curve and the summary."""

from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from askless.app.service import LabellingService
from askless.app.terms import Terms
from askless.core.question import Question
from tests.web.services import (
    client_of,
    get,
    is_red,
    key,
    label_all,
    likely,
    pictures,
    post,
    service_on,
    tell,
)


@pytest.fixture
def grouped(tmp_path: Path) -> Any:
    """Two hundred texts, labelled in groups."""
    service = service_on(likely(tmp_path / "t.csv", 200), text="text", prob="prob")
    client = client_of(service)
    label_all(client, pointing=True)
    yield service, client
    service.close()


def test_a_corrected_label_changes_and_its_neighbours_keep_theirs(
    grouped: tuple[LabellingService, TestClient],
) -> None:
    service, client = grouped
    item = get(client, "/api/gallery", how="group")["items"][0]["item"]
    before = service.session.state.labels()
    other = "negative" if is_red(item) else "positive"
    post(client, "/api/revise", tab="t", items=[item], what=other, key=key())
    after = service.session.state.labels()
    assert [i for i in range(200) if before[i] != after[i]] == [item]
    assert after[item] == (not is_red(item))


def test_several_labels_change_in_one_request_that_one_undo_takes_back(
    grouped: tuple[LabellingService, TestClient],
) -> None:
    service, client = grouped
    before = service.session.state.labels().tolist()
    items = [item["item"] for item in get(client, "/api/gallery")["items"]]
    for what, code in (("positive", 1), ("negative", 0), ("unsure", -2), ("ask_again", -1)):
        body = {"tab": "t", "items": items, "what": what, "key": key()}
        step = post(client, "/api/revise", **body)["step"]
        after = service.session.state.labels().tolist()
        assert after == [code if i in items else before[i] for i in range(200)]
        assert post(client, "/api/revise", **body)["step"] == step
        assert post(client, "/api/undo", tab="t", key=key(), step=step)["undone"]
        assert service.session.state.labels().tolist() == before


def test_a_step_is_undone_by_its_number_only_if_nothing_came_after_it(
    grouped: tuple[LabellingService, TestClient],
) -> None:
    service, client = grouped
    first, second = (
        post(client, "/api/revise", tab="t", items=[item], what="unsure", key=key())["step"]
        for item in (3, 4)
    )
    refused = client.post("/api/undo", json={"tab": "t", "key": key(), "step": first})
    assert (refused.status_code, service.session.state.n_unsure) == (409, 2)
    again = key()
    for _ in range(2):
        assert post(client, "/api/undo", tab="t", key=again, step=second)["undone"]
    assert service.session.state.n_unsure == 1


def test_the_review_holds_what_contradicts_the_model_until_it_was_looked_at(
    tmp_path: Path,
) -> None:
    table = likely(tmp_path / "t.csv", 40)
    table.write_text(table.read_text().replace("text 3,0.97", "text 3,0.03"))
    service = service_on(table, text="text", prob="prob")
    client = client_of(service)
    label_all(client, pointing=True)
    review = get(client, "/api/review")
    assert {i["item"]: i["why"] for i in review["items"] if "model" in i["why"]} == {3: ["model"]}
    assert get(client, "/api/summary")["review"] == review["total"]
    post(client, "/api/reviewed", items=[3])
    assert 3 not in [item["item"] for item in get(client, "/api/review")["items"]]
    service.close()


def test_the_gallery_believes_what_an_export_says(
    service: LabellingService, client: TestClient
) -> None:
    service.session.tell(None, Question((9, 10), (True, True)).no(), key(), "ann")
    service.session.unsure(11, "blurred")
    said = {entry.item: entry.probability for entry in service.session.labels()}
    for query in ({"certain": "no"}, {"label": "unsure"}):
        for found in get(client, "/api/gallery", **query)["items"]:
            assert found["probability"] == said.pop(found["item"])
    assert not said
    (nine,) = service.session.labels([9])
    assert (
        get(client, "/api/items/9")["probability"]
        == nine.probability
        < service.session.probs.values[9]
    )


def test_a_deduced_label_is_up_for_review(service: LabellingService, client: TestClient) -> None:
    both = Question((9, 10), (True, True))  # one of them is not red,
    service.session.tell(None, both.no(), key(), "ann")
    service.session.tell(None, Question((9,), (True,)).yes(), key(), "ann")  # and 9 is
    (found,) = [i for i in get(client, "/api/review")["items"] if "deduced" in i["why"]]
    assert (found["item"], found["label"], found["how"]) == (10, False, "deduced")


def test_a_new_definition_queues_the_labels_given_under_the_old_one(
    client: TestClient, service: LabellingService
) -> None:
    for _ in range(3):
        tell(client, post(client, "/api/ask", tab="t")["question"])
    assert not get(client, "/api/session")["definition_confirmed"]
    same = post(client, "/api/definition", text="More red than blue.")
    assert (same["definition_version"], same["queued"]) == (1, 0)
    assert get(client, "/api/session")["definition_confirmed"]
    new = post(client, "/api/definition", text="Any red at all.")
    assert (new["definition_version"], new["queued"]) == (2, 3)
    why = [item["why"] for item in get(client, "/api/review")["items"]]
    assert sum("definition" in each for each in why) == 3


def test_a_new_definition_on_the_command_line_puts_up_again_what_was_reviewed(
    tmp_path: Path,
) -> None:
    source = pictures(tmp_path / "p")
    service = service_on(source)
    client = client_of(service)
    label_all(client)
    post(client, "/api/definition", text="Red.")
    post(client, "/api/reviewed", items=list(range(24)))
    assert get(client, "/api/review")["total"] == 0
    service.close()
    service = service_on(source, terms=Terms(definition="Any red at all.", annotator="ann"))
    assert get(client_of(service), "/api/review")["total"] == 24
    service.close()


def test_an_answer_says_how_many_items_it_had_even_if_not_all_are_sent(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    rows = [f"text {number},yes" for number in range(250)]
    table.write_text("\n".join(["text,label", *rows, "open,"]) + "\n")
    service = service_on(table, text="text", label="label")
    (answer,) = get(client_of(service), "/api/answers")
    assert (answer["size"], len(answer["items"])) == (250, 200)
    service.close()


def test_answers_are_listed_newest_first_and_any_can_be_retracted(client: TestClient) -> None:
    told = [tell(client, post(client, "/api/ask", tab="t")["question"]) for _ in range(5)]
    listed = get(client, "/api/answers", limit=2)
    assert [one["answer"] for one in listed] == [told[4]["answer"], told[3]["answer"]]
    more = get(client, "/api/answers", before=listed[-1]["answer"])
    assert [one["answer"] for one in more] == [told[i]["answer"] for i in (2, 1, 0)]
    post(client, "/api/retract", answer=told[1]["answer"], key=key())
    retracted = {one["answer"]: one["retracted"] for one in get(client, "/api/answers")}
    assert retracted[told[1]["answer"]]
    assert get(client, "/api/progress")["settled"] == 4


def test_answers_that_contradict_one_another_are_shown(client: TestClient) -> None:
    question = post(client, "/api/ask", tab="t")["question"]
    first = tell(client, question, kind="yes", wrong=[])
    clash = tell(client, question, question_id=None, kind="no", wrong=[])
    assert clash["dispute"]["answers"] == [first["answer"], clash["answer"]]
    assert get(client, "/api/progress")["disputes"] == 1
    assert all(one["disputed"] for one in get(client, "/api/answers"))


def test_the_curve_ends_where_the_work_does_and_the_bound_is_above_it(
    grouped: tuple[LabellingService, TestClient],
) -> None:
    _, client = grouped
    curve = get(client, "/api/curve")
    answers = sum(get(client, "/api/progress")["answers"].values())
    assert (curve["answers"][0], curve["labels"][0]) == (0, 0)
    assert (curve["answers"][-1], curve["labels"][-1]) == (answers, 200)
    assert all(most >= got for most, got in zip(curve["bound"], curve["labels"], strict=True))
    assert get(client, "/api/curve") == curve


def test_the_curve_forgets_a_retracted_answer(client: TestClient) -> None:
    told = [tell(client, post(client, "/api/ask", tab="t")["question"]) for _ in range(4)]
    assert get(client, "/api/curve")["labels"] == [0, 1, 2, 3, 4]
    post(client, "/api/retract", answer=told[0]["answer"], key=key())
    assert get(client, "/api/curve")["labels"] == [0, 1, 2, 3]


def test_the_summary_says_what_was_done(client: TestClient) -> None:
    answers = label_all(client)
    summary = get(client, "/api/summary")
    assert (summary["settled"], summary["positives"], summary["negatives"]) == (24, 8, 16)
    text = summary["text"]
    audits = summary["audits"]["asked"]
    assert (
        f"24 of 24 items were labelled (8 red, 16 blue) with askless from {answers - audits}"
        in text
    )
    assert "; every label follows from the answers." in text
    assert "6 items were drawn uniformly at random and labelled" in text
    assert "Definition of red: More red than blue." in text


def test_labels_that_came_with_the_source_are_said_to(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("text,label\ngood,yes\nbad,no\nfine,\npoor,\n")
    service = service_on(table, label="label")
    client = client_of(service)
    question = post(client, "/api/ask", tab="t")["question"]
    while question is not None:
        question = tell(client, question)["question"]
    text = get(client, "/api/summary")["text"]
    assert "and 2 labels that came with the source; every other label follows from the" in text
    assert "1 item was drawn uniformly at random among those that came without a label" in text
    session = get(client, "/api/session")
    assert (session["items"], session["labels_given"], session["folder"]) == (4, 2, False)
    service.close()
    table.write_text("text,label\nbad,no\nfine,\npoor,\n")
    service = service_on(table, label="label")
    session = get(client_of(service), "/api/session")
    assert (session["items"], session["labels_given"]) == (3, 1)
    service.close()


def test_without_a_model_no_label_contradicts_it(
    service: LabellingService, client: TestClient
) -> None:
    label_all(client)
    assert service.session.probs.values[0] < 0.5  # the share of red ones
    assert not [i for i in get(client, "/api/review")["items"] if "model" in i["why"]]


def test_the_summary_says_what_was_not_asked(tmp_path: Path) -> None:
    source = pictures(tmp_path / "p", 4)
    (source / "copy.png").write_bytes((source / "000.png").read_bytes())
    (source / "empty.png").touch()
    (source / "torn.png").write_bytes(b"\x89PNG")
    service = service_on(source)
    text = get(client_of(service), "/api/summary")["text"]
    assert "1 exact duplicate has the label of the original." in text
    assert "2 entries of the source could not be read." in text
    service.close()


def test_pinned_examples_stay_in_view(client: TestClient) -> None:
    assert [i["item"] for i in post(client, "/api/pin", item=5, pinned=True)["pinned"]] == [5]
    assert [i["item"] for i in get(client, "/api/session")["pinned"]] == [5]
    assert post(client, "/api/pin", item=5, pinned=False)["pinned"] == []


def test_names_make_the_sentence(client: TestClient) -> None:
    post(client, "/api/names", positive={"one": "a shoe", "many": "shoes"})
    question = post(client, "/api/ask", tab="t")["question"]
    assert question["sentence"] == {"before": "Is this ", "name": "a shoe", "after": "?"}
    session = get(client, "/api/session")
    assert session["positive"] == {"one": "a shoe", "many": "shoes", "given_one": "a shoe"}
    assert session["folder"]
    assert session["negative"]["many"] == "something other than shoes"


def test_a_name_for_one_and_several_is_never_shown_with_a_bar(client: TestClient) -> None:
    post(client, "/api/names", positive={"one": "a shoe", "many": "shoes"})
    for definition in ("a shoe|shoes", "shoes"):  # as earlier pages confirmed a name alone
        post(client, "/api/definition", text=definition)
        text = get(client, "/api/summary")["text"]
        assert "|" not in text
        assert "Definition" not in text
    refused = client.post("/api/names", json={"positive": {"one": "a|b", "many": "c"}})
    assert refused.status_code == 422


def test_pictures_say_how_long_they_may_be_kept(client: TestClient) -> None:
    checksum = get(client, "/api/items/0")["checksum"]
    fixed = client.get("/api/items/0/picture", params={"v": checksum[:8]})
    assert "immutable" in fixed.headers["cache-control"]
    for wrong in ("", "0123"):
        loose = client.get("/api/items/0/picture", params={"v": wrong})
        assert "immutable" not in loose.headers["cache-control"]


def test_duplicates_are_counted_and_exported(tmp_path: Path) -> None:
    folder = pictures(tmp_path / "p", 6)
    (folder / "copy.png").write_bytes((folder / "000.png").read_bytes())
    service = service_on(folder)
    client = client_of(service)
    assert get(client, "/api/session")["duplicates"] == 1
    label_all(client)
    text = client.post("/api/export", json={"format": "csv"}).text
    assert len(text.splitlines()) == 8
    service.close()


def test_files_that_changed_or_went_are_told_and_stop_nothing(tmp_path: Path) -> None:
    folder = pictures(tmp_path / "p", 8)
    service = service_on(folder)
    tell(client := client_of(service), post(client, "/api/ask", tab="t")["question"])
    service.close()
    (folder / "002.png").unlink()
    (folder / "003.png").write_bytes((folder / "004.png").read_bytes() + b"more")
    (folder / "new.png").write_bytes((folder / "005.png").read_bytes() + b"x")
    service = service_on(folder)
    client = client_of(service)
    session = get(client, "/api/session")
    assert session["items"] == 8  # as many as there are files
    assert any("1 new, 1 gone, 1 changed." in line for line in session["notices"])
    assert client.get("/api/items/2/picture").status_code == 422
    assert client.get("/api/items/4/picture").status_code == 200
    label_all(client)
    service.close()


def test_a_name_that_the_source_gives_is_no_made_up_one(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("text,y\na,positive\nb,negative\nc,ignore\n")
    said = {"label": "y", "true": "positive", "false": "negative"}
    for options, given in ((said, True), ({}, False)):
        folder = tmp_path / str(given)
        service = service_on(table, folder=folder, terms=Terms(annotator="ann"), **options)
        session = get(client_of(service), "/api/session")
        assert session["positive"]["many"] == "positive"
        assert session["positive_given"] is session["negative_given"] is given
        service.close()


def test_the_review_asks_again_about_labels_and_says_what_that_has_shown(
    grouped: tuple[LabellingService, TestClient],
) -> None:
    _, client = grouped
    before = get(client, "/api/review")
    assert (before["consistency"], before["reasks_to_come"], before["given"]) == ([], 0, 200)
    labels = get(client, "/api/progress")["settled"]
    post(client, "/api/reask", count=5)
    assert get(client, "/api/review")["reasks_to_come"] == 5
    for turn in range(5):
        asked = post(client, "/api/ask", tab="t")["question"]
        (item,) = asked["items"]
        assert asked["purpose"] == "label"  # nobody can tell it from others
        assert asked["guess"] == is_red(item["item"])
        tell(client, asked, kind="yes" if turn else "no")
    assert post(client, "/api/ask", tab="t")["question"] is None
    after = get(client, "/api/review")
    assert after["reasks_to_come"] == 0
    assert after["consistency"][0] == (
        "You agreed with yourself in 4 of 5 labels that were asked again."
    )
    assert "cannot be seen by asking you again" in after["consistency"][-1]
    assert [one["why"][0] for one in after["items"]].count("denied") == 1
    assert get(client, "/api/progress")["settled"] == labels
