"""A service for a source: a new session beside it, or the one that is there.

Tested in tests/app/test_opening.py and tests/cli/test_label.py.
"""

from __future__ import annotations

import getpass
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from askless.app.adaptive_planning import SMALL, AdaptivePlanning
from askless.app.named_model import check_model, prepare_model
from askless.app.names import Names
from askless.app.service import LabellingService
from askless.app.settings import AppSettings, SettingsFile, read_settings
from askless.app.terms import (
    Terms,
    changed_promise,
    changed_terms,
    named_by_source,
    typed,
    whole_rows,
)
from askless.app.unused import otherwise, unused_definition
from askless.assemble import Method, OpenSession, open_session
from askless.assemble.method import AUDIT_EVERY, WRONG_LABEL_S
from askless.assemble.updating import in_words, store_update, update_of
from askless.core.promise import Promise
from askless.core.question import Question
from askless.errors import InvalidInput
from askless.folder import files as folders
from askless.folder.files import items_of
from askless.folder.items import Items
from askless.history.projections import SOURCE
from askless.pools import OpenedPool, Reopened, as_before, open_pool
from askless.seams import Pool
from askless.session.session import Session


def session_folder(source: str | Path) -> Path:
    """Where the session of a source lies unless something else is said: beside it."""
    path = Path(source).resolve()
    if not path.name:
        raise InvalidInput(
            f"A session lies beside its source, and nothing lies beside {path}; name a folder for "
            "it with --session."
        )
    return path.with_name(f"{path.name}.askless")


def open_service(
    source: str | Path,
    folder: Path,
    options: Mapping[str, Any] | None = None,
    terms: Terms | None = None,
    *,
    learn: bool = True,
) -> LabellingService:
    """Open a session, new or as it was left; the model is prepared in the background.

    Parameters
    ----------
    source
        What `askless.pools.open_pool` opens.
    folder
        The session's.
    options
        For `open_pool`.
    terms
        What the person asked for.
    learn
        Whether to prepare a model at all.
    """
    terms = terms or Terms()
    if terms.annotator == SOURCE:
        raise InvalidInput(
            f"Labels that the source gives are kept under the name {SOURCE!r}, so nobody else can "
            "be called that; name another --annotator."
        )
    options = dict(options or {})
    remote = options.pop("remote", None)  # never kept: a session may come from somebody else
    again = begun(folder)
    was = read_settings(folder) if again else AppSettings()
    Names(
        was.positive if terms.positive is None else terms.positive,
        was.negative if terms.negative is None else terms.negative,
    )
    now = otherwise(was, options) if again else None
    unused = None if now is None else unused_definition(folder)
    if now is not None and unused is not None:
        again, options = False, now
        terms = replace(terms, definition=terms.definition or unused or None)
    if again:
        opened = _open_again(folder, terms.recalibrate)
        try:
            opened, pool, options, notices = _find_again(
                source, options, folder, was, opened, remote
            )
            check_model(terms, pool, folder, was)
        except BaseException:
            opened.close()
            raise
    else:
        pool, options = _open_source(source, options, terms, remote)
        if unused is not None:
            unused_definition(folder, remove=True)
        notices = whole_rows(pool, source)
        if pool.id_column is not None:
            options["id"] = pool.id_column
        true, false = pool.label_names
        if true is not None and false is not None:  # no value that comes later means either
            options |= {"true": true, "false": false}
        terms = named_by_source(terms, pool)
        check_model(terms, pool, folder, was)
        method = app_method(len(pool), recalibrate=terms.recalibrate is not False)
        opened = open_session(pool, method, folder, about={"kind": pool.kind})
    try:
        settings = SettingsFile(folder)
        if again:
            notices += changed_terms(terms, was)
        elif unused is not None:
            settings.change(pinned=(), reviewed=())  # there are other items now
        _store_settings(settings, source, options, terms)
        annotator = terms.annotator or _somebody()
        planning = AdaptivePlanning(
            annotator,
            settings.current.max_n,
            wrong_label_s=_wrong_label_s(opened, terms),
            informed=pool.probs is not None,
        )
        names = Names(settings.current.positive, settings.current.negative)
        changed, told = changed_promise(terms, opened.method.promise, names)
        service = LabellingService(pool, opened, settings, annotator, planning, notices + told)
        if changed:
            service.set_promise(terms.promise if isinstance(terms.promise, Promise) else None)
        take_known(opened.session, pool)
        if (
            terms.definition is not None
            and terms.definition not in opened.session.history.definitions
        ):
            opened.session.define(terms.definition, annotator)
            settings.change(reviewed=())  # it was judged by the old words
    except BaseException:
        opened.close()
        raise
    if learn:
        fetched = {} if remote is None else {"remote": remote}
        prepare_model(service, source, folder, {**options, **fetched})
    return service


