"""One pool from the first question to the last.

    asked = session.ask("ann")                       # a question nobody else is looking at
    session.tell(asked.id, asked.question.yes(), key="...")   # durable when it returns

Every change is an event. A method decides whether it may happen, stores it, and only then believes
it (`History.take`); if storing fails, nothing has changed. What the session works with it is
given: a store, a planner, probabilities, a clock, a trainer.

Nobody waits. `queue.plan_ahead` plans the next question for both answers while the person is still
looking; `tell` then commits the answer and the next question together, and `ask` returns it.
The trainer works elsewhere; `refresh` takes its newest probabilities when there are some.

A session belongs to one thread at a time; a server takes a lock. Tested in tests/session.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from askless.certificates.policy import Freeze, Policy
from askless.certificates.standing import Standing
from askless.core.content import Content
from askless.core.event import Event
from askless.core.events import (
    Asked,
    Defined,
    Exported,
    Planned,
    Retracted,
    TakenBack,
    Unsure,
    undo_request,
)
from askless.core.probability import Probs
from askless.core.promise import Promise
from askless.core.question import Answer, Question
from askless.core.state import State
from askless.errors import Refused
from askless.history.history import History
from askless.history.labels import Labelled, labelled
from askless.history.projections import TellResult
from askless.seams import Calibrator, Checkpoint, Clock, Fit, Planner, Schedule, Store, Trainer
from askless.session.certifying import Certifier
from askless.session.current_probs import ProbsInUse
from askless.session.log import Log
from askless.session.options import SessionOptions
from askless.session.progress import Progress, ProgressMeter
from askless.session.question_queue import QuestionQueue
from askless.session.reasking import Reasker
from askless.session.revising import Reviser, question_marked
from askless.session.telling import Teller
from askless.session.validation import check_content, check_item

__all__ = ["Session", "SessionOptions"]


class Session:
    """Ask, tell, undo.

    Parameters
    ----------
    store
        Keeps the events; what it already holds is taken up. None to keep them in memory alone.
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
    policy
        Decides when to learn, settle, freeze and check, for a promise; None without one.
    history
        The fold of what the store holds, if there is one; None to make it.
    """

    def __init__(
        self,
        store: Store | None,
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
        policy: Policy | None = None,
        history: History | None = None,
    ) -> None:
        n = opening["n"] if history is None else history.state.n
        if len(probs) != n:
            raise Refused(
                f"A session needs one probability per item; got {len(probs)} for {n} items."
            )
        options = options or SessionOptions()
        self._log = Log(store, opening, clock, method, history)
        self._history = self._log.history
        self._probs = ProbsInUse(self._log, probs, trainer, calibrator, schedule, checkpoint)
        self._certifier = Certifier(self._log, self._probs, policy)
        self.reask = Reasker(self._log)
        """Asks people again about labels they gave, and says what that has shown."""
        self._queue = QuestionQueue(
            self._log, self._probs, planner, options, clock, self._certifier, self.reask
        )
        self._teller = Teller(self._log, self._probs, self._queue)
        self.revise = Reviser(self._log, self._probs)
        """Steps that change the labels of several items at once."""
        self._meter = ProgressMeter(options, self._history.source.sizes)

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
    def queue(self) -> QuestionQueue:
        """Who is looking at what; plans ahead, and puts questions that were shown already."""
        return self._queue

    @property
    def history(self) -> History:
        """Everything that has happened; for reading only."""
        return self._history

    def events_in_memory(self) -> list[Event]:
        """Everything that happened, where no store keeps it; to be written to one after all."""
        return self._log.events_in_memory()

    def labels(self, items: Iterable[int] | None = None) -> Iterator[Labelled]:
        """Every item, or these, with its label and how it was settled, and what is believed."""
        return labelled(self._history, self.probs, items)

    def progress(self) -> Progress:
        """How far it is and how long it may take."""
        queue, version = self._queue, self._probs.version
        held = queue.held_test_items()
        return self._meter.read(self._history, self.probs, queue.planner, version, held)

    def standing(self) -> Standing | None:
        """How far it is from what is promised; None if nothing is."""
        return self._certifier.standing()

    # --- going on with other parts ------------------------------------------------------------

    def use(
        self,
        *,
        planner: Planner | None = None,
        trainer: Trainer | None = None,
        calibrator: Calibrator | None = None,
        fit: Fit | None = None,
        policy: Policy | None = None,
    ) -> None:
        """Go on with other parts, which are not stored; what is leased stays so."""
        if planner is not None:
            self._queue.use_planner(planner)
        if trainer is not None:
            self._probs.use_trainer(trainer)
        if calibrator is not None:
            self._probs.calibrator = calibrator
        if fit is not None:
            self._queue.fit = fit
        if policy is not None:
            self._certifier.use_policy(policy)

    def promise_nothing(self) -> None:
        """Ask ordinary questions alone from now on; what a claim in force proves is still said."""
        self._certifier.promise_nothing()

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

    def freeze(self, promise: Promise, wanted: Freeze) -> int:
        """Claim the guesses of all open items, and check them from now on; its event's number.

        Raises
        ------
        Refused
            No item is open, or that is no claim.
        """
        return self._certifier.freeze(promise, wanted)

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
        return self._teller.tell(question_id, answer, key, annotator, tab, seconds, then)

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

        Returns the question of that answer, or the one that the item was in, asked again, or what
        there is to ask instead if others have answered it. Nothing to undo is no error. The same
        `key` again undoes nothing more, whether it found something or not.

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
        requests = (undo_request(annotator, tab), undo_request(annotator, None))
        if self._log.repeats(key, *requests):
            return self.ask(annotator, tab)
        latest = self._history.latest_of(annotator, tab if here is True else None)
        if latest is None:
            if key is not None:
                self._do(Retracted(None, undo=True, tab=tab), annotator, key)
            return self.ask(annotator, tab)
        what, which = latest
        if what == "revision":
            self.revise.undo(which, annotator, key, tab)
            return self.ask(annotator, tab)
        given = self._history.answer(which) if what == "answer" else None
        if given is None:
            question = question_marked(self._history, which)
            self._do(TakenBack(which, undo=True, tab=tab), annotator, key)
        else:
            question = given.answer.question if given.corrects is None else None
            back = given.replaces
            self._do(Retracted(which, undo=True, reinstates=back, tab=tab), annotator, key)
        return self._queue.ask_again(question, annotator, tab)

    def retract(self, answer: int, annotator: str = "", key: str | None = None) -> None:
        """Retract any answer, as if it had not come: what a correction replaced stands again."""
        content = check_content(Retracted, {"answer": answer})
        if self._log.repeats(key, *content.requests(annotator)):
            return
        given = self._history.answer(answer)
        if given is None or not self._history.stands(answer):
            raise Refused(f"Only an answer that stands can be retracted; answer {answer} does not.")
        back = () if given.corrects is None else given.replaces
        self._do(Retracted(answer, reinstates=back), annotator, key)

    def correct(
        self,
        items: int | Sequence[int],
        label: bool,
        annotator: str,
        key: str | None = None,
        *,
        tab: str = "",
    ) -> TellResult:
        """Give an item, or several, this label, whatever was answered before; other labels stay.

        The answers that say otherwise are retracted and said again but for these items, all in
        one commit (`askless.session.correcting`). `undo` brings them back.

        Raises
        ------
        Refused
            There is no such item, or one is unsure; nothing has changed.
        """
        return self.revise.correct(items, label, annotator, key, tab)

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
