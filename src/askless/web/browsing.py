"""Looking through items: the gallery of labels, the review, the answers given."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, Literal

import numpy as np

from askless.core.state import How
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
        if q:
            items = [item for item in items if _matches(desk, item, q.casefold())]
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
        return _labelled(desk, item, []).model_copy(update={"text": text})


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
        items=[_labelled(desk, item, why.get(item, [])) for item in part],
    )


def _labelled(desk: Desk, item: int, why: list[Why]) -> schemas.LabelledItem:
    state, record = desk.session.state, desk.session.record
    provenance = state.provenance(item)
    return schemas.LabelledItem(
        **shown.fields_of(desk, item),
        label=state.label(item),
        how=_how(desk, item),
        prob=float(desk.session.probs.values[item]),
        answers=[] if provenance is None else list(provenance.answers),
        note=record.notes.get(item, ""),
        why=why,
    )


def _how(desk: Desk, item: int) -> How | Literal["unsure", "open"]:
    state = desk.session.state
    provenance = state.provenance(item)
    if provenance is not None:
        return provenance.how
    return "unsure" if state.is_unsure(item) else "open"


def _matches(desk: Desk, item: int, words: str) -> bool:
    pool = desk.pool
    if words in pool.ids[item].casefold():
        return True
    return pool.kind != "images" and words in shown.text_of(pool, item).casefold()
