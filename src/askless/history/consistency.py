"""Would a person give their labels again? What blind re-asks of a random sample have shown.

    consistency_of(history, "ann")      # of askless.certificates.self_agreement; None for nothing

The labels that somebody gave are frozen by an event ``reasking``: those said outright in an answer
of theirs, not what was deduced. A re-ask shows one of them alone, drawn at random from all that
were not drawn yet, like any other question. It is an audit in the sense that it is compared and
never learnt from. It is a claim in the sense of `askless.core.claim` with checks of one item, so
the bound holds at every moment at once.

What follows depends on the draws, their answers and the labels of now alone, so undoing,
retracting and correcting need no rules of their own:

- a label counts as changed if it is not what it was at the freeze, by whatever way (corrected,
  unsure, open again), or if the person said otherwise when asked again;
- labels that were changed leave at the next draw, those that were drawn at once, for good;
- a draw has an outcome once its label is changed or the re-ask has an answer that stands; only
  those before the first without one count, in the order of their draws.

A new definition, and items that come or go, void it. Mistakes that the person would make again
cannot be seen. Changed by `askless.history.history.History` alone. Cost: a draw and a look are O(n)
in numpy; a look at what was looked at last is free. Tested in tests/history/test_consistency.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from askless.core.claim import Evidence, log_prior
from askless.core.draw import draw
from askless.core.events import Answered, Asked
from askless.core.promise import Promise, share_text
from askless.core.question import Question
from askless.core.reasking import Reasking
from askless.core.state import State
from askless.errors import InvalidInput
from askless.history.claims import alpha_of

CONFIDENCE: Final = 0.95
FEWEST: Final = 10
"""With fewer labels, asking again is asking what one remembers."""
_ALLOWED: Final = 0.1  # of the labels: where the prior ends, but for a hundredth of it
_TRUST: Final = 0.5
_ROUNDING: Final = 1 + 1e-9
_INSIDE: Final = 2**31 - 1


def share_of_alpha(made: int) -> float:
    """What the next freeze of somebody's labels gets when so many came before it."""
    return alpha_of(Promise(confidence=CONFIDENCE), made)


def prior_of(labels: int, expected: float) -> NDArray[np.float64]:
    """The prior of how many of these labels would be changed, as logarithms."""
    return log_prior(labels, expected, max(1, round(_ALLOWED * labels)), _TRUST)


def labels_given(
    state: State, answers: Mapping[int, Answered], annotator: str, gone: Collection[int] = ()
) -> NDArray[np.bool_]:
    """Which labels somebody has said outright; `gone` are items that are not in the source."""
    settled_by = state.settled_by()
    own = np.zeros(int(settled_by.max(initial=-1)) + 2, bool)  # the last is for no answer
    for number in state.answers:
        given_here = answers[number]
        outright = given_here.answer.kind != "no" or len(given_here.answer) == 1
        if number < len(own) - 1 and outright:
            own[number] = given_here.annotator == annotator
    given: NDArray[np.bool_] = np.logical_and(own[settled_by], state.labels() >= 0)
    given[list(gone)] = False
    return given


class Drawn(NamedTuple):
    """One draw: the item, and from how many it was drawn."""

    item: int
    left: int


@dataclass(frozen=True, slots=True)
class Consistency:
    """What re-asks have shown.

    Parameters
    ----------
    annotator
        Whose labels.
    labels
        How many were frozen.
    later
        How many labels the person has given since, of which nothing is said.
    asked, same
        How many were asked again and answered, and how many of these got the same label.
    changed
        Frozen labels that are no longer what they were.
    at_most
        How many of the others the person would change, at most.
    pending
        Draws that wait for an answer.
    confidence
        Of `at_most`, whenever one looks.
    """

    annotator: str
    labels: int
    later: int
    asked: int
    same: int
    changed: int
    at_most: int
    pending: int
    confidence: float = CONFIDENCE

    @property
    def share(self) -> float:
        """`at_most` as a share of the labels that stand as they were frozen."""
        return self.at_most / max(1, self.labels - self.changed)

    def to_json(self) -> dict[str, Any]:
        """All of it in plain JSON values, with the sentences."""
        return {**asdict(self), "share": round(self.share, 6), "says": self.says()}

    def says(self) -> list[str]:
        """The same in sentences."""
        if not self.asked:
            return []
        again = "1 label that was" if self.asked == 1 else f"{self.asked:,} labels that were"
        standing = self.labels - self.changed
        share = Fraction(self.at_most, max(1, standing))
        found = [f"You agreed with yourself in {self.same:,} of {again} asked again."]
        found.append(
            f"You would change at most {share_text(share, up=True)} of the {standing:,} labels you "
            f"gave ({self.at_most:,}); {100 * self.confidence:g} % sure, whenever you stop."
        )
        if self.later:
            more = "1 label that" if self.later == 1 else f"{self.later:,} labels that"
            found.append(f"That says nothing about {more} you gave later.")
        found.append(
            "A mistake that you would make again cannot be seen by asking you again; somebody "
            "else would see it."
        )
        return found


