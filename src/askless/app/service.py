"""Where a pool, its session and a person meet.

A `LabellingService` does what the page asks for: the next question, an answer, a look back. A
session belongs to one thread at a time, so every method takes the service's lock; none of them
waits for anything but the disk. What the model needs is prepared elsewhere
(`askless.app.preparation`) and joins when it is ready; until then items are asked at random.
Tested in tests/web/test_labelling.py.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Literal

from askless.app.adaptive_planning import AdaptivePlanning
from askless.app.answering import read_answer
from askless.app.capacity import Capacity, WindowCapacities
from askless.app.given_model import GivenModel
from askless.app.mistakes import read_evidence
from askless.app.names import Names
from askless.app.plan_ahead import NextQuestions, plan_ahead
from askless.app.preparation import Preparation
from askless.app.review import HeldOutReader, Review, look_seconds, up_for_review, worth_at
from askless.app.settings import SettingsFile
from askless.app.showing import texts_of
from askless.assemble import Method, OpenSession, open_session
from askless.core.events import Asked
from askless.core.promise import Promise
from askless.core.question import Question
from askless.errors import InvalidInput, NotWritten, Refused
from askless.files.user_cache import PoolCache
from askless.folder.reading import session_id
from askless.history.projections import TellResult
from askless.seams import Pool
from askless.session.session import Session

Revision = Literal["positive", "negative", "unsure", "ask_again"]
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
        self.id = session_id(settings.folder)
        """Tells sessions apart: where this one lies, and what its first event is."""
        self.pool = pool
        self.settings = settings
        self.annotator = annotator
        self.planning = planning
        self.notices = tuple(notices)
        self.preparation: Preparation | GivenModel | None = None
        self.lock = threading.RLock()
        self.session: Session = opened.session
        self._opened = opened
        self._broken = False
        self._capacities = WindowCapacities(texts_of(pool), len(pool))
        planning.read(self._capacities.characters, self._capacities.sample)
        self._held_out = HeldOutReader()
        self._settled: OrderedDict[str, int] = OrderedDict()
        self._on_close: list[Callable[[], None]] = []
        self.cache = PoolCache(pool.checksums[: self.session.history.source.sizes[0]])
        """Where what can be made again from the items is kept."""
        self._watch()

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

    def note_capacity(self, tab: str, capacity: Capacity, *, refit: bool = False) -> None:
        """What a window can show in full from now on; `refit` what it holds, which is too much."""
        with self._at_work():
            self._capacities.note(tab, capacity)
            if refit:
                self.session.queue.refit(self.annotator, tab)

    def ask(self, tab: str, *, alone: bool = False) -> Asked | None:
        """The question this window looks at; the same one until it is answered.

        With `alone`, no other window of this person is open: what those held returns to the pool.
        """
        with self._at_work():
            if alone:
                self.session.queue.leave(self.annotator, but_for=tab)
            self._follow(tab)
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
            answer = read_answer(question, kind, wrong)
            told = self.session.tell(
                question_id, answer, key, self.annotator, tab=tab, seconds=seconds, then=showing
            )
            self.planning.note_answer(self.session, told.number)
            self._follow(tab)
            return self._as_before(key, told), self._ask(tab)

    def unsure(self, tab: str, key: str, item: int, **said: Any) -> Asked | None:
        """Mark an item unsure; the rest of its question stays in place."""
        with self._at_work():
            looking = self.session.ask(self.annotator, tab)
            self.session.unsure(item, annotator=self.annotator, key=key, tab=tab, **said)
            if looking is not None and item in looking.question.items and len(looking.question) > 1:
                rest = looking.question.about(i for i in looking.question.items if i != item)
                if rest.purpose != "audit":
                    self.session.queue.ask_again(rest, self.annotator, tab)
            return self._ask(tab)

    def undo(self, tab: str, key: str, step: int | None = None) -> tuple[Asked | None, bool]:
        """Take back what this window said last and ask it again; whether there was anything.

        What other windows of the same person said stays: it was not this one's mistake.

        Parameters
        ----------
        tab
            The window.
        key
            The same key again is the same request.
        step
            What is to be undone, as `revise` returned it: it is only if it came last. None for
            whatever came last.
        """
        with self._at_work():
            history = self.session.history
            if step is not None and key not in history.keys:
                latest = history.latest_of(self.annotator, tab)
                if latest not in (("answer", step), ("revision", step)):
                    raise Refused(
                        "Only what this window did last is undone in one step, and something "
                        "else came after this. Nothing has changed."
                    )
            self.session.undo(self.annotator, tab, key, here=True)
            return self._ask(tab), history.keys.changed_something(key)

    def retract(self, answer: int, key: str) -> None:
        """Take any answer back."""
        with self._at_work():
            self.session.retract(answer, self.annotator, key)

    def revise(
        self, tab: str, key: str, items: Sequence[int], what: Revision, note: str = ""
    ) -> int:
        """Change the labels of some items in one step, which one undo takes back; its number.

        Parameters
        ----------
        tab, key
            As for `undo`.
        items
            Which; all or none of them.
        what
            They have this label; or they are unsure; or they are asked again.
        note
            What to remember about unsure ones.
        """
        with self._at_work():
            if what == "unsure":
                return self.session.revise.mark_unsure(items, note, self.annotator, key, tab)
            if what == "ask_again":
                return self.session.revise.ask_again(items, self.annotator, key, tab)
            label = what == "positive"
            return self.session.correct(items, label, self.annotator, key, tab=tab).number

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

    def up_for_review(self, patience_s: float = 0.0) -> Review:
        """The labels to look at again; waits no longer than `patience_s` for the model."""
        with self.lock:
            history = self.session.history
            evidence, look_s = read_evidence(history, self.session.probs), look_seconds(history)
            reviewed = self.settings.current.reviewed
            made, worth = self.preparation, worth_at(self.method.wrong_label_s)
        columns = None if made is None else made.columns
        held_out, ready = self._held_out.read(columns, evidence, patience_s)
        return up_for_review(evidence, held_out, reviewed, look_s, worth, ready=ready)

    def ask_again(self, count: int) -> None:
        """Ask about so many of the annotator's labels again, drawn at random; one in three is."""
        with self._at_work():
            self.session.reask.want(self.annotator, count, every=3)

    def slices(self) -> Iterator[range]:
        """All items, so few at a time that the lock keeps nobody waiting."""
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
            self._check_item(*items)
            self.settings.change(reviewed=tuple(sorted({*self.settings.current.reviewed, *items})))

    def set_max_n(self, max_n: int | None) -> None:
        """The most items a question may show; None to let the planning choose."""
        with self._at_work():
            self.settings.change(max_n=max_n)
            self.planning.most = max_n
            self.planning.follow(self._opened)

    def set_promise(self, promise: Promise | None) -> None:
        """What is to hold of all labels before it is enough; None to label everything."""
        with self._at_work():
            self._opened.plan(self.method.replace(promise=promise))

    def note_export(self, format_: str) -> None:
        """Note that the labels were written to a file."""
        with self._at_work():
            self.session.exported({"format": format_}, self.annotator)

    # --- the end ------------------------------------------------------------------------------

    def at_close(self, call: Callable[[], None]) -> None:
        """Have this done when the service is closed."""
        self._on_close.append(call)

    def release(self) -> OpenSession:
        """Let go of everything but the session."""
        for call in reversed(self._on_close):
            call()
        self._on_close.clear()
        self.cache.close()
        return self._opened

    def close(self) -> None:
        """Let go of everything; what was answered is safe already."""
        opened = self.release()
        with self.lock:
            opened.close()

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
        self._watch()
        if self.preparation is not None and self.preparation.trainer is not None:
            self.session.use(trainer=self.preparation.trainer)

    def _watch(self) -> None:
        """Have the planning and the windows' capacities decide for the session that is open."""
        capacities, trim = self._capacities, self.planning.trim
        self.session.use(fit=lambda question, tab: trim(capacities.fit(question, tab)))
        self.planning.watch(self._opened)

    def _follow(self, tab: str) -> None:
        """Plan for the person and for the largest window they have open."""
        windows = {lease.asked.tab for lease in self.session.queue.leases}
        self.planning.fit = self._capacities.worth_planning({tab, *windows})
        self.planning.follow(self._opened)

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

    def _check_item(self, *items: int) -> None:
        if wrong := [item for item in items if not 0 <= item < len(self.pool)]:
            raise Refused(f"Items of this pool are 0 to {len(self.pool) - 1}; got {wrong[0]}.")
