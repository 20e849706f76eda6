"""A service for a source: a new session beside it, or the one that is there.

Tested in tests/app/test_opening.py and tests/cli/test_label.py.
"""

from __future__ import annotations

import getpass
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from askless import folder as folders
from askless.app.adaptive_planning import SMALL, AdaptivePlanning
from askless.app.names import Names
from askless.app.preparation import Preparation
from askless.app.service import LabellingService
from askless.app.settings import AppSettings, SettingsFile, read_settings
from askless.app.statistics import SOURCE
from askless.assemble import Method, OpenSession, open_session
from askless.core.question import Question
from askless.errors import InvalidInput
from askless.features import check_features, may_run_code, typed_features
from askless.folder import EVENTS, ITEMS
from askless.folder.items import read_items
from askless.pools import OpenedPool, as_before, open_pool
from askless.seams import Pool
from askless.session.session import Session
from askless.stores.sqlite import SqliteStore
from askless.trainer.background import BackgroundTrainer

_AUDIT_EVERY: Final = 20
_OPTIONS: Final = {"positive": "true"}  # on the command line --positive is a name for people


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
    """

    positive: str | None = None
    negative: str | None = None
    definition: str | None = None
    max_n: int | None = None
    annotator: str | None = None
    recalibrate: bool | None = None
    features: Mapping[str, Mapping[str, Any]] | None = None


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
    options = dict(options or {})
    begun = _begun(folder)
    was = read_settings(folder) if begun else AppSettings()
    Names(
        was.positive if terms.positive is None else terms.positive,
        was.negative if terms.negative is None else terms.negative,
    )
    if begun:
        pool, options, notices = _find_again(source, options, folder, was)
        _check_features(terms, pool, folder, was)
        opened = _open_again(folder, terms.recalibrate)
    else:
        pool, notices = open_pool(source, **options), []
        _check_features(terms, pool, folder, was)
        opened = _open_new(folder, pool, recalibrate=terms.recalibrate is not False)
    try:
        settings = SettingsFile(folder)
        for which, said, old in (
            ("positive", terms.positive, was.positive),
            ("negative", terms.negative, was.negative),
        ):
            if begun and old not in (None, AppSettings().positive) and said not in (None, old):
                notices.append(f"The {which} label is now called {said}; it was {old}.")
        if begun and terms.features is not None and (terms.features or None) != was.features:
            notices.append(
                f"The model now learns from {_sets(terms.features)}; before, from "
                f"{_sets(was.features)}. The answers stay."
            )
        _store_settings(settings, source, options, terms)
        annotator = terms.annotator or _somebody()
        planning = AdaptivePlanning(
            annotator, settings.current.max_n, informed=pool.probs is not None
        )
        service = LabellingService(pool, opened, settings, annotator, planning, notices)
        _take_known(opened.session, pool)
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
        job = {
            "source": str(source),
            "options": options,
            "items": str(folder / ITEMS),
            "features": settings.current.features,
        }
        _prepare(service, folder, job)
    return service


def source_of(folder: Path) -> str | None:
    """The source of the session in `folder`; None if there is no session, or nobody knows."""
    if not folders.exists(folder) and not folders.lost(folder):
        return None
    return read_settings(folder).source or None


def _begun(folder: Path) -> bool:
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
    store = SqliteStore(folder / EVENTS, write=False)
    try:
        return any(event.kind == "opened" for event in store.read())
    finally:
        store.close()


def _open_new(folder: Path, pool: Pool, *, recalibrate: bool) -> OpenSession:
    n = len(pool)
    method = Method(
        objective="seconds",
        max_n=SMALL,
        same_guess=True,
        recalibrate=recalibrate,
        test_sample=min(max(30, n // 100), 100, n // 4),
        audit_every=_AUDIT_EVERY,
    )
    return open_session(pool, method, folder, about={"kind": pool.kind})


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
    source: str | Path, options: Mapping[str, Any], folder: Path, was: AppSettings
) -> tuple[OpenedPool, dict[str, Any], list[str]]:
    """The pool of a session that has begun, how it was opened, and what has changed in it."""
    options = {**was.options, **options}
    pool, notices = pool_as_before(source, options, folder / ITEMS)
    if options != was.options and len(pool.missing) == len(pool):
        raise InvalidInput(
            f"The session in {folder} was begun with {_typed(was.options)}; with {_typed(options)} "
            "none of its items is found. Leave these options out to go on with it, or name "
            "a folder for another session with --session."
        )
    if was.source and options.get("prob") != was.options.get("prob"):
        raise InvalidInput(
            f"The session in {folder} keeps the probabilities it was begun with; it was begun "
            f"with {_typed(was.options)}. Leave --prob out to go on with it, or name a folder for "
            "another session with --session."
        )
    return pool, options, notices


def _check_features(terms: Terms, pool: Pool, folder: Path, was: AppSettings) -> None:
    """Refuse now what would only be told on the page, and what the folder alone asks to be run."""
    if terms.features is not None:
        if terms.features:
            check_features(pool.kind, terms.features)
    elif strange := may_run_code(was.features or {}):
        raise InvalidInput(
            f"A session does not decide whether code is run; that in {folder} learns from "
            f"{', '.join(strange)}, where there may be some. If you trust it, name it again: "
            f"{shlex.join(typed_features(was.features or {}))}; or name other feature sets, or "
            "--features default."
        )


def _prepare(service: LabellingService, folder: Path, job: Mapping[str, Any]) -> None:
    def ready(trainer: BackgroundTrainer) -> None:
        with service.lock:
            service.session.use(trainer=trainer)

    service.preparation = Preparation(folder, len(service.pool), job, ready)
    service.at_close(service.preparation.close)
    service.preparation.start()


def _store_settings(
    settings: SettingsFile, source: str | Path, options: Mapping[str, Any], terms: Terms
) -> None:
    where = str(source) if source == "demo" else str(Path(source).resolve())
    changes: dict[str, Any] = {"source": where, "options": dict(options)}
    for name in ("positive", "negative", "max_n"):
        if (said := getattr(terms, name)) is not None:
            changes[name] = said
    if terms.features is not None:
        changes["features"] = terms.features or None
    settings.change(**changes)


def _take_known(session: Session, pool: Pool) -> None:
    """Labels that the source gives are answers of the source; taken once."""
    for label in (True, False):
        key = f"known-{label}".lower()
        items = np.flatnonzero(pool.known == label).tolist()
        if items and key not in session.history.keys:
            question = Question(tuple(items), (label,) * len(items))
            session.tell(None, question.yes(), key, SOURCE)


def pool_as_before(
    source: str | Path, options: Mapping[str, Any], items: Path
) -> tuple[OpenedPool, list[str]]:
    """The pool of a session that has begun, and what has changed in its source since.

    Parameters
    ----------
    source, options
        For `open_pool`.
    items
        The session's list of items.
    """
    pool = open_pool(source, **options)
    _, before = read_items(items)
    ids, checksums = before.ids, before.checksums
    if list(pool.ids) == list(ids) and list(pool.checksums) == list(checksums):
        return pool, []
    found = as_before(pool, ids, checksums)
    notices = []
    if found.missing:
        first = next(iter(found.missing.values()))
        notices.append(
            f"Of {len(ids):,} items {len(found.missing):,} can no longer be shown: gone, or "
            f"changed since the session began. The first: {first}"
        )
    if found.new:
        notices.append(
            f"New in the source and not part of this session: {len(found.new):,}. "
            "Label what is new in a session of its own."
        )
    return found.pool, notices


def _typed(options: Mapping[str, Any]) -> str:
    return " ".join(f"--{_OPTIONS.get(k, k)} {v}" for k, v in options.items()) or "no options"


def _sets(features: Mapping[str, Mapping[str, Any]] | None) -> str:
    """Feature sets and their options in words."""
    if not features:
        return "the default for such items"
    chosen = {
        name: ", ".join(f"{option}={value}" for option, value in options.items())
        for name, options in features.items()
    }
    return ", ".join(f"{name} ({said})" if said else name for name, said in chosen.items())


def _somebody() -> str:
    try:
        return getpass.getuser()[:200] or "annotator"
    except (OSError, KeyError):
        return "annotator"
