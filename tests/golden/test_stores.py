"""Store files of every format there was can be opened, read and appended to."""

from __future__ import annotations

import json
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from askless.core.event import FORMAT, Event
from askless.core.json_form import answer_from, question_from
from askless.errors import RepeatedKey
from askless.stores._schema import HEAD
from askless.stores.sqlite import SqliteStore

FILES = sorted(Path(__file__).parent.glob("store-*.db"))


@pytest.fixture(params=FILES, ids=lambda file: file.name)
def copied(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, Path]:
    """A copy to work on, and what it should hold."""
    shutil.copy(request.param, tmp_path)
    return tmp_path / request.param.name, request.param.with_suffix(".json")


def test_there_is_a_file_of_today() -> None:
    assert f"store-{HEAD}-format-{FORMAT}.db" in [file.name for file in FILES]


def test_old_store_holds_what_was_written(copied: tuple[Path, Path]) -> None:
    path, held = copied
    with closing(SqliteStore(path)) as store:
        read = [[e.kind, e.annotator, e.payload, e.at_s, e.key] for e in store.read()]
        store.verify()
    assert read == json.loads(held.read_text())


def test_old_store_goes_on(copied: tuple[Path, Path]) -> None:
    path, held = copied
    count = len(json.loads(held.read_text()))
    with closing(SqliteStore(path)) as store:
        with pytest.raises(RepeatedKey) as caught:
            store.append([Event("answered", key="key 1")])
        assert caught.value.number == 3
        assert store.append([Event("opened")]) == count
    with closing(SqliteStore(path, write=False)) as store:
        assert store.verify() == count + 1


def test_questions_and_answers_in_an_old_store_are_understood(copied: tuple[Path, Path]) -> None:
    path, _ = copied
    with closing(SqliteStore(path)) as store:
        events = list(store.read())
    question = question_from(events[2].payload["question"])
    assert (question.items, question.guess) == ((3, 8, 5), (True, False, True))
    assert answer_from(events[3].payload["answer"], question) == question.no()
    assert answer_from(events[8].payload["answer"], question) == question.pointed([8])
