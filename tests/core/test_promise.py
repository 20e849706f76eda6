"""What a promise allows, how it is written, and what is refused."""

from __future__ import annotations

import math

import pytest

from askless.core.promise import Promise
from askless.errors import InvalidInput


def test_a_promise_allows_whole_labels_exactly() -> None:
    assert Promise("all", 0.01).allowed(6000, 4596) == 60
    assert Promise("all", 0.29).allowed(100, 100) == 29  # 0.29 * 100 < 29 in floating point
    assert Promise("accepted", 0.01).allowed(6000, 4596) == 45
    assert Promise("count", 7).allowed(6000, 4596) == 7
    assert Promise().alpha == 0.05


@pytest.mark.parametrize(
    ("text", "value"), [("1%", 0.01), ("0.7 %", 0.007), (" 5% ", 0.05), ("0.02", 0.02), ("0", 0)]
)
def test_a_promise_is_read_as_a_person_writes_it(text: str, value: float) -> None:
    assert Promise.parse(text) == Promise("all", value)


def test_counts_and_recall_are_read_too() -> None:
    assert Promise.parse("60", "count") == Promise("count", 60)
    assert Promise.parse("95%", "recall", 0.9) == Promise("recall", 0.95, 0.9)


@pytest.mark.parametrize(
    ("text", "promise"),
    [
        ("1%", Promise("all", 0.01)),
        ("0.7%", Promise("all", 0.007)),
        ("0%", Promise("all", 0)),
        ("accepted:10%", Promise("accepted", 0.1)),
        ("count:20", Promise("count", 20)),
        ("recall:95%", Promise("recall", 0.95)),
        ("recall:100%", Promise("recall", 1)),
        ("0.001%", Promise("all", 1e-05)),
    ],
)
def test_a_promise_says_its_kind_and_is_written_as_it_is_read(text: str, promise: Promise) -> None:
    assert Promise.parse(text) == promise
    assert promise.text == text
    assert Promise.of(text) == Promise.of(promise) == Promise.of(promise.plain()) == promise


@pytest.mark.parametrize(
    "value", [3, None, [], {"kind": "all"}, {"kind": "all", "value": 10**400, "confidence": 0.9}]
)
def test_what_is_no_promise_is_refused(value: object) -> None:
    with pytest.raises(InvalidInput, match=r"A promise|The value and the confidence"):
        Promise.of(value)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "all"),
        ("precision:5%", "all"),
        ("recall:", "all"),
        (":5%", "all"),
        ("count:5%", "all"),
        ("one", "all"),
        ("100%", "all"),
        ("-1%", "all"),
        ("nan", "all"),
        ("1e999", "all"),
        ("1e9999999%", "all"),
        ("0", "recall"),
        ("101%", "recall"),
        ("1.5", "count"),
        ("60%", "count"),
        ("1%", "most"),
    ],
)
def test_a_promise_that_means_nothing_is_refused(text: str, kind: str) -> None:
    with pytest.raises(InvalidInput):
        Promise.parse(text, kind)  # type: ignore[arg-type]


@pytest.mark.parametrize("confidence", [0.0, 0.4, 1.0, math.nan, True, "0.9"])
def test_a_confidence_that_means_nothing_is_refused(confidence: float) -> None:
    with pytest.raises(InvalidInput):
        Promise("all", 0.01, confidence)


def test_recall_allows_no_one_number() -> None:
    with pytest.raises(InvalidInput, match="recall_at_least"):
        Promise("recall", 0.95).allowed(10, 10)


def test_recall_of_next_to_nothing_lets_many_be_missed_but_not_infinitely_many() -> None:
    assert Promise("recall", 0.8).missed_per_found == pytest.approx(0.25)
    assert int(Promise("recall", 5e-324).missed_per_found * 0) == 0
    assert int(Promise("recall", 5e-324).missed_per_found * 3) > 10**6