class Sample:
    """The labels that one person gave, frozen, and what was drawn from them.

    Parameters
    ----------
    content
        What was stored.
    state
        What was known then.
    given
        Which labels the person gave.

    Attributes
    ----------
    number
        Of the event ``reasking``.
    draws
        In order.
    """

    def __init__(self, content: Reasking, state: State, given: NDArray[np.bool_]) -> None:
        self.number, self.seed, self.alpha = content.number, content.seed, content.alpha
        self.annotator = content.annotator
        self.size = int(np.count_nonzero(given))
        if self.size < FEWEST:
            raise InvalidInput(
                f"Asking again needs {FEWEST} labels that {self.annotator or 'somebody'} gave; "
                f"there are {self.size}."
            )
        self._members, self._codes = given, state.labels()
        self._prior = prior_of(self.size, content.expected)
        self.draws: list[Drawn] = []
        self._inside = given.copy()
        self._left_at = np.full(state.n, _INSIDE, np.int32)
        self._said: dict[int, tuple[int, bool]] = {}  # by draw: the answer, and whether it differs
        self._looked: tuple[object, Consistency] | None = None

    def next_question(self, state: State) -> Asked | None:
        """The next draw, ready to be stored; None if every label was drawn."""
        left = self._items_left(state)
        if not len(left):
            return None
        (item,) = draw(self.seed, len(self.draws), left, 1).tolist()
        return self._asking(item, len(self.draws))

    def place_of(self, question: Question, state: State) -> int | None:
        """The draw without an outcome that this question shows; None if it is none."""
        for position in self.pending(state):
            if question == self._question(self.draws[position].item):
                return position
        return None

    def waiting(self, state: State) -> list[Asked]:
        """The draws that wait for an answer, to be asked."""
        return [self._asking(self.draws[at].item, at) for at in self.pending(state)]

    def pending(self, state: State) -> list[int]:
        """The draws without an outcome."""
        codes = state.labels()
        return [at for at in range(len(self.draws)) if self._outcome(at, codes) is None]

    def note_reask(self, asked: Asked, state: State) -> None:
        """A re-ask was asked: the next draw, or one that was drawn before.

        Raises
        ------
        InvalidInput
            It is not what the seed draws.
        """
        position, items = asked.check, asked.question.items
        if position is None or position > len(self.draws) or asked.draw or asked.planted:
            raise InvalidInput(f"Re-asks are drawn in order, one label each; got draw {position}.")
        if position == len(self.draws):
            left = self._items_left(state)
            if not len(left) or tuple(draw(self.seed, position, left, 1).tolist()) != items:
                raise InvalidInput(f"Re-ask {position} is not what its seed draws.")
            gone = self._inside & (state.labels() != self._codes)
            self._inside &= ~gone
            self._left_at[gone] = position
            self._inside[items[0]], self._left_at[items[0]] = False, position + 1
            self.draws.append(Drawn(items[0], len(left)))
        if asked.question != self._question(self.draws[position].item):
            raise InvalidInput(f"Re-ask {position} is about another label than this shows.")

    def note_answer(self, position: int, number: int, differs: bool) -> None:
        """A re-ask was answered; whether another label was given."""
        self._said[position] = (number, differs)

    def retract(self, number: int) -> None:
        """That answer no longer counts."""
        self._said = {at: said for at, said in self._said.items() if said[0] != number}

    def denied(self, state: State) -> dict[int, bool]:
        """The items that were asked again and have the same label still: whether it was denied."""
        codes = state.labels()
        return {
            item: differs
            for item, differs in (
                (self.draws[at].item, differs) for at, (_, differs) in self._said.items()
            )
            if codes[item] == self._codes[item]
        }

    def look(self, state: State, given_now: NDArray[np.bool_]) -> Consistency:
        """What the draws and this state say together; `given_now` are the labels given by now."""
        at = (state.key, len(self.draws), tuple(self._said.values()))
        if self._looked is None or self._looked[0] != at:
            self._looked = (at, self._look(state, given_now))
        return self._looked[1]

    def _look(self, state: State, given_now: NDArray[np.bool_]) -> Consistency:
        codes = state.labels()
        changed = self._members & (codes != self._codes)
        denied = changed.copy()
        for position, (_, differs) in self._said.items():
            denied[self.draws[position].item] |= differs
        evidence = Evidence(self.alpha, "pointed", [self._prior])
        left_at = np.sort(self._left_at[denied])
        for position, drawn in enumerate(self.draws):
            outcome = self._outcome(position, codes)
            if outcome is None:
                break
            found = int(np.searchsorted(left_at, position, side="right"))
            evidence.add(drawn.left, found, 1, outcome)
        pending = len(self.pending(state))
        out = ~self._inside | changed
        found = int(np.count_nonzero(denied & out))
        left = self.size - int(np.count_nonzero(self._members & out)) + pending
        still = int(np.count_nonzero(denied & ~changed))
        return Consistency(
            self.annotator,
            self.size,
            int(np.count_nonzero(given_now & ~self._members)),
            len(self._said),
            sum(not differs for _, differs in self._said.values()),
            int(np.count_nonzero(changed)),
            evidence.at_most([left], [found]) + still,
            pending,
        )

    def _outcome(self, position: int, codes: NDArray[np.int8]) -> int | None:
        item = self.draws[position].item
        if codes[item] != self._codes[item]:
            return 1
        said = self._said.get(position)
        return None if said is None else int(said[1])

    def _items_left(self, state: State) -> NDArray[np.intp]:
        return np.flatnonzero(self._inside & (state.labels() == self._codes))

    def _question(self, item: int) -> Question:
        return Question((item,), (bool(self._codes[item]),), "audit")

    def _asking(self, item: int, position: int) -> Asked:
        return Asked(self._question(item), claim=self.number, check=position)


