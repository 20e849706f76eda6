from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askless.core.clause import Clause
from askless.trainer._job import Job, Request, read_request, write_request

clauses = st.lists(
    st.integers(2, 6).flatmap(
        lambda size: st.builds(
            Clause,
            st.tuples(*[st.integers(0, 2**40)] * size),
            st.tuples(*[st.booleans()] * size),
            st.integers(0, 10**6),
        )
    ),
    max_size=5,
)


@given(held=clauses, labels=st.lists(st.integers(-2, 1), max_size=20))
def test_request_comes_out_as_it_went_in(
    tmp_path_factory: pytest.TempPathFactory, held: list[Clause], labels: list[int]
) -> None:
    path = tmp_path_factory.mktemp("job") / "request.npz"
    write_request(path, Request(np.array(labels, np.int8), tuple(held), 7))
    found = read_request(path)
    assert found.labels.tolist() == labels
    assert found.clauses == tuple(held)
    assert found.answers == 7
    assert all(type(item) is int for clause in found.clauses for item in clause.items)


def test_job_travels_as_json() -> None:
    job = Job(n=3, predictor="sklearn", folder="/somewhere", options={"params": {"a": [1, "é\n"]}})
    assert Job(**json.loads(json.dumps(asdict(job)))) == job


def test_maker_is_the_same_before_and_after_the_journey(tmp_path: Path) -> None:
    job = Job(n=3, predictor="sklearn", folder=str(tmp_path), options={"params": {"a": (1, 2)}})
    assert Job(**json.loads(json.dumps(asdict(job)))).made_by == job.made_by
