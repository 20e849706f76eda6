"""The pace of a person, from what their answers took."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askless.core.annotation_cost import AnnotationCost
from askless.core.event import Event
from askless.core.json_form import answer_record, question_record
from askless.core.question import Question
from askless.history.history import History
from askless.session.pace import READING_S, Pace, Timed, fit_pace, pace_of


def answers(
    a: float, b: float, c: float, count: int, d: float = 0.0, longest: int = 0
) -> list[Timed]:
    """What a person with these seconds takes, a fifth more or less; texts up to `longest`."""
    rng = np.random.default_rng(3)
    shown = rng.integers(1, 25, count)
    pointed = rng.binomial(shown, 0.1)
    characters = shown * rng.integers(0, longest + 1, count)
    seconds = a + b * shown + c * pointed + d * characters / 100
    seconds *= np.exp(0.2 * rng.standard_normal(count))
    table = (shown.tolist(), pointed.tolist(), seconds.tolist(), characters.tolist())
    return [Timed(*one) for one in zip(*table, strict=True)]


def test_before_any_answer_the_pace_is_the_usual_one() -> None:
    assert fit_pace([]) == Pace(AnnotationCost(), READING_S)


def test_many_answers_show_the_pace_of_the_person() -> None:
    found = fit_pace(answers(2.0, 0.5, 3.0, 300)).cost
    assert found == pytest.approx((2.0, 0.5, 3.0), rel=0.25)


def test_seconds_of_reading_are_told_from_those_of_looking() -> None:
    found = fit_pace(answers(1.0, 0.5, 1.0, 300, d=1.0, longest=250))
    assert found.reading_s == pytest.approx(1.0, rel=0.2)
    assert found.item_s(30) == pytest.approx(0.8, rel=0.25)
    assert found.item_s(800) == pytest.approx(8.5, rel=0.25)
    assert found.cost_at(800).item_s == pytest.approx(found.item_s(800), abs=1e-3)


def test_short_texts_that_went_quickly_do_not_make_long_ones_quick() -> None:
    short = [Timed(24, 0, 1.0 + 24 * 0.4, 24 * 20)] * 100
    found = fit_pace(short)
    assert found.item_s(20) == pytest.approx(0.4, rel=0.15)
    assert found.item_s(1000) > 10 * found.item_s(20)


def test_breaks_and_interruptions_hardly_change_it() -> None:
    clean = answers(1.5, 0.4, 1.0, 200)
    seen = [
        one._replace(seconds=90.0 if k % 10 == 0 else 4000.0 if k % 17 == 0 else one.seconds)
        for k, one in enumerate(clean)
    ]
    assert fit_pace(seen).cost == pytest.approx(fit_pace(clean).cost, rel=0.3)


def test_one_size_of_question_only_still_gives_a_sensible_pace() -> None:
    found = fit_pace([Timed(8, 0, 6.8)] * 100).cost
    assert found.question_s + 8 * found.item_s == pytest.approx(6.8, rel=0.05)
    assert found.pointed_s == pytest.approx(2.0, rel=0.2)


@given(
    st.lists(
        st.builds(
            Timed,
            st.integers(1, 100),
            st.integers(0, 20),
            st.floats(-10, 1e6),
            st.integers(0, 1_000_000),
        ),
        max_size=30,
    )
)
def test_every_coefficient_is_a_positive_finite_number(seen: list[Timed]) -> None:
    found = fit_pace(seen)
    assert all(0 < value < 200 for value in (*found.cost, found.reading_s))


def test_measured_seconds_count_before_the_time_between_answers() -> None:
    events = [Event("opened", payload={"n": 400})]
    for k in range(200):
        question = Question((k, 200 + k), (True, True))
        events.append(Event("asked", "ann", question_record(question)))
        body = {"question_id": 2 * k + 1, **question_record(question)}
        body |= {**answer_record(question.yes()), "seconds": 3.0}
        # The wall clock runs backwards: it decides nothing.
        events.append(Event("answered", "ann", body, at_s=-20.0 * k))
    numbered = [
        Event(e.kind, e.annotator, e.payload, e.at_s, None, k) for k, e in enumerate(events)
    ]
    found = pace_of(History.of(400, numbered), "ann").cost
    assert found.question_s + 2 * found.item_s == pytest.approx(3.0, rel=0.05)
    assert pace_of(History.of(400, numbered), "bob") == Pace()