class Reasks:
    """The labels to be asked again, for each annotator."""

    def __init__(self) -> None:
        self._samples: dict[str, Sample] = {}
        self.made = Counter[str]()
        """How often the labels of somebody were frozen: each has had its share of alpha."""
        self._since = Counter[str]()
        self._answers: dict[int, Sample] = {}

    def of(self, annotator: str) -> Sample | None:
        """The labels of this annotator that are frozen."""
        return self._samples.get(annotator)

    def annotators(self) -> list[str]:
        """Whose labels are frozen."""
        return list(self._samples)

    def samples(self) -> list[Sample]:
        """All that are frozen."""
        return list(self._samples.values())

    def since(self, annotator: str) -> int:
        """How many other questions this annotator was asked since the last re-ask."""
        return self._since[annotator]

    def begin(
        self,
        content: Reasking,
        state: State,
        answers: Mapping[int, Answered],
        gone: Collection[int],
    ) -> None:
        """Labels were frozen; what was frozen before of the same annotator is given up.

        Raises
        ------
        InvalidInput
            They are too few, or it takes more alpha than its share.
        """
        share = share_of_alpha(self.made[content.annotator])
        if content.alpha > share * _ROUNDING:
            raise InvalidInput(f"These re-asks get {share:.4g} of alpha; got {content.alpha:.4g}.")
        given = labels_given(state, answers, content.annotator, gone)
        self._samples[content.annotator] = Sample(content, state, given)
        self.made[content.annotator] += 1

    def note_question(self, asked: Asked) -> None:
        """A question was asked that is no re-ask."""
        self._since[asked.annotator] += 1

    def note_reask(self, asked: Asked, state: State) -> None:
        """A re-ask was asked."""
        sample = self._samples.get(asked.annotator)
        if sample is None or sample.number != asked.claim:
            raise InvalidInput("A re-ask is about labels that its annotator gave; these are not.")
        sample.note_reask(asked, state)
        self._since[asked.annotator] = 0

    def note_answer(self, asked: Asked, given: Answered) -> None:
        """A re-ask was answered; what came before it was frozen anew says nothing now."""
        sample = self._samples.get(asked.annotator)
        if sample is not None and sample.number == asked.claim and asked.check is not None:
            sample.note_answer(asked.check, given.number, given.answer.kind != "yes")
            self._answers[given.number] = sample

    def retract(self, number: int) -> None:
        """An answer no longer counts."""
        if number in self._answers:
            self._answers.pop(number).retract(number)

    def void(self) -> None:
        """Labels no longer mean the same, or items came or went."""
        self._samples.clear()
