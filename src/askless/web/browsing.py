"""Looking through items: a page of them, the review, the answers given.

Tested in tests/web/test_browsing.py.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from askless.app.service import LabellingService
from askless.certificates.self_agreement import consistency_of
from askless.history.consistency import labels_given
from askless.history.history import History
from askless.history.labels import Labelled
from askless.history.projections import SOURCE
from askless.web import replies, views

PAGE: Final = 60
_PATIENCE_S: Final = 0.5
"""To wait for what the model says about a small pool."""
_COPIES: Final = 20
Order = NDArray[np.int32]
"""Items in the order in which they are shown."""


def review(service: LabellingService, page: int) -> replies.ReviewPage:
    """One page of the labels somebody should look at before they are exported."""
    found = service.up_for_review(_PATIENCE_S)
    with service.lock:
        shown = page_of(service, found.items.astype(np.int32), page)
        history, annotator = service.session.history, service.annotator
        again = consistency_of(history, annotator)
        given = labels_given(history.state, history.answers, annotator, history.source.gone)
        to_come = service.session.reask.wanted(annotator)
    place = {item: at for at, item in enumerate(found.items.tolist())}
    for item in shown.items:
        item.why = found.why[place[item.item]]
        item.chance_wrong = float(found.chances[place[item.item]])
    return replies.ReviewPage(
        **dict(shown),
        says=found.says(),
        ready=found.ready,
        consistency=[] if again is None else again.says(),
        reasks_to_come=to_come,
        given=int(np.count_nonzero(given)),
    )


def answers(service: LabellingService, before: int | None, limit: int) -> list[replies.AnswerView]:
    """Answers given, the newest first.

    Parameters
    ----------
    service
        Where.
    before
        Only answers with a smaller number; None for all.
    limit
        At most so many.
    """
    with service.lock:
        history = service.session.history
        disputed = history.disputed
        found: list[replies.AnswerView] = []
        for number in reversed(history.answers):
            if before is not None and number >= before:
                continue
            if len(found) >= limit:
                break
            given = history.answers[number]
            question = given.answer.question
            found.append(
                replies.AnswerView(
                    answer=number,
                    kind=given.answer.kind,
                    guess=question.guess[0] == 1,
                    items=[views.item(service, item) for item in question.items[:200]],
                    size=len(question),
                    wrong=list(given.answer.wrong),
                    at_s=given.at_s,
                    retracted=not history.stands(number),
                    disputed=number in disputed,
                    given=given.annotator == SOURCE,
                    annotator=given.annotator,
                )
            )
        return found


def whole(service: LabellingService, item: int) -> replies.LabelledItem:
    """One item, with the whole of its text."""
    with service.lock:
        shown = views.item(service, item, longest=None)
        (found,) = _labelled(service, [item])
        return found.model_copy(update={"text": shown.text, "facts": shown.facts, "cut": False})


def page_of(
    service: LabellingService,
    items: Sequence[int] | Order,
    page: int,
) -> replies.Gallery:
    """One page of these items; with the service's lock.

    Parameters
    ----------
    service
        Whose items.
    items
        All of them, in order.
    page
        Counted from 1; the last one if there are fewer.
    """
    pages = max(1, math.ceil(len(items) / PAGE))
    page = min(page, pages)
    part = [int(item) for item in items[(page - 1) * PAGE : page * PAGE]]
    return replies.Gallery(total=len(items), page=page, pages=pages, items=_labelled(service, part))


def _labelled(service: LabellingService, items: Sequence[int]) -> list[replies.LabelledItem]:
    return [
        replies.LabelledItem(
            **views.fields_of(service, found.item),
            label=found.label,
            certain=found.label is not None,
            how=found.how,
            probability=found.probability,
            answers=list(found.answers),
            annotators=list(found.annotators),
            definition=found.definition,
            at_s=_when(service.session.history, found),
            note=found.note,
            copies=len(service.pool.copies.get(found.item, ())),
            copy_names=list(service.pool.copies.get(found.item, ())[:_COPIES]),
        )
        for found in service.session.labels(items)
    ]


def _when(history: History, found: Labelled) -> float | None:
    if found.answers:
        return history.answers[max(found.answers)].at_s
    said = history.unsure.get(found.item)
    return None if said is None else said.at_s
