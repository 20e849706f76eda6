"""One pool from the first question to the last.

    asked = session.ask("ann")                       # a question nobody else is looking at
    session.tell(asked.id, asked.question.yes(), key="...")   # durable when it returns

Every change is an event. A method decides whether it may happen, stores it, and only
then believes it (`Record.apply`); if storing fails, nothing has changed. What the session works
with it is given: a store, a planner, probabilities, a clock, a trainer.

Nobody waits. `prepare` plans the next question for both answers while the person is still
looking; `tell` then commits the answer and the next question together, and `ask` returns it.
The trainer works elsewhere; `refresh` takes its newest probabilities when there are some.

A session belongs to one thread at a time; a server takes a lock. Tested in tests/session.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from askless.core.event import Event
from askless.core.event import Kind as EventKind
from askless.core.question import Answer, Question
from askless.errors import Refused
from askless.session import deciding
from askless.session.asking import Asking
from askless.session.correcting import change_for
from askless.session.labels import Labelled, labelled
from askless.session.manners import Manners
from askless.session.progress import Progress
from askless.session.record import Asked, Told

__all__ = ["Manners", "Session"]


class Session(Asking):
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
    manners
        How to behave.
    checkpoint
        The trainer's newest, to go on with; None for none.
    method
        How questions are chosen, in plain JSON values, to be stored when the session begins. It is
        stored and given back (`Record.method`), never read.
    """

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
    ) -> Told:
        """Take an answer; it is durable when this returns.

        Parameters
        ----------
        question_id
            The id `ask` gave. None for a question that was handed out ahead of time and answered
            before anybody asked for it: the caller vouches that it was, and it is stored with
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
        events: list[Event] = []
        if question_id is None:
            number = self._log.next_number
            asked = deciding.foretold(self._record, answer, key, annotator, tab, number)
            if asked.id == number:
                events.append(self._asking(asked.question, asked.annotator, tab))
        else:
            asked = deciding.asked_of(self._record, question_id, annotator)
        if deciding.done_before(self._record, key, ("tell", asked.id, answer)):
            return Told(self._record.by_key[key], 0)
        deciding.check_answer(self._record, asked, answer)
        body = deciding.answered(asked, answer, seconds)
        kind: EventKind = "answered" if asked.question.purpose == "label" else "audited"
        events.append(self._log.event(kind, asked.annotator, body, key))
        following = self._following(asked, answer, then, len(events) - 1)
        if following is not None:
            events.append(following)
        before, disputes = self.state.n_settled, len(self._record.disputes)
        stored = self._log.commit(*events)
        if self._leases.by_id(asked.id) is not None:
            self._leases.release(asked.annotator, asked.tab)
        if following is not None:
            shown = self._record.asked[stored[-1].number]
            self._leases.grant(shown, self._clock.steady_s())
        self._teach()
        clash = self._record.disputes[-1] if len(self._record.disputes) > disputes else None
        return Told(self._record.by_key[key], self.state.n_settled - before, clash)

    def unsure(
        self,
        item: int,
        note: str = "",
        annotator: str = "",
        key: str | None = None,
        *,
        tab: str = "",
    ) -> None:
        """Set an item aside: it gets no label and proves nothing. Again: note something else."""
        item = deciding.item_of(self.state, item)
        if not isinstance(note, str):
            raise Refused(f"A note is text; got {note!r:.80}.")
        if deciding.done_before(self._record, key, ("unsure", annotator, item, note)):
            return
        if key is None and self._record.notes.get(item) == note:
            return  # nothing to say; with a key, that is to be remembered
        body = {"item": item, "note": note, **({"tab": tab} if tab else {})}
        self._log.commit(self._log.event("unsure", annotator, body, key))
        self._teach()

    def take_back(self, item: int, annotator: str = "", key: str | None = None) -> None:
        """Ask about an item again that was set aside, whoever did it.

        Raises
        ------
        Refused
            It is not set aside.
        """
        item = deciding.item_of(self.state, item)
        if deciding.done_before(self._record, key, ("take_back", annotator, item)):
            return
        if not self.state.is_unsure(item):
            raise Refused(f"Only what is set aside can be taken back; item {item} is not.")
        body = {"item": item, "undo": False}
        self._log.commit(self._log.event("taken_back", annotator, body, key))
        self._teach()

    def undo(
        self, annotator: str, tab: str = "", key: str | None = None, *, here: bool = False
    ) -> Asked | None:
        """Take back the annotator's latest answer, and put its question to them again.

        Returns the question, or what there is to ask instead if others have answered it.
        Nothing to undo is no error. The same `key` again undoes nothing more, whether it found
        something or not.

        Parameters
        ----------
        annotator
            Whose answer.
        tab
            The window to put the question to.
        key
            Made up by the caller for this.
        here
            Whether only what was said in this window is taken back.
        """
        if deciding.done_before(self._record, key, ("undo", annotator)):
            return self.ask(annotator, tab)
        latest = self._record.latest_of(annotator, tab if here else None)
        if latest is None:
            self._nothing_to_do(annotator, key, {"undo": True})
            return self.ask(annotator, tab)
        what, which = latest
        body: dict[str, Any]
        if what == "unsure":
            body = {"item": which, "undo": True}
            self._log.commit(self._log.event("taken_back", annotator, body, key))
            self._teach()
            return self.ask(annotator, tab)
        given = self._record.answers[which]
        body = {"answer": which, "undo": True}
        if given.replaces:
            body["reinstates"] = list(given.replaces)
        self._log.commit(self._log.event("retracted", annotator, body, key))
        self._teach()
        question = given.answer.question
        taken = self._leases.taken(annotator, tab)
        if given.corrects is None and deciding.may_be_asked(self.state, question, taken):
            return self._hand_out(question, annotator, tab)
        return self.ask(annotator, tab)

    def retract(self, answer: int, annotator: str = "", key: str | None = None) -> None:
        """Take any answer back; the state is then that of a replay without it."""
        if deciding.done_before(self._record, key, ("retract", annotator, answer)):
            return
        if not self._record.stands(answer):
            raise Refused(f"Only an answer that stands can be retracted; answer {answer} does not.")
        self._log.commit(self._log.event("retracted", annotator, {"answer": answer}, key))
        self._teach()

    def correct(
        self, item: int, label: bool, annotator: str, key: str | None = None, *, tab: str = ""
    ) -> Told:
        """Give an item this label, whatever was answered before; other labels stay.

        The answers that say otherwise are retracted and said again but for this item, all in one
        commit (`askless.session.correcting`). `undo` brings them back.

        Raises
        ------
        Refused
            There is no such item, or it is set aside.
        """
        item, label = deciding.item_of(self.state, item), bool(label)
        if deciding.done_before(self._record, key, ("correct", annotator, item, label)):
            number = self._record.by_key[str(key)]
            return Told(self._record.idle.get(number, number), 0)
        if self.state.is_unsure(item):
            raise Refused(f"Item {item} is set aside and has no label; undo that first.")
        if (why := self.state.provenance(item)) and self.state.label(item) is label:
            stands = max(why.answers)
            about = {"corrects": item, "label": label, "stands": stands}
            self._nothing_to_do(annotator, key, about)
            return Told(stands, 0)
        change = change_for(self.state, item, label)
        shown = {**self._beliefs.name(), **({"tab": tab} if tab else {})}
        bodies = change.payloads(self._log.next_number, shown)
        events = [self._log.event(kind, annotator, body) for kind, body in bodies]
        events[-1] = replace(events[-1], key=key)
        before = self.state.n_settled
        stored = self._log.commit(*events)
        self._teach()
        return Told(stored[-1].number, self.state.n_settled - before)

    def define(self, text: str, annotator: str = "", key: str | None = None) -> None:
        """Say what a True label means, from now on; answers know which definition they had."""
        if not deciding.done_before(self._record, key, ("define", annotator, text)):
            self._log.commit(self._log.event("defined", annotator, {"text": text}, key))

    def exported(
        self, what: Mapping[str, Any], annotator: str = "", key: str | None = None
    ) -> None:
        """Note that labels were written somewhere."""
        request = ("exported", annotator, dict(what))
        if not deciding.done_before(self._record, key, request):
            self._log.commit(self._log.event("exported", annotator, dict(what), key))

    def labels(self, items: Iterable[int] | None = None) -> Iterator[Labelled]:
        """Every item, or these, with label and why it is final, or what is believed until then."""
        return labelled(self._record, self.probs, items)

    def progress(self) -> Progress:
        """How far it is and how long it may take."""
        return self._meter.read(
            self._record, self.probs, self._chooser.planner, self._beliefs.version
        )

    def _nothing_to_do(self, annotator: str, key: str | None, about: Mapping[str, Any]) -> None:
        """Keep the key of a request that changes nothing: sent again, it must not change more."""
        if key is not None:
            body = {"answer": None, **about}
            self._log.commit(self._log.event("retracted", annotator, body, key))
