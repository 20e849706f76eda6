"""Sums kept up to date, beside the same sums from scratch."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askless.core.events import Answered, Asked, Audited
from askless.core.question import Question
from askless.history.projections import SOURCE, Audits, Keys, Tally

WHO = ("a", "b", SOURCE)
SECONDS = st.none() | st.floats(0, 1000).map(lambda s: round(s, 3))


@given(st.lists(st.tuples(st.integers(1, 5), st.sampled_from(WHO), SECONDS, st.booleans())))
def test_a_tally_is_that_of_the_answers_of_people_that_stand(
    told: list[tuple[int, str, float | None, bool]],
) -> None:
    tally, standing = Tally(), []
    for number, (size, annotator, seconds, retracted) in enumerate(told):
        question = Question(tuple(range(size)), (True,) * size)
        given_ = Answered(0, question.yes(), seconds, number=number, annotator=annotator)
        tally.count(given_, 1)
        if retracted:
            tally.count(given_, -1)
        else:
            standing.append(given_)
    for who in WHO:
        theirs = [len(each.answer) for each in standing if each.annotator == who]
        assert tally.of(who) == (len(theirs), sum(theirs))
    standing = [each for each in standing if each.annotator != SOURCE]
    assert tally.answers == len(standing)
    assert tally.kinds()["yes"] == len(standing)
    assert tally.shown == sum(len(each.answer) for each in standing)
    timed = sorted(each.seconds for each in standing if each.seconds is not None)
    most = max(60.0, 10 * timed[len(timed) // 2]) if timed else 0.0
    count, seconds_in_all = tally.looked_s(60.0, 10.0)
    assert count == len(timed)
    assert seconds_in_all == pytest.approx(sum(min(s, most) for s in timed), abs=1e-6)


def test_an_audit_is_due_after_enough_questions_and_as_large_as_they_were() -> None:
    audits = Audits()
    for size in (3, 5, 2):
        question = Question(tuple(range(size)), (True,) * size)
        audits.note_question(Asked(question, chance=0.5, annotator="ann"))
    assert audits.size_due("ann", 15) == 5  # the first one comes after a fifth as many
    assert [audits.size_due("ann", 16), audits.size_due("ann", 0)] == [0, 0]
    assert audits.size_due("bob", 3) == 0
    audits.note_question(Asked(Question((1,), (True,), "audit"), annotator="ann"))
    assert audits.size_due("ann", 1) == 0


def test_audits_come_sooner_while_few_were_asked_but_not_of_single_items() -> None:
    audits, waits = Audits(), []
    pair, one = Question((0, 1), (True, True)), Question((0,), (True,))
    for _ in range(10):
        count = 0
        while not audits.size_due("ann", 20):
            audits.note_question(Asked(pair, chance=0.5, annotator="ann"))
            count += 1
        waits.append(count)
        audits.note_question(Asked(Question((1,), (True,), "audit"), annotator="ann"))
    assert waits == [4, 6, 8, 10, 12, 14, 16, 18, 20, 20]
    for _ in range(19):
        audits.note_question(Asked(one, chance=0.5, annotator="bob"))
    assert audits.size_due("bob", 20) == 0


def test_a_retracted_audit_counts_for_nothing() -> None:
    audits, question = Audits(), Question((1,), (True,), "audit")
    for number, planted in enumerate(((), (1,), (1,))):
        audits.note_answer(
            Asked(question, planted=planted), Audited(0, question.yes(), number=number)
        )
    assert (audits.agreement.hits, audits.agreement.trials) == (1, 3)
    audits.retract(2)
    assert (audits.agreement.hits, audits.agreement.trials) == (1, 2)


def test_a_key_that_changed_nothing_names_the_answer_that_stood() -> None:
    keys = Keys()
    keys.note_noop(7, 3)
    keys.note("k", 7, (("correct", "ann", 1, True),))
    assert (keys.event_of("k"), keys.answer_of("k"), keys.changed_something("k")) == (7, 3, False)
    assert keys.event_of("unknown") == -1


def test_planted_errors_are_counted_by_who_overlooked_them_and_in_how_large_a_group() -> None:
    audits, number = Audits(), 0

    def answer(size: int, said: str, who: str = "ann", planted: tuple[int, ...] = (1,)) -> int:
        nonlocal number
        question = Question(tuple(range(size)), (True,) * size, "audit")
        answers = {
            "yes": question.yes(),
            "no": question.no(),
            "found": question.pointed([1], rest_right=True),
            "other": question.pointed([0], rest_right=True),
        }
        given_ = Audited(0, answers[said], number=number, annotator=who)
        audits.note_answer(Asked(question, planted=planted), given_)
        number += 1
        return number - 1

    assert audits.misses("ann") == {}
    answer(8, "yes", planted=())
    assert audits.misses("ann") == {}
    answer(8, "no")
    answer(8, "found")
    answer(8, "other")
    missed = answer(8, "yes")
    answer(24, "yes")
    answer(24, "yes", who="bob")
    answer(4, "found", planted=(1, 2))
    assert audits.misses("ann") == {8: (4, 2), 24: (1, 1), 4: (2, 1)}
    assert audits.misses("bob") == {24: (1, 1)}
    audits.retract(missed)
    assert audits.misses("ann") == {8: (3, 1), 24: (1, 1), 4: (2, 1)}
