import json
from pathlib import Path

import pytest

from askless.core.question import Question
from askless.core.state import replay
from askless.errors import InvalidInput
from askless.lab.simulate import simulate_planner
from askless.lab.trace import Step, Trace, trace_writer
from tests.lab.handmade import Halves
from tests.lab.traces import read_trace

RUN = simulate_planner(Halves(), [0.9, 0.2, 0.7, 0.6, 0.8, 0.1], [1, 0, 0, 1, 1, 1])
TRACE = Trace(RUN.trace.n, RUN.trace.steps, {"planner": "halves", "seed": 0})


def write_trace(path: Path, trace: Trace) -> None:
    with trace_writer(path, trace.n, trace.about) as write:
        for step in trace.steps:
            write(step)


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
        write_trace(path, TRACE)
    assert path.read_bytes() == b"PK\x03\x04 somebody's work"


def test_an_empty_file_may_be_filled(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.touch()
    write_trace(path, TRACE)
    assert read_trace(path) == TRACE


@pytest.mark.parametrize("name", ["", "missing/t.jsonl", "n" * 300])
def test_a_path_that_cannot_be_written_is_refused_in_words(tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidInput, match=r"cannot be written to .*Name a file in a folder"):
        write_trace(tmp_path / name, TRACE)
