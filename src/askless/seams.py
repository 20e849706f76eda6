"""The sockets: what each part of askless must offer, and nothing about how.

Session knows its parts only through these Protocols. Their laws are in
`askless.checks`, callable by anyone on a part of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from askless.core.clause import Clause
from askless.core.event import Event
from askless.core.probability import Probs
from askless.core.question import Answer, Question
from askless.core.state import State

Objective = Literal["questions", "labels", "seconds"]
"""What to save; with ``labels`` the first ones come soonest."""

Channel = Literal["yes-no", "pointed"]
"""How the annotator answers: yes or no, or by pointing at the wrong items."""

Priority = NDArray[np.bool_]
"""Items to ask about before the others, as a mask of shape (n,) that is never changed in place."""


@dataclass(frozen=True, slots=True)
class PlannerInfo:
    """What a planner says about itself, for one size of pool.

    Parameters
    ----------
    name
        The planner that chooses the questions; one that delegates names the other.
    answers
        The answers it plans for.
    follows_priority
        Whether `Planner.plan` asks about priority items first, or in an order of its own.
    options
        Its options as they are in effect, by name.
    """

    name: str
    answers: Channel = "yes-no"
    follows_priority: bool = True
    options: Mapping[str, Any] = field(default_factory=dict)


class Planner(Protocol):
    """Chooses the next question.

    Laws (`askless.checks.planner_laws`): asks only about free open items; keeps the guess
    that an open clause holds for an item (`State.fixed_guess`); never asks what is already
    implied (`askless.core.state.undecided`); ends within its worst case; the same seed and the
    same calls give the same questions; its inputs are left untouched; it takes up from any
    reachable state; a priority is a preference, so it still asks when no priority item is free,
    and if it says that it follows priorities, a question about new items holds one of them.
    """

    max_n: int | None
    """The most items a question may hold; None for no cap."""

    def plan(
        self,
        probs: Probs,
        state: State,
        leased: AbstractSet[int] = frozenset(),
        priority: Priority | None = None,
    ) -> Question | None:
        """The question worth most now, or None when no open item is free.

        Parameters
        ----------
        probs
            P(label is True) for every item; a new version announces new values.
        state
            What the answers so far imply.
        leased
            Items that stand in somebody else's live question.
        priority
            Items to ask about first, from a `Schedule`; None for no preference.
        """
        ...

    def describe(self, n: int) -> PlannerInfo:
        """What it is and does for a pool of `n` items."""
        ...

    def worst_case_questions(self, n: int) -> int:
        """The most questions it takes to settle `n` items from nothing, whatever the truth.

        For yes and no answers, all items free, and probabilities that do not change.
        """
        ...


Schedule = Callable[[Probs, State], Priority | None]
"""Says which items to ask about first, by the predictor's probabilities and what is known.

None lets the planner choose. The same array as long as it does not change."""

Fit = Callable[[Question, str], Question]
"""The part of a question that a window, named by its tab, shows in full; the question if all."""

Calibrator = Callable[[Probs, State], Probs]
"""Corrects the predictor's probabilities by what the answers have shown.

Laws (`askless.checks.calibrator_laws`): one probability for each item, whatever the state; the same
calls give the same probabilities; the same object while they do not change."""


class Clock(Protocol):
    """Tells the time, which the rooms in the middle of the house may not look up."""

    def wall_s(self) -> float:
        """Seconds since 1970, for people to read; may jump."""
        ...

    def steady_s(self) -> float:
        """Seconds since some moment; never goes back."""
        ...


class Annotator(Protocol):
    """Whoever answers."""

    def answer(self, question: Question) -> Answer:
        """The answer to `question`."""
        ...


class Store(Protocol):
    """Keeps events, in order, for good.

    Laws (`askless.checks.store_laws`): events are numbered 0, 1, 2, ... in the order they were
    appended, whatever their times; what `append` returned is what `read` gives, now and
    after the store was closed and opened again; an append is kept whole or not at all;
    an idempotency key is accepted once; nothing that was appended ever changes.
    """

    def append(self, events: Sequence[Event]) -> int:
        """Keep these events, all or none of them; durable when it returns.

        Returns the number of the first of them, or of the next event if there are none.

        Raises
        ------
        RepeatedKey
            One of the keys is that of an earlier event; nothing was kept.
        InvalidInput
            A payload is not made of JSON values, or two events share a key; nothing was kept.
        NotWritten
            Nothing was acknowledged; it says whether the store can go on.
        """
        ...

    def read(self, after: int = -1) -> Iterator[Event]:
        """The events whose number is above `after`, in order.

        Raises
        ------
        Damaged
            Once the sound events have been given, if what follows is not as it was written.
        """
        ...

    def close(self) -> None:
        """Let go of everything; a second time does nothing."""
        ...


PoolKind = Literal["images", "texts", "rows"]


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Something that was meant to be an item and cannot be one.

    Parameters
    ----------
    id
        What the source calls it.
    reason
        Why not, as a sentence.
    """

    id: str
    reason: str


