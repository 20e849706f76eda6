"""What an answer says, item by item.

A yes says of every item that its label is as guessed. A pointed answer says of the wrong items that
it is not, of those whose class was typed that it is that class and, if it vouches for the rest, of
all others that it is as guessed. Each is a fact: an item, and the classes that are left to it, as
a bit mask (`askless.core.guess`). A no says nothing of any one item: it is a
`askless.core.clause.Clause`.

Used by `askless.core._propagate`, which draws conclusions, and by `askless.core.verify`, which
checks them. Tested in tests/core/test_meaning.py.
"""

from __future__ import annotations

from collections.abc import Iterable

from askless.core.guess import mask_of
from askless.core.question import Answer

Fact = tuple[int, int]
"""An item, and the classes that are left to it, as a bit mask."""


def facts(answer: Answer, classes: int) -> Iterable[Fact]:
    """What a yes or a pointed answer says of each item that it speaks of, in their order.

    Parameters
    ----------
    answer
        Not a no.
    classes
        How many classes the pool has.
    """
    question = answer.question
    masks = [1 << g if type(g) is bool else mask_of(g, classes) for g in question.guess]
    said = zip(question.items, masks, strict=True)
    if answer.kind == "yes":
        return said
    wrong, typed, every = set(answer.wrong), dict(answer.typed), (1 << classes) - 1
    return [
        (item, 1 << typed[item] if item in typed else every ^ mask if item in wrong else mask)
        for item, mask in said
        if answer.rest_right or item in wrong or item in typed
    ]
