"""A desk's things in the form the page gets them.

Tested in tests/web/test_labelling.py.
"""

from __future__ import annotations

import math
from typing import Any, Final

from askless.core.question import Question
from askless.errors import InvalidInput
from askless.seams import Pool
from askless.session.progress import Range
from askless.session.record import Asked
from askless.web import schemas
from askless.web.ahead import Foreseen
from askless.web.desk import OFFLINE_ANSWERS, Desk
from askless.web.readings import brought, missed, seconds_per_label

_CARD: Final = 4_000
"""So many characters of a text are sent with a question; the rest with the full view."""


def item(desk: Desk, index: int, *, whole: bool = False) -> schemas.Item:
    """One item."""
    return schemas.Item(**fields_of(desk, index, whole=whole))


def question(desk: Desk, asked: Question, question_id: int | None = None) -> schemas.Question:
    """One question; an audit looks like any other, also among those that are drawn."""
    guess = asked.guess[0]
    return schemas.Question(
        id=question_id,
        ticket=desk.ticket(asked),
        guess=guess,
        sentence=desk.names.sentence(guess, len(asked)),
        items=[item(desk, index) for index in asked.items],
        learning=desk.tempo.learning,
        drawn=desk.session.draws(asked),
    )


def asked(desk: Desk, given: Asked | None) -> schemas.Question | None:
    """A question that was put to somebody."""
    return None if given is None else question(desk, given.question, given.id)


def ahead(desk: Desk, found: Foreseen) -> schemas.Ahead:
    """What may come."""

    def at(path: str) -> schemas.Question | None:
        what = found.paths.get(path)
        return None if what is None else question(desk, what)

    def branches(before: str) -> schemas.Branches | None:
        if before not in found.paths:
            return None
        return schemas.Branches(
            yes=at(f"{before} yes"), no=at(f"{before} no"), pointed=at(f"{before} pointed")
        )

    return schemas.Ahead(
        yes=at("yes"),
        no=at("no"),
        pointed=at("pointed"),
        ahead=schemas.Deeper(yes=branches("yes"), no=branches("no"), pointed=branches("pointed")),
        spare=[question(desk, what) for what in found.spare],
    )


def progress(desk: Desk) -> schemas.Progress:
    """Where the session stands."""
    with desk.lock:
        session, tempo = desk.session, desk.tempo
        now = session.progress()
        given = brought(session.record)
        answers = {kind: now.answers.get(kind, 0) for kind in ("yes", "no", "pointed")}
        answers["yes"] -= given.answers
        count = sum(answers.values())
        return schemas.Progress(
            items=now.items,
            settled=now.settled,
            open=now.open,
            unsure=now.unsure,
            answers=answers,
            labels_per_answer=max(0, now.settled - given.labels) / count if count else None,
            seconds_per_label=seconds_per_label(session.record, now.settled),
            questions_left=_span(now.questions_left),
            minutes_left=None if now.seconds_left is None else _span(now.seconds_left, 60.0),
            positives=now.positives,
            negatives=now.negatives,
            disputes=now.disputes,
            audits=audits(desk),
            model=schemas.Model(
                learning=tempo.learning,
                accuracy=tempo.accuracy,
                calibration_error=tempo.calibration_error,
                foretold=tempo.foretold,
            ),
            trainer=trainer(desk),
            group=schemas.GroupView(max_n=tempo.plan.max_n, seconds=list(tempo.plan.seconds)),
            probs_version=now.probs_version,
        )


def stamp(desk: Desk) -> object:
    """Equal as long as `progress` would say the same; costs next to nothing."""
    with desk.lock:
        session = desk.session
        return session.record.last, session.probs.version, desk.tempo.plan, trainer(desk)


def audits(desk: Desk) -> schemas.Audits:
    """How audits were answered."""
    share = missed(desk.session.record.agreement)
    low, high = share.interval
    return schemas.Audits(asked=share.trials, missed=share.hits, low=low, high=high)


def trainer(desk: Desk) -> schemas.TrainerView:
    """What the trainer is doing, or what is being prepared for it."""
    preparation = desk.preparation
    if preparation is None:
        return schemas.TrainerView(
            state="idle", checkpoint=0, answers=0, fit_s=0.0, last_failure=None, retry_in_s=None,
            preparing=None, note="There is no model.",
        )  # fmt: skip
    status = preparation.trainer_status()
    return schemas.TrainerView(
        state=status.state,
        checkpoint=status.checkpoint,
        answers=status.answers,
        fit_s=status.fit_s,
        last_failure=preparation.failure or status.last_failure,
        retry_in_s=status.retry_in_s,
        preparing=preparation.share,
        note=preparation.note,
    )


def session(desk: Desk) -> schemas.SessionView:
    """What the page needs to know once."""
    with desk.lock:
        notes, pool = desk.notebook.notes, desk.pool
        definitions = desk.session.record.definitions
        return schemas.SessionView(
            id=desk.id,
            name=desk.name_of_pool,
            kind=pool.kind,
            items=len(pool),
            positive=notes.positive,
            negative=desk.names.many(False),
            definition=definitions[-1] if definitions else "",
            definition_version=len(definitions),
            definition_confirmed=notes.confirmed,
            pinned=[
                schemas.PinnedItem(**fields_of(desk, index), label=desk.session.state.label(index))
                for index in notes.pinned
                if index < len(pool)
            ],
            max_n=notes.max_n,
            done=desk.session.state.done,
            annotator=desk.annotator,
            channel=desk.tempo.plan.channel,
            offline_answers=OFFLINE_ANSWERS,
            unreadable=[
                schemas.UnreadableView(id=left.id, reason=left.reason)
                for left in pool.unreadable[:1000]
            ],
            duplicates=sum(len(copies) for copies in pool.copies.values()),
            notices=list(desk.notices),
        )


def text_of(pool: Pool, index: int) -> str:
    """An item's text, or why it cannot be shown any more."""
    try:
        return pool.text(index)
    except InvalidInput as gone:
        return str(gone)  # what there is to see of it now


def fields_of(desk: Desk, index: int, *, whole: bool = False) -> dict[str, Any]:
    """What every view of an item says; the text cut short unless it is wanted whole."""
    pool = desk.pool
    images = pool.kind == "images"
    text = None if images else text_of(pool, index)
    if text is not None and not whole and len(text) > _CARD:
        text = text[: _CARD - 1] + "…"
    return {
        "item": index,
        "name": pool.ids[index],
        "text": text,
        "picture": images,
        "checksum": pool.checksums[index],
    }


def _span(span: Range, unit: float = 1.0) -> schemas.Span:
    low, expected, high = (
        value / unit if math.isfinite(value) else 1e12
        for value in (span.low, span.expected, span.high)
    )
    return schemas.Span(low=low, expected=expected, high=high)
