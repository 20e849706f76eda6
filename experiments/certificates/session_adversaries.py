"""Adversaries who work with a session through its own verbs, for `through_session`.

Each is a generator: whenever it yields, somebody looks at the certificate. They know the truth, and
which guesses are wrong; what they do not know is what will be drawn.
Tested, with their runs, in tests/experiments/test_certificates.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final
from zlib import crc32

import numpy as np

from askless.certificates.policy import CheckUntilEnough, Freeze
from askless.core.claim import Form
from askless.core.events import Asked
from askless.core.probability import Probs
from askless.core.promise import Promise
from askless.core.question import Answer, Question
from askless.planners import make_planner
from askless.session.session import Session

CONFIDENCE: Final = 0.95
_LEASE_S: Final = 600.0
_EXPECTED: Final = 0.5
_TRUST: Final = 0.99

Work = Callable[["Run"], Iterator[None]]
"""What an adversary does; whenever it yields, somebody looks at the certificate."""


class Clock:
    """Moved by the adversary."""

    now_s = 0.0

    def wall_s(self) -> float:
        """The same as the steady time."""
        return self.now_s

    def steady_s(self) -> float:
        """Seconds so far."""
        return self.now_s


@dataclass(frozen=True)
class Setting:
    """One adversary.

    Parameters
    ----------
    name
        What it is called in the results.
    work
        What it does.
    n, allowed, size
        Items, wrong labels allowed, and items a check.
    more
        So many more guesses are wrong than allowed.
    form, strata
        Of the claim.
    claims
        So many claims are made one after the other, each given up after a few checks.
    undecidable
        So many items nobody can tell: whoever is shown one marks it unsure. They count as wrong.
    """

    name: str
    work: Work
    n: int = 100
    allowed: int = 4
    size: int = 4
    more: int = 1
    form: Form = "yes-no"
    strata: bool = False
    claims: int = 1
    undecidable: int = 0


@dataclass
class Run:
    """One session and its truth."""

    setting: Setting
    seed: int
    rng: np.random.Generator = field(init=False)
    keys: int = 0

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng([self.seed, crc32(self.setting.name.encode())])
        n, wrong = self.setting.n, self.setting.allowed + self.setting.more
        self.truth = self.rng.random(n) < 0.5
        self.guess = self.truth.copy()
        chosen = self.rng.choice(n, wrong, replace=False)
        self.undecidable = set(chosen[: self.setting.undecidable].tolist())
        self.guess[chosen[self.setting.undecidable :]] ^= True
        self.promise = Promise("count", self.setting.allowed, CONFIDENCE)
        self.clock = Clock()
        self.session = Session(
            None,
            {"n": n},
            make_planner("one-by-one"),
            Probs(np.where(self.guess, 0.99, 0.01)),
            self.clock,
            policy=CheckUntilEnough(self.promise, self.setting.size),
        )
        self.freeze()

    def freeze(self) -> None:
        """Claim what is open; the seed is fixed, since a run is to be the same again."""
        expected = (_EXPECTED,) * (1 + self.setting.strata)
        seed = self.rng.bytes(16).hex()
        wanted = Freeze(self.guess, expected, self.setting.form, self.setting.strata, _TRUST, seed)
        self.session.freeze(self.promise, wanted)

    @property
    def open_wrong(self) -> list[int]:
        """The open items whose frozen guess is wrong, or that nobody can tell."""
        state = self.session.state
        differ = np.flatnonzero(self.truth != self.guess).tolist()
        return [item for item in {*differ, *self.undecidable} if state.is_open(item)]

    @property
    def open_right(self) -> list[int]:
        """The open items whose frozen guess is right."""
        state = self.session.state
        same = np.flatnonzero(self.truth == self.guess).tolist()
        return [item for item in same if state.is_open(item) and item not in self.undecidable]

    def truthful(self, question: Question) -> Answer:
        """What somebody says who never errs; some point where they may."""
        pairs = zip(question.items, question.guess, strict=True)
        wrong = [item for item, guess in pairs if self.truth[item] != guess]
        if self.setting.form == "pointed" and self.rng.random() < 0.8:
            return question.pointed(wrong, rest_right=True)
        return question.no() if wrong else question.yes()

    def tell(self, asked: Asked, answer: Answer | None = None) -> int:
        """Answer a question, with the truth unless told otherwise."""
        self.keys += 1
        said = self.truthful(asked.question) if answer is None else answer
        return self.session.tell(asked.id, said, f"key {self.keys}").number

    def settle(self, items: list[int]) -> int:
        """Settle items by an ordinary question, with the truth."""
        self.keys += 1
        labels = tuple(bool(self.truth[item]) for item in items)
        answer = Question(tuple(items), labels).yes()
        return self.session.tell(None, answer, f"key {self.keys}", "ann").number

    def ask(self, tab: str = "") -> Asked | None:
        """The next question of a window."""
        return self.session.ask("ann", tab)

    def answer(self, tab: str = "") -> None:
        """Answer the next question of a window with the truth."""
        asked = self.ask(tab)
        if asked is not None:
            self.tell(asked)


def answers_everything(run: Run) -> Iterator[None]:
    """Nothing else: one check after the other."""
    while True:
        run.answer()
        yield


def settles_right_items(run: Run) -> Iterator[None]:
    """Between two checks it settles items whose guess is right, so that the wrong ones stay."""
    while True:
        if run.open_right:
            run.settle(run.rng.choice(run.open_right, min(2, len(run.open_right)), False).tolist())
        yield
        run.answer()
        yield


def finds_errors_first(run: Run) -> Iterator[None]:
    """It finds wrong guesses down to one more than is allowed, then settles right ones."""
    most = run.setting.allowed + 1
    while len(run.open_wrong) > most:
        run.settle(run.open_wrong[:1])
        run.answer()
        yield
    yield from settles_right_items(run)


def undoes(run: Run) -> Iterator[None]:
    """It takes every third answer back, and says the same again."""
    while True:
        run.answer()
        yield
        if run.rng.random() < 1 / 3:
            asked = run.session.undo("ann")
            yield
            if asked is not None:
                run.tell(asked)
                yield


def retracts_noes(run: Run) -> Iterator[None]:
    """It retracts the checks it had to deny, hoping for others, and denies them again."""
    while True:
        asked = run.ask()
        if asked is None:
            return
        answer = run.truthful(asked.question)
        number = run.tell(asked, answer)
        yield
        if answer.kind != "yes" and run.rng.random() < 0.7:
            run.session.retract(number)
            yield
            run.answer()
            yield


def retracts_long_ago(run: Run) -> Iterator[None]:
    """It retracts any answer, long after it was given, and goes on."""
    while True:
        run.answer()
        yield
        if run.rng.random() < 0.2:
            given = [n for n in run.session.history.answers if run.session.history.stands(n)]
            run.session.retract(int(run.rng.choice(given)))
            yield


def skips(run: Run) -> Iterator[None]:
    """It closes the window at checks it would have to deny, and comes back."""
    while True:
        asked = run.ask()
        if asked is None:
            return
        if run.truthful(asked.question).kind != "yes" and run.rng.random() < 0.7:
            run.session.queue.leave("ann")
            yield
            continue
        run.tell(asked)
        yield


def corrects(run: Run) -> Iterator[None]:
    """It slips in every third answer, and corrects that once it has gone on a little."""
    while True:
        asked = run.ask()
        if asked is None:
            return
        if run.rng.random() < 1 / 3 and not run.session.history.disputes:
            run.tell(asked, asked.question.yes())
            for _ in range(2):
                following = run.ask()
                if following is not None:
                    run.tell(following)
            slips = [item for item in range(run.setting.n) if _slipped(run, item)]
            for item in slips:
                run.session.correct(item, bool(run.truth[item]), "ann")
        else:
            run.tell(asked)
        yield


def _slipped(run: Run, item: int) -> bool:
    label = run.session.state.label(item)
    return label is not None and label is not bool(run.truth[item])


def works_in_two_windows(run: Run) -> Iterator[None]:
    """Two windows, answered in any order; one of them is left for longer than its lease."""
    while True:
        asked = {tab: run.ask(tab) for tab in ("1", "2")}
        if run.rng.random() < 0.2:
            run.clock.now_s += _LEASE_S + 1
            asked["2"] = run.ask("2")
        yield
        for tab in run.rng.permutation(["1", "2"]).tolist():
            found = asked[tab]
            if found is not None and run.session.history.answer_to(found.id) is None:
                run.tell(found)
                yield
        if all(found is None for found in asked.values()):
            return


def keeps_bad_checks_back(run: Run) -> Iterator[None]:
    """Two windows: what one would have to deny waits there while the other goes on."""
    while True:
        asked = run.ask("1")
        if asked is None:
            return
        if run.truthful(asked.question).kind != "yes":
            for _ in range(4):
                other = run.ask("2")
                if other is None or run.truthful(other.question).kind != "yes":
                    break
                run.tell(other)
                yield
            run.session.queue.leave("ann", but_for="1")
        if run.session.history.answer_to(asked.id) is None:
            run.tell(asked)
        yield


def shows_two_at_a_time(run: Run) -> Iterator[None]:
    """A window with room for two items, in which a check comes in parts."""
    run.session.use(
        fit=lambda question, tab: (
            question if len(question) <= 2 else question.about(question.items[:2])
        )
    )
    yield from answers_everything(run)


def marks_unsure(run: Run) -> Iterator[None]:
    """It marks unsure what nobody can tell, and now and then takes that back for a while."""
    while True:
        asked = run.ask()
        if asked is None:
            return
        untold = run.undecidable.intersection(asked.question.items)
        for item in untold:
            run.session.unsure(item, annotator="ann")
        if not untold:
            run.tell(asked)
        yield
        marked = sorted(run.undecidable.intersection(run.session.history.unsure))
        if marked and run.rng.random() < 0.1:
            run.session.take_back(int(run.rng.choice(marked)))
            yield