class Pool(Protocol):
    """The things to label, in fixed order, and how one is shown.

    Laws (`askless.checks.pool_laws`): ids are unique; the same source gives the same items in
    the same order with the same checksums; what cannot be read is listed, never raised;
    inputs are left untouched.

    Attributes
    ----------
    kind
        How an item is shown: a picture, a text, or a row of named values.
    ids
        What the source calls each item; unique.
    checksums
        SHA-256 of each item's content, in hexadecimal digits.
    copies
        By item: the ids of its exact duplicates, which are not asked and get its label.
    unreadable
        What was left out, and why.
    known
        What the source says about each label already: 1, 0, or -1 for nothing.
    probs
        P(label is True) that the source brings; None if it brings none.
    """

    kind: PoolKind
    ids: Sequence[str]
    checksums: Sequence[str]
    copies: Mapping[int, tuple[str, ...]]
    unreadable: Sequence[Unreadable]
    known: NDArray[np.int8]
    probs: NDArray[np.float64] | None

    def __len__(self) -> int:
        """How many items there are to label."""
        ...

    def picture(self, item: int, side: int | None = None) -> NDArray[np.uint8]:
        """An item of an ``images`` pool, upright, shape (height, width, 3).

        Parameters
        ----------
        item
            Its index.
        side
            Shrink it so that the longer side is at most this; None for the full size.
        """
        ...

    def original(self, item: int) -> tuple[bytes, str]:
        """An item of an ``images`` pool as a file: its content, and the suffix of its name."""
        ...

    def text(self, item: int) -> str:
        """An item of a ``texts`` pool in full; of a ``rows`` pool, a line ``name: value`` each."""
        ...

    def columns(self) -> Mapping[str, NDArray[Any]]:
        """The named columns of a ``rows`` pool: numbers, or text for categories."""
        ...

    def facts(self, item: int) -> Sequence[tuple[str, str]]:
        """What is shown beside an item's text, or of a row: names and values that are not blank."""
        ...


class Predictor(Protocol):
    """Makes probabilities out of features and what is known so far.

    Laws (`askless.checks.predictor_laws`): sensible with no label, one label or labels of
    one kind only; the same calls give the same probabilities; inputs are left untouched;
    a fresh predictor that is given the arrays of a fitted one predicts the same.
    """

    def fit(
        self, x: NDArray[Any], labels: NDArray[np.int8], clauses: Sequence[Clause] = ()
    ) -> None:
        """Learn from everything known so far; it may start from what it learnt before.

        Parameters
        ----------
        x
            The features, shape (n, columns), read-only and perhaps memory-mapped. A pool
            without features has none: shape (n, 0).
        labels
            1 and 0 for settled labels, -1 open, -2 unsure (`State.labels`).
        clauses
            The refuted guesses that are still open (`State.clauses`).
        """
        ...

    def predict(self, x: NDArray[Any]) -> NDArray[np.float64]:
        """P(label is True) for every row of `x`; also before the first `fit`."""
        ...

    def arrays(self) -> Mapping[str, NDArray[Any]] | None:
        """All it has learnt, as named arrays of numbers; None if that cannot be done."""
        ...

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Become the predictor whose `arrays` these are, or raise `InvalidInput`."""
        ...


@runtime_checkable
class ReportsCodeLength(Protocol):
    """A predictor that counts the code length of the labels it has learnt, one after the other."""

    @property
    def one_by_one_bits(self) -> float:
        """Sum of -log2 P(label) over the labels in the order they were learnt."""
        ...


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Probabilities that came out of a fit, checked, and safe on disk if there is a disk.

    Parameters
    ----------
    number
        Counts checkpoints, from 1; goes on where it was after a restart.
    probs
        P(label is True) for every item.
    answers
        How many answers had been given when the data of this fit were submitted.
    checksum
        Of the file that holds it; empty if it was never in a file.
    fit_s
        What fitting and predicting took, in seconds.
    """

    number: int
    probs: Probs
    answers: int
    checksum: str = ""
    fit_s: float = 0.0


TrainerState = Literal["idle", "starting", "fitting", "waiting", "closed"]


@dataclass(frozen=True, slots=True)
class TrainerStatus:
    """What a trainer is doing, in plain values.

    Parameters
    ----------
    state
        ``waiting`` means: after a failure, until it may try again.
    checkpoint
        Number of the newest good checkpoint; 0 before the first.
    answers
        How many answers that checkpoint rests on.
    fit_s
        What its fit took, in seconds.
    failures
        How many times in a row fitting has failed.
    restarts
        How many times a new process had to be started after a failure.
    last_failure
        What went wrong last, as a sentence; stays after it was overcome.
    retry_in_s
        Only when ``waiting``: the seconds until the next try.
    """

    state: TrainerState
    checkpoint: int = 0
    answers: int = 0
    fit_s: float = 0.0
    failures: int = 0
    restarts: int = 0
    last_failure: str | None = None
    retry_in_s: float | None = None


class Trainer(Protocol):
    """Fits a predictor somewhere out of the way. No call ever waits for a fit."""

    def submit(self, labels: NDArray[np.int8], clauses: Sequence[Clause], answers: int) -> None:
        """Here is everything known so far; it replaces whatever still waits to be fitted.

        Parameters
        ----------
        labels
            1 and 0 for settled labels, -1 open, -2 unsure (`State.labels`).
        clauses
            The refuted guesses that are still open (`State.clauses`).
        answers
            How many answers this is the sum of; the checkpoint will say so.
        """
        ...

    def poll(self) -> Checkpoint | None:
        """The newest checkpoint, if it is newer than what `poll` gave before."""
        ...

    def status(self) -> TrainerStatus:
        """What it is doing and what went wrong."""
        ...

    def close(self) -> None:
        """Stop, leaving nothing running; the checkpoints stay."""
        ...
