"""One pool from the first question to the last.

    asked = session.ask("ann")                       # a question nobody else is looking at
    session.tell(asked.id, asked.question.yes(), key="...")   # durable when it returns

Every change is an event. A method decides whether it may happen, stores it, and only then believes
it (`History.apply`); if storing fails, nothing has changed. What the session works with it is
given: a store, a planner, probabilities, a clock, a trainer.

Nobody waits. `queue.plan_ahead` plans the next question for both answers while the person is still
looking; `tell` then commits the answer and the next question together, and `ask` returns it.
The trainer works elsewhere; `refresh` takes its newest probabilities when there are some.

A session belongs to one thread at a time; a server takes a lock. Tested in tests/session.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from askless.core.content import Content
from askless.core.events import (
    Answered,
    Asked,
    Audited,
    Defined,
    Exported,
    Planned,
    Retracted,
    TakenBack,
    Unsure,
    correct_request,
    undo_request,
)
from askless.core.probability import Probs
from askless.core.question import Answer, Question
from askless.core.state import State
from askless.errors import Refused
from askless.seams import Calibrator, Checkpoint, Clock, Planner, Schedule, Store, Trainer
from askless.session.correcting import change_for
from askless.session.current_probs import ProbsInUse
from askless.session.history import History, TellResult
from askless.session.labels import Labelled, labelled
from askless.session.log import Log
from askless.session.options import SessionOptions
from askless.session.progress import Progress, ProgressMeter
from askless.session.question_queue import QuestionQueue
from askless.session.validation import (
    check_answer,
    check_asked,
    check_content,
    check_item,
    check_seconds,
    check_unstored,
)

__all__ = ["Session", "SessionOptions"]


class Session:
    """Ask, tell, undo.

    Parameters
    ----------
    store
        Keeps the events; what it already holds is taken up.
    opening
        What identifies the pool: at least ``n``; must equal what the store was opened with.
    planner
        Chooses questions.
    probs
        What it was opened with: P(label is True) before anything was asked.
    clock
        Tells the time.
    trainer
        Makes better probabilities in the background; None for fixed ones.
    calibrator
        Corrects probabilities by what is known so far; None to take them as they are.
    schedule
        Says which items to ask about first; None to let the planner choose.
    options
        How to behave.
    checkpoint
        The trainer's newest, to go on with; None for none.
    method
        How questions are chosen, in JSON values: stored when the session begins, never read here.
    history
        The fold of what the store holds, if there is one; None to make it.
    """

    def __init__(
        self,
        store: Store,
        opening: Mapping[str, Any],
        planner: Planner,
        probs: Probs,
        clock: Clock,
        *,
        trainer: Trainer | None = None,
        calibrator: Calibrator | None = None,
        schedule: Schedule | None = None,
        options: SessionOptions | None = None,
        checkpoint: Checkpoint | None = None,
        method: Mapping[str, Any] | None = None,
        history: History | None = None,
    ) -> None:
        if len(probs) != opening["n"]:
            raise Refused(
                f"A session needs one probability per item; got {len(probs)} for "
                f"{opening['n']} items."
            )
        self._log = Log(store, opening, clock, method, history)
        self._history = self._log.history
        self._probs = ProbsInUse(self._log, probs, trainer, calibrator, schedule, checkpoint)
        self._queue = QuestionQueue(
            self._log, self._probs, planner, options or SessionOptions(), clock
        )
        self._meter = ProgressMeter(len(probs))

    # --- reading ------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """What the answers imply."""
        return self._history.state

    @property
    def probs(self) -> Probs:
        """The probabilities questions are planned with."""
        return self._probs.probs

    @property
    def calibrator(self) -> Calibrator | None:
        """What corrects the probabilities by what is known; None if nothing does."""
        return self._probs.calibrator

    @property
    def queue(self) -> QuestionQueue:
        """Who is looking at what; plans ahead, and puts questions that were shown already."""
        return self._queue

    @property
    def history(self) -> History:
        """Everything that has happened; for reading only."""
        return self._history

    def labels(self, items: Iterable[int] | None = None) -> Iterator[Labelled]:
        """Every item, or these, with label and why it is final, or what is believed until then."""
        return labelled(self._history, self.probs, items)

    def progress(self) -> Progress:
        """How far it is and how long it may take; O(1)."""
        return self._meter.read(self._history, self.probs, self._queue.planner, self._probs.version)

    # --- going on with other parts ------------------------------------------------------------

    def use(
        self,
        *,
        planner: Planner | None = None,
        trainer: Trainer | None = None,
        calibrator: Calibrator | None = None,
    ) -> None:
        """Go on with other parts, which are not stored; what is leased stays so."""
        if planner is not None:
            self._queue.use_planner(planner)
        if trainer is not None:
            self._probs.use_trainer(trainer)
        if calibrator is not None:
            self._probs.calibrator = calibrator

    def replan(self, planner: Planner, method: Mapping[str, Any]) -> None:
        """Go on with another planner, and store how it was made (`History.method`)."""
        self._log.commit(self._log.event(Planned(method)))
        self.use(planner=planner)

    def refresh(self) -> bool:
        """Bring the probabilities up to date; whether the trainer had newer ones."""
        return self._probs.refresh()

    # --- asking -------------------------------------------------------------------------------

    def ask(self, annotator: str, tab: str = "") -> Asked | None:
        """The question to put to this window now; None when no open item is free.

        The same window gets the same question until it answers, so a reload loses nothing.
        """
        return self._queue.ask(annotator, tab)

    # --- telling ------------------------------------------------------------------------------

    def tell(
        self,
        question_id: int | None,
        answer: Answer,
        key: str,
        annotator: str | None = None,
        *,
        tab: str = "",
        seconds: float | None = None,
        then: Question | None = None,
    ) -> TellResult:
        """Take an answer; it is durable when this returns.

        Parameters
        ----------
        question_id
            The id `ask` gave. None for a question that was planned ahead and answered before
            anybody asked for it: the caller vouches that it was shown, and it is stored with
            its answer.
        answer
            The answer to exactly that question.
        key
            Made up by the caller for this answer. The same key again is the same answer: nothing
            happens twice.
        annotator
            Who answers, if that is known; must be who was asked.
        tab
            Which window answers; only without `question_id`, otherwise that is known.
        seconds
            How long the person looked, if somebody measured it.
        then
            What the person sees next already; it becomes the window's question, in the same
            commit, if it may still be asked.

        Raises
        ------
        Refused
            Nobody was asked this, or it was somebody else, or it has another answer already.
        """
        if not isinstance(key, str):
            raise Refused(f"An answer needs a key, so that it counts once; got {key!r:.80}.")
        history, events = self._history, []
        if question_id is None:
            number = self._log.next_number
            asked = check_unstored(history, answer, key, annotator, tab, number)
            if asked.id == number:
                events.append(self._queue.asking(asked.question, asked.annotator, tab))
        else:
            asked = check_asked(history, question_id, annotator)
        kind = Answered if asked.question.purpose == "label" else Audited
        content = kind(asked.id, answer, check_seconds(seconds))
        if self._log.repeats(key, *content.requests(asked.annotator)):
            return TellResult(history.keys.event_of(key), 0)
        check_answer(history, asked, answer)
        events.append(self._log.event(content, asked.annotator, key))
        following = self._queue.asking_next(asked, answer, then, len(events) - 1)
        if following is not None:
            events.append(following)
        settled, disputes = self.state.n_settled, len(history.disputes)
        stored = self._log.commit(*events)
        self._queue.release(asked)
        if following is not None:
            self._queue.lease(stored[-1].number)
        self._probs.teach()
        clash = history.disputes[-1] if len(history.disputes) > disputes else None
        return TellResult(history.keys.event_of(key), self.state.n_settled - settled, clash)

    def unsure(
        self,
        item: int,
        note: str = "",
        annotator: str = "",
        key: str | None = None,
        **more: Any,
    ) -> None:
        """Mark an item unsure: it gets no label and proves nothing. Again: say something else.

        Parameters
        ----------
        item
            Which.
        note
            What to remember about it.
        annotator
            Who marks it.
        key
            Made up by the caller for this.
        more
            Other fields of `askless.core.events.Unsure`, such as `tab`, the window.
        """
        said_now = {"item": check_item(self.state, item), "note": note, **more}
        content = check_content(Unsure, said_now)
        said = self._history.unsure.get(content.item)
        if key is None and said is not None and said.requests("") == content.requests(""):
            return  # nothing to say; with a key, that is to be remembered
        self._do(content, annotator, key)

    def take_back(self, item: int, annotator: str = "", key: str | None = None) -> None:
        """Ask about an unsure item again, whoever marked it.

        Raises
        ------
        Refused
            It is not unsure.
        """
        content = TakenBack(check_item(self.state, item), undo=False)
        if self._log.repeats(key, *content.requests(annotator)):
            return
        if not self.state.is_unsure(content.item):
            raise Refused(f"Only an unsure item can be taken back; item {item} is not unsure.")
        self._do(content, annotator, key)

    def undo(
        self, annotator: str, tab: str = "", key: str | None = None, *, here: bool = False
    ) -> Asked | None:
        """Undo what the annotator did last: retract the answer, or take the unsure item back.

        Returns the question of that answer, asked again, or what there is to ask instead if others
        have answered it. Nothing to undo is no error. The same `key` again undoes nothing more,
        whether it found something or not.

        Parameters
        ----------
        annotator
            Whose answer.
        tab
            The window to put the question to.
        key
            Made up by the caller for this.
        here
            Whether only what was said in this window is undone.
        """
        if self._log.repeats(key, undo_request(annotator)):
            return self.ask(annotator, tab)
        latest = self._history.latest_of(annotator, tab if here else None)
        if latest is None:
            if key is not None:
                self._do(Retracted(None, undo=True), annotator, key)
            return self.ask(annotator, tab)
        what, which = latest
        given = self._history.answer(which) if what == "answer" else None
        if given is None:
            self._do(TakenBack(which, undo=True), annotator, key)
            return self.ask(annotator, tab)
        self._do(Retracted(which, undo=True, reinstates=given.replaces), annotator, key)
        question = given.answer.question
        if given.corrects is None and self._queue.may_put(question, annotator, tab):
            return self._queue.hand_out(question, annotator, tab)
        return self.ask(annotator, tab)

    def retract(self, answer: int, annotator: str = "", key: str | None = None) -> None:
        """Retract any answer; the state is then that of a replay without it."""
        content = check_content(Retracted, {"answer": answer})
        if self._log.repeats(key, *content.requests(annotator)):
            return
        if not self._history.stands(answer):
            raise Refused(f"Only an answer that stands can be retracted; answer {answer} does not.")
        self._do(content, annotator, key)

    def correct(
        self, item: int, label: bool, annotator: str, key: str | None = None, *, tab: str = ""
    ) -> TellResult:
        """Give an item this label, whatever was answered before; other labels stay.

        The answers that say otherwise are retracted and said again but for this item, all in one
        commit (`askless.session.correcting`). `undo` brings them back.

        Raises
        ------
        Refused
            There is no such item, or it is unsure.
        """
        item, label = check_item(self.state, item), bool(label)
        if self._log.repeats(key, correct_request(annotator, item, label)):
            return TellResult(self._history.keys.answer_of(str(key)), 0)
        if self.state.is_unsure(item):
            raise Refused(f"Item {item} is unsure and has no label; take that back first.")
        if (why := self.state.provenance(item)) and self.state.label(item) is label:
            stands = max(why.answers)
            if key is not None:
                noop = Retracted(None, corrects=item, label=label, stands=stands)
                self._do(noop, annotator, key)
            return TellResult(stands, 0)
        change = change_for(self.state, item, label)
        asked = Asked(change.answer.question, *self._probs.versions(), tab=tab)
        *before, answered = change.contents(self._log.next_number, asked)
        events = [self._log.event(content, annotator) for content in before]
        settled = self.state.n_settled
        stored = self._log.commit(*events, self._log.event(answered, annotator, key))
        self._probs.teach()
        return TellResult(stored[-1].number, self.state.n_settled - settled)

    def define(self, text: str, annotator: str = "", key: str | None = None) -> None:
        """Say what a True label means, from now on; answers know which definition they had."""
        self._do(check_content(Defined, {"text": text}), annotator, key)

    def exported(
        self, what: Mapping[str, Any], annotator: str = "", key: str | None = None
    ) -> None:
        """Note that labels were written somewhere."""
        self._do(Exported(what), annotator, key)

    def _do(self, content: Content, annotator: str, key: str | None) -> None:
        """Store one event, unless its key came with the same request before."""
        if not self._log.repeats(key, *content.requests(annotator)):
            self._log.commit(self._log.event(content, annotator, key))
            self._probs.teach()
