import json
from pathlib import Path

import pytest

from askless.core.question import Question
from askless.core.state import replay
from askless.errors import InvalidInput
from askless.lab.simulate import simulate_planner
from askless.lab.trace import Step, Trace
from askless.lab.trace_file import TraceWriter, read_trace
from tests.lab.handmade import Halves

RUN = simulate_planner(Halves(), [0.9, 0.2, 0.7, 0.6, 0.8, 0.1], [1, 0, 0, 1, 1, 1])
TRACE = Trace(RUN.trace.n, RUN.trace.steps, {"planner": "halves", "seed": 0})


def write_trace(path: Path, trace: Trace) -> None:
    with TraceWriter(path, trace.n, trace.about) as writer:
        for step in trace.steps:
            writer.write(step)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    write_trace(tmp_path / "t.jsonl", TRACE)
    assert read_trace(tmp_path / "t.jsonl") == TRACE


def test_a_pointed_answer_is_kept_whole(tmp_path: Path) -> None:
    answer = Question((4, 2, 7), (True, False, True)).pointed([2, 7], rest_right=True)
    trace = Trace(9, (Step(1, answer, 3, probs=2),))
    write_trace(tmp_path / "t.jsonl", trace)
    assert read_trace(tmp_path / "t.jsonl") == trace


def test_a_trace_from_a_file_replays_to_the_same_labels(tmp_path: Path) -> None:
    write_trace(tmp_path / "t.jsonl", TRACE)
    trace = read_trace(tmp_path / "t.jsonl")
    assert replay(trace.n, trace.answers).labels().tolist() == RUN.labels.tolist()


def test_the_same_trace_writes_the_same_bytes_over_the_old_ones(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    write_trace(path, TRACE)
    first = path.read_bytes()
    write_trace(path, TRACE)
    assert path.read_bytes() == first


def test_every_line_names_its_fields(tmp_path: Path) -> None:
    write_trace(tmp_path / "t.jsonl", TRACE)
    header, first, *_ = map(json.loads, (tmp_path / "t.jsonl").read_text().splitlines())
    assert header == {
        "format": 1,
        "what": "askless trace",
        "items": 6,
        "about": {"planner": "halves", "seed": 0},
    }
    assert first == {
        "question": 1,
        "items": [0, 1, 2, 3],
        "guess": [True, False, True, True],
        "purpose": "label",
        "answer": "no",
        "wrong": [],
        "rest_right": False,
        "settled": 0,
        "probs": 0,
    }


def test_a_file_that_is_no_trace_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "pool.npz"
    path.write_bytes(b"PK\x03\x04 somebody's work")
    with pytest.raises(InvalidInput, match="is not a trace, so it is not replaced"):
        TraceWriter(path, 3)
    assert path.read_bytes() == b"PK\x03\x04 somebody's work"


def test_an_empty_file_may_be_filled(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.touch()
    write_trace(path, TRACE)
    assert read_trace(path) == TRACE


@pytest.mark.parametrize("name", ["", "missing/t.jsonl", "n" * 300])
def test_a_path_that_cannot_be_written_is_refused_in_words(tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidInput, match=r"cannot be written to .*Name a file in a folder"):
        TraceWriter(tmp_path / name, 3)


HEADER = '{"format": 1, "what": "askless trace", "items": 3, "about": {}}\n'
LINE = (
    '{"question": 1, "items": [0], "guess": [true], "purpose": "label", '
    '"answer": "yes", "wrong": [], "rest_right": false, "settled": 1}\n'
)


def test_a_line_that_names_no_probs_was_planned_with_the_first(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text(HEADER + LINE)
    (step,) = read_trace(tmp_path / "t.jsonl").steps
    assert step.probs == 0


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "is not a trace: its first line"),
        ("[1]\n", "is not a trace: its first line"),
        ("\xff\xfe\x00".encode("latin-1"), "is not a trace: it is not text"),
        (HEADER.replace('"format": 1', '"format": 9'), "of format 9; this askless reads format 1"),
        (HEADER.replace("3", '"three"'), "header needs 'items', a number"),
        (HEADER + LINE[:40], "line 2: the line is cut short"),
        (HEADER + LINE + LINE, "line 3: question 2 was expected, got 1"),
        (HEADER + LINE.replace('"guess"', '"guesses"'), "line 2: there is no 'guess'"),
        (HEADER + LINE.replace("[0]", "[0.5]"), "line 2: Items are whole numbers"),
        (HEADER + LINE.replace('"yes"', '"perhaps"'), "line 2: An answer is 'yes'"),
        (HEADER + LINE.replace("[0]", "0"), "line 2: "),
    ],
)
def test_a_file_that_is_not_a_sound_trace_is_refused(
    tmp_path: Path, content: str | bytes, sentence: str
) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InvalidInput, match=sentence):
        read_trace(path)


def test_a_trace_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="cannot be read: No such file"):
        read_trace(tmp_path / "t.jsonl")
