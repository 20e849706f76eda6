"""Sessions with a claim, for tests: a truth, guesses that may be wrong, a fixed seed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import numpy as np

from askless.certificates.policy import CheckUntilEnough, Freeze
from askless.certificates.standing import Standing, standing_of
from askless.core.claim import Outcome
from askless.core.event import Event
from askless.core.events import Asked
from askless.core.probability import Probs
from askless.core.promise import Promise
from askless.core.question import Answer, Question
from askless.history.claims import Claim, Look
from askless.history.history import History
from askless.planners import make_planner
from askless.session.session import Session
from tests.session.making import HandClock, ask
from tests.stores.memory_store import MemoryStore

SEED = "0123456789abcdef" * 2
NONE_WRONG = Promise("count", 0)


class Checked:
    """A session in which everything is claimed.

    Parameters
    ----------
    n
        Items; every other one is True.
    wrong
        Those whose frozen guess is wrong.
    size
        Of a check.
    """

    def __init__(
        self,
        n: int = 24,
        wrong: Collection[int] = (),
        size: int = 4,
        promise: Promise = NONE_WRONG,
        freeze: bool = True,
        **options: Any,
    ) -> None:
        self.n = n
        self.truth = np.arange(n) % 2 == 0
        self.guess = self.truth.copy()
        self.guess[list(wrong)] ^= True
        self.promise = promise
        self.store, self.clock = MemoryStore(), HandClock()
        self.policy = CheckUntilEnough(promise, size)
        self.keys = 0
        self.open()
        if freeze:
            self.freeze(**options)

    def open(self) -> None:
        """Open the session, as after a restart."""
        planner = make_planner("lookahead", max_n=4, seed=0)
        probs = Probs(np.where(self.guess, 0.9, 0.1))
        self.session = Session(
            self.store, {"n": self.n}, planner, probs, self.clock, policy=self.policy
        )

    def freeze(self, seed: str = SEED, **options: Any) -> None:
        strata = options.get("strata", False)
        expected = (1.0, 1.0) if strata else (1.0,)
        self.session.freeze(self.promise, Freeze(self.guess, expected, seed=seed, **options))

    def claim(self) -> Claim:
        claim = self.session.history.claims.current
        assert claim is not None
        return claim

    def look(self) -> Look:
        return self.claim().look(self.session.state)

    def standing(self) -> Standing:
        standing = self.session.standing()
        assert standing is not None
        return standing

    def check(self, tab: str = "") -> Asked:
        asked = ask(self.session, "ann", tab)
        assert asked.question.purpose == "check"
        return asked

    def wrong_in(self, question: Question) -> list[int]:
        pairs = zip(question.items, question.guess, strict=True)
        return [item for item, guess in pairs if self.truth[item] != guess]

    def truthful(self, question: Question) -> Answer:
        return question.no() if self.wrong_in(question) else question.yes()

    def tell(self, asked: Asked, answer: Answer | None = None) -> int:
        self.keys += 1
        said = self.truthful(asked.question) if answer is None else answer
        return self.session.tell(asked.id, said, f"key {self.keys}").number

    def answer(self, count: int = 1, tab: str = "") -> list[Asked]:
        """Answer the next questions with the truth."""
        done = []
        for _ in range(count):
            done.append(ask(self.session, "ann", tab))
            self.tell(done[-1])
        return done

    def settle(self, items: Sequence[int], label: bool | None = None) -> int:
        """Answer an ordinary question about these items: with the truth, or with one label."""
        self.keys += 1
        labels = [bool(self.truth[item]) if label is None else label for item in items]
        answer = Question(tuple(items), tuple(labels)).yes()
        return self.session.tell(None, answer, f"key {self.keys}", "ann").number

    def replayed(self) -> Standing | None:
        """What a replay of the events says."""
        return standing_of(History.of(self.n, self.store.read()), self.promise)


def recount(session: Session, events: Iterable[Event]) -> list[tuple[int, int, int, Outcome, int]]:
    """The checks that count, from nothing: sets of items, one event after the other."""
    state, claim = session.state, session.history.claims.current
    assert claim is not None
    inside: set[int] = set()
    gone: set[int] = set()
    counted: list[tuple[int, int, int, Outcome, int]] = []
    before, drawn = History(session.history.source.sizes[0]), 0

    def is_wrong(item: int) -> bool:
        return state.label(item) is not bool(claim.guess[item])

    def outcome_of(items: Sequence[int]) -> Outcome | None:
        unknown = [item for item in items if state.is_open(item)]
        wrong = [item for item in items if not state.is_open(item) and is_wrong(item)]
        if claim.form == "pointed":
            return None if unknown else len(wrong)
        refuted = any(
            {item for item, _ in clause.pairs} <= set(items)
            and all(claim.guess[item] == guess for item, guess in clause.pairs)
            for clause in state.clauses
        )
        return "no" if wrong or refuted else None if unknown else "yes"

    for event in events:
        said = event.payload
        if event.kind == "asked" and (said.get("claim"), said.get("check")) == (
            claim.number, drawn,
        ):  # fmt: skip
            drawn += 1
            gone |= {item for item in inside if not before.state.is_open(item)}
            inside -= gone
            items = said.get("draw") or said["items"]
            stratum = int(claim.guess[items[0]]) if claim.strata else 0
            of = {
                item for item in inside | gone if not claim.strata or claim.guess[item] == stratum
            }
            outcome = outcome_of(items)
            if outcome is None:
                return counted
            wrong = sum(map(is_wrong, gone & of))
            counted.append((len(inside & of), wrong, len(items), outcome, stratum))
        before.apply(event)
        if event.number == claim.number:
            inside = set(before.state.open_items().tolist())
    return counted
