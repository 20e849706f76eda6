"""What was done, in figures and as a paragraph for a methods section.

Tested in tests/web/test_browsing.py.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from askless.app.service import LabellingService
from askless.app.statistics import Audits, audits, source_labels


@dataclass(frozen=True, slots=True)
class Summary:
    """What was done.

    Parameters
    ----------
    text
        The paragraph.
    items, settled, positives, negatives, unsure
        How many items there are, and how many of each kind.
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
    review = len(service.up_for_review())
    with service.lock:
        session, history = service.session, service.session.history
        state = session.state
        count = history.tally.answers - source_labels(history).answers
        tested = sum(1 for item in history.test_sample if state.label(item) is not None)
        found = Summary(
            text="",
            items=state.n,
            settled=state.n_settled,
            positives=state.n_with[True],
            negatives=state.n_with[False],
            unsure=state.n_unsure,
            answers=count,
            audits=audits(history),
            test_split=tested,
            definition=history.definitions[-1] if history.definitions else "",
            definition_version=len(history.definitions),
            review=review,
        )
        return replace(found, text=_paragraph(service, found))


def _paragraph(service: LabellingService, found: Summary) -> str:
    names = service.names
    kinds = service.session.history.tally.kinds()
    given = source_labels(service.session.history)
    kinds["yes"] -= given.answers
    others = "others" if names.negative is None else names.many(False)
    parts = []
    parts.append(
        f"{found.settled:,} of {found.items:,} items were labelled "
        f"({found.positives:,} {names.many(True)}, {found.negatives:,} {others}) with "
        f"askless from {found.answers:,} answers to questions about one or several items "
        f"({kinds['yes']:,} yes, {kinds['no']:,} no, {kinds['pointed']:,} with the wrong items "
        "pointed out); every label follows from the answers."
    )
    if given.labels:
        parts.append(f"{given.labels:,} of the labels came with the source.")
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
    if left:
        parts.append(f"{_many(left, 'item is', 'items are')} not labelled yet.")
    if found.audits.asked:
        asked = _many(found.audits.asked, "audit", "audits")
        parts.append(
            f"Of {asked}, questions whose answer was known, "
            f"{_many(found.audits.missed, 'was', 'were')} missed (95 % interval of the miss rate "
            f"{found.audits.low:.0%} to {found.audits.high:.0%})."
        )
    if found.test_split:
        parts.append(
            f"{found.test_split:,} items were drawn uniformly at random and labelled one at a "
            "time before anything was learnt; they are marked as an unbiased test split."
        )
    if found.definition:
        version = f" (version {found.definition_version})" if found.definition_version > 1 else ""
        parts.append(f"Definition of {names.many(True)}{version}: {found.definition}")
    return " ".join(parts)


def _many(count: int, one: str, more: str) -> str:
    return f"{count:,} {one if count == 1 else more}"
