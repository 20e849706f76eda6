"""What the application knows, in the form the page gets it.

Imported by `askless.web.routes` and `browsing`. Tested in tests/web/test_labelling.py.
"""

from __future__ import annotations

import math
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from askless.app.capacity import LONGEST
from askless.app.enough import bound_of, wants_marks
from askless.app.plan_ahead import NextQuestions
from askless.app.service import OFFLINE_ANSWERS, LabellingService
from askless.app.settings import AppSettings
from askless.app.showing import facts_of, text_of
from askless.app.statistics import audits, seconds_per_label
from askless.core.events import Asked
from askless.core.question import Question
from askless.pools import OpenedPool
from askless.session.progress import Range
from askless.web import replies
from askless.web.tickets import Tickets

_KINDS: Final[tuple[replies.AnswerKind, ...]] = ("yes", "no", "pointed")
_LONGEST_ALONE: Final = 20_000
"""So many characters of a text are sent if it is asked alone; the rest with the full view."""


def item(service: LabellingService, index: int, longest: int | None = LONGEST) -> replies.Item:
    """One item; the text cut to so many characters, None for all of it."""
    return replies.Item(**fields_of(service, index, longest))


class Views:
    """What the page gets from one service.

    Its public methods take the service's lock, each once.

    Parameters
    ----------
    service
        What is shown.
    tickets
        Signs the questions.
    command
        How askless was started, for a page that is left without a server.
    """

    def __init__(self, service: LabellingService, tickets: Tickets, command: str) -> None:
        self._service, self._tickets, self._command = service, tickets, command
        self._latest: tuple[object, replies.Progress] | None = None

    def asking(self, asked: Asked | None) -> dict[str, Any]:
        """The question to look at now, and where the session stands: fields of `AskReply`."""
        with self._service.lock:
            return {
                "question": None if asked is None else self._question(asked.question, asked.id),
                "done": self._service.session.state.done,
                "progress": self._progress(),
            }

    def ahead(self, found: NextQuestions) -> replies.Ahead:
        """What may come."""

        def after(path: str) -> dict[str, replies.Question]:
            paths = {kind: f"{path}{kind}" for kind in _KINDS if f"{path}{kind}" in found.paths}
            return {kind: self._question(found.paths[at]) for kind, at in paths.items()}

        with self._service.lock:
            return replies.Ahead(
                **after(""),
                ahead={
                    kind: replies.Branches(**after(f"{kind} "))
                    for kind in _KINDS
                    if kind in found.paths
                },
                spare=[self._question(what) for what in found.spare],
                wait=found.wait,
            )

    def progress(self) -> replies.Progress:
        """Where the session stands; the same object as before if nothing has changed."""
        with self._service.lock:
            return self._progress()

    def session(self) -> replies.SessionView:
        """What the page needs to know once."""
        service = self._service
        with service.lock:
            settings, pool = service.settings.current, service.pool
            definitions = service.session.history.definitions
            return replies.SessionView(
                id=service.id,
                name=service.name_of_pool,
                kind=pool.kind,
                folder=bool(settings.source) and Path(settings.source).is_dir(),
                items=service.session.progress().items,
                labels_given=service.session.progress().given,
                positive=_name(service, True),
                negative=_name(service, False),
                positive_given=settings.positive != AppSettings().positive
                or (isinstance(pool, OpenedPool) and pool.label_names[0] == settings.positive),
                negative_given=settings.negative is not None,
                definition=definitions[-1] if definitions else "",
                definition_version=len(definitions),
                definition_confirmed=settings.confirmed,
                pinned=[
                    replies.PinnedItem(**fields_of(service, index), label=_label(service, index))
                    for index in settings.pinned
                    if index < len(pool) and index not in service.session.history.source.gone
                ],
                max_n=settings.max_n,
                done=service.session.state.done,
                annotator=service.annotator,
                channel=service.method.channel,
                offline_answers=OFFLINE_ANSWERS,
                unreadable=list(pool.unreadable[:1000]),
                duplicates=sum(len(copies) for copies in pool.copies.values()),
                notices=list(service.notices),
                command=self._command,
            )

    # --- with the lock ------------------------------------------------------------------------

    def _question(self, asked: Question, question_id: int | None = None) -> replies.Question:
        """One question; an audit looks like any other, also among those that are drawn."""
        service, guess = self._service, asked.guess[0] == 1
        before, name, after = service.names.sentence(guess, len(asked))
        longest = LONGEST if len(asked) > 1 else _LONGEST_ALONE
        return replies.Question(
            id=question_id,
            ticket=self._tickets.sign(asked, service.annotator),
            guess=guess,
            sentence=replies.Sentence(before=before, name=name, after=after),
            items=[item(service, index, longest) for index in asked.items],
            learning=service.planning.learning,
            drawn=service.session.progress().draws_left > 0
            and service.session.queue.in_test_sample(asked),
            marks=wants_marks(service, asked),
        )

    def _progress(self) -> replies.Progress:
        """The progress; computed once, however many ask, until something it depends on changes."""
        service, session = self._service, self._service.session
        held = session.queue.held_test_items()
        stamp = session.history.last, session.probs.version, service.method, trainer(service), held
        if self._latest is None or self._latest[0] != stamp:
            self._latest = stamp, _progress(service)
        return self._latest[1]


