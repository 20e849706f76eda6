"""Looking back: the gallery, corrections, the review, answers, the curve and the summary."""

import threading
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from askless.app.opening import Terms
from askless.app.service import LabellingService
from askless.core.question import Question
from askless.seams import Pool
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


def test_the_gallery_shows_what_has_the_label_and_was_settled_so(client: TestClient) -> None:
    label_all(client)
    red = get(client, "/api/gallery", label="positive")
    assert [item["item"] for item in red["items"]] == [i for i in range(24) if is_red(i)]
    assert all(item["label"] is True and item["how"] == "alone" for item in red["items"])
    assert get(client, "/api/gallery", label="negative", how="group")["total"] == 0
    assert get(client, "/api/gallery", q="005.PNG")["total"] == 1


def test_the_gallery_comes_in_pages(grouped: tuple[LabellingService, TestClient]) -> None:
    _, client = grouped
    first, last = get(client, "/api/gallery"), get(client, "/api/gallery", page=99)
    assert (first["total"], first["pages"], len(first["items"])) == (200, 4, 60)
    assert (last["page"], len(last["items"])) == (4, 20)


def test_a_corrected_label_changes_and_its_neighbours_keep_theirs(
    grouped: tuple[LabellingService, TestClient],
) -> None:
    service, client = grouped
    item = get(client, "/api/gallery", how="group")["items"][0]["item"]
    before = service.session.state.labels()
    post(client, "/api/correct", item=item, label=not is_red(item), key=key())
    after = service.session.state.labels()
    assert [i for i in range(200) if before[i] != after[i]] == [item]
    assert after[item] == (not is_red(item))


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
    said = {entry.item: entry.prob for entry in service.session.labels()}
    for label in ("open", "unsure"):
        for found in get(client, "/api/gallery", label=label)["items"]:
            assert found["prob"] == said.pop(found["item"])
    assert not said
    (nine,) = service.session.labels([9])
    assert get(client, "/api/items/9")["prob"] == nine.prob < service.session.probs.values[9]


def test_nobody_waits_while_the_texts_are_searched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = service_on(likely(tmp_path / "t.csv", 3), text="text", prob="prob")
    free: list[bool] = []

    def try_the_lock() -> None:
        free.append(service.lock.acquire(blocking=False))
        if free[-1]:
            service.lock.release()

    def look(pool: Pool, item: int) -> str:
        thread = threading.Thread(target=try_the_lock)
        thread.start()
        thread.join()
        return ""

    monkeypatch.setattr("askless.web.views.text_of", look)
    get(client_of(service), "/api/gallery", label="open", q="nowhere")
    service.close()
    assert free == [True, True, True]


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
    assert "6 items were drawn uniformly at random" in text
    assert "Definition of red: More red than blue." in text


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
    post(client, "/api/names", positive="a shoe|shoes")
    question = post(client, "/api/ask", tab="t")["question"]
    assert question["sentence"] == {"before": "Is this ", "name": "a shoe", "after": "?"}
    assert get(client, "/api/session")["negative"] == "something other than shoes"


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
    assert session["items"] == 8
    assert any("Of 8 items 2 can no longer be shown" in line for line in session["notices"])
    assert any("not part of this session: 1." in line for line in session["notices"])
    assert client.get("/api/items/2/picture").status_code == 422
    assert client.get("/api/items/4/picture").status_code == 200
    label_all(client)
    service.close()
