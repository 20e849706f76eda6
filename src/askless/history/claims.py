"""Claims: the open items with their frozen guesses, and what random checks have shown about them.

    history.claims.current                  # the claim in force, None for none
    history.claims.current.look(state)      # what the draws and this state say together

A claim is made by an event ``claimed`` from all items that are open then. From there on items only
leave it: at each draw, those that are no longer open, for good. Which items were drawn is stored;
everything else follows from the draws and the state of now, so undoing, retracting and correcting
need no rules of their own:

- an item that has left is wrong unless its label is known and equals the guess (unsure, or open
  again, is wrong);
- a check has an outcome when that follows from the labels and clauses, whoever asked for them;
- only checks before the first without an outcome count, in the order of their draws;
- nothing is said while an item is open that is not in the claim: it was settled when a draw left
  it out, and is asked first.

A new definition, and items that come or go, void the claim; its share of alpha is spent.
`askless.session.certifying` draws, `askless.certificates.standing` says what follows for a promise.
Changed by `askless.history.history.History` alone. Cost: a draw and a look are O(n) in numpy, a
look at a state that was looked at last is free. Tested in tests/history/test_claims.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from askless.core.claim import Evidence, Form, Outcome, log_prior
from askless.core.claimed import Claimed, Mask
from askless.core.draw import draw
from askless.core.events import Asked
from askless.core.promise import Promise
from askless.core.question import Question
from askless.core.state import State
from askless.errors import InvalidInput
from askless.history.source_record import InSource

SHARES: Final = (0.8, 0.2)
"""The first claim gets so much of alpha, and each further one so much of what the last one got."""
_INSIDE: Final = 2**31 - 1
"""Stands where the draw is expected that found an item gone, for one that has not left."""
_ROUNDING: Final = 1 + 1e-9


def alpha_of(promise: Promise, claims: int) -> float:
    """The share of alpha that a claim gets when so many came before it; fixed beforehand."""
    first, further = SHARES
    return promise.alpha * first * further**claims


class Drawn(NamedTuple):
    """What one draw took.

    Parameters
    ----------
    items
        In the order drawn.
    left
        How many items there were to draw from.
    stratum
        0, or the guess of the items where a check is about one guess alone.
    """

    items: NDArray[np.int64]
    left: int
    stratum: int


@dataclass(frozen=True, eq=False, slots=True)
class Look:
    """What the draws of a claim and a state say together.

    Parameters
    ----------
    accepted, found
        For each stratum: items of the claim that are open, and wrong ones among those that are not.
    reopened
        How many items are open that are not in the claim.
    outcomes
        Of each draw; None where it is not known yet.
    counted
        The checks that count, as `Evidence.add` takes them.
    """

    accepted: tuple[int, ...]
    found: tuple[int, ...]
    reopened: int
    outcomes: tuple[Outcome | None, ...]
    counted: tuple[tuple[int, int, int, Outcome, int], ...]

    @property
    def pending(self) -> list[int]:
        """The draws without an outcome."""
        return [position for position, known in enumerate(self.outcomes) if known is None]


class Claim:
    """One claim.

    Parameters
    ----------
    content
        What was stored.
    state
        What was known then.
    here
        How many items were in the source then.

    Attributes
    ----------
    content
        What was stored.
    number
        Of the event ``claimed``.
    guess
        The frozen guess of each item; False for items that are not in it.
    probs
        P(label is True) of each item as it was believed then, to three digits; one half for items
        that are not in it. None if nobody noted it.
    draws
        In order.
    """

    def __init__(self, content: Claimed, state: State, here: InSource) -> None:
        self._members = state.labels() == -1
        self.guess = content.read_guesses(self._members)
        self.probs = self._probs_then(content)
        self.content = content
        self.number, self.promise, self.alpha = content.number, content.promised, content.alpha
        self.form, self.strata, self.seed = cast("Form", content.form), content.strata, content.seed
        self.draws: list[Drawn] = []
        self._inside = self._members.copy()
        self._left_at = np.full(state.n, _INSIDE, np.int32)
        self.sizes = self._per_stratum(self._members)
        if not sum(self.sizes):
            raise InvalidInput("A claim is about open items; there is none.")
        cut = _cut(self.promise, here, self.sizes)
        self._priors = [
            log_prior(size, expected, cut, content.trust)
            for size, expected in zip(self.sizes, content.expected, strict=True)
        ]
        self._evidence = self.fresh_evidence()
        self._fed: list[tuple[int, int, int, Outcome, int]] = []
        self._before: Evidence | None = None
        self._looked: tuple[int, int, Look] | None = None

    # --- drawing ------------------------------------------------------------------------------

    def items_left(self, state: State, stratum: int = 0) -> NDArray[np.intp]:
        """The items that a draw in this state is taken from, ascending."""
        inside = self._inside & (state.labels() == -1)
        return np.flatnonzero(inside & (self.guess == stratum) if self.strata else inside)

    def draw(self, state: State, size: int, stratum: int = 0) -> Question:
        """What the next draw takes, as a question: `size` items of those left."""
        drawn = draw(self.seed, len(self.draws), self.items_left(state, stratum), size)
        return self.question(drawn)

    def question(self, items: Sequence[int] | NDArray[np.int64]) -> Question:
        """The check that shows these items."""
        chosen = np.asarray(items, np.int64)
        return Question(tuple(chosen.tolist()), tuple(self.guess[chosen].tolist()), "check")

    def note_check(self, asked: Asked, state: State) -> None:
        """A check was asked: the next draw, or one that was drawn before, or a part of it.

        Raises
        ------
        InvalidInput
            It is not what the seed of the claim draws.
        """
        shown, position = asked.question, asked.check
        if asked.claim != self.number or position is None or position > len(self.draws):
            raise InvalidInput(
                "A check belongs to the claim in force and is drawn in order; "
                f"got draw {position} of claim {asked.claim}."
            )
        if shown != self.question(shown.items):
            raise InvalidInput("A check shows the guesses that its claim has frozen.")
        if position < len(self.draws):
            drawn = self.draws[position].items
            if asked.draw or not set(shown.items).issubset(drawn.tolist()):
                raise InvalidInput(f"Draw {position} took other items than this check shows.")
            return
        items = asked.draw or shown.items
        stratum = int(self.guess[items[0]]) if self.strata else 0
        left = self.items_left(state, stratum)
        if len(items) > len(left) or not set(shown.items).issubset(items):
            raise InvalidInput(f"Draw {position} takes items of the claim, and shows no others.")
        drawn = draw(self.seed, position, left, len(items))
        if tuple(drawn.tolist()) != items:
            raise InvalidInput(f"Draw {position} is not what the seed of its claim draws.")
        gone = self._inside & (state.labels() != -1)
        self._inside &= ~gone
        self._left_at[gone] = position
        self.draws.append(Drawn(drawn, len(left), stratum))

    # --- looking ------------------------------------------------------------------------------

    def look(self, state: State) -> Look:
        """What the draws say in this state."""
        at = (state.key, len(self.draws))
        if self._looked is None or self._looked[:2] != at:
            self._looked = (*at, self._look(state))
        return self._looked[2]

    def accepted(self, state: State) -> Mask:
        """The items of the claim that are open: their labels are the frozen guesses."""
        inside: Mask = np.logical_and(state.labels() == -1, self._inside)
        return inside

    def outside(self, state: State) -> Mask:
        """The items that are open and not in the claim."""
        outside: Mask = np.logical_and(state.labels() == -1, ~self._inside)
        return outside

    def unknown(self, position: int, state: State) -> list[int]:
        """The items of a draw that are still to be asked, in the order drawn."""
        return [item for item in self.draws[position].items.tolist() if state.is_open(item)]

    def place_of(self, question: Question, state: State) -> int | None:
        """The first draw without an outcome to which this check, or a part of it, belongs."""
        if max(question.items) >= state.n or question != self.question(question.items):
            return None
        for position in self.look(state).pending:
            if set(question.items).issubset(self.unknown(position, state)):
                return position
        return None

    def evidence(self, look: Look) -> Evidence:
        """The evidence of the checks that count; the same object is given again and changed."""
        fed, counted = self._fed, list(look.counted)
        if counted[: len(fed)] != fed:
            if self._before is not None and counted[: len(fed) - 1] == fed[:-1]:
                self._evidence, self._before, self._fed = self._before, None, fed[:-1]
            else:
                self._evidence, self._before, self._fed = self.fresh_evidence(), None, []
        for check in counted[len(self._fed) :]:
            self._fed.append(check)
            if len(self._fed) == len(counted):  # undoing the last check is common
                self._before = self._evidence.copy()
            self._evidence.add(*check)
        return self._evidence

    def fresh_evidence(self, alpha: float | None = None) -> Evidence:
        """Evidence of this claim before its first check; with another share of alpha, if given."""
        return Evidence(self.alpha if alpha is None else alpha, self.form, self._priors)

    def _probs_then(self, content: Claimed) -> NDArray[np.float32] | None:
        doubts = content.read_doubts(int(np.count_nonzero(self._members)))
        if doubts is None:
            return None
        probs = np.full(len(self._members), 0.5, np.float32)
        probs[self._members] = np.where(self.guess[self._members], 1 - doubts, doubts)
        return probs

    def left_before(self, items: Mask) -> list[tuple[int, ...]]:
        """For each stratum and draw, how many of these items of the claim had left before it."""
        gone = items & self._members & (self._left_at != _INSIDE)
        parts = [gone & ~self.guess, gone & self.guess] if self.strata else [gone]
        counts = (np.bincount(self._left_at[part], minlength=len(self.draws)) for part in parts)
        return [tuple(np.cumsum(count).tolist()) for count in counts]

    def count_members(self, items: Mask) -> int:
        """How many of these items were in the claim when it was made."""
        return int(np.count_nonzero(items & self._members))

    def _per_stratum(self, mask: Mask) -> tuple[int, ...]:
        if not self.strata:
            return (int(np.count_nonzero(mask)),)
        true = int(np.count_nonzero(mask & self.guess))
        return int(np.count_nonzero(mask)) - true, true

    def _look(self, state: State) -> Look:
        codes = state.labels()
        inside = self._inside & (codes == -1)
        wrong = self._members & ~inside & (codes != self.guess)
        outcomes = self._outcomes(codes, state)
        return Look(
            self._per_stratum(inside),
            self._per_stratum(wrong),
            state.n_open - int(np.count_nonzero(inside)),
            outcomes,
            self._counted(np.flatnonzero(wrong), outcomes),
        )

    def _counted(
        self, wrong: NDArray[np.intp], outcomes: Sequence[Outcome | None]
    ) -> tuple[tuple[int, int, int, Outcome, int], ...]:
        """Each check before the first that is pending, with what had left when it was drawn."""
        found = {}
        for stratum in {drawn.stratum for drawn in self.draws}:
            here = wrong[self.guess[wrong] == stratum] if self.strata else wrong
            at = self._left_at[here]
            gone = np.bincount(at[at != _INSIDE], minlength=len(self.draws))
            found[stratum] = np.cumsum(gone).tolist()
        counted = []
        for position, (drawn, outcome) in enumerate(zip(self.draws, outcomes, strict=True)):
            if outcome is None:
                break
            before = found[drawn.stratum][position]
            counted.append((drawn.left, before, len(drawn.items), outcome, drawn.stratum))
        return tuple(counted)

    def _outcomes(self, codes: NDArray[np.int8], state: State) -> tuple[Outcome | None, ...]:
        if not self.draws:
            return ()
        items = np.concatenate([drawn.items for drawn in self.draws])
        starts = np.cumsum([0, *(len(drawn.items) for drawn in self.draws[:-1])])
        known = codes[items]
        is_open = np.add.reduceat((known == -1).astype(np.int64), starts).tolist()
        differ = np.add.reduceat((known != self.guess[items]).astype(np.int64), starts).tolist()
        return tuple(
            self._outcome(drawn, opened, differs - opened, state)
            for drawn, opened, differs in zip(self.draws, is_open, differ, strict=True)
        )

    def _outcome(self, drawn: Drawn, opened: int, wrong: int, state: State) -> Outcome | None:
        """What follows about a check of which so many items are open and known to be wrong."""
        if self.form == "pointed":
            return None if opened else wrong
        if wrong:
            return "no"
        if not opened:
            return "yes"
        return "no" if self._is_refuted(drawn, state) else None

    def _is_refuted(self, drawn: Drawn, state: State) -> bool:
        """Whether an open clause says that one of the guesses drawn is wrong."""
        items = set(drawn.items.tolist())
        return any(
            items.issuperset(clause.items)
            and all(self.guess[item] == guess for item, guess in clause.pairs)
            for item in drawn.items.tolist()
            for clause in state.clauses_of(item)
        )


class Claims:
    """The claim in force, and how many were made."""

    def __init__(self) -> None:
        self.current: Claim | None = None
        self.made = 0
        """How many claims were made, whatever became of them: each has had its share of alpha."""
        self.spent = 0.0
        """The sum of these shares."""

    def freeze(self, content: Claimed, state: State, here: InSource) -> None:
        """Guesses were frozen; whatever was claimed before is given up.

        Raises
        ------
        InvalidInput
            They are not guesses of the open items, or it takes more alpha than its share.
        """
        share = alpha_of(content.promised, self.made)
        if content.alpha > share * _ROUNDING:
            raise InvalidInput(
                f"Claim {self.made + 1} of a session gets {share:.4g} of alpha; "
                f"got {content.alpha:.4g}."
            )
        self.current = Claim(content, state, here)
        self.made += 1
        self.spent += content.alpha

    def note_check(self, asked: Asked, state: State) -> None:
        """A check was asked; it is drawn from the claim in force."""
        if self.current is None:
            raise InvalidInput("A check belongs to a claim; none is in force.")
        self.current.note_check(asked, state)

    def void(self) -> None:
        """What was claimed no longer means the same; its alpha is spent."""
        self.current = None


def _cut(promise: Promise, here: InSource, sizes: tuple[int, ...]) -> int:
    """Where the prior ends but for a hundredth of it: as many wrong guesses as are allowed."""
    if promise.kind != "recall":
        return promise.allowed(here.settled + sum(sizes), sum(sizes))
    found = here.n_with[True] + sizes[True]
    return int(promise.missed_per_found * found)
