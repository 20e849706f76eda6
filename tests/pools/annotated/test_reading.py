"""Files that the tools' own libraries made, as pools; `make_files` says how they were made."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from askless.errors import InvalidInput
from askless.pools import OpenedPool, open_pool

FILES = Path(__file__).parent / "files"
TEXTS = ("label-studio.json", "argilla.json")
SENTIMENT: dict[str, Any] = {"text": "review", "label": "sentiment"}
BOTH: dict[str, Any] = {"true": "praise", "false": "complaint"}


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    (tmp_path / "sub").mkdir()
    for number, name in enumerate(("pic0.jpg", "sub/pic1.jpg", "pic2.jpg", "pic3.jpg")):
        pixels = np.full((6, 8, 3), 50 * number, np.uint8)
        Image.fromarray(pixels).save(tmp_path / name)
    return tmp_path


def _written(folder: Path, found: Any, name: str = "tasks.json") -> Path:
    path = folder / name
    path.write_text(found if isinstance(found, str) else json.dumps(found))
    return path


@pytest.mark.parametrize("name", TEXTS)
def test_labels_are_what_everybody_says_alike(name: str) -> None:
    pool = open_pool(FILES / name, **SENTIMENT, **BOTH)
    assert pool.text(2) == "so so"
    # praise; complaint twice; two who differ; nobody; both at once; neither of the two
    assert pool.known.tolist() == [1, 0, -1, -1, -1, -1]


@pytest.mark.parametrize("name", TEXTS)
def test_all_the_others_are_those_that_have_no_named_value(name: str) -> None:
    pool = open_pool(FILES / name, **SENTIMENT, true="praise", false="*")
    assert pool.known.tolist() == [1, 0, -1, -1, 1, 0]


@pytest.mark.parametrize("name", TEXTS)
def test_three_values_need_saying_which_mean_what(name: str) -> None:
    with pytest.raises(InvalidInput, match="'complaint', 'other', 'praise'"):
        open_pool(FILES / name, **SENTIMENT)


@pytest.mark.parametrize("name", TEXTS)
def test_without_a_label_column_nothing_is_known_and_labels_are_not_shown(name: str) -> None:
    pool = open_pool(FILES / name)
    assert set(pool.known.tolist()) == {-1}
    assert "sentiment" not in pool.source_rows.names
    assert "complaint" not in "".join(pool.text(item) for item in range(len(pool)))


def test_a_task_keeps_what_label_studio_calls_it() -> None:
    rows = open_pool(FILES / "label-studio.json", **SENTIMENT, **BOTH).source_rows
    assert rows.names == ("id", "review", "stars")
    assert next(iter(rows)) == (0, [101, "a lovely day", 1])
    assert (rows.roles.label, rows.roles.shown, rows.roles.shown_as) == (
        "sentiment", "review", "txt",
    )  # fmt: skip


def test_files_that_label_studio_serves_are_found_by_their_path(pictures: Path) -> None:
    tasks = [{"id": 1, "data": {"image": "/data/local-files/?d=sub%2Fpic1.jpg"}}]
    pool = open_pool(_written(pictures, tasks))
    assert (pool.kind, pool.picture(0).shape) == ("images", (6, 8, 3))
    assert next(iter(pool.source_rows))[1] == [1, "/data/local-files/?d=sub%2Fpic1.jpg"]


def test_labels_of_regions_are_what_a_task_has_in_it(tmp_path: Path) -> None:
    def region(label: str) -> dict[str, Any]:
        value = {"x": 1, "y": 1, "rectanglelabels": [label]}
        return {"from_name": "box", "to_name": "i", "type": "rectanglelabels", "value": value}

    annotation = {"result": [region("car"), region("person"), region("car")]}
    tasks = [{"data": {"text": "a"}, "annotations": [annotation]}, {"data": {"text": "b"}}]
    pool = open_pool(_written(tmp_path, tasks), label="box", true="car", false="*")
    assert pool.known.tolist() == [1, -1]


def test_drafts_and_discarded_responses_are_no_labels(tmp_path: Path) -> None:
    responses = [{"value": "yes", "status": status} for status in ("draft", "discarded")]
    record = {"fields": {"text": "a"}, "responses": {"q": responses}}
    other = {"fields": {"text": "b"}, "responses": {"q": [{"value": "yes"}]}}
    pool = open_pool(_written(tmp_path, [record, other]), label="q")
    assert pool.known.tolist() == [-1, 1]


@pytest.mark.parametrize("name", ["coco.json", "cvat.xml"])
def test_pictures_are_labelled_by_what_is_in_them(name: str, pictures: Path) -> None:
    def opened(**options: Any) -> OpenedPool:
        return open_pool(FILES / name, folder=pictures, label="label", **options)

    assert opened(true="dog", false="*").known.tolist() == [0, 1, -1, 1]
    assert opened(true="dog", false="cat").known.tolist() == [0, 1, -1, -1]
    pool = opened(true="dog")
    assert pool.ids == ("pic0.jpg", "sub/pic1.jpg", "pic2.jpg", "pic3.jpg")
    assert [round(pool.picture(item).mean()) for item in range(4)] == [0, 50, 100, 150]


def test_pictures_that_are_not_there_are_left_out_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="There is no such file"):
        open_pool(FILES / "cvat.xml", folder=tmp_path)


def test_prodigy_accepts_rejects_and_ignores() -> None:
    pool = open_pool(FILES / "prodigy.jsonl", label="label", true="PRAISE")
    assert pool.known.tolist() == [1, 0, -1, 1, 0]  # who differ stay two items
    assert pool.label_names == ("PRAISE", "not PRAISE")
    assert "answer" not in pool.source_rows.names


def test_choices_of_prodigy_are_labels_and_a_rejected_example_has_none(tmp_path: Path) -> None:
    lines = [
        {"text": "a", "accept": ["spam"], "answer": "accept"},
        {"text": "b", "accept": ["ham"], "answer": "accept"},
        {"text": "c", "accept": ["spam"], "answer": "reject"},
        {"text": "d", "accept": [], "answer": "accept"},
    ]
    path = _written(tmp_path, "\n".join(map(json.dumps, lines)), "examples.jsonl")
    assert open_pool(path, label="label", true="spam").known.tolist() == [1, 0, -1, -1]


def test_accept_and_reject_alone_need_no_saying(tmp_path: Path) -> None:
    lines = [
        {"text": t, "answer": a, "_task_hash": 1} for t, a in (("a", "accept"), ("b", "reject"))
    ]
    path = _written(tmp_path, "\n".join(map(json.dumps, lines)), "examples.jsonl")
    assert open_pool(path, label="label").known.tolist() == [1, 0]


def test_lines_with_an_answer_of_another_kind_are_a_plain_table(tmp_path: Path) -> None:
    path = _written(tmp_path, '{"text": "a", "label": "x", "answer": "42"}\n', "table.jsonl")
    assert open_pool(path).source_rows.names == ("text", "label", "answer")


def test_a_json_file_of_plain_records_is_a_table(tmp_path: Path) -> None:
    records = [{"text": "a", "kind": "spam"}, {"text": "b", "kind": "ham", "more": [1, 2]}]
    pool = open_pool(_written(tmp_path, records), label="kind", true="spam")
    assert pool.known.tolist() == [1, 0]
    assert [values for _, values in pool.source_rows] == [["a", "spam", None], ["b", "ham", [1, 2]]]


# --- hostile files ------------------------------------------------------------------------------

_BOMB = (
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    '<annotations><image id="0" name="&b;"/></annotations>'
)
_OUTSIDE = (
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    "<annotations><version>&x;</version></annotations>"
)
_IMAGES = '{"images": [{"id": 1, "file_name": "a"}], "annotations": '
_STRAY = _IMAGES + '[{"image_id": 2, "category_id": 1}]}'


_TASK = (
    '{"data": {"text": "a"}, "annotations": [{"result": [{"from_name": "q%d", "type": "choices", '
    '"value": {"choices": ["a"]}}]}]}'
)


@pytest.mark.parametrize(
    ("name", "record"),
    [
        ("a.json", '{"%d": 1}'),
        ("a.jsonl", '{"%d": 1}'),
        ("a.json", '{"data": {"%d": 1}}'),
        ("a.json", _TASK),
        ("a.json", '{"fields": {"text": "a"}, "metadata": {"%d": 1}}'),
    ],
)
def test_records_that_would_make_a_huge_table_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, record: str
) -> None:
    monkeypatch.setattr("askless.pools._read_table.MOST_EMPTY", 10_000)
    records = [record % number for number in range(300)]
    text = f"[{', '.join(records)}]" if name == "a.json" else "\n".join(records)
    (tmp_path / name).write_text(text)
    with pytest.raises(InvalidInput, match=r"300 have .* names, and hardly"):
        open_pool(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.xml", _BOMB, "^[^:]*: A file of CVAT has no document type and no entities"),
        ("a.xml", _OUTSIDE, "no document type and no entities"),
        ("a.xml", '<!DOCTYPE a SYSTEM "http://example.org/a.dtd"><annotations/>', "no document"),
        ("a.xml", "<annotations><image", "not XML"),
        ("a.xml", "<annotations><image>&nothing;</image></annotations>", "has a name"),
        ("a.xml", "<html/>", "root is <annotations>"),
        ("a.xml", "<annotations/>", "no images in it"),
        ("a.xml", "<annotations><track/></annotations>", "file of a video"),
        ("a.xml", '<?xml version="1.0" encoding="nonsense"?><annotations/>', "not XML"),
        ("a.json", "", "not JSON"),
        ("a.json", "[" * 100_000, "not JSON"),
        ("a.json", "1" * 10_000, "not JSON"),
        ("a.json", "\xff", "not JSON"),
        ("a.json", "[]", "an empty list"),
        ("a.json", "{}", "an object with nothing in it"),
        ("a.json", '{"a": 1}', "an object with 'a'"),
        ("a.json", "[1]", "A JSON file is a list of records"),
        ("a.json", "[{}]", "all of these are empty"),
        ("a.json", '[{"data": {"t": "a"}}, 3]', "task 2 has none"),
        ("a.json", '[{"data": {"t": "a"}, "annotations": 3}]', "list of annotations"),
        ("a.json", '[{"data": {"": "a"}}]', "has a name"),
        ("a.json", r'[{"data": {"\ud800": "a"}}]', "has a name"),
        ("a.json", '[{"fields": {"t": "a"}}, {"fields": []}]', "record 2 has none"),
        ("a.json", '{"images": [3]}', "image 1 has none"),
        ("a.json", '{"images": []}', "no items in it"),
        ("a.json", '{"images": [{"id": [], "file_name": "a"}]}', "has an id"),
        ("a.json", '{"images": [{"id": 1, "file_name": "a"}, {"id": 1, "file_name": "b"}]}', "rep"),
        ("a.json", _IMAGES + "{}}", "list of obj"),
        ("a.json", _IMAGES + '[{"image_id": 2}]}', "has an id"),
        ("a.json", _STRAY, "Annotation 1 is of the image 2"),
        ("a.json", '{"images": [{"id": 1, "file_name": "../../etc/passwd"}]}', "leads out of"),
        ("a.json", '{"images": [{"id": 1, "file_name": "http://example.org/a.png"}]}', "addr"),
    ],
)
def test_a_hostile_file_ends_in_a_sentence(
    name: str, content: str, said: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(content.encode("latin-1"))
    with pytest.raises(InvalidInput, match=said):
        open_pool(tmp_path / name)


@pytest.mark.parametrize(
    "strange", [3, "x", [], {}, None, [3], {"result": 3}, {"result": [3, {"value": 3}]}]
)
def test_strange_annotations_are_no_labels(strange: Any, tmp_path: Path) -> None:
    good = {"from_name": "q", "type": "choices", "value": {"choices": ["yes", {}, [], None]}}
    tasks = [{"data": {"text": "a"}, "annotations": [strange, {"result": [good]}]}]
    assert open_pool(_written(tmp_path, tasks), label="q").known.tolist() == [1]


def test_a_file_that_is_too_large_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("askless.pools.annotated.MAX_BYTES", 20)
    with pytest.raises(InvalidInput, match="larger than 20 bytes"):
        open_pool(_written(tmp_path, [{"text": "a" * 30}]))
