"""What has to change in the answers so that some labels come out another way.

A person points at labels and says that they are wrong, or that they want to be asked again.
Whatever was said about these items directly (all of these are right; these are wrong) is said
again in one answer that differs in these items alone, so the labels beside them stay settled.
Where a label was only deduced, the refuted guesses it was deduced from are given up instead, the
newest first, until the item may have the other label, or none. Cost: some answers learnt again.
Tested in tests/session/test_correcting.py.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from askless.core.question import Answer, Question
from askless.core.state import State, learn, retract
from askless.errors import Contradiction


@dataclass(frozen=True, slots=True)
class Change:
    """Which answers to give up, and the one to put in their place; None for none."""

    replaces: tuple[int, ...]
    answer: Answer | None


def change_for(state: State, items: Sequence[int], label: bool | None) -> Change:
    """How the items get this label; none of them is unsure, and none has it yet.

    Parameters
    ----------
    state
        What the answers imply now.
    items
        Whose labels are wrong, or still open.
    label
        The right one; None for none: they are open then.
    """
    replaced: list[int] = []
    beside: dict[int, None] = {}
    chosen = set(items)
    now = state

    def give_up(against: list[int], some: Collection[int]) -> State:
        number = _newest_against(now, against, some)
        for other in _settled_by(now.answers[number]):
            if other not in chosen and state.label(other) is not None:
                beside[other] = None
        replaced.append(number)
        return retract(now, number)

    for item in items:  # one by one first, which is quick: together they rarely clash with more
        while against := _against(now, _said(state, (item,), label, ()), (item,), label):
            now = give_up(against, (item,))
    while against := _against(now, _said(state, items, label, beside), items, label):
        now = give_up(against, chosen)
    return Change(tuple(replaced), _said(state, items, label, beside))


def _said(
    state: State, items: Sequence[int], label: bool | None, beside: Iterable[int]
) -> Answer | None:
    """The items have this label, and those beside them are as they were."""
    guess = tuple(bool(state.label(other)) for other in beside)
    if label is None:
        return Question(tuple(beside), guess).yes() if guess else None
    if not guess:
        return Question(tuple(items), (label,) * len(items)).yes()
    question = Question((*items, *beside), (not label,) * len(items) + guess)
    return question.pointed(items, rest_right=True)


def _against(
    now: State, said: Answer | None, items: Collection[int], label: bool | None
) -> list[int]:
    """Answers that do not let the items have this label; none if they can."""
    try:
        after = now if said is None else learn(now, said)
    except Contradiction as clash:
        return [number for number in clash.answers if number in now.answers]
    if label is None:
        for item in items:
            if (why := after.provenance(item)) is not None:
                return [number for number in why.answers if number in now.answers]
    return []


def _newest_against(state: State, against: list[int], items: Collection[int]) -> int:
    """Of answers that rule a label out, the newest that speaks of one of the items itself."""
    asked = set(items)
    direct = [
        number for number in against if asked.intersection(_settled_by(state.answers[number]))
    ]
    if direct:
        return max(direct)
    about = [
        number for number in against if asked.intersection(state.answers[number].question.items)
    ]
    return max(about or against)


def _settled_by(answer: Answer) -> tuple[int, ...]:
    """The items whose label this answer says outright."""
    items = answer.question.items
    if answer.kind == "yes" or answer.rest_right or len(items) == 1:
        return items
    return answer.wrong
