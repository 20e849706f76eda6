"""Looking through items: the gallery of labels, the review, the answers given.

Tested in tests/web/test_browsing.py.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, Literal

import numpy as np

from askless.core.state import How
from askless.seams import Pool
from askless.web import schemas, shown
from askless.web.desk import Desk
from askless.web.readings import Why, up_for_review

PAGE: Final = 60

LabelFilter = Literal["", "positive", "negative", "unsure", "open"]
HowFilter = Literal["", "alone", "group", "pointed", "deduced"]


def gallery(desk: Desk, label: LabelFilter, how: HowFilter, q: str, page: int) -> schemas.Gallery:
    """One page of the items that have this label, were settled so, and match these words.

    Parameters
    ----------
    desk
        Where they are.
    label, how
        Empty for any.
    q
        Part of an item's name, or of its text; empty for any.
    page
        Counted from 1.
    """
    with desk.lock:
        labels = desk.session.state.labels()
        wanted = {"positive": 1, "negative": 0, "open": -1, "unsure": -2}
        mask = labels == wanted[label] if label else labels != -1
        items = np.flatnonzero(mask).tolist()
        if how:
            items = [item for item in items if _how(desk, item) == how]
    if q:  # a look at every text: whoever answers does not wait for it
        items = [item for item in items if _matches(desk.pool, item, q.casefold())]
    with desk.lock:
        return _page(desk, items, page, {})


def review(desk: Desk, page: int) -> schemas.Gallery:
    """One page of the labels somebody should look at before they are exported."""
    with desk.lock:
        found = dict(up_for_review(desk.session, desk.notebook.notes.reviewed))
        # What the model doubts most comes first.
        labels = desk.session.state.labels()
        probs = desk.session.probs.values
        doubt = {
            item: float(probs[item] if labels[item] == 0 else 1 - probs[item]) for item in found
        }
        return _page(desk, sorted(found, key=lambda item: -doubt[item]), page, found)


def answers(desk: Desk, before: int | None, limit: int) -> list[schemas.AnswerView]:
    """Answers given, the newest first.

    Parameters
    ----------
    desk
        Where.
    before
        Only answers with a smaller number; None for all.
    limit
        At most so many.
    """
    with desk.lock:
        record = desk.session.record
        disputed = record.disputed
        found: list[schemas.AnswerView] = []
        for number in reversed(record.given):
            if before is not None and number >= before:
                continue
            if len(found) >= limit:
                break
            given = record.given[number]
            question = given.answer.question
            found.append(
                schemas.AnswerView(
                    answer=number,
                    kind=given.answer.kind,
                    guess=question.guess[0],
                    items=[shown.item(desk, item) for item in question.items[:200]],
                    size=len(question),
                    wrong=list(given.answer.wrong),
                    at_s=given.at_s,
                    retracted=number in record.retracted,
                    disputed=number in disputed,
                    annotator=given.annotator,
                )
            )
        return found


def whole(desk: Desk, item: int) -> schemas.LabelledItem:
    """One item, with the whole of its text."""
    with desk.lock:
        text = shown.item(desk, item, whole=True).text
        (found,) = _labelled(desk, [item], {})
        return found.model_copy(update={"text": text})


def _page(
    desk: Desk, items: Sequence[int], page: int, why: dict[int, list[Why]]
) -> schemas.Gallery:
    pages = max(1, math.ceil(len(items) / PAGE))
    page = min(page, pages)
    part = items[(page - 1) * PAGE : page * PAGE]
    return schemas.Gallery(
        total=len(items),
        page=page,
        pages=pages,
        items=_labelled(desk, part, why),
    )


def _labelled(
    desk: Desk, items: Sequence[int], why: dict[int, list[Why]]
) -> list[schemas.LabelledItem]:
    return [
        schemas.LabelledItem(
            **shown.fields_of(desk, found.item),
            label=desk.session.state.label(found.item),
            how="open" if found.how == "predicted" else found.how,
            prob=found.prob,
            answers=list(found.answers),
            note=found.note,
            why=why.get(found.item, []),
        )
        for found in desk.session.labels(items)
    ]


def _how(desk: Desk, item: int) -> How | None:
    provenance = desk.session.state.provenance(item)
    return None if provenance is None else provenance.how


def _matches(pool: Pool, item: int, words: str) -> bool:
    if words in pool.ids[item].casefold():
        return True
    return pool.kind != "images" and words in shown.text_of(pool, item).casefold()
