"""Writing an answer into the ledger, with everything that follows from it.

Every item has a set of classes that are still possible. An answer takes classes away, as
`askless.core.meaning` says; an item with one class left is settled. Refuted guesses follow by unit
propagation: an item whose possible classes are all as guessed is found right and leaves its
clauses, one of which none is as guessed is found wrong and satisfies them, a clause with one item
left excludes what was guessed for that item, and a clause that contains another is dropped. With
two classes a guess that is excluded settles its item the other way.

Nothing is missed while every item has an escape, a possible class outside all guesses that open
clauses hold for it (docs/theory.md has the proof). Where an item has none,
`askless.core._entail` decides the rest, so that labels and clauses never depend on the order of the
answers.

Used by `askless.core.state` alone; tested in tests/core/test_state.py.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from typing import NoReturn

from askless.core import _entail
from askless.core._ledger import NOBODY, OPEN, UNSURE, Ledger
from askless.core.clause import Clause, neighbourhood
from askless.core.guess import Guess, classes_in, is_right, mask_of
from askless.core.meaning import facts
from askless.core.question import Answer
from askless.errors import Contradiction


class Draft:
    """Changes to a ledger that are not yet a state.

    Parameters
    ----------
    ledger
        Written to at once; the caller turns its log back if the draft fails.
    mixed
        Whether different guesses of one item have ever met in open clauses.

    Attributes
    ----------
    gained
        By label: how many more items have it than before.
    """

    __slots__ = ("_clauses_touched", "_ledger", "_queue", "gained", "mixed")

    def __init__(self, ledger: Ledger, *, mixed: bool) -> None:
        self._ledger = ledger
        self._queue: deque[tuple[int, int, int]] = deque()
        self._clauses_touched: set[int] = set()
        self.mixed = mixed
        self.gained = [0] * ledger.classes

    def add(self, number: int, answer: Answer) -> None:
        """Write `answer` down under `number` and draw every conclusion.

        Raises
        ------
        Contradiction
            The answer cannot be true together with the earlier ones. The ledger is
            then half written.
        """
        ledger, items = self._ledger, answer.question.items
        ledger.write(ledger.answers, number, answer)
        ledger.write(ledger.earlier, number, tuple([ledger.latest[item] for item in items]))
        ledger.write_number(ledger.latest, items, number)
        if answer.kind == "no":
            self._refute(zip(items, answer.question.guess, strict=True), number)
        else:
            said = facts(answer, ledger.classes)
            self._queue.extend([(item, left, number) for item, left in said])
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
            ledger.erase(ledger.possible, item)
            ledger.erase(ledger.narrowed, item)
            ledger.write(ledger.latest, item, NOBODY)
            code = ledger.codes[item]
            if code < UNSURE:
                ledger.write(ledger.codes, item, OPEN)
                ledger.write(ledger.reason, item, NOBODY)
                self.gained[code] -= 1
        for number in numbers:
            ledger.erase(ledger.earlier, number)
        return sorted(numbers)

    def _refute(self, literals: Iterable[tuple[int, Guess]], number: int) -> None:
        """Make a clause of guesses that answer `number` refuted, as far as it still says something.

        If one of them is wrong for sure, or unsure, it says nothing: it may be that very one.
        """
        ledger = self._ledger
        codes, possible, classes = ledger.codes, ledger.possible, ledger.classes
        left = []
        for item, guess in literals:
            code = codes[item]
            if code == OPEN:
                if item in possible:
                    guessed, here = mask_of(guess, classes), possible[item]
                    if not here & guessed:
                        return
                    if not here & ~guessed:
                        continue
                left.append((item, guess))
            elif code != guess and (code == UNSURE or not is_right(guess, code)):
                return
        if len(left) > 1:
            items, guesses = zip(*left, strict=True)
            self._hold(Clause(items, guesses, number))
        elif left:
            ((item, guess),) = left
            self._queue.append((item, (1 << classes) - 1 & ~mask_of(guess, classes), number))
        else:
            raise Contradiction(
                f"At least one guess of answer {number} is wrong; by the others all of them are "
                "right.",
                {number} | ledger.support(ledger.answers[number].question.items),
            )

    def _drain(self) -> None:
        """Settle what is queued, and what that settles, until nothing follows any more."""
        ledger, queue = self._ledger, self._queue
        codes, possible, every = ledger.codes, ledger.possible, (1 << ledger.classes) - 1
        while queue:
            touched: dict[int, None] = {}
            while queue:
                item, left, number = queue.popleft()
                code = codes[item]
                if code != OPEN:
                    if code == UNSURE or left >> code & 1:
                        continue
                    self._clash(item, 1 << code, left, number)
                before = possible.get(item, every)
                after = before & left
                if after == before:
                    continue
                if after & (after - 1):  # several are left
                    ledger.write(possible, item, after)
                    if number != NOBODY:
                        earlier = ledger.narrowed.get(item, ())
                        ledger.write(ledger.narrowed, item, (*earlier, number))
                elif after:
                    label = after.bit_length() - 1
                    ledger.write(codes, item, label)
                    ledger.write(ledger.reason, item, number)
                    if before != every:
                        ledger.erase(possible, item)
                    self.gained[label] += 1
                else:
                    self._clash(item, before, left, number)
                touched.update(dict.fromkeys(ledger.holding.get(item, ())))
            for holder in touched:
                clause = ledger.clauses.get(holder)
                if clause is not None:  # not dropped just now, in favour of a shorter one
                    self._release(clause)
                    self._refute(clause.pairs, holder)

    def _clash(self, item: int, before: int, left: int, number: int) -> NoReturn:
        """No class of the item agrees with all that is said of it."""
        support = self._ledger.support([item]) | self._support_of_step(number, item)
        if self._ledger.classes == 2:
            known = before == 2
            raise Contradiction(
                f"Item {item} would have to be both {known} and {not known}.", support
            )
        one, other = (sorted(classes_in(each)) for each in (before, left))
        raise Contradiction(
            f"Item {item} has one of the classes {one} by earlier answers, and one of {other} by "
            "this one; no class is in both.",
            support,
        )

    def _hold(self, clause: Clause) -> None:
        """Enter an open clause, unless one within it is there; drop those that contain it."""
        ledger, number = self._ledger, clause.answer
        near = {other for item in clause.items for other in ledger.holding.get(item, ())}
        if near:
            literals = ledger.literals(clause)
            others = {other: ledger.literals(ledger.clauses[other]) for other in sorted(near)}
            if any(theirs <= literals for theirs in others.values()):
                return
            for other, theirs in others.items():
                if literals <= theirs:
                    self._release(ledger.clauses[other])
                elif not self.mixed:
                    guess = dict(literals)
                    self.mixed = any(guess.get(i, g) != g for i, g in theirs)
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
        """Where an item has no escape, exclude what several clauses exclude together."""
        ledger = self._ledger
        while self._clauses_touched:
            touched = ledger.clauses.get(self._clauses_touched.pop())
            if touched is None:
                continue
            group = neighbourhood(touched.items, ledger.holding, ledger.clauses)
            domains = {i: ledger.classes_left(i) for clause in group for i in clause.items}
            if self._all_escape(group, domains):
                continue
            formula = _entail.Formula(group, domains, ledger.classes)
            excluded = formula.excluded_classes()
            if excluded is None:
                raise Contradiction(
                    "The refuted guesses about these items cannot all have been wrong.",
                    self._support_of_clauses(formula.needed()),
                )
            supports = {
                item: self._support_of_clauses(formula.needed((item, classes)))
                for item, classes in sorted(excluded.items())
            }
            for item, numbers in supports.items():
                before = ledger.joint.get(item, frozenset())
                ledger.write(ledger.joint, item, before | numbers)
                self._queue.append((item, domains[item] & ~excluded[item], NOBODY))
            self._drain()

    def _all_escape(self, clauses: Iterable[Clause], domains: Mapping[int, int]) -> bool:
        """Whether each item has a possible class that no clause guesses for it."""
        guessed = dict.fromkeys(domains, 0)
        for clause in clauses:
            for item, guess in clause.pairs:
                guessed[item] |= mask_of(guess, self._ledger.classes)
        return all(domains[item] & ~guessed[item] for item in domains)

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
            found |= {clause.answer} | self._ledger.support(asked)
        return found
