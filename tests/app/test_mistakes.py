"""The ranking knows how each label came about, and what review has found."""

from __future__ import annotations

import numpy as np
import pytest

from askless.app.label_table import HOW
from askless.app.mistakes import Ranking, rank, read_evidence
from askless.app.review import up_for_review
from askless.core.probability import Probs
from askless.core.question import Answer, Question
from askless.history.labels import how_settled
from askless.predictors.held_out import HeldOut
from askless.session.options import SessionOptions
from askless.session.session import Session
from tests.session.making import ReadyTrainer, make_session


def answer(session: Session, said: Answer) -> None:
    asked = session.queue.put(said.question, "ann")
    session.tell(asked.id, said, f"key {asked.id}")


def ranked(session: Session, against: float = 0.3, reviewed: tuple[int, ...] = ()) -> Ranking:
    """With a model that believes the other label of every item with the same probability."""
    labels = session.state.labels()
    probs = np.where(labels == 1, 1 - against, against)
    evidence = read_evidence(session.history, session.probs)
    return rank(evidence, HeldOut(probs, 0.01), reviewed)


def chances(found: Ranking) -> dict[int, float]:
    return dict(zip(found.items.tolist(), found.chances.tolist(), strict=True))


def test_a_group_hides_more_than_an_item_alone_and_a_larger_one_more_still() -> None:
    session, _, _ = make_session(12)
    answer(session, Question((0,), (True,)).yes())
    answer(session, Question((1, 2), (True, True)).yes())
    answer(session, Question(tuple(range(3, 12)), (True,) * 9).yes())
    found = chances(ranked(session))
    assert found[0] < found[1] < found[3]


def test_the_likeliest_comes_first_and_every_settled_label_is_listed_once() -> None:
    session, _, _ = make_session(6)
    for item in range(5):
        answer(session, Question((item,), (True,)).yes())
    probs = np.array([0.9, 0.2, 0.6, 0.99, 0.4, 0.0])
    found = rank(read_evidence(session.history, session.probs), HeldOut(probs, 0.01))
    assert found.items.tolist() == [1, 4, 2, 0, 3]
    assert np.all(np.diff(found.chances) < 0)
    assert found.low <= found.left <= found.high
    assert found.said == "held-out"


def test_a_deduced_label_is_as_doubtful_as_all_the_answers_it_rests_on() -> None:
    session, _, _ = make_session(6)
    answer(session, Question((0, 1, 2), (True, True, True)).no())
    answer(session, Question((0, 1), (True, True)).yes())
    answer(session, Question((3,), (True,)).yes())
    found = ranked(session)
    assert how_settled(session.history, 2) == "deduced"
    assert chances(found)[2] > chances(found)[0] > chances(found)[3]


def test_a_label_under_an_older_definition_is_more_doubtful() -> None:
    session, _, _ = make_session(6)
    session.define("shoes")
    answer(session, Question((0,), (True,)).yes())
    session.define("shoes and boots")
    answer(session, Question((1,), (True,)).yes())
    found = chances(ranked(session))
    assert found[0] > 3 * found[1]


def test_what_was_looked_at_is_not_listed_again_and_says_how_good_the_rest_is() -> None:
    session, _, _ = make_session(40)
    answer(session, Question(tuple(range(40)), (True,) * 40).yes())
    before = ranked(session, 0.6)
    found = ranked(session, 0.6, tuple(range(20)))
    assert set(found.items.tolist()) == set(range(20, 40))
    assert (found.looked, found.found) == (20, 0)
    assert chances(found)[30] < chances(before)[30]
    assert found.left < before.left


def test_a_correction_is_a_mistake_that_was_found() -> None:
    session, _, _ = make_session(40)
    answer(session, Question(tuple(range(40)), (True,) * 40).yes())
    before = ranked(session)
    for item in range(10):
        session.correct(item, False, "ann")
    found = ranked(session, reviewed=(0, 1, 2))
    assert (found.looked, found.found) == (10, 10)
    assert set(found.items.tolist()) == set(range(10, 40))
    assert chances(found)[30] > chances(before)[30]


