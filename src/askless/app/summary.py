"""What was done, in figures and as a paragraph for a methods section.

Tested in tests/web/test_browsing.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from askless.app.service import LabellingService
from askless.app.statistics import Audits, audits
from askless.folder.certificates import certificate_at
from askless.history.labels import given_here
from askless.history.projections import SOURCE


@dataclass(frozen=True, slots=True)
class Summary:
    """What was done.

    Parameters
    ----------
    text
        The paragraph.
    items, settled, positives, negatives, unsure
        How many items are in the source now, and how many of each kind.
    answers
        How many were given; labels that the source gives are not counted.
    audits
        How audits were answered.
    test_split
        How many items were drawn at random and are labelled.
    definition, definition_version
        What the positive label means; empty and 0 if nobody said.
    review
        How many labels somebody should look at again.
    """

    text: str
    items: int
    settled: int
    positives: int
    negatives: int
    unsure: int
    answers: int
    audits: Audits
    test_split: int
    definition: str
    definition_version: int
    review: int


def summarise(service: LabellingService) -> Summary:
    """What was done, in figures and as a paragraph."""
    review = len(service.up_for_review().items)
    claimed = service.session.history.claims.current is not None
    certificate = certificate_at(service.settings.folder) if claimed else None
    with service.lock:
        session, history = service.session, service.session.history
        state = session.state
        count = history.tally.answers
        here, sampled = history.source.count(state), history.test_sample - history.source.gone
        tested = sum(1 for item in sampled if state.label(item) is not None)
        found = Summary(
            text="",
            items=here.items,
            settled=here.settled,
            positives=here.n_with[True],
            negatives=here.n_with[False],
            unsure=here.unsure,
            answers=count,
            audits=audits(history),
            test_split=tested,
            definition=history.definitions[-1] if history.definitions else "",
            definition_version=len(history.definitions),
            review=review,
        )
        return replace(found, text=_paragraph(service, found, certificate))


def _paragraph(
    service: LabellingService, found: Summary, certificate: Mapping[str, Any] | None
) -> str:
    names, history = service.names, service.session.history
    kinds = history.tally.kinds()
    others = "others" if names.negative is None else names.many(False)
    answers = _many(found.answers, "answer", "answers")
    labelled = (
        f"{found.settled:,} of {found.items:,} items were labelled "
        f"({found.positives:,} {names.many(True)}, {found.negatives:,} {others}) with "
        f"askless from {answers} to questions about one or several items "
        f"({kinds['yes']:,} yes, {kinds['no']:,} no, {kinds['pointed']:,} with the wrong items "
        "pointed out)"
    )
    if here := given_here(history):
        labelled += f" and {_many(here, 'label', 'labels')} that came with the source"
    every = "every other label follows" if here else "every label follows"
    parts = [f"{labelled}; {every} from the answers."]
    if found.unsure:
        parts.append(f"{_many(found.unsure, 'item was', 'items were')} left as unsure.")
    copies = sum(map(len, service.pool.copies.values()))
    if copies:
        one, more = "exact duplicate has", "exact duplicates have"
        parts.append(f"{_many(copies, one, more)} the label of the original.")
    if service.pool.unreadable:
        count = len(service.pool.unreadable)
        parts.append(f"{_many(count, 'entry', 'entries')} of the source could not be read.")
    left = found.items - found.settled - found.unsure
    if left and (certificate is None or certificate["accepted"] != left):
        parts.append(f"{_many(left, 'item is', 'items are')} not labelled yet.")
    if certificate is not None and certificate["accepted"]:
        parts.append(certificate["methods"])
    if found.audits.asked:
        asked = _many(found.audits.asked, "audit", "audits")
        said = f"Of {asked}, questions whose answer was known, "
        said += f"{_many(found.audits.missed, 'was', 'were')} missed"
        if found.audits.low is not None and found.audits.high is not None:
            said += (
                f"; of {found.audits.planted:,} wrong items hidden in them "
                f"{_many(found.audits.overlooked, 'was', 'were')} overlooked (95 % interval "
                f"{found.audits.low:.0%} to {found.audits.high:.0%})"
            )
        parts.append(f"{said}.")
    if found.test_split:
        given = history.tally.of(SOURCE)[1]
        among = " among those that came without a label" if given else ""
        of = " of these" if given else ""
        parts.append(
            f"{_many(found.test_split, 'item was', 'items were')} drawn uniformly at random{among} "
            f"and labelled one at a time before anything was learnt, as an unbiased test split{of}."
        )
        if len(history.source.sizes) > 1:
            parts.append("The same share was drawn of the items that were added later.")
    if gone := len(history.source.gone):
        which, are = ("item that is", "is") if gone == 1 else ("items that are", "are")
        parts.append(f"{gone:,} {which} no longer in the source {are} not counted.")
    words = ("", service.settings.current.positive, names.one(True), names.many(True))
    if found.definition not in words:  # a name says no more than the rest of the paragraph
        version = f" (version {found.definition_version})" if found.definition_version > 1 else ""
        parts.append(f"Definition of {names.many(True)}{version}: {found.definition}")
    return " ".join(parts)


def _many(count: int, one: str, more: str) -> str:
    return f"{count:,} {one if count == 1 else more}"
