import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askless.errors import InvalidInput
from askless.lab.habits import (
    HABITS,
    Careless,
    Denies,
    Habit,
    Look,
    Mixes,
    Persistent,
    Slips,
    Tires,
    Watched,
)

LOOK = Look(24, "label", 0.0, 0.5)


def test_a_habit_that_overrides_nothing_changes_nothing() -> None:
    labels, rng = np.array([True, False]), np.random.default_rng(0)
    assert Habit().believe(labels, rng).tolist() == [True, False]
    assert (Habit().overlook_chance(LOOK), Habit().misclick_chance(LOOK)) == (0.0, 0.0)


def test_the_rate_of_slips_is_that_of_a_grid_where_every_other_one_has_something_wrong() -> None:
    assert Slips(0.14, growth=1.0, prevalence=0.4).overlook_chance(LOOK) == pytest.approx(0.14)


@given(
    rate=st.floats(0.0, 1.0),
    growth=st.floats(0.0, 2.0),
    prevalence=st.floats(0.0, 1.0),
    sizes=st.tuples(st.integers(1, 500), st.integers(1, 500)),
    shares=st.tuples(st.floats(0.01, 0.99), st.floats(0.01, 0.99)),
)
def test_slips_grow_with_the_group_and_as_wrong_guesses_become_rare(
    rate: float,
    growth: float,
    prevalence: float,
    sizes: tuple[int, int],
    shares: tuple[float, float],
) -> None:
    slips = Slips(rate, growth, prevalence)
    chances = [
        slips.overlook_chance(LOOK._replace(size=size, prevalence=share))
        for size, share in zip(sorted(sizes), sorted(shares, reverse=True), strict=True)
    ]
    assert 0.0 <= chances[0] <= chances[1] + 1e-12 <= 1.0 + 1e-12


def test_slips_at_a_tenth_and_a_hundredth_are_near_those_of_visual_search() -> None:
    slips = Slips(0.07, prevalence=0.4)
    at = {share: slips.overlook_chance(LOOK._replace(prevalence=share)) for share in (0.1, 0.01)}
    assert at[0.1] == pytest.approx(0.16, abs=0.02)
    assert at[0.01] == pytest.approx(0.30, abs=0.03)


def test_nothing_is_overlooked_alone() -> None:
    alone = LOOK._replace(size=1, minutes=100.0)
    assert Slips(1.0).overlook_chance(alone) == Tires(1.0).overlook_chance(alone) == 0.0


def test_one_who_tires_overlooks_nothing_at_first_and_the_full_rate_in_the_end() -> None:
    tires = Tires(0.3, minutes=15.0)
    chances = [tires.overlook_chance(LOOK._replace(minutes=float(t))) for t in (0, 15, 30, 1000)]
    assert chances == pytest.approx([0.0, 0.3 * 0.632, 0.3 * 0.865, 0.3], abs=1e-3)


def test_persistent_errors_are_as_many_as_the_rate_makes() -> None:
    labels, rng = np.zeros(1000, bool), np.random.default_rng(0)
    assert np.count_nonzero(Persistent(0.03).believe(labels, rng)) == 30
    assert not labels.any()


def test_one_who_denies_sees_the_commoner_label_alone() -> None:
    rng = np.random.default_rng(0)
    assert Denies().believe(np.array([True, False, False]), rng).tolist() == [False] * 3
    assert Denies().believe(np.array([True, False, True]), rng).tolist() == [True] * 3


def test_one_who_is_watched_is_careful_in_audits_alone() -> None:
    assert Watched().is_careful(LOOK._replace(purpose="audit"))
    assert not Watched().is_careful(LOOK)


@pytest.mark.parametrize("name", HABITS.names())
def test_every_habit_is_documented_where_it_is_offered(name: str) -> None:
    from pathlib import Path

    page = Path(__file__).parents[2].joinpath("docs", "commands.md").read_text()
    required = [key for key in HABITS.options(name) if key == "rate"]
    assert f"| `{name}{':RATE' if required else ''}` |" in page


@pytest.mark.parametrize("name", HABITS.names())
def test_every_habit_names_who_described_it_and_when(name: str) -> None:
    options = {key: 0.1 for key in HABITS.options(name) if key == "rate"}
    said = type(HABITS.make(name, options)).__doc__ or ""
    assert re.search(r"[A-Z][a-z]+ \(?(19|20)\d\d[,)]|[A-Z][a-z]+ \d{4}, [A-Z]|others \d{4}", said)


@pytest.mark.parametrize("kind", [Slips, Tires, Persistent, Careless])
def test_a_rate_above_one_is_refused(kind: type) -> None:
    with pytest.raises(InvalidInput, match=r"rate of .* is a number 0 or more and at most 1"):
        kind(1.5)


def test_mixing_is_saying_no_where_two_are_wrong_and_pointing_where_one_is() -> None:
    from askless.core.question import Question

    question, rng = Question((0, 1, 2), (True,) * 3), np.random.default_rng(0)
    assert Mixes().say(question, [1, 2], rng) == question.no()
    assert Mixes().say(question, [1], rng) == question.pointed([1], rest_right=True)
    assert Mixes().say(question, [], rng) is None
