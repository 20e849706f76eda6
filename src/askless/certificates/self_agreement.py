"""What re-asks have shown, read off a history: who agrees with themselves, and how often.

`askless.history.consistency` says what it means. May be imported by the session room and above.
Tested in tests/history/test_consistency.py.
"""

from __future__ import annotations

from askless.history.consistency import Consistency, labels_given
from askless.history.history import History


def consistency_of(history: History, annotator: str) -> Consistency | None:
    """What the re-asks of this annotator have shown; None if there were none."""
    sample = history.reasks.of(annotator)
    if sample is None:
        return None
    now = labels_given(history.state, history.answers, annotator, history.source.gone)
    return sample.look(history.state, now)


def consistencies(history: History) -> list[Consistency]:
    """The same for everybody who was asked again and answered, by name."""
    found = (consistency_of(history, name) for name in sorted(history.reasks.annotators()))
    return [one for one in found if one is not None and one.asked]
