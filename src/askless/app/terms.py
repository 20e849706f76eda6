"""What a person asks for when a session is opened, and what they are then told.

Used by `askless.app.opening`; tested in tests/app/test_opening.py and tests/cli/test_label.py.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal

from askless.app.names import Names
from askless.app.promised import wanted
from askless.app.settings import AppSettings
from askless.core.promise import OFF, Promise
from askless.errors import InvalidInput
from askless.pools import OpenedPool
from askless.seams import Pool

_SOME: Final = 100


@dataclass(frozen=True, slots=True)
class Terms:
    """What the person asked for when starting; None where nothing was said.

    Parameters
    ----------
    positive, negative
        What the labels are called.
    definition
        What the positive one means.
    max_n
        The most items a question may show.
    annotator
        Who answers.
    recalibrate
        Whether to correct the probabilities that the source gives by what the answers show.
    features
        What the model is to learn from: the options of each feature set by its name, in plain
        JSON values; none at all for the default for the pool.
    wrong_label_s
        What a wrong label costs, in seconds.
    promise
        What is to hold of all labels before it is enough; ``off`` for nothing any more.
    predictor
        What the model is: a predictor with its options by name, in plain JSON values; none at all
        for the default.
    """

    positive: str | None = None
    negative: str | None = None
    definition: str | None = None
    max_n: int | None = None
    annotator: str | None = None
    recalibrate: bool | None = None
    features: Mapping[str, Mapping[str, Any]] | None = None
    wrong_label_s: float | None = None
    promise: Promise | Literal["off"] | None = None
    predictor: Mapping[str, Mapping[str, Any]] | None = None


def changed_terms(terms: Terms, was: AppSettings) -> list[str]:
    """What is now otherwise than when the session was last opened."""
    notices = []
    for which, said, old in (
        ("positive", terms.positive, was.positive),
        ("negative", terms.negative, was.negative),
    ):
        named = old is not None and old != AppSettings().positive
        if named and said is not None and said != old:
            was_called = _many(str(old))
            notices.append(f"The {which} label is now called {_many(said)}; it was {was_called}.")
    if terms.features is not None and (terms.features or None) != was.features:
        notices.append(
            f"The model now learns from {_sets(terms.features)}; before, from "
            f"{_sets(was.features)}. The answers stay."
        )
    if terms.predictor is not None and (terms.predictor or None) != was.predictor:
        notices.append(
            f"The model is now {_parts(terms.predictor, 'the default one')}; before, "
            f"{_parts(was.predictor, 'the default one')}. The answers stay."
        )
    return notices


def changed_promise(terms: Terms, was: Promise | None, names: Names) -> tuple[bool, list[str]]:
    """Whether something else is promised now than before, and what to say about it."""
    if terms.promise is None:
        return False, []
    now = None if terms.promise == OFF else terms.promise
    if now == was:
        return False, []
    if now is None:
        return True, ["Nothing is promised any more: questions end when every label is certain."]
    before = "" if was is None else f"; before it was {wanted(was, names)}"
    return True, [f"Questions end once this is proved: {wanted(now, names)}{before}."]


def whole_rows(pool: Pool, source: str | Path) -> list[str]:
    """A hint where the items are whole rows, and one column of words may have been meant."""
    if pool.kind != "rows":
        return []
    words = {
        name: sum(len(str(value)) for value in values[:_SOME])
        for name, values in pool.columns().items()
        if values.dtype.kind not in "biuf"
    }
    if not words:
        return []
    longest = max(words, key=lambda name: words[name])
    command = shlex.join(["askless", "label", str(source), "--text", longest])
    hint = (
        "Every item is a whole row. To label the texts of one column instead, end askless and name "
        f"the column: {command} (or --image for a column of pictures)."
    )
    return [hint]


def named_by_source(terms: Terms, pool: OpenedPool) -> Terms:
    """Where nobody named a label, the value of the label column that means it is its name."""
    positive, negative = (None if "|" in (name or "") else name for name in pool.label_names)
    named = replace(terms, positive=terms.positive or positive, negative=terms.negative or negative)
    try:
        Names(named.positive or AppSettings().positive, named.negative)
    except InvalidInput:  # values that no question could be asked with
        return terms
    return named


def typed(options: Mapping[str, Any]) -> str:
    """Options of a source as they are typed in a terminal."""
    said = ((k, [v] if isinstance(v, str) else v) for k, v in options.items())
    words = [word for name, values in said for value in values for word in (f"--{name}", value)]
    return shlex.join(words) or "no options"


def _sets(features: Mapping[str, Mapping[str, Any]] | None) -> str:
    return _parts(features, "the default for such items")


def _parts(named: Mapping[str, Mapping[str, Any]] | None, usual: str) -> str:
    """Parts and their options in words."""
    if not named:
        return usual
    chosen = {
        name: ", ".join(f"{option}={value}" for option, value in options.items())
        for name, options in named.items()
    }
    return ", ".join(f"{name} ({said})" if said else name for name, said in chosen.items())


def _many(name: str) -> str:
    """A stored name as people read it."""
    return Names(name).many(True)