def _name(service: LabellingService, label: bool) -> replies.NameOfLabel:
    names = service.names
    return replies.NameOfLabel(
        one=names.one(label), many=names.many(label), given_one=names.given_one(label)
    )


def _label(service: LabellingService, item: int) -> bool | None:
    label = service.session.state.label(item)
    return None if label is None else label == 1


def _progress(service: LabellingService) -> replies.Progress:
    session, planning = service.session, service.planning
    now = session.progress()
    return replies.Progress(
        items=now.items,
        settled=now.settled,
        open=now.open,
        unsure=now.unsure,
        gone=now.gone,
        answers={kind: now.answers.get(kind, 0) for kind in _KINDS},
        labels_per_answer=now.labels_per_answer,
        seconds_per_label=seconds_per_label(session.history, session.state.n_settled),
        draws_left=now.draws_left,
        questions_left=_span(now.questions_left),
        minutes_left=_span(now.seconds_left, 60.0),
        positives=now.positives,
        negatives=now.negatives,
        disputes=now.disputes,
        audits=audits(session.history),
        model=replies.Model(
            learning=planning.learning,
            accuracy=planning.accuracy,
            commoner_share=planning.commoner_share,
            calibration_error=planning.calibration_error,
            labels_predicted=planning.labels_predicted,
        ),
        trainer=trainer(service),
        group=replies.GroupView(max_n=service.method.max_n, seconds=list(service.method.seconds)),
        probs_version=now.probs_version,
        enough=bound_of(service),
    )


def trainer(service: LabellingService) -> replies.TrainerView:
    """What the trainer is doing, or what is being prepared for it."""
    made = service.preparation
    if made is None:
        return replies.TrainerView("idle", note="There is no model.")
    status = asdict(made.trainer_status())
    if made.failure is not None:
        status |= {"last_failure": made.failure, "retry_in_s": made.retry_in_s}
    return replies.TrainerView(**status, preparing=made.share, note=made.note)


def fields_of(
    service: LabellingService, index: int, longest: int | None = LONGEST
) -> dict[str, Any]:
    """What every view of an item says; the text cut to so many characters, None for all."""
    pool = service.pool
    images = pool.kind == "images"
    text = None if images else text_of(pool, index)
    facts = [replies.Fact(name=name, value=value) for name, value in facts_of(pool, index)]
    read = [text or "", *(fact.value for fact in facts)]
    cut = longest is not None and any(len(part) > longest for part in read)
    if longest is not None and cut:
        text = None if text is None else _shorten(text, longest)
        for fact in facts:
            fact.value = _shorten(fact.value, longest)
    return {
        "item": index,
        "name": pool.ids[index],
        "text": text,
        "facts": facts,
        "cut": cut,
        "picture": images,
        "checksum": pool.checksums[index],
    }


def _shorten(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"


def _span(span: Range | None, unit: float = 1.0) -> replies.Span | None:
    if span is None:
        return None
    low, expected, high = (
        value / unit if math.isfinite(value) else 1e12
        for value in (span.low, span.expected, span.high)
    )
    return replies.Span(low=low, expected=expected, high=high)
