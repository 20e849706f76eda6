"""Looking through items: the gallery of labels, the review, the answers given.

Tested in tests/web/test_browsing.py.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, Literal

import numpy as np

from askless.app.service import LabellingService
from askless.app.statistics import Why
from askless.core.state import How
from askless.seams import Pool
from askless.web import replies, views

PAGE: Final = 60

LabelFilter = Literal["", "positive", "negative", "unsure", "open"]
HowFilter = Literal["", "alone", "group", "pointed", "deduced"]


def gallery(
    service: LabellingService, label: LabelFilter, how: HowFilter, q: str, page: int
) -> replies.Gallery:
    """One page of the items that have this label, were settled so, and match these words.

    Parameters
    ----------
    service
        Where they are.
    label, how
        Empty for any.
    q
        Part of an item's name, or of its text; empty for any.
    page
        Counted from 1.
    """
    wanted = {"positive": 1, "negative": 0, "open": -1, "unsure": -2}
    items: list[int] = []
    for part in service.slices():
        with service.lock:
            labels = service.session.state.labels_at(slice(part.start, part.stop))
            mask = labels == wanted[label] if label else labels != -1
            some = (part.start + np.flatnonzero(mask)).tolist()
            items += [item for item in some if not how or _how(service, item) == how]
    if q:  # a look at every text: whoever answers does not wait for it
        items = [item for item in items if _matches(service.pool, item, q.casefold())]
    with service.lock:
        return _page(service, items, page, {})


def review(service: LabellingService, page: int) -> replies.Gallery:
    """One page of the labels somebody should look at before they are exported."""
    found = service.up_for_review()
    with service.lock:
        # The least expected labels come first.
        labels = service.session.state.labels()
        probs = service.session.probs.values
        order = sorted(found, key=lambda item: abs(labels[item] - probs[item]), reverse=True)
        return _page(service, order, page, found)


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
                    guess=question.guess[0],
                    items=[views.item(service, item) for item in question.items[:200]],
                    size=len(question),
                    wrong=list(given.answer.wrong),
                    at_s=given.at_s,
                    retracted=not history.stands(number),
                    disputed=number in disputed,
                    annotator=given.annotator,
                )
            )
        return found


def whole(service: LabellingService, item: int) -> replies.LabelledItem:
    """One item, with the whole of its text."""
    with service.lock:
        text = views.item(service, item, whole=True).text
        (found,) = _labelled(service, [item], {})
        return found.model_copy(update={"text": text})


def _page(
    service: LabellingService, items: Sequence[int], page: int, why: dict[int, list[Why]]
) -> replies.Gallery:
    pages = max(1, math.ceil(len(items) / PAGE))
    page = min(page, pages)
    part = items[(page - 1) * PAGE : page * PAGE]
    return replies.Gallery(
        total=len(items), page=page, pages=pages, items=_labelled(service, part, why)
    )


def _labelled(
    service: LabellingService, items: Sequence[int], why: dict[int, list[Why]]
) -> list[replies.LabelledItem]:
    return [
        replies.LabelledItem(
            **views.fields_of(service, found.item),
            label=service.session.state.label(found.item),
            how="open" if found.how == "predicted" else found.how,
            prob=found.prob,
            answers=list(found.answers),
            note=found.note,
            why=why.get(found.item, []),
        )
        for found in service.session.labels(items)
    ]


def _how(service: LabellingService, item: int) -> How | None:
    provenance = service.session.state.provenance(item)
    return None if provenance is None else provenance.how


def _matches(pool: Pool, item: int, words: str) -> bool:
    if words in pool.ids[item].casefold():
        return True
    return pool.kind != "images" and words in views.text_of(pool, item).casefold()
