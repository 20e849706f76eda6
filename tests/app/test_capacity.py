"""The part of a question that fits a window."""

from __future__ import annotations

import pytest

from askless.app.capacity import LONGEST, Capacity, Layout, WindowCapacities
from askless.core.question import Question

LAYOUT = Layout(number=2, height=100.0, line=10.0, card=10.0, characters=20.0)


def _texts(*texts: str) -> WindowCapacities:
    windows = WindowCapacities(texts.__getitem__, len(texts))
    windows.note("t", Capacity(200, (LAYOUT,)))
    return windows


def _all(n: int) -> Question:
    return Question(tuple(range(n)), (True,) * n)


def test_a_window_that_has_said_nothing_shows_everything() -> None:
    question = _all(3)
    assert _texts("a", "b", "c").fit(question, "another") is question


def test_a_question_that_fits_stays_as_it_is() -> None:
    question = _all(10)
    assert _texts(*["ten letters"] * 10).fit(question, "t") is question


def test_short_texts_are_cut_to_the_room_in_all_columns() -> None:
    # A card of one line takes 20 of 100: five to a column, two columns.
    assert _texts(*["ten letters"] * 12).fit(_all(12), "t").items == tuple(range(10))


def test_a_text_that_does_not_fit_is_left_out_and_later_ones_take_its_room() -> None:
    high = "x" * 150  # nine lines: a column of its own
    windows = _texts(high, high, high, "short", "short")
    assert windows.fit(_all(5), "t").items == (0, 1)
    windows = _texts("short", high, high, "short")
    assert windows.fit(_all(4), "t").items == (0, 1, 3)


def test_a_text_longer_than_a_column_is_asked_alone_if_it_comes_first() -> None:
    windows = _texts("x" * 400, "short", "short")
    assert windows.fit(_all(3), "t").items == (0,)
    assert windows.fit(Question((1, 0, 2), (True,) * 3), "t").items == (1, 2)


def test_guesses_and_purpose_stay_with_their_items() -> None:
    windows = _texts("short", "x" * 400, "short")
    cut = windows.fit(Question((0, 1, 2), (True, False, False), "audit"), "t")
    assert cut == Question((0, 2), (True, False), "audit")


def test_paragraphs_and_wide_characters_take_more_room() -> None:
    assert len(_texts(*["a\nb\nc\nd"] * 6).fit(_all(6), "t")) == 4
    assert len(_texts(*["字" * 18] * 12).fit(_all(12), "t")) == 6  # two lines each


def test_the_layout_that_takes_most_is_the_one_that_counts() -> None:
    windows = WindowCapacities(["x" * 230].__mul__(4).__getitem__, 4)
    wide = Layout(number=1, height=100.0, line=10.0, card=10.0, characters=90.0)
    windows.note("t", Capacity(200, (LAYOUT, wide)))
    assert len(windows.fit(_all(4), "t")) == 2


def test_a_very_long_text_is_alone_in_any_window() -> None:
    windows = WindowCapacities(["short", "x" * (LONGEST + 1)].__getitem__, 2)
    windows.note("t", Capacity(200, (Layout(9, 1e5, 10.0, 10.0, 1e5),)))
    assert windows.fit(_all(2), "t").items == (0,)


def test_pictures_are_cut_to_a_number() -> None:
    windows = WindowCapacities(None, 30)
    windows.note("t", Capacity(12))
    assert windows.fit(_all(24), "t").items == tuple(range(12))
    assert windows.worth_planning(["t"]) == 12


@pytest.mark.parametrize(("length", "least", "most"), [(10, 10, 15), (150, 2, 3), (900, 1, 2)])
def test_about_as_many_texts_are_planned_as_fit(length: int, least: int, most: int) -> None:
    windows = _texts(*["x" * length] * 80)
    planned = windows.worth_planning(["t", "unknown"])
    assert planned is not None
    assert least <= planned <= most


def test_plans_are_made_for_the_largest_window_and_for_none_if_none_is_known() -> None:
    windows = WindowCapacities(None, 30)
    assert windows.worth_planning(["a"]) is None
    windows.note("a", Capacity(4))
    windows.note("b", Capacity(9))
    assert windows.worth_planning(["a", "b"]) == 9
