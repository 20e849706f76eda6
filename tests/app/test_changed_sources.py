"""A source that grows, shrinks and changes between two sittings: the app goes on with it."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from PIL import Image

from askless.app.label_table import HOW, read_table
from askless.app.opening import open_service
from askless.app.service import LabellingService
from askless.assemble import read_session
from askless.cli import main
from askless.core.events import Asked
from askless.core.question import Question
from askless.errors import InvalidInput
from askless.folder.verifying import verify_session
from askless.history.labels import how_settled
from askless.planners.one_by_one import OneByOne
from askless.session.chooser import Chooser
from askless.session.options import SessionOptions
from askless.stores.sqlite import SqliteStore
from tests.web.services import client_of, get, label_all, pictures, service_on


def say(service: LabellingService, item: int, label: bool) -> None:
    question = Question((item,), (label,))
    service.session.tell(None, question.yes(), f"{item} {label}", "ann")


def kinds(folder: Path) -> list[tuple[str, int]]:
    store = SqliteStore(folder / "events.sqlite", write=False)
    try:
        return [(event.kind, event.format) for event in store.read()]
    finally:
        store.close()


def exported(folder: Path, tmp_path: Path) -> dict[str, str | None]:
    """By id, or by text where there is none: the label."""
    out = tmp_path / "labels.jsonl"
    assert main(["export", str(folder), str(out), "--overwrite"]) == 0
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    found = {row["id"] if "id" in row else row["text"]: row["label"] for row in rows}
    assert len(found) == len(rows)
    return found


def test_files_come_go_move_and_change_and_labels_stay_with_their_content(tmp_path: Path) -> None:
    source = pictures(tmp_path / "p", 6)
    service = service_on(source)
    folder = service.settings.folder
    for item in range(4):
        say(service, item, True)
    service.close()
    assert "updated" not in dict(kinds(folder))  # nothing has changed so far
    (source / "000.png").rename(source / "renamed.png")
    (source / "001.png").unlink()
    (source / "005.png").unlink()
    Image.new("RGB", (9, 9), (1, 2, 3)).save(source / "002.png")
    Image.new("RGB", (9, 9), (4, 5, 6)).save(source / "new.png")
    service = service_on(source)
    assert service.notices[0].startswith(
        "The source has changed since last time: 1 new, 1 renamed, 2 gone, 1 changed."
    )
    state = service.session.state
    assert state.n == len(service.pool) == len(service.session.probs) == 8
    assert state.labels().tolist() == [1, 1, 1, 1, -1, -2, -1, -1]
    assert service.pool.ids[6:] == ("002.png", "new.png")
    assert get(client_of(service), "/api/progress")["open"] == 3
    label_all(client_of(service))
    assert service.session.state.done
    service.close()
    assert kinds(folder).count(("updated", 4)) == 1
    assert verify_session(folder).sound
    labels = exported(folder, tmp_path)
    assert sorted(labels) == ["002.png", "003.png", "004.png", "new.png", "renamed.png"]
    assert labels["renamed.png"] == "red"
    service = service_on(source)  # and nothing more has changed
    assert service.notices == ()
    assert kinds(folder).count(("updated", 4)) == 1
    service.close()


def test_a_mended_or_returned_file_comes_back_with_its_label(tmp_path: Path) -> None:
    source = pictures(tmp_path / "p", 4)
    service = service_on(source)
    say(service, 0, True)
    service.close()
    content = [(source / f"00{item}.png").read_bytes() for item in (0, 1)]
    (source / "000.png").unlink()
    (source / "001.png").write_bytes(b"damaged")
    service = service_on(source)
    assert service.session.state.labels().tolist() == [1, -2, -1, -1]
    service.close()
    assert sorted(exported(service.settings.folder, tmp_path)) == ["002.png", "003.png"]
    (source / "elsewhere.png").write_bytes(content[0])
    (source / "001.png").write_bytes(content[1])
    service = service_on(source)
    assert service.notices == ("The source has changed since last time: 1 renamed, 2 back.",)
    assert service.session.state.labels().tolist() == [1, -1, -1, -1]
    service.close()
    labels = exported(service.settings.folder, tmp_path)
    assert (labels["elsewhere.png"], labels["001.png"]) == ("red", None)


def write(path: Path, rows: Sequence[tuple[str, ...]]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
    return path


@pytest.mark.parametrize("named", [True, False])
def test_rows_are_found_by_id_and_content_wherever_they_stand(tmp_path: Path, named: bool) -> None:
    def rows(*pairs: tuple[str, str]) -> list[tuple[str, ...]]:
        header = ("id", "text") if named else ("text",)
        return [header, *(pair if named else pair[1:] for pair in pairs)]

    path = write(tmp_path / "t.csv", rows(("a", "one"), ("b", "two"), ("c", "three")))
    service = service_on(path, text="text")
    for item in range(3):
        say(service, item, item == 0)
    service.close()
    write(path, rows(("z", "zero"), ("c", "three"), ("b", "another"), ("a", "one")))
    service = service_on(path, text="text")
    assert [service.pool.text(item) for item in (0, 2, 3, 4)] == ["one", "three", "zero", "another"]
    assert service.session.state.labels().tolist() == [1, 0, 0, -1, -1]
    assert ("1 new, 1 changed." if named else "2 new, 1 gone.") in service.notices[0]
    assert "renamed" not in service.notices[0]
    service.close()
    labels = exported(service.settings.folder, tmp_path)
    if named:
        assert labels == {"a": "red", "c": "blue", "z": None, "b": None}
    else:
        assert labels == {"one": "red", "three": "blue", "zero": None, "another": None}


def test_probabilities_and_labels_that_the_source_gives_to_new_rows_are_taken(
    tmp_path: Path,
) -> None:
    head = ("id", "text", "p", "y")
    path = write(tmp_path / "t.csv", [head, ("a", "one", "0.9", ""), ("b", "two", "0.2", "0")])
    options = {"text": "text", "prob": "p", "label": "y"}
    service_on(path, **options).close()
    write(path, [head, ("a", "one", "0.5", ""), ("c", "three", "0.75", ""), ("d", "4", "1", "1")])
    service = service_on(path, **options)
    assert service.session.state.labels().tolist() == [-1, 0, -1, 1]
    assert service.session.history.source.probs == [0.75, 1.0]
    service.close()
    assert read_session(service.settings.folder).history.state.n == 4


def test_the_model_of_a_grown_source_knows_all_items(tmp_path: Path) -> None:
    from tests.app.test_preparation import _until

    lines = [("text",), *((f"text number {n}",) for n in range(30))]
    path = write(tmp_path / "t.csv", lines)
    for count in (30, 36):
        service = open_service(path, tmp_path / "s", {"text": "text"})
        preparation = service.preparation
        assert preparation is not None
        _until(lambda made=preparation: made.share is None)  # type: ignore[misc]
        assert preparation.failure is None
        say(service, count - 1, True)
        service.session.refresh()
        trainer = preparation.trainer
        assert trainer is not None
        _until(lambda made=trainer: made.status().answers > 0)  # type: ignore[misc]
        assert not trainer.status().last_failure
        assert len(service.session.probs) == count
        service.close()
        write(path, [*lines, *((f"more {n}",) for n in range(6))])


def test_undo_reaches_back_over_a_change_of_the_source(tmp_path: Path) -> None:
    source = pictures(tmp_path / "p", 3)
    service = service_on(source)
    say(service, 0, True)
    service.close()
    Image.new("RGB", (9, 9), (1, 2, 3)).save(source / "new.png")
    service = service_on(source)
    service.session.undo("ann")
    assert service.session.state.labels().tolist() == [-1] * 4
    say(service, 3, True)
    service.close()
    assert verify_session(service.settings.folder).sound


def test_another_folder_is_not_taken_for_the_source(tmp_path: Path) -> None:
    service = service_on(pictures(tmp_path / "p", 3))
    service.close()
    (tmp_path / "other").mkdir()
    Image.new("RGB", (9, 9), (1, 2, 3)).save(tmp_path / "other" / "new.png")
    before = kinds(service.settings.folder)
    with pytest.raises(InvalidInput, match="None of the items of the session"):
        service_on(tmp_path / "other", folder=service.settings.folder)
    assert kinds(service.settings.folder) == before
    service_on(tmp_path / "p").close()


def test_what_is_gone_is_shown_nowhere(tmp_path: Path) -> None:
    source = pictures(tmp_path / "p", 16)
    service = service_on(source)
    for item in range(14):
        say(service, item, item % 2 == 0)
    service.close()
    for item in (0, 1, 15):
        (source / f"{item:03}.png").unlink()
    service = service_on(source)
    client = client_of(service)
    shown = get(client, "/api/gallery")
    assert [item["name"] for item in shown["items"]] == [f"{item:03}.png" for item in range(2, 15)]
    assert not {0, 1}.intersection(service.up_for_review().ranking.items.tolist())
    history = service.session.history
    chooser = Chooser(history.source.sizes, OneByOne(), SessionOptions(audit_every=1, seed=1))
    asked = Asked(Question((13, 14), (True, True)), chance=0.5, annotator="ann")
    for _ in range(20):
        history.audits.note_question(asked)
        audit = chooser.due(history, history.state, service.session.probs, frozenset(), "ann")
        assert audit is not None
        assert not {0, 1}.intersection(audit.items)
        history.asked[len(history.asked) + 1000] = asked  # another draw
    service.close()


def test_every_count_is_of_what_is_in_the_source_now(tmp_path: Path) -> None:
    source = pictures(tmp_path / "p", 8)
    service = service_on(source)
    for item in range(6):
        say(service, item, item % 2 == 0)
    service.unsure("t", "an unsure item", 6)
    service.pin(0, True)
    service.pin(2, True)
    service.close()
    for item in (0, 1, 6, 7):
        (source / f"00{item}.png").unlink()
    service = service_on(source)
    client = client_of(service)
    counts = {"items": 4, "settled": 4, "unsure": 0, "positives": 2, "negatives": 2}
    progress, summary = get(client, "/api/progress"), get(client, "/api/summary")
    assert {name: progress[name] for name in counts} == counts
    assert {name: summary[name] for name in counts} == counts
    assert (progress["open"], progress["gone"]) == (0, 4)
    assert (get(client, "/api/session")["items"], get(client, "/api/gallery")["total"]) == (4, 4)
    assert [item["item"] for item in get(client, "/api/session")["pinned"]] == [2]
    assert summary["text"].startswith("4 of 4 items were labelled (2 ")
    assert "4 items that are no longer in the source are not counted." in summary["text"]
    service.close()


def test_the_record_says_what_is_gone_and_calls_unsure_only_what_somebody_did(
    tmp_path: Path,
) -> None:
    source = pictures(tmp_path / "p", 4)
    service = service_on(source)
    say(service, 0, True)
    service.unsure("t", "an unsure item", 1)
    service.close()
    for item in (0, 1, 2):
        (source / f"00{item}.png").unlink()
    service = service_on(source)
    assert (
        HOW[read_table(service.session.history, service.session.probs).how[2]]
        == how_settled(service.session.history, 2)
        == ""
    )
    service.close()
    out = tmp_path / "full.jsonl"
    folder = source.with_name("p.askless")
    assert main(["export", str(folder), str(out), "--as", "full", "--guess-above", "50"]) == 0
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [row["gone"] for row in rows] == [True, True, True, False]
    assert [row["how"] for row in rows] == ["alone", "unsure", "", ""]
    assert [row["unsure"] for row in rows] == [False, True, False, False]
    assert rows[2]["guess"] is None


def test_rows_of_one_text_keep_their_labels_when_rows_move(tmp_path: Path) -> None:
    table, folder = tmp_path / "t.csv", tmp_path / "s"
    table.write_text("said,before\nok,1\nok,3\n")
    with closing(
        open_service(table, folder, {"text": "said", "show": ["before"]}, learn=False)
    ) as service:
        say(service, 1, True)
    table.write_text("said,before\nno,2\nok,3\nok,1\n")
    with closing(open_service(table, folder, {}, learn=False)) as service:
        facts = [service.pool.facts(item) for item in range(3)]
        assert facts == [[("before", "1")], [("before", "3")], [("before", "2")]]
        assert service.session.state.labels().tolist() == [-1, 1, -1]
