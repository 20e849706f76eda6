"""`askless.label`: everything that is needed to label a source, as one object.

Looks at every argument before anything is made, and has the same places open a pool and a session
that the app and the commands come through. Tested in tests/labelling/test_opening.py.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from askless.app.names import Names
from askless.app.opening import begun, found_again, take_known
from askless.app.settings import SettingsFile
from askless.app.terms import Terms, named_by_source
from askless.assemble import Method, OpenSession, OwnParts, open_session
from askless.assemble.method import differences
from askless.doors import of_kind
from askless.errors import InvalidInput
from askless.features import with_prompt
from askless.files import path_of
from askless.history.projections import SOURCE
from askless.labelling.labelling import Labelling
from askless.labelling.own_features import feature_arrays, split_features
from askless.labelling.own_model import check_model, is_fitted, own_model
from askless.pools import OpenedPool, is_dataset, open_pool
from askless.pools._labels import probs_from
from askless.seams import Planner

if TYPE_CHECKING:
    from askless.labelling.cell import Widget

_OURS: Final = ("planner", "predictor", "features", "seed")
"""Fields of a method that have an argument of their own."""


def label(
    data: Any,
    *,
    text: str | None = None,
    image: str | None = None,
    positive: str | None = None,
    negative: str | None = None,
    model: Any = None,
    features: Any = None,
    probs: Any = None,
    prompt: str | None = None,
    negative_prompt: str | None = None,
    planner: str | Planner = "auto",
    folder: str | Path | None = None,
    enough: str | None = None,
    seed: int = 0,
    label: str | None = None,
    true: str | Sequence[str] | None = None,
    false: str | Sequence[str] | None = None,
    id: str | None = None,  # noqa: A002 - the word people use for it
    show: str | Sequence[str] = (),
    annotator: str = "annotator",
    progress: Callable[[float], None] | None = None,
    **method: Any,
) -> Labelling:
    """Label a source: ask, tell, and have the labels in your own kind of table.

    Parameters
    ----------
    data
        What `askless.open_pool` opens: a table or a column of pandas, polars or Arrow, a dataset of
        Hugging Face, a list of texts or of pictures, an array, a path.
    text, image, label, true, false, id, show
        The columns of it, as for `askless.open_pool`.
    positive, negative
        What the labels are called, as in ``"a cat|cats"``.
    model
        Who predicts: the name of a predictor (`askless.predictors.predictor_names`), an object with
        the methods of `askless.seams.Predictor`, or an estimator or a pipeline of scikit-learn. One
        that is fitted gives the first guesses; one that is not is fitted to the answers. None for
        ``kernel``, which learns from few answers.
    features
        What it learns from: names of feature sets (`askless.features`), of a column of embeddings,
        an array or sparse matrix with one row for each row of the source, a function of the items
        that makes one; or a mapping of several, by name. None for what is usual.
    probs
        P(label is positive) for every row, or the name of a column of them.
    prompt, negative_prompt
        What positive and negative items are, in words: first guesses by the encoder among the
        `features` that reads sentences, as ``sentences``, ``onnx`` or a CLIP in ``backbone``.
    planner
        Who chooses the questions: a name, or an object with the methods of `askless.seams.Planner`.
    folder
        Where it is kept, made if it is not there; the same call goes on with it. None for memory.
    enough
        What is to hold of all labels before it ends, as ``"1%"`` (at most so many are wrong) or
        ``"recall:95%"``; None to settle every label. Accepted labels have no ``certain`` mark.
    seed
        Fixes what is drawn at random.
    annotator
        Who answers, for the record.
    progress
        Told the share of the features that is ready.
    method
        Further fields of `askless.Method`: ``max_n``, ``objective``, ``channel="pointed"`` if
        answers name the wrong items, and so on.

    Raises
    ------
    InvalidInput
        An argument cannot be understood; nothing was made.

    Examples
    --------
    >>> import askless
    >>> labelling = askless.label(["a good day", "a bad day", "a good walk"], positive="good")
    >>> progress = labelling.run(lambda question: all(
    ...     ("good" in text) == (label == "good")
    ...     for text, label in zip(question.texts, question.labels)))
    >>> labelling.labels()["label"]
    ['good', 'something other than good', 'good']
    """
    where = path_of("folder", folder)
    _check(positive, negative, annotator, progress, planner)
    check_model(model)
    if enough is not None:
        method["promise"] = of_kind("enough", enough, str, "a promise as text, such as 1%")
    how = _method(planner, model, features, seed, method)
    table = _columns(data)
    named, own_features = split_features(features, table)
    source = _without(data, [name for name in own_features if name in table])
    column = probs if isinstance(probs, str) else None
    options: dict[str, Any] = {
        "text": text,
        "image": image,
        "label": label,
        "prob": column,
        "id": id,
    }
    options = {name: said for name, said in options.items() if said is not None}
    options |= {"true": true, "false": false, "show": show}
    names = Names(positive or "positive", negative)
    pool = open_pool(source, **options, progress=progress)
    terms = named_by_source(Terms(positive, negative), pool)
    names = Names(terms.positive or "positive", terms.negative)
    asked = _Asked(model, own_features, named is not None, planner, names)
    pool = _with_probs(pool, probs if column is None else None, model)
    for word, said in (("prompt", prompt), ("negative_prompt", negative_prompt)):
        if said is not None:
            of_kind(word, said, str, "a sentence as text")
    how = how.replace(features=with_prompt(named, prompt, negative_prompt))
    if where is None:
        pool, own = asked.parts(pool)
        how = _as_simulated(how, pool)
        opened = open_session(pool, how, trainer="inline", own=own, progress=progress)
        notices: list[str] = []
    else:
        opened, pool, notices = _in_folder(where, source, options, pool, how, asked, progress)
    try:
        take_known(opened.session, pool)
        return Labelling(data, pool, opened, names, annotator, where, notices)
    except BaseException:
        opened.close()
        raise


def widget(data: Any, *, height: int | None = None, **arguments: Any) -> Widget:
    """Label a source in a cell of a notebook; ``labels()`` of what this returns has the labels.

    Needs the extra ``notebook``. Show what it returns, as the last line of a cell.

    Parameters
    ----------
    data
        As for `askless.label`.
    height
        How high the cell may be, in CSS pixels; None for what is usual.
    arguments
        All others of `askless.label`.

    Raises
    ------
    InvalidInput
        An argument cannot be understood; nothing was made.
    """
    from askless.labelling.serving import check_widget

    check_widget(height)
    labelling = label(data, **arguments)
    try:
        shown: Widget = labelling.widget(height=height)
    except BaseException:
        labelling.close()
        raise
    shown.ends_labelling = True
    return shown


@dataclass(frozen=True, eq=False, slots=True)
class _Asked:
    """The objects that the caller gave, before they are joined with a pool."""

    model: Any
    features: Mapping[str, Any]
    named: bool
    planner: Any
    names: Names

    @property
    def kinds(self) -> dict[str, str]:
        """Which parts are objects, and what each is."""
        found = {} if isinstance(self.planner, str) else {"planner": type(self.planner).__name__}
        if self.model is not None and not isinstance(self.model, str):
            found["model"] = type(self.model).__name__
        for given in self.features.values():
            found["features"] = type(given).__name__
        return found

    def parts(self, pool: OpenedPool) -> tuple[OpenedPool, OwnParts]:
        """The pool, with what a fitted model says of it; and the parts for a session."""
        planner = None if isinstance(self.planner, str) else self.planner
        arrays = feature_arrays(self.features, pool, len(pool.source_rows))
        if self.model is None or isinstance(self.model, str):
            return pool, OwnParts(planner, features=arrays)
        made = own_model(self.model, pool, self.names, self.features, named=self.named)
        if made.probs is not None:
            pool = replace(pool, probs=made.probs)
            arrays = {} if pool.kind != "rows" and not self.features else arrays
        return pool, OwnParts(planner, made.predictor, arrays, made.x)


def _in_folder(
    folder: Path,
    source: Any,
    options: Mapping[str, Any],
    pool: OpenedPool,
    how: Method,
    asked: _Asked,
    progress: Callable[[float], None] | None,
) -> tuple[OpenSession, OpenedPool, list[str]]:
    """The session in a folder, new or as it was left, with its pool and what there is to say."""
    notices = []
    if kinds := asked.kinds:
        told = ", ".join(f"{what} ({kind})" for what, kind in kinds.items())
        notices.append(
            f"The folder keeps the answers, and parts by name; give these again to go on: {told}."
        )
        warnings.warn(notices[0], UserWarning, stacklevel=3)
    if begun(folder):
        opened = open_session(folder=folder)
        try:
            opened, pool, told_now = found_again(folder, str(type(source).__name__), pool, opened)
            notices += told_now + _not_given_again(opened, kinds)
            pool, own = asked.parts(pool)
            how = _as_simulated(how, pool)
            if differences(opened.method, how):
                opened.plan(how)
            opened.learn(pool, folder, own, progress)
        except BaseException:
            opened.close()
            raise
    else:
        pool, own = asked.parts(pool)
        how = _as_simulated(how, pool)
        about = {"kind": pool.kind, "own": kinds}
        opened = open_session(
            pool, how, folder, trainer="inline", about=about, progress=progress, own=own
        )
    try:
        settings = SettingsFile(folder)
        names = {"positive": asked.names.positive, "negative": asked.names.negative}
        if isinstance(source, str | os.PathLike):
            plain = {k: v for k, v in options.items() if v is not None and v != ()}
            settings.change_source(os.fspath(source), plain, **names)
        else:
            settings.change(**names)
    except BaseException:
        opened.close()
        raise
    return opened, pool, notices


def _not_given_again(opened: OpenSession, kinds: Mapping[str, str]) -> list[str]:
    """What the session was begun with, and goes on without."""
    about: Any = (opened.session.history.opening or {}).get("about", {})
    before = about.get("own", {}) if isinstance(about, Mapping) else {}
    lost = [f"{what} ({kind})" for what, kind in dict(before).items() if what not in kinds]
    if not lost:
        return []
    told = f"This was begun with {', '.join(lost)} of your own, and goes on without."
    warnings.warn(told, UserWarning, stacklevel=4)
    return [told]


def _as_simulated(how: Method, pool: OpenedPool) -> Method:
    """As a simulation does it: what learns starts from a label, and needs no recalibration."""
    learns = not (how.predictor == "fixed" and pool.probs is not None)
    return how.replace(recalibrate=False) if learns else how.replace(test_sample=0)


def _method(planner: Any, model: Any, features: Any, seed: Any, more: Mapping[str, Any]) -> Method:
    known = {each.name for each in fields(Method)} - set(_OURS)
    if strange := sorted(set(more) - known):
        near = get_close_matches(strange[0], [*signature(label).parameters, *known], 1)
        meant = "".join(f" Did you mean {name}?" for name in near)
        raise InvalidInput(
            f"label() takes the fields of a Method beside its own arguments: "
            f"{', '.join(sorted(known))}; got {', '.join(strange)}.{meant}"
        )
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer):
        raise InvalidInput(f"seed is a whole number; got {seed!r:.60}.")
    given = {"test_sample": 1, **more}
    how = Method(
        planner=planner if isinstance(planner, str) else "auto",
        predictor=model if isinstance(model, str) else None,
        seed=int(seed),
        **given,
    )
    how.make_planner()  # refused before anything is made
    return how


def _check(positive: Any, negative: Any, annotator: Any, progress: Any, planner: Any) -> None:
    for word, value in (("positive", positive), ("negative", negative)):
        if value is not None and not isinstance(value, str):
            raise InvalidInput(f"{word} is the name of a label, as text; got {value!r:.60}.")
    if not isinstance(annotator, str) or not 0 < len(annotator) <= 200 or annotator == SOURCE:
        raise InvalidInput(
            f"annotator is a name, and not {SOURCE!r}, which the labels of the source are kept "
            f"under; got {annotator!r:.60}."
        )
    if progress is not None and not callable(progress):
        raise InvalidInput(f"progress is a function of a share; got {progress!r:.60}.")
    needed = ("plan", "describe", "worst_case_questions", "max_n")
    missing = [each for each in needed if not hasattr(planner, each)]
    if not isinstance(planner, str) and (missing or isinstance(planner, type)):
        raise InvalidInput(
            "A planner is a name, or an object with the methods of askless.seams.Planner; got "
            f"{planner!r:.60}."
        )


def _columns(data: Any) -> Mapping[str, Any]:
    """The columns of the caller's table, as they are; none if it is no table."""
    if is_dataset(data):
        plain = data.with_format(None)
        return {name: plain[name] for name in data.column_names}
    if isinstance(data, Mapping):
        return {str(name): each for name, each in data.items()}
    if isinstance(data, str | os.PathLike):
        return {}
    import narwhals as nw

    known = nw.from_native(data, pass_through=True, eager_only=False)
    if not isinstance(known, nw.DataFrame):
        return {}
    return {str(name): known.get_column(name).to_native() for name in known.columns}


def _without(data: Any, names: Sequence[str]) -> Any:
    """The table without the columns that are features."""
    if not names:
        return data
    if isinstance(data, Mapping):
        return {name: each for name, each in data.items() if name not in names}
    if is_dataset(data):
        return data.remove_columns(names)
    import narwhals as nw

    return nw.from_native(data).drop(names).to_native()


def _with_probs(pool: OpenedPool, probs: Any, model: Any) -> OpenedPool:
    """The pool with the probabilities that the caller gave."""
    if is_fitted(model) and (probs is not None or pool.probs is not None):
        raise InvalidInput(
            "A fitted model and probs are both first guesses; give one of them, or the model as "
            "features: features=model.predict_proba(...)."
        )
    if probs is None:
        return pool
    rows = len(pool.source_rows)
    try:
        values = np.asarray(probs.to_numpy() if hasattr(probs, "to_numpy") else probs)
    except ValueError:
        values = np.empty(0, object)
    if values.shape != (rows,):
        raise InvalidInput(
            f"probs are one number for each of the {rows:,} rows of the source, or the name of a "
            f"column; got {type(probs).__name__} of shape {values.shape}."
        )
    return replace(pool, probs=probs_from(values.tolist(), "probs")[pool.places])
