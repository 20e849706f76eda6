"""Recalibration: what the answers say about the probabilities of everything else."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from askless.calibration.online import OnlineRecalibration, recalibrate
from askless.core.probability import Probs
from askless.core.question import Question
from askless.core.state import State, learn, mark_unsure
from askless.errors import InvalidInput

Floats = NDArray[np.float64]
Labels = NDArray[np.bool_]


def sigmoid(z: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-z)))


def pool(n: int, seed: int, spread: float = 2.5) -> tuple[Floats, Labels]:
    """True logits, and labels drawn from them."""
    rng = np.random.default_rng(seed)
    logits = rng.normal(0, spread, n)
    return logits, rng.random(n) < sigmoid(logits)


def knowing(n: int, items: NDArray[np.intp], labels: Labels) -> State:
    """The state in which these items are settled."""
    state = State.blank(n)
    if len(items):
        question = Question(tuple(items.tolist()), tuple(labels[items].tolist()))
        state = learn(state, question.yes())
    return state


def refuting(state: State, group: NDArray[np.intp], labels: Labels) -> State:
    """A "no" about these items, the first of which was guessed wrongly."""
    guess = labels[group].tolist()
    return learn(state, Question(tuple(group.tolist()), (not guess[0], *guess[1:])).no())


def loss_bits(p: Floats, labels: Labels) -> float:
    right = np.clip(np.where(labels, p, 1 - p), 1e-7, 1)
    return float(-np.log2(right).sum())


@st.composite
def known_parts(draw: st.DrawFn) -> tuple[Floats, State]:
    """Probabilities of every awkward kind, some labels settled, some guesses refuted."""
    n = draw(st.integers(1, 40))
    awkward = st.sampled_from([0.0, 5e-324, 1e-9, 0.3, 0.5, 1 - 1e-9, 1.0])
    values = np.array(draw(st.lists(st.one_of(awkward, st.floats(0, 1)), min_size=n, max_size=n)))
    labels = np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    order = np.array(draw(st.permutations(range(n))))
    known = draw(st.integers(0, n))
    state = knowing(n, order[:known], labels)
    rest = order[known:]
    while len(rest) >= 2 and draw(st.booleans()):
        size = draw(st.integers(2, len(rest)))
        group, rest = rest[:size], rest[size:]
        state = refuting(state, group, labels)
    if len(rest) and draw(st.booleans()):
        state = mark_unsure(state, int(rest[0]))
    return values, state


@settings(max_examples=40)
@given(known_parts())
def test_probabilities_stay_finite_and_strictly_between_0_and_1(part: tuple[Floats, State]) -> None:
    values, state = part
    result = recalibrate(Probs(values), state).values
    assert np.all(np.isfinite(result))
    if state.n_settled or state.clauses:
        assert np.all((result > 0) & (result < 1))


@settings(max_examples=40)
@given(known_parts())
def test_the_same_evidence_gives_the_same_probabilities(part: tuple[Floats, State]) -> None:
    values, state = part
    one, other = (recalibrate(Probs(values), state) for _ in range(2))
    assert np.array_equal(one.values, other.values)


@settings(max_examples=40)
@given(known_parts())
def test_equal_probabilities_stay_equal(part: tuple[Floats, State]) -> None:
    values, state = part
    result = recalibrate(Probs(values), state).values
    for value in set(values.tolist()):
        assert len(set(result[values == value].tolist())) == 1


@settings(max_examples=40)
@given(st.integers(0, 50), st.integers(1, 60))
def test_swapping_the_names_of_the_labels_swaps_the_probabilities(seed: int, known: int) -> None:
    logits, labels = pool(80, seed)
    items = np.random.default_rng(seed).permutation(80)
    state, mirrored = (
        refuting(knowing(80, items[:known], truth), items[70:75], truth)
        for truth in (labels, ~labels)
    )
    ours = recalibrate(Probs(sigmoid(2 * logits + 1)), state).values
    theirs = recalibrate(Probs(sigmoid(-2 * logits - 1)), mirrored).values
    np.testing.assert_allclose(ours, 1 - theirs, atol=1e-6)


def test_with_no_evidence_the_probabilities_are_those_given() -> None:
    raw = Probs(np.array([0.0, 0.2, 1.0]))
    assert recalibrate(raw, State.blank(3)) is raw


def test_an_item_set_aside_is_no_evidence() -> None:
    raw = Probs(np.array([0.1, 0.2, 0.9]))
    assert recalibrate(raw, mark_unsure(State.blank(3), 1)) is raw


def test_a_few_labels_hardly_move_a_plausible_predictor() -> None:
    logits, labels = pool(1000, seed=1)
    raw = sigmoid(logits)
    result = recalibrate(Probs(raw), knowing(1000, np.arange(10), labels)).values
    assert np.abs(result - raw).max() < 0.05


@pytest.mark.parametrize("seed", range(3))
def test_a_calibrated_predictor_loses_next_to_nothing(seed: int) -> None:
    logits, labels = pool(4000, seed)
    raw = sigmoid(logits)
    for known in (30, 100, 300, 1000):
        result = recalibrate(Probs(raw), knowing(4000, np.arange(known), labels)).values
        before, after = (
            loss_bits(raw[known:], labels[known:]),
            loss_bits(result[known:], labels[known:]),
        )
        assert after < 1.01 * before


DISTORTIONS = {
    "overconfident": lambda z: 3 * z,
    "underconfident": lambda z: 0.4 * z,
    "shifted": lambda z: z - 2,
    "only one label distorted": lambda z: np.where(z > 0, 4 * z, z),
    "curved": lambda z: z * (1 + np.abs(z) / 3),
    "saturated": lambda z: np.where(np.abs(z) > 1.5, np.sign(z) * np.inf, z),
    "reversed": lambda z: -z,
}


@pytest.mark.parametrize("kind", DISTORTIONS)
def test_a_fair_sample_of_400_undoes_most_of_a_distortion(kind: str) -> None:
    logits, labels = pool(6000, seed=3)
    with np.errstate(over="ignore", invalid="ignore"):
        raw = sigmoid(DISTORTIONS[kind](logits))
    result = recalibrate(Probs(raw), knowing(6000, np.arange(400), labels)).values
    best = loss_bits(result, labels)
    everything = recalibrate(Probs(raw), knowing(6000, np.arange(6000), labels)).values
    assert best < 1.04 * loss_bits(everything, labels)
    assert best < 0.95 * loss_bits(raw, labels)


@pytest.mark.parametrize("seed", range(4))
def test_the_easy_half_alone_does_not_fool_it_about_the_hard_half(seed: int) -> None:
    """A confident predictor that is sometimes wrong for no reason: errors nobody can predict."""
    logits, labels = pool(6000, seed, spread=4)
    labels = labels ^ (np.random.default_rng(seed).random(6000) < 0.01)
    raw = sigmoid(2 * logits)
    order = np.argsort(-np.abs(logits))
    sample = np.random.default_rng(seed + 9).permutation(6000)[:120]
    known = np.union1d(order[:3000], sample)
    rest = np.setdiff1d(np.arange(6000), known)
    result = recalibrate(Probs(raw), knowing(6000, known, labels)).values
    hindsight = recalibrate(Probs(raw), knowing(6000, np.arange(6000), labels)).values
    assert loss_bits(result[rest], labels[rest]) < 1.05 * loss_bits(hindsight[rest], labels[rest])


def test_errors_among_the_surest_do_not_make_it_vague_about_the_others() -> None:
    """Sound but for one error in a hundred, however sure: half the pool is at 0 or 1."""
    times = []
    for seed in range(6):
        logits, _ = pool(6000, seed, spread=3)
        rng = np.random.default_rng(seed)
        sure = np.abs(logits) > 2
        honest = np.where(sure, np.where(logits > 0, 0.99, 0.01), sigmoid(logits))
        labels = rng.random(6000) < honest
        raw = np.where(sure, logits > 0, sigmoid(logits)).astype(float)
        known = np.union1d(np.flatnonzero(sure)[:1500], rng.permutation(6000)[:120])
        rest = np.setdiff1d(np.flatnonzero(~sure), known)
        result = recalibrate(Probs(raw), knowing(6000, known, labels)).values
        times.append(loss_bits(result[rest], labels[rest]) / loss_bits(honest[rest], labels[rest]))
    assert np.mean(times) < 1.03


def test_open_clauses_count_where_only_right_guesses_were_settled() -> None:
    """Refuted groups left open: the settled labels alone would say that no guess is ever wrong."""
    n, size = 1600, 8
    rng = np.random.default_rng(0)
    labels = rng.random(n) < 0.05  # guessed False at 0.1 %, and 5 % are wrong
    state = State.blank(n)
    for at in range(0, n // 2, size):
        items = tuple(range(at, at + size))
        question = Question(items, (False,) * size)
        state = learn(state, question.no() if labels[at : at + size].any() else question.yes())
    assert not any(state.label(item) for item in range(n))
    result = recalibrate(Probs(np.full(n, 0.001)), state).values
    assert result[-1] == pytest.approx(0.05, abs=0.015)


def test_an_error_beyond_one_half_turns_the_guess() -> None:
    labels = np.random.default_rng(0).random(300) < 0.8
    result = recalibrate(Probs(np.full(300, 0.4)), knowing(300, np.arange(150), labels)).values
    assert result[-1] > 0.7


def test_the_state_must_be_of_the_same_pool() -> None:
    with pytest.raises(InvalidInput, match="got 3 probabilities for 4 items"):
        recalibrate(Probs(np.full(3, 0.5)), State.blank(4))


def test_probabilities_are_calibrated_seldom_and_otherwise_the_very_same_object() -> None:
    n = 2000
    logits, labels = pool(n, seed=5)
    raw, calibrate, state = Probs(sigmoid(2 * logits)), OnlineRecalibration(), State.blank(n)
    versions = []
    while not state.done:
        probs = calibrate(raw, state)
        assert calibrate(raw, state) is probs
        versions.append(probs.version)
        item = int(state.open_items()[0])
        state = learn(state, Question((item,), (bool(labels[item]),)).yes())
    changes = len(set(versions))
    assert 8 < changes < 24
    assert versions == sorted(versions)


def test_a_timid_predictor_is_known_from_its_easy_half() -> None:
    n = 4000
    logits, labels = pool(n, seed=0, spread=5.0)
    raw = sigmoid((logits - 2.0) / 3)
    easy = np.argsort(-np.abs(raw - 0.5))[: n // 2]
    fair = np.random.default_rng(0).permutation(n)[:60]
    state = knowing(n, np.union1d(easy, fair), labels)
    rest = state.labels() == -1
    result = recalibrate(Probs(raw), state).values[rest]
    assert loss_bits(result, labels[rest]) < 1.05 * loss_bits(sigmoid(logits)[rest], labels[rest])


def test_guesses_refuted_one_after_the_other_are_reason_for_another_fit() -> None:
    n = 500
    raw = Probs(np.full(n, 0.05))
    calibrate, state = OnlineRecalibration(), State.blank(n)
    seen = [calibrate(raw, state)]
    for group in np.arange(12 * 8).reshape(12, 8):
        state = learn(state, Question(tuple(group.tolist()), (False,) * 8).no())
        seen.append(calibrate(raw, state))
    assert state.n_settled == 0
    changed = {at for at, (before, now) in enumerate(pairwise(seen), 1) if now is not before}
    assert changed == {4, 12}
    assert seen[4].values[0] > 0.1


def test_new_raw_probabilities_and_taken_back_answers_are_heeded_at_once() -> None:
    n = 500
    logits, labels = pool(n, seed=6)
    raw, other = Probs(sigmoid(2 * logits)), Probs(sigmoid(logits - 1))
    calibrate = OnlineRecalibration()
    more, fewer = knowing(n, np.arange(200), labels), knowing(n, np.arange(100), labels)
    calibrate(raw, more)
    assert np.array_equal(calibrate(raw, fewer).values, recalibrate(raw, fewer).values)
    assert np.array_equal(calibrate(other, fewer).values, recalibrate(other, fewer).values)
