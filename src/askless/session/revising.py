"""Steps that change the labels of some items, settled or not, each stored in one commit.

A correction is one answer that takes the place of others (`askless.session.correcting`). Marking
items unsure, or asking about them again, is one `Revised` event; what the answers given up for it
said about other items is said again in an answer that belongs to it. So a step counts whole or not
at all, has one key, and is undone as one. What cannot be done is refused, and names the items.
Imported by `askless.session.session` alone; tested in tests/session/test_revising.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from askless.core.content import Content
from askless.core.events import (
    Answered,
    Asked,
    Restored,
    Retracted,
    Revised,
    correct_request,
    revise_request,
)
from askless.core.question import Question
from askless.core.state import State, clear_unsure
from askless.doors import flag, of_kind
from askless.errors import Contradiction, Refused
from askless.history.history import History
from askless.history.projections import TellResult
from askless.session.correcting import change_for
from askless.session.current_probs import ProbsInUse
from askless.session.log import Log, NewEvent
from askless.session.validation import check_content, check_item

_NAMED = 5
"""A refusal names this many items and counts the others."""


class Reviser:
    """Changes labels on request.

    Parameters
    ----------
    log
        What has happened, and where it is stored.
    probs
        Is told of every change.
    """

    def __init__(self, log: Log, probs: ProbsInUse) -> None:
        self._log, self._probs = log, probs

    def correct(
        self, items: int | Sequence[int], label: bool, annotator: str, key: str | None, tab: str
    ) -> TellResult:
        """See `Session.correct`."""
        state, keys = self._log.history.state, self._log.history.keys
        of_kind("An annotator", annotator, str, "a name, as text")
        of_kind("A window", tab, str, "a name, as text")
        chosen, label = _checked(state, items), flag("A label", label)
        if self._log.repeats(key, correct_request(annotator, chosen, label)):
            return TellResult(keys.answer_of(str(key)), 0)
        if unsure := [item for item in chosen if state.is_unsure(item)]:
            raise Refused(
                f"{_named(unsure)} unsure and {'has' if len(unsure) == 1 else 'have'} no label; "
                "take that back first. Nothing has changed."
            )
        wrong = [item for item in chosen if state.label(item) is not label]
        if not wrong:
            stands = max(number for item in chosen for number in _answers_for(state, item))
            if key is not None:
                noop = Retracted(
                    None, corrects=chosen[0], also=chosen[1:], label=label, stands=stands
                )
                self._commit([self._log.event(noop, annotator, key)])
            return TellResult(stands, 0)
        change = change_for(state, wrong, label)
        assert change.answer is not None  # it says at least the label
        right = [item for item in chosen if item not in wrong]
        question_id = self._log.next_number + len(change.replaces)
        answered = Answered(
            question_id, change.answer, corrects=wrong[0], label=label,
            also=(*wrong[1:], *right), replaces=change.replaces,
        )  # fmt: skip
        asked = Asked(change.answer.question, *self._probs.versions(), tab=tab)
        contents: list[Content] = [*map(Retracted, change.replaces), asked]
        number = self._commit(
            [self._log.event(content, annotator) for content in contents]
            + [self._log.event(answered, annotator, key)]
        )
        settled = self._log.history.state.n_settled - state.n_settled
        return TellResult(number, settled)

    def mark_unsure(
        self, items: Sequence[int], note: str, annotator: str, key: str | None, tab: str = ""
    ) -> int:
        """Mark items unsure: they get no label and prove nothing. The number of the step.

        Raises
        ------
        Refused
            There is no such item, or all of them are unsure already; nothing has changed.
        """
        state, keys = self._log.history.state, self._log.history.keys
        chosen = _checked(state, items)
        step = check_content(
            Revised, {"items": list(chosen), "unsure": True, "note": note, "tab": tab}
        )
        if self._log.repeats(key, *step.requests(annotator)):
            return keys.event_of(str(key))
        if all(map(state.is_unsure, chosen)):
            raise Refused(f"{_named(chosen)} unsure already. Nothing has changed.")
        return self._commit([self._log.event(step, annotator, key)])

    def ask_again(
        self, items: Sequence[int], annotator: str, key: str | None, tab: str = ""
    ) -> int:
        """Open items again, settled or unsure, so that they are asked. The number of the step.

        Raises
        ------
        Refused
            There is no such item, or all of them are open, or answers contradict one another
            unless an item stays unsure; nothing has changed.
        """
        state, keys = self._log.history.state, self._log.history.keys
        chosen = _checked(state, items)
        if self._log.repeats(key, revise_request(annotator, chosen, False, "")):
            return keys.event_of(str(key))
        if all(map(state.is_open, chosen)):
            raise Refused(f"{_named(chosen)} open and will be asked anyway. Nothing has changed.")
        change = change_for(_without_marks(state, chosen), chosen, None)
        step = Revised(chosen, unsure=False, answers=change.replaces, tab=tab)
        number = self._log.next_number
        events = [self._log.event(step, annotator, key)]
        if change.answer is not None:
            asked = Asked(change.answer.question, *self._probs.versions(), tab=tab)
            again = Answered(number + 1, change.answer, revision=number, replaces=change.replaces)
            events += [self._log.event(asked, annotator), self._log.event(again, annotator)]
        self._commit(events)
        return number

    def undo(self, number: int, annotator: str, key: str | None, tab: str) -> None:
        """Undo the step with this number, with what was said again for it."""
        answer = number + 2  # if something was said again: the step, the question, the answer
        given = self._log.history.answers.get(answer)
        again = given is not None and given.revision == number and self._log.history.stands(answer)
        said = [Retracted(answer, undo=True)] if again else []
        events = [self._log.event(content, annotator) for content in said]
        self._commit([*events, self._log.event(Restored(number, tab), annotator, key)])

    def _commit(self, events: list[NewEvent]) -> int:
        number = self._log.commit(*events)
        self._probs.teach()
        return number


def _checked(state: State, items: int | Sequence[int]) -> tuple[int, ...]:
    """The items, each once, if the pool has them."""
    given = items if isinstance(items, (Sequence, set, frozenset)) else [items]
    chosen = tuple(dict.fromkeys(check_item(state, item) for item in given))
    if not chosen:
        raise Refused("A step is about one item or more; got none.")
    return chosen


def _answers_for(state: State, item: int) -> tuple[int, ...]:
    why = state.provenance(item)
    return () if why is None else why.answers


def _without_marks(state: State, items: Iterable[int]) -> State:
    """The state in which none of these items is unsure."""
    for item in items:
        if state.is_unsure(item):
            try:
                state = clear_unsure(state, item)
            except Contradiction as clash:
                numbers = ", ".join(map(str, sorted(clash.answers)))
                raise Refused(
                    f"Without item {item} being unsure, answers {numbers} contradict each other; "
                    "retract one of them first. Nothing has changed."
                ) from None
    return state


def _named(items: Sequence[int]) -> str:
    """Which items, as the subject of a sentence."""
    if len(items) == 1:
        return f"Item {items[0]} is"
    shown = ", ".join(map(str, items[:_NAMED]))
    more = f" and {len(items) - _NAMED} more" if len(items) > _NAMED else ""
    return f"Items {shown}{more} are"


def question_marked(history: History, item: int) -> Question | None:
    """The question in which this unsure item was marked so; None if it was not in one."""
    said = history.unsure[item]
    for asked in reversed(history.asked.values()):
        window = (asked.annotator, asked.tab) == (said.annotator, said.tab)
        if window and asked.id < said.number:
            return asked.question if item in asked.question.items else None
    return None