def source_of(folder: Path) -> str | None:
    """The source of the session in `folder`; None if there is no session, or nobody knows."""
    if not folders.exists(folder) and not folders.lost(folder):
        return None
    return read_settings(folder).source or None


def begun(folder: Path) -> bool:
    """Whether a session was begun there; refused if the folder is used for something else."""
    if folders.lost(folder):
        raise folders.no_session(folder)
    if not folders.exists(folder):
        if folder.is_dir() and (other := folders.unknown_files(folder)):
            raise InvalidInput(
                f"A session needs a folder of its own; {folder} holds something else "
                f"({other[0]}). Name another with --session."
            )
        return False
    store = folders.open_store(folder, write=False)
    try:
        return any(event.kind == "opened" for event in store.read())
    finally:
        store.close()


def _wrong_label_s(opened: OpenSession, terms: Terms) -> float:
    """What a wrong label costs: as asked for now, else before, else as usual."""
    if terms.wrong_label_s is not None:
        return terms.wrong_label_s
    stored = opened.session.history.method or {}
    return opened.method.wrong_label_s if "wrong_label_s" in stored else WRONG_LABEL_S


def app_method(n: int, *, recalibrate: bool) -> Method:
    """How the app begins to label a pool of `n` items; it then fits questions to the person."""
    return Method(
        objective="seconds",
        wrong_label_s=WRONG_LABEL_S,
        max_n=SMALL,
        same_guess=True,
        recalibrate=recalibrate,
        test_sample=min(max(30, n // 100), 100, n // 4),
        audit_every=AUDIT_EVERY,
    )


def _open_again(folder: Path, recalibrate: bool | None) -> OpenSession:
    """The session in `folder`; refused if it should recalibrate otherwise than it does."""
    opened = open_session(folder=folder)
    was = opened.method.recalibrate
    if recalibrate not in (None, was):
        opened.close()
        raise InvalidInput(
            f"The session in {folder} was begun with --{'' if was else 'no-'}recalibrate and "
            "goes on so. Leave the option out, or name a folder for another session with "
            "--session."
        )
    return opened


def _find_again(
    source: str | Path,
    options: Mapping[str, Any],
    folder: Path,
    was: AppSettings,
    opened: OpenSession,
    remote: Sequence[str] | None,
) -> tuple[OpenSession, OpenedPool, dict[str, Any], list[str]]:
    """The session with all its items, its pool, how that was opened, and what has changed in it."""
    options = {**was.options, **options}
    begun_with = f" It was begun with {typed(was.options)}; got {typed(options)}."
    now = open_pool(source, **options, again=True, remote=remote)
    if was.source and options.get("prob") != was.options.get("prob"):
        found_before(folder, source, now, opened, begun_with)
        raise InvalidInput(
            f"The session in {folder} keeps the probabilities it was begun with; it was begun "
            f"with {typed(was.options)}. Leave --prob out to go on with it, or name a folder for "
            "another session with --session."
        )
    told = begun_with if options != was.options else ""
    opened, pool, notices = found_again(folder, source, now, opened, told)
    return opened, pool, options, notices


def found_again(
    folder: Path, source: object, now: OpenedPool, opened: OpenSession, begun_with: str = ""
) -> tuple[OpenSession, OpenedPool, list[str]]:
    """A session that goes on with its source as it is now: all its items, and what has changed.

    Parameters
    ----------
    folder
        The session's.
    source
        What the source is called, for messages.
    now
        What is in it now.
    opened
        The session; it is closed and opened again if the source has changed.
    begun_with
        How else it was opened when the session began, as a sentence.

    Raises
    ------
    InvalidInput
        None of the session's items is there.
    """
    found, items = found_before(folder, source, now, opened, begun_with)
    update = update_of(found, items)
    if update is None:
        return opened, found.pool, []
    told = in_words(found, update)
    opened = store_update(opened, folder, update)
    return opened, found.pool, [told] if told else []


def found_before(
    folder: Path, source: object, now: OpenedPool, opened: OpenSession, begun_with: str
) -> tuple[Reopened, Items]:
    """The items of a session in its source, and what they were called."""
    history = opened.session.history
    items = items_of(folder, history.opening or {}, history.source)
    found = as_before(now, items.ids, items.checksums, add=True)
    if items.ids and len(found.missing) == len(items.ids) > len(items.missing):
        unused = "" if history.answers else ", or remove that folder: it holds no answers"
        raise InvalidInput(
            f"None of the items of the session in {folder} is found in {source}."
            f"{begun_with} Name what it was begun with, or a folder "
            f"for another session (on the command line with --session){unused}."
        )
    return found, items


def _store_settings(
    settings: SettingsFile, source: str | Path, options: Mapping[str, Any], terms: Terms
) -> None:
    changes: dict[str, Any] = {}
    for name in ("positive", "negative", "max_n"):
        if (said := getattr(terms, name)) is not None:
            changes[name] = said
    for name in ("features", "predictor"):
        if (parts := getattr(terms, name)) is not None:
            changes[name] = parts or None
    settings.change_source(source, options, **changes)


def _open_source(
    source: str | Path, options: dict[str, Any], terms: Terms, remote: Sequence[str] | None
) -> tuple[OpenedPool, dict[str, Any]]:
    """The source, and how it was opened.

    Where nobody said which values of the label mean what, they may be the names of the labels, as
    in an earlier export.
    """
    try:
        return open_pool(source, **options, remote=remote), options
    except InvalidInput:
        if "label" not in options or terms.positive is None or {"true", "false"} & options.keys():
            raise
        names = Names(terms.positive, terms.negative)
        said: dict[str, Any] = {"true": names.many(True), "false": names.many(False)}
        for left_out in ("", "true", "false"):  # an early export may have only one of them
            found = {value: name for value, name in said.items() if value != left_out}
            with suppress(InvalidInput):
                opened = open_pool(source, **options, **found, remote=remote)
                if {*opened.label_names} - {None} <= {*found.values()}:
                    return opened, {**options, **said}
        raise


def take_known(session: Session, pool: Pool) -> None:
    """Labels that the source gives are answers of the source, each taken once, to open items."""
    by_source = [one for one in session.history.answers.values() if one.annotator == SOURCE]
    taken = {item for given in by_source for item in given.answer.question.items}
    free = [item for item in session.state.open_items().tolist() if item not in taken]
    for label in (True, False):
        items = tuple(item for item in free if pool.known[item] == label)
        if items:
            question = Question(items, (label,) * len(items))
            session.tell(None, question.yes(), f"given-{len(by_source)}-{label}".lower(), SOURCE)


def pool_as_before(source: str | Path, options: Mapping[str, Any], items: Items) -> OpenedPool:
    """The pool of a session that has begun, with the items it has; others are left out.

    Parameters
    ----------
    source, options
        For `open_pool`.
    items
        What the session calls its items.
    """
    pool = open_pool(source, **options, again=True)
    return as_before(pool, items.ids, items.checksums).pool


def _somebody() -> str:
    try:
        return getpass.getuser()[:200] or "annotator"
    except (OSError, KeyError):
        return "annotator"
