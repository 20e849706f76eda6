"""Writing an answer into the ledger, with everything that follows from it.

This is unit propagation over refuted guesses: a label found right leaves its
clauses, a label found wrong satisfies them, a clause with one item left settles that
item the other way, and a clause that contains another is dropped. Where guesses of
opposite sign meet, `askless.core._entail` decides the rest, so that labels and
clauses never depend on the order of the answers.

Used by `askless.core.state` alone; tested in tests/core/test_state.py.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from askless.core import _entail
from askless.core._ledger import NOBODY, OPEN, TRUE, UNSURE, Ledger
from askless.core.clause import Clause, neighbourhood
from askless.core.question import Answer
from askless.errors import Contradiction


class Draft:
    """Changes to a ledger that are not yet a state.

    Parameters
    ----------
    ledger
        Written to at once; the caller turns its log back if the draft fails.
    mixed
        Whether opposite guesses of one item have ever met in open clauses.

    Attributes
    ----------
    gained
        By label: how many more items have it than before.
    """

    __slots__ = ("_clauses_touched", "_ledger", "_queue", "gained", "mixed")

    def __init__(self, ledger: Ledger, *, mixed: bool) -> None:
        self._ledger = ledger
        self._queue: deque[tuple[int, bool, int]] = deque()
        self._clauses_touched: set[int] = set()
        self.mixed = mixed
        self.gained = [0, 0]

    def add(self, number: int, answer: Answer) -> None:
        """Write `answer` down under `number` and draw every conclusion.

        Raises
        ------
        Contradiction
            The answer cannot be true together with the earlier ones. The ledger is
            then half written.
        """
        ledger, items = self._ledger, answer.question.items
        literals = zip(items, answer.question.guess, strict=True)
        ledger.write(ledger.answers, number, answer)
        ledger.write(ledger.earlier, number, tuple([ledger.latest[item] for item in items]))
        ledger.write_number(ledger.latest, items, number)
        if answer.kind == "no":
            self._refute(literals, number)
        else:
            wrong = set(answer.wrong)
            everything = answer.kind == "yes" or answer.rest_right
            for item, guess in literals:
                if everything or item in wrong:
                    self._queue.append((item, guess != (item in wrong), number))
        self._drain()
        if self.mixed:
            self._conclude_jointly()

    def forget(self, items: Iterable[int]) -> list[int]:
        """Open the items and all that is tied to them by answers; the numbers of those answers.

        Answers that share no item have nothing to do with one another, so learning the
        returned ones again (or some of them) gives the state of a replay of everything.
        """
        ledger = self._ledger
        numbers: set[int] = set()
        seen = set(items)
        frontier = list(seen)
        while frontier:
            item = frontier.pop()
            number = ledger.latest[item]
            while number != NOBODY:
                mentioned = ledger.answers[number].question.items
                if number not in numbers:
                    numbers.add(number)
                    fresh = [other for other in mentioned if other not in seen]
                    seen.update(fresh)
                    frontier.extend(fresh)
                number = ledger.earlier[number][mentioned.index(item)]
        for item in seen:
            for number in ledger.holding.get(item, ()):
                ledger.erase(ledger.clauses, number)
            ledger.erase(ledger.holding, item)
            ledger.erase(ledger.joint, item)
            ledger.write(ledger.latest, item, NOBODY)
            code = ledger.codes[item]
            if code <= TRUE:
                ledger.write(ledger.codes, item, OPEN)
                ledger.write(ledger.reason, item, NOBODY)
                self.gained[code] -= 1
        for number in numbers:
            ledger.erase(ledger.earlier, number)
        return sorted(numbers)

    def _refute(self, literals: Iterable[tuple[int, bool]], number: int) -> None:
        """Make a clause of guesses that answer `number` refuted, as far as it still says something.

        If one of them is wrong for sure, or unsure, it says nothing: it may be that very one.
        """
        ledger = self._ledger
        left = []
        for item, guess in literals:
            code = ledger.codes[item]
            if code == OPEN:
                left.append((item, guess))
            elif code != guess:
                return
        if len(left) > 1:
            items, guesses = zip(*left, strict=True)
            self._hold(Clause(items, guesses, number))
        elif left:
            ((item, guess),) = left
            self._queue.append((item, not guess, number))
        else:
            raise Contradiction(
                f"At least one guess of answer {number} is wrong; by the others all of them are "
                "right.",
                {number} | ledger.support(ledger.answers[number].question.items),
            )

    def _drain(self) -> None:
        """Settle what is queued, and what that settles, until nothing follows any more."""
        ledger, queue = self._ledger, self._queue
        while queue:
            touched: dict[int, None] = {}
            while queue:
                item, label, number = queue.popleft()
                code = ledger.codes[item]
                if code == UNSURE or code == label:
                    continue
                if code != OPEN:
                    raise Contradiction(
                        f"Item {item} would have to be both {bool(code)} and {label}.",
                        self._ledger.support([item]) | self._support_of_step(number, item),
                    )
                ledger.write(ledger.codes, item, int(label))
                ledger.write(ledger.reason, item, number)
                self.gained[label] += 1
                touched.update(dict.fromkeys(ledger.holding.get(item, ())))
            for holder in touched:
                clause = ledger.clauses.get(holder)
                if clause is not None:  # not dropped just now, in favour of a shorter one
                    self._release(clause)
                    self._refute(clause.pairs, holder)

    def _hold(self, clause: Clause) -> None:
        """Enter an open clause, unless one within it is there; drop those that contain it."""
        ledger, number = self._ledger, clause.answer
        near = {other for item in clause.items for other in ledger.holding.get(item, ())}
        if near:
            literals = clause.literals
            others = [ledger.clauses[other] for other in sorted(near)]
            if any(other.literals <= literals for other in others):
                return
            for other in others:
                if literals <= other.literals:
                    self._release(other)
                elif not self.mixed:
                    guess = dict(literals)
                    self.mixed = any(guess.get(i, g) != g for i, g in other.literals)
        ledger.write(ledger.clauses, number, clause)
        for item in clause.items:
            ledger.write(ledger.holding, item, (*ledger.holding.get(item, ()), number))
        self._clauses_touched.add(number)

    def _release(self, clause: Clause) -> None:
        """Take a clause out of the books."""
        ledger, number = self._ledger, clause.answer
        ledger.erase(ledger.clauses, number)
        for item in clause.items:
            holders = ledger.holding[item]
            if len(holders) == 1:
                ledger.erase(ledger.holding, item)
            else:
                rest = tuple([other for other in holders if other != number])
                ledger.write(ledger.holding, item, rest)

    def _conclude_jointly(self) -> None:
        """Where opposite guesses meet, settle what several clauses entail together."""
        ledger = self._ledger
        while self._clauses_touched:
            touched = ledger.clauses.get(self._clauses_touched.pop())
            if touched is None:
                continue
            group = neighbourhood(touched.items, ledger.holding, ledger.clauses)
            if not _opposite(group):
                continue
            labels = _entail.entailed_labels(group)
            if labels is None:
                raise Contradiction(
                    "The refuted guesses about these items cannot all have been wrong.",
                    self._support_of_clauses(_entail.needed(group)),
                )
            for item, label in sorted(labels.items()):
                needed = _entail.needed(group, (item, not label))
                ledger.write(ledger.joint, item, frozenset(self._support_of_clauses(needed)))
            for item, label in sorted(labels.items()):
                self._queue.append((item, label, NOBODY))
            self._drain()

    def _support_of_step(self, number: int, item: int) -> set[int]:
        """Answers that suffice for settling `item` by answer `number`, just now."""
        if number == NOBODY:
            return set(self._ledger.joint[item])
        answer = self._ledger.answers[number]
        if answer.kind != "no":
            return {number}
        return {number} | self._ledger.support(i for i in answer.question.items if i != item)

    def _support_of_clauses(self, clauses: Iterable[Clause]) -> set[int]:
        """Answers that suffice for these clauses as they stand, found-right items removed."""
        found: set[int] = set()
        for clause in clauses:
            asked = self._ledger.answers[clause.answer].question.items
            found |= {clause.answer} | self._ledger.support(set(asked).difference(clause.items))
        return found


def _opposite(clauses: Iterable[Clause]) -> bool:
    """Whether one item is guessed differently by two of the clauses."""
    guesses: dict[int, bool] = {}
    return any(
        guesses.setdefault(item, guess) != guess
        for clause in clauses
        for item, guess in clause.pairs
    )