def test_audits_tell_how_much_this_person_overlooks() -> None:
    options = SessionOptions(audit_every=1, seed=3)
    found = []
    for careful in (True, False):
        session, _, _ = make_session(60, options=options)
        while (asked := session.ask("ann")) is not None:
            question = asked.question
            pairs = zip(question.items, question.guess, strict=True)
            right = all((item % 7 > 0) is guess for item, guess in pairs)
            overlooks = question.purpose == "audit" and not careful
            said = question.yes() if right or overlooks else question.no()
            session.tell(asked.id, said, f"key {asked.id}")
        assert any(one.planted for one in session.history.asked.values())
        evidence = read_evidence(session.history, session.probs)
        grouped = evidence.how == HOW.index("group")
        assert np.all(evidence.overlooked[evidence.how == HOW.index("alone")] == 0)
        found.append(float(evidence.overlooked[grouped].mean()))
    assert 0 < found[0] < found[1]


def test_probabilities_that_learnt_nothing_are_used_as_they_are() -> None:
    session, _, _ = make_session(6)
    for item in range(6):
        answer(session, Question((item,), (True,)).yes())
    found = rank(read_evidence(session.history, session.probs))
    assert found.said == "given"
    assert found.items.tolist() == [0, 1, 2, 3, 4, 5]  # the least probable first


def test_a_fitted_probability_is_never_used() -> None:
    trainer = ReadyTrainer(Probs(np.linspace(0.9, 0.6, 6)))
    session, _, _ = make_session(6, trainer=trainer)
    session.refresh()
    answer(session, Question((0,), (True,)).yes())
    answer(session, Question((4, 5), (True, True)).yes())
    fitted = Probs(np.array([1e-6, 0.5, 0.5, 0.5, 1e-6, 1e-6]))
    found = rank(read_evidence(session.history, fitted))
    assert found.said == "when asked"
    again = rank(read_evidence(session.history, session.probs))
    assert found.chances == pytest.approx(again.chances)
    against = dict(zip(found.items.tolist(), found.against.tolist(), strict=True))
    assert against[0] == pytest.approx(0.1, abs=1e-5)
    assert against[4] == pytest.approx(1 - (0.66 * 0.6) ** 0.5, abs=1e-5)


def test_gone_items_and_open_ones_are_not_listed() -> None:
    session, _, _ = make_session(6)
    answer(session, Question((0,), (True,)).yes())
    session.unsure(1)
    assert ranked(session).items.tolist() == [0]


def _asked_again(deny: bool) -> tuple[Session, int]:
    """Twelve labels of one group, one of them asked again, and its item."""
    session, _, _ = make_session(12)
    answer(session, Question(tuple(range(12)), (True,) * 12).yes())
    session.reask.want("ann", 1, seed="5" * 32)
    asked = session.ask("ann")
    assert asked is not None
    assert asked.is_reask
    session.tell(asked.id, asked.question.no() if deny else asked.question.yes(), "again")
    return session, asked.question.items[0]


def test_a_label_denied_when_asked_again_is_likelier_wrong_than_any_other() -> None:
    session, item = _asked_again(deny=True)
    found = ranked(session)
    assert found.items[0] == item
    assert found.chances[0] > 0.7 > 10 * found.chances[1]
    evidence = read_evidence(session.history, session.probs)
    sure = HeldOut(np.full(12, 1 - 1e-6), 0.01)  # even so it is on the list, and says why
    listed = up_for_review(evidence, sure, (), 1.0, 0.03)
    assert (listed.items.tolist(), listed.why) == ([item], [["denied", "overlooked"]])


def test_a_label_given_again_counts_as_looked_at() -> None:
    session, item = _asked_again(deny=False)
    found = ranked(session)
    assert item not in found.items
    assert (found.looked, found.found) == (1, 0)


def test_a_denied_label_that_was_corrected_counts_as_looked_at_and_wrong() -> None:
    session, item = _asked_again(deny=True)
    session.correct(item, False, "ann")
    found = ranked(session)
    assert item not in found.items
    assert (found.looked, found.found) == (1, 1)
