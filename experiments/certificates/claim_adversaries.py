"""Adversaries who know which guesses are wrong, against the evidence itself, for `coverage`.

One `Game` is one claim of counts: items left, wrong ones among them, wrong ones that have left.
What checks prove comes from `askless.core.claim.Evidence`. How many wrong items a check holds is
hypergeometric, since each set of items is as likely to be drawn (tests/core/test_draw.py shows that
of `askless.core.draw`). Between two checks an adversary takes out whatever it likes. All it does
follows from the answers so far, so runs that have gone alike are one game, with how many there are:
at each check they part. `session_adversaries` does the same through a session's own verbs.
Tested in tests/experiments/test_coverage.py.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass
from typing import Final

import numpy as np

from askless.core.claim import Evidence, Form, Outcome, log_prior

ALPHA: Final = 0.05
_GROUP_WITHOUT_CAP: Final = 1.6
"""Times items / (allowed + 1): there P(yes) is some 0.2 if one more is wrong than allowed."""

Between = Callable[["Game"], None]


def nothing(game: Game) -> None:
    """One check after the other."""


def settles_right_items(game: Game) -> None:
    """It settles eight items whose guess is right before every check, so that wrong ones stay."""
    game.leave(right=min(8, game.right))


def finds_errors_first(game: Game) -> None:
    """It finds wrong guesses down to one more than is allowed, then settles right ones."""
    if sum(game.wrong) > game.setting.allowed + 1:
        game.leave(wrong=1)
    else:
        settles_right_items(game)


def gambles(game: Game) -> None:
    """It chooses after every answer a size of which one yes would be enough."""
    low, high = 1, game.right + 1
    while low < high:
        size = (low + high) // 2
        tried = game.evidence.copy()
        tried.add(game.left[0], game.found[0], size, "yes")
        if tried.at_most((game.left[0] - size,), game.found) <= game.setting.allowed:
            high = size
        else:
            low = size + 1
    game.size = low if low <= game.right else 0  # 0: the usual, since none would be


@dataclass(frozen=True)
class Setting:
    """One adversary and its claim.

    Parameters
    ----------
    name
        What it is called in the results.
    sizes, wrong
        For each stratum: items, and how many of their guesses are wrong.
    allowed
        How many may be.
    cap
        Items a check; None for the size that teaches most.
    form, expected, trust
        Of the claim; the prior is at its worst unless said.
    between
        What happens before every check.
    claims, checks
        So many claims are made one after the other, as wrong as each other, each given up after so
        many checks.
    shares
        The share of alpha that each of these claims gets.
    recall
        What is promised instead of `allowed`: this share of the items of the label that the second
        stratum is guessed to have.
    turns
        The most checks of a claim.
    """

    name: str
    sizes: tuple[int, ...] = (1000,)
    wrong: tuple[int, ...] = (21,)
    allowed: int = 20
    cap: int | None = 8
    form: Form = "yes-no"
    expected: float = 0.5
    trust: float = 0.99
    between: Between = nothing
    claims: int = 1
    checks: float = math.inf
    shares: tuple[float, ...] = (1.0,)
    recall: float | None = None
    turns: int = 400

    @property
    def is_false(self) -> bool:
        """Whether a certificate issued at once would be."""
        return not _is_true(self, self.sizes, self.wrong, 0)


class Game:
    """One claim while it is checked, of some runs that have gone alike.

    Parameters
    ----------
    setting
        What is claimed, and against whom.
    alpha
        This claim's share.
    runs
        How many.
    """

    def __init__(self, setting: Setting, alpha: float, runs: int) -> None:
        self.setting, self.runs = setting, runs
        self.left, self.wrong = [*setting.sizes], [*setting.wrong]
        self.found, self.shown = [0] * len(self.left), [0] * len(self.left)
        self.settled_true = self.checks = self.size = 0
        self.rejected = False
        priors = [
            log_prior(size, setting.expected, setting.allowed, setting.trust) for size in self.left
        ]
        self.evidence = Evidence(alpha, setting.form, priors)

    @property
    def right(self) -> int:
        """Right guesses left in the first stratum."""
        return self.left[0] - self.wrong[0]

    @property
    def is_true(self) -> bool:
        """Whether the promise holds."""
        return _is_true(self.setting, self.left, self.wrong, self.settled_true)

    @property
    def is_certified(self) -> bool:
        """Whether it is said to hold."""
        if self.setting.recall is not None:
            said = self.evidence.recall_at_least(self.left, self.found, self.settled_true)
            return said >= self.setting.recall
        return self.evidence.at_most(self.left, self.found) <= self.setting.allowed

    @property
    def log_against(self) -> float:
        """Log of M / L of the true numbers: the evidence against them."""
        total = 0.0
        for stratum, kappa in enumerate(self.setting.wrong):
            values = self.evidence.log_likelihood(stratum)
            if kappa >= len(values):
                return math.inf
            total += float(values[kappa])
        return self.evidence.log_mean - total

    def leave(self, right: int = 0, wrong: int = 0, stratum: int = 0) -> None:
        """Items are settled, with the truth, so many with a right and a wrong guess."""
        self.left[stratum] -= right + wrong
        self.wrong[stratum] -= wrong
        self.found[stratum] += wrong
        # Recall counts what is settled to have the second stratum's label.
        self.settled_true += right if stratum == 1 else wrong

    def check(self, rng: np.random.Generator) -> Iterator[Game]:
        """Draw a check in every run, answer with the truth, and look: one game for each outcome."""
        at = min(
            (s for s, m in enumerate(self.left) if m),
            key=lambda s: self.shown[s] / self.setting.sizes[s],
            default=None,
        )
        if at is None:
            return
        size = min(self.left[at], self.size or self._usual_size(self.left[at]))
        m, j = self.left[at], self.wrong[at]
        if self.setting.form == "pointed":
            seen = rng.hypergeometric(j, m - j, size, self.runs)
            parts = {int(x): int(np.sum(seen == x)) for x in np.unique(seen)}
        else:  # 1 stands for one or more
            yes = int(rng.binomial(self.runs, math.comb(m - j, size) / math.comb(m, size)))
            parts = {x: runs for x, runs in ((0, yes), (1, self.runs - yes)) if runs}
        for seen_wrong, runs in parts.items():
            yield self._after(at, size, seen_wrong, runs)

    def _after(self, at: int, size: int, seen: int, runs: int) -> Game:
        game = copy(self)
        game.runs, game.evidence = runs, self.evidence.copy()
        game.left, game.wrong = [*self.left], [*self.wrong]
        game.found, game.shown = [*self.found], [*self.shown]
        pointed = self.setting.form == "pointed"
        outcome: Outcome = seen if pointed else "no" if seen else "yes"
        game.evidence.add(self.left[at], self.found[at], size, outcome, at)
        game.checks += 1
        game.shown[at] += size
        if pointed or not seen or size == 1:  # a no about one item settles it
            game.leave(size - seen, seen, at)
        return game

    def _usual_size(self, m: int) -> int:
        if self.setting.cap is not None:
            return self.setting.cap
        return max(1, round(_GROUP_WITHOUT_CAP * m / (self.setting.allowed + 1)))


def _is_true(
    setting: Setting, left: list[int] | tuple[int, ...], wrong: list[int] | tuple[int, ...], n: int
) -> bool:
    if setting.recall is None:
        return sum(wrong) <= setting.allowed
    right = n + left[1] - wrong[1]
    return right >= setting.recall * (right + wrong[0])
