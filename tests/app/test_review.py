"""What is up for review, what a look at it is worth, and where it ends."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from askless.app.mistakes import read_evidence
from askless.app.neighbours import Columns
from askless.app.review import (
    HeldOutReader,
    Review,
    look_seconds,
    up_for_review,
    worth_at,
)
from askless.core.question import Answer, Question
from askless.files.arrays import write_array
from askless.predictors.held_out import HeldOut
from askless.session.session import Session
from tests.session.making import make_session


def answer(session: Session, said: Answer, seconds: float | None = None) -> None:
    asked = session.queue.put(said.question, "ann")
    session.tell(asked.id, said, f"key {asked.id}", seconds=seconds)


def labelled(n: int = 100) -> Session:
    """A session in which one yes has settled everything."""
    session, _, _ = make_session(n)
    answer(session, Question(tuple(range(n)), (True,) * n).yes())
    return session


def found(session: Session, probs: list[float], reviewed: tuple[int, ...] = ()) -> Review:
    evidence = read_evidence(session.history, session.probs)
    return up_for_review(evidence, HeldOut(np.array(probs), 0.01), reviewed, 2.0, 0.02)


def test_only_labels_worth_a_look_are_listed_the_likeliest_first() -> None:
    review = found(labelled(), [0.1] * 5 + [0.4] * 5 + [0.999] * 90)
    assert set(review.items[:5].tolist()) == set(range(5))
    assert set(review.items.tolist()) == set(range(10))
    assert np.all(review.chances >= 0.02)
    assert review.why[0] == ["model"]
    assert len(review.ranking.items) == 100


def test_an_item_that_agrees_with_the_model_may_have_been_overlooked() -> None:
    review = found(labelled(), [0.6] * 5 + [0.999] * 95)
    assert review.why == [["overlooked"]] * 5


def test_a_model_that_believes_the_same_of_all_disagrees_with_nothing() -> None:
    review = found(labelled(20), [0.2] * 20)
    assert not any("model" in why for why in review.why)


def test_the_yield_of_the_next_ones_and_what_is_left_are_told() -> None:
    review = found(labelled(), [0.35] * 40 + [0.9999] * 60)
    first, second = review.says()
    assert review.next_items == 30
    assert review.next_s == 60
    assert first == (
        f"About {round(review.next_wrong)} of the next 30 labels are wrong. "
        "Looking takes about 1 minute."
    )
    assert second.startswith(f"About {round(review.ranking.left)} wrong labels may be left among")
    assert "the 100 that nobody has looked at again (likely " in second


def test_what_review_finds_changes_what_is_told_and_ends_it() -> None:
    session, probs = labelled(), [0.89] * 40 + [0.9999] * 60
    before = found(session, probs)
    assert len(before.items) == 40
    after = found(session, probs, tuple(range(38)))
    assert len(after.items) == 0
    looked, end, left = after.says()
    assert looked == "You have looked at 38 labels again; none was wrong."
    assert end.startswith("Going on is not worth it: of every other label, fewer than 1 in 50")
    assert left.startswith("Probably no wrong label is left among the 62")


def test_a_found_mistake_is_told() -> None:
    session = labelled()
    session.correct(3, False, "ann")
    review = found(session, [0.1] * 5 + [0.999] * 95)
    assert review.says()[0] == "You have looked at 1 label again; 1 was wrong."
    assert 3 not in review.items


def test_labels_under_an_older_definition_are_listed_whatever_their_chance() -> None:
    session, _, _ = make_session(10)
    session.define("shoes")
    answer(session, Question(tuple(range(9)), (True,) * 9).yes())
    session.correct(2, False, "ann")
    session.define("shoes and boots")
    review = found(session, [0.99999] * 10)
    assert sorted(review.items.tolist()) == list(range(9))
    assert all("definition" in why for why in review.why)


def test_nothing_settled_is_nothing_to_review_and_nothing_to_say() -> None:
    session, _, _ = make_session(5)
    review = found(session, [0.5] * 5)
    assert len(review.items) == 0
    assert review.says() == []


def test_a_look_takes_as_long_as_this_person_took() -> None:
    session, _, _ = make_session(10)
    assert look_seconds(session.history) == pytest.approx(1.5)
    answer(session, Question((0, 1), (True, True)).yes(), seconds=6.0)
    answer(session, Question((2,), (True,)).yes(), seconds=3.0)
    assert look_seconds(session.history) == pytest.approx(3.0)


def test_the_model_is_asked_once_and_again_when_labels_have_changed(tmp_path: Path) -> None:
    n = 200
    rng = np.random.default_rng(0)
    x = rng.normal(size=(n, 3)).astype(np.float32)
    write_array(tmp_path / "x.npy", x)
    session, _, _ = make_session(n)
    items = np.flatnonzero(x[:, 0] > 0).tolist()
    others = np.flatnonzero(x[:, 0] <= 0).tolist()
    answer(session, Question(tuple(items), (True,) * len(items)).yes())
    columns, reader = Columns(tmp_path / "x.npy", 3), HeldOutReader()
    evidence = read_evidence(session.history, session.probs)
    reader.read(columns, evidence)
    reader.wait()
    assert reader.read(columns, evidence) == (None, True)  # labels of one kind say nothing
    for item in others:
        answer(session, Question((item,), (False,)).yes())
    evidence = read_evidence(session.history, session.probs)
    held_out, ready = reader.read(columns, evidence, 60.0)
    assert ready
    assert held_out is not None
    assert np.mean((held_out.probs > 0.5) == (x[:, 0] > 0)) > 0.9
    session.correct(items[0], False, "ann")
    again = read_evidence(session.history, session.probs)
    assert reader.read(columns, again)[0] is held_out  # one label is no reason


def test_features_that_are_gone_leave_what_was_believed(tmp_path: Path) -> None:
    session = labelled(30)
    evidence = read_evidence(session.history, session.probs)
    reader = HeldOutReader()
    reader.read(Columns(tmp_path / "no.npy", 3), evidence)
    reader.wait()
    assert reader.read(Columns(tmp_path / "no.npy", 3), evidence) == (None, True)
    assert reader.read(None, evidence) == (None, True)


def test_a_look_is_worth_it_where_it_saves_more_seconds_than_it_takes() -> None:
    assert worth_at(10.0) == pytest.approx(0.03)
    assert worth_at(100.0) == pytest.approx(0.003)
    assert worth_at(0.0) == worth_at(10.0)  # nobody named a price
    assert worth_at(0.001) == 0.5
