"""Where a pool, its session and a person meet.

A `LabellingService` does what the page asks for: the next question, an answer, a look back. A
session belongs to one thread at a time, so every method takes the service's lock; none of them
waits for anything but the disk. What the model needs is prepared elsewhere
(`askless.app.preparation`) and joins when it is ready; until then items are asked at random.
Tested in tests/web/test_labelling.py.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from askless.app.adaptive_planning import AdaptivePlanning
from askless.app.names import Names
from askless.app.plan_ahead import NextQuestions, plan_ahead
from askless.app.preparation import Preparation
from askless.app.settings import SettingsFile
from askless.app.statistics import Why, up_for_review
from askless.assemble import Method, OpenSession, open_session
from askless.core.events import Asked
from askless.core.question import Answer, Question
from askless.core.state import undecided
from askless.errors import InvalidInput, NotWritten, Refused
from askless.folder.files import open_store
from askless.seams import Pool
from askless.session.history import TellResult
from askless.session.session import Session

OFFLINE_ANSWERS: Final = 20
SLICE: Final = 1000
_REMEMBERED: Final = 512


class LabellingService:
    """One pool, one session, one annotator.

    Parameters
    ----------
    pool
        What is labelled.
    opened
        The session, open for work.
    settings
        What the app keeps beside the answers.
    annotator
        Who sits here.
    planning
        Fits questions to the person.
    notices
        What the person ought to know about the source.
    """

    def __init__(
        self,
        pool: Pool,
        opened: OpenSession,
        settings: SettingsFile,
        annotator: str,
        planning: AdaptivePlanning,
        notices: Sequence[str] = (),
    ) -> None:
        self.id = _identify(settings.folder)
        """Tells sessions apart: where this one lies, and what its first event is."""
        self.pool = pool
        self.settings = settings
        self.annotator = annotator
        self.planning = planning
        self.notices = tuple(notices)
        self.preparation: Preparation | None = None
        self.lock = threading.RLock()
        self.session: Session = opened.session
        self._opened = opened
        self._broken = False
        self._settled: OrderedDict[str, int] = OrderedDict()
        self._on_close: list[Callable[[], None]] = []
        self.planning.watch(self._opened)

    @property
    def method(self) -> Method:
        """How questions are chosen now."""
        return self._opened.method

    @property
    def names(self) -> Names:
        """What the labels are called."""
        return Names(self.settings.current.positive, self.settings.current.negative)

    @property
    def name_of_pool(self) -> str:
        """What the source is called."""
        return Path(self.settings.current.source).name or "pool"

    # --- asking -------------------------------------------------------------------------------

    def ask(self, tab: str, *, alone: bool = False) -> Asked | None:
        """The question this window looks at; the same one until it is answered.

        Parameters
        ----------
        tab
            The window.
        alone
            Whether no other window of this person is open: what they held returns to the pool.
        """
        with self._at_work():
            if alone:
                self.session.queue.leave(self.annotator, but_for=tab)
            self.planning.follow(self._opened)
            return self._ask(tab)

    def ahead(self, tab: str, question_id: int) -> NextQuestions:
        """What would be asked after each answer to a question, and after two."""
        with self._at_work():
            asked = self.session.history.asked.get(question_id)
            if asked is None or asked.annotator != self.annotator:
                raise Refused(f"Question {question_id} was not put to {self.annotator}.")
            return plan_ahead(self.session, self.annotator, question_id, OFFLINE_ANSWERS)

    # --- telling ------------------------------------------------------------------------------

    def tell(
        self,
        tab: str,
        question_id: int | None,
        question: Question,
        kind: str,
        wrong: Sequence[int],
        key: str,
        showing: Question | None = None,
        seconds: float | None = None,
    ) -> tuple[TellResult, Asked | None]:
        """Take an answer, durable when this returns; and the question that comes next.

        Parameters
        ----------
        tab
            The window.
        question_id
            The question's id; None if it was only prepared and has none yet.
        question
            What was asked, proved by its ticket.
        kind, wrong
            The answer; a pointed one says that the rest are right.
        key
            The same key again is the same answer.
        showing
            A prepared question that the window shows already: if that may still be asked, it is
            what comes next.
        seconds
            How long the person looked.
        """
        with self._at_work():
            answer = _answer(question, kind, wrong)
            told = self.session.tell(
                question_id, answer, key, self.annotator, tab=tab, seconds=seconds, then=showing
            )
            self.planning.note_answer(self.session, told.number)
            self.planning.follow(self._opened)
            return self._as_before(key, told), self._ask(tab)

    def unsure(self, tab: str, key: str, item: int, **said: Any) -> Asked | None:
        """Mark an item unsure; the rest of its question stays in place."""
        with self._at_work():
            looking = self.session.ask(self.annotator, tab)
            self.session.unsure(item, annotator=self.annotator, key=key, tab=tab, **said)
            if looking is not None and item in looking.question.items:
                rest = _without(looking.question, item)
                if rest is not None and undecided(self.session.state, rest):
                    self.session.queue.put(rest, self.annotator, tab)
            return self._ask(tab)

    def undo(self, tab: str, key: str, item: int | None = None) -> tuple[Asked | None, bool]:
        """Take back what this window said last and ask it again; whether there was anything.

        What other windows of the same person said stays: it was not this one's mistake.

        Parameters
        ----------
        tab
            The window.
        key
            The same key again is the same request.
        item
            One that is unsure, to be asked again whenever that was said; None for what was last.
        """
        with self._at_work():
            if item is not None:
                self._check_item(item)
                self.session.take_back(item, self.annotator, key)
                return self._ask(tab), True
            self.session.undo(self.annotator, tab, key, here=True)
            return self._ask(tab), self.session.history.keys.changed_something(key)

    def retract(self, answer: int, key: str) -> None:
        """Take any answer back."""
        with self._at_work():
            self.session.retract(answer, self.annotator, key)

    def correct(self, item: int, label: bool, key: str, tab: str = "") -> None:
        """A settled label is wrong: this is the right one."""
        with self._at_work():
            self._check_item(item)
            self.session.correct(item, label, self.annotator, key, tab=tab)

    # --- saying what is meant -----------------------------------------------------------------

    def define(self, text: str) -> None:
        """What the positive label means from now on; the same text only confirms it."""
        with self._at_work():
            definitions = self.session.history.definitions
            if not definitions or definitions[-1] != text:
                # Whatever was looked at before was judged by the old words. First, since a
                # definition that was stored could not be told from a new one by a second try.
                self.settings.change(reviewed=())
                self.session.define(text, self.annotator)
            self.settings.change(confirmed=True)

    def up_for_review(self) -> dict[int, list[Why]]:
        """Settled labels somebody should look at again, with the reasons.

        The lock is held for `SLICE` items at a time, so that nobody waits for all of them.
        """
        reviewed = set(self.settings.current.reviewed)
        found: dict[int, list[Why]] = {}
        for items in self.slices():
            with self.lock:
                found.update(up_for_review(self.session, items, reviewed))
        probs = self.session.probs.values
        if probs.min() == probs.max():  # what is believed of all alike is no guess
            found = {item: [one for one in why if one != "model"] for item, why in found.items()}
        return {item: why for item, why in found.items() if why}

    def slices(self) -> Iterator[range]:
        """All items, so few at a time that reading them with the lock keeps nobody waiting."""
        for first in range(0, len(self.pool), SLICE):
            yield range(first, min(first + SLICE, len(self.pool)))

    def name(self, positive: str, negative: str | None) -> None:
        """What the labels are called."""
        Names(positive, negative)
        with self.lock:
            self.settings.change(positive=positive, negative=negative)

    def pin(self, item: int, pinned: bool) -> None:
        """Keep an item in view as an example, or no longer."""
        with self.lock:
            self._check_item(item)
            others = [other for other in self.settings.current.pinned if other != item]
            self.settings.change(pinned=tuple([*others, item] if pinned else others))

    def mark_reviewed(self, items: Sequence[int]) -> None:
        """Note that these labels were looked at and stand."""
        with self.lock:
            for item in items:
                self._check_item(item)
            self.settings.change(reviewed=tuple(sorted({*self.settings.current.reviewed, *items})))

    def set_max_n(self, max_n: int | None) -> None:
        """The most items a question may show; None to let the planning choose."""
        with self._at_work():
            self.settings.change(max_n=max_n)
            self.planning.most = max_n
            self.planning.follow(self._opened)

    def note_export(self, format_: str) -> None:
        """Note that the labels were written to a file."""
        with self._at_work():
            self.session.exported({"format": format_}, self.annotator)

    # --- the end ------------------------------------------------------------------------------

    def at_close(self, call: Callable[[], None]) -> None:
        """Have this done when the service is closed."""
        self._on_close.append(call)

    def close(self) -> None:
        """Let go of everything; what was answered is safe already."""
        for call in reversed(self._on_close):
            call()
        self._on_close.clear()
        with self.lock:
            self._opened.close()

    # --- private ------------------------------------------------------------------------------

    @contextmanager
    def _at_work(self) -> Iterator[None]:
        """With the lock, and with a store that can be written to: opened again if it must be."""
        with self.lock:
            if self._broken:
                self._open_again()
            try:
                yield
                self.session.refresh()  # what is said next is said of now
            except NotWritten as failure:
                self._broken = self._broken or failure.reopen
                raise

    def _open_again(self) -> None:
        """Open the session from what is on disk, as after a restart."""
        self._opened.close()
        try:
            self._opened = open_session(folder=self.settings.folder)
        except InvalidInput as error:  # the folder is gone: the page keeps what it could not send
            folder = self.settings.folder
            raise NotWritten(
                f"Nothing can be stored while the session in {folder} cannot be opened; put the "
                f"folder back, or start askless again. ({error})",
                reopen=True,
            ) from error
        self._broken = False
        self.session = self._opened.session
        self.planning.watch(self._opened)
        trainer = None if self.preparation is None else self.preparation.trainer
        if trainer is not None:
            self.session.use(trainer=trainer)

    def _as_before(self, key: str, told: TellResult) -> TellResult:
        """The same reply to the same key, also about how much was settled."""
        if key in self._settled:
            return TellResult(told.number, self._settled[key], told.dispute)
        self._settled[key] = told.settled
        if len(self._settled) > _REMEMBERED:
            self._settled.popitem(last=False)
        return told

    def _ask(self, tab: str) -> Asked | None:
        asked = self.session.ask(self.annotator, tab)
        if asked is not None:
            self.planning.note_question(asked, self.session)
        return asked

    def _check_item(self, item: int) -> None:
        if not 0 <= item < len(self.pool):
            raise Refused(f"Items of this pool are 0 to {len(self.pool) - 1}; got {item}.")


def _identify(folder: Path) -> str:
    store = open_store(folder, write=False)
    try:
        first = next(iter(store.read()))
    finally:
        store.close()
    what = [str(folder.resolve()), first.at_s, first.payload]
    return hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()[:16]


def _answer(question: Question, kind: str, wrong: Sequence[int]) -> Answer:
    if kind == "pointed":
        if not wrong:
            raise InvalidInput("A pointed answer names the wrong items; got none. Say yes instead.")
        return question.pointed(wrong, rest_right=True)
    if wrong:
        raise InvalidInput(f"Only a pointed answer names wrong items; got a {kind} that does.")
    return question.yes() if kind == "yes" else question.no()


def _without(question: Question, item: int) -> Question | None:
    """The same question less one item; None if nothing is left."""
    kept = [(i, g) for i, g in zip(question.items, question.guess, strict=True) if i != item]
    if not kept:
        return None
    items, guess = zip(*kept, strict=True)
    return Question(items, guess, question.purpose)
