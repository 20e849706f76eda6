"""What has to change in the answers so that one label comes out the other way.

A person points at a settled label and says that it is wrong. Whatever was said about
this item directly (all of these are right; these are wrong) is said again in one answer that
differs in this item alone, so the labels beside it stay settled. Where the label was only
deduced, the refuted guesses it was deduced from are given up instead, the newest first,
until the item may have the other label. Cost: some answers learnt again.
Tested in tests/session/test_correcting.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from askless.core.content import Content
from askless.core.events import Answered, Asked, Retracted
from askless.core.question import Answer, Question
from askless.core.state import State, learn, retract
from askless.errors import Contradiction


@dataclass(frozen=True, slots=True)
class Change:
    """Which answers to give up for an item, and the one to put in their place."""

    item: int
    label: bool
    replaces: tuple[int, ...]
    answer: Answer

    def contents(self, number: int, asked: Asked) -> list[Content]:
        """What its events say: the retractions, the question, and the new answer.

        Parameters
        ----------
        number
            Of the first of them.
        asked
            What there is to say about the question.
        """
        retracted = [Retracted(replaced) for replaced in self.replaces]
        question_id = number + len(retracted)
        answered = Answered(
            question_id,
            self.answer,
            corrects=self.item,
            label=self.label,
            replaces=self.replaces,
        )
        return [*retracted, asked, answered]


def change_for(state: State, item: int, label: bool) -> Change:
    """How the item gets this label; it is not unsure and does not have it yet.

    Parameters
    ----------
    state
        What the answers imply now.
    item
        Whose label is wrong, or still open.
    label
        The right one.
    """
    replaced: list[int] = []
    beside: dict[int, None] = {}
    now = state
    while True:
        answer = _said(state, item, label, beside)
        try:
            learn(now, answer)
        except Contradiction as clash:
            against = [number for number in clash.answers if number in now.answers]
            number = _culprit(now, against, item)
        else:
            return Change(item, label, tuple(replaced), answer)
        for other in _settled_by(now.answers[number]):
            if other != item and state.label(other) is not None:
                beside[other] = None
        replaced.append(number)
        now = retract(now, number)


def _said(state: State, item: int, label: bool, beside: Iterable[int]) -> Answer:
    """The item has this label, and those beside it are as they were."""
    guess = tuple(bool(state.label(other)) for other in beside)
    if not guess:
        return Question((item,), (label,)).yes()
    return Question((item, *beside), (not label, *guess)).pointed((item,), rest_right=True)


def _culprit(state: State, against: list[int], item: int) -> int:
    """Of answers that rule the label out, the newest that speaks of the item itself."""
    direct = [number for number in against if item in _settled_by(state.answers[number])]
    if direct:
        return max(direct)
    about = [number for number in against if item in state.answers[number].question.items]
    return max(about or against)


def _settled_by(answer: Answer) -> tuple[int, ...]:
    """The items whose label this answer says outright."""
    items = answer.question.items
    if answer.kind == "yes" or answer.rest_right or len(items) == 1:
        return items
    return answer.wrong
