"""Open a session: the only place that puts one together.

    with open_session(pool, Method(objective="seconds"), Path("my-session")) as opened:
        asked = opened.session.ask("ann")

The app, the commands, simulations and Python users all come through here, so a session plans,
calibrates and samples the same way whoever opens it. In a folder it is kept on disk, and goes on
where it was; without one it lasts as long as the process.

Whoever opens the store for writing has the folder. Nothing else in it is written before that, so
two processes that begin at once cannot mix their files. Tested in tests/assemble/test_opening.py
and tests/folder.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np

from askless.assemble.method import Method, differences, method_of
from askless.assemble.preparing import DEFAULT_PREDICTOR, Prepared, prepare
from askless.core.event import FORMAT
from askless.core.probability import Probs
from askless.errors import InvalidInput
from askless.features import may_run_code
from askless.folder import files as sources
from askless.lab.known_pool import KnownPool
from askless.seams import Checkpoint, Planner, Pool, Store, Trainer
from askless.session.history import History
from askless.session.session import Session
from askless.stores.memory import MemoryStore
from askless.trainer.background import BackgroundTrainer
from askless.trainer.inline import InlineTrainer

_MANY: Final = 10_000
"""From so many events on, what they say is worth keeping out of Python's garbage collection."""
_OWN_PREDICTORS: Final = ("fixed", "kernel", "logistic", "network")
_CACHE: Final = "cache"


class SystemClock:
    """The machine's own clock."""

    def wall_s(self) -> float:
        """Seconds since 1970."""
        return time.time()

    def steady_s(self) -> float:
        """Seconds since the machine started, or so."""
        return time.monotonic()


@dataclass(eq=False)
class OpenSession(AbstractContextManager["OpenSession"]):
    """A session open for work; close it, or use it in a ``with``.

    Parameters
    ----------
    session
        Asks the questions and takes the answers.
    method
        How it chooses them now.
    planner
        What the method has made.
    trainer
        What learns on the way; None if nothing does.
    prepared
        What that is, and what it learns from; None if nothing does, or if it was given.
    store
        Keeps the events.
    """

    session: Session
    method: Method
    planner: Planner
    trainer: Trainer | None
    prepared: Prepared | None
    store: Store

    def plan(self, method: Method) -> None:
        """Choose questions this way from now on; stored, so that others know."""
        planner = method.make_planner()
        self.session.replan(planner, method.plain())
        self.method, self.planner = method, planner

    def close(self) -> None:
        """Let others have the folder."""
        if self.trainer is not None and self.prepared is not None:
            self.trainer.close()
        self.store.close()

    def __exit__(self, *_: object) -> None:
        self.close()


def open_session(
    pool: Pool | KnownPool | Probs | None = None,
    method: Method | None = None,
    folder: Path | None = None,
    *,
    trainer: Literal["inline", "background"] | Trainer | None = None,
    about: Mapping[str, Any] | None = None,
    cache: Path | None = None,
    progress: Callable[[float], None] | None = None,
) -> OpenSession:
    """Begin a session, or go on with the one in `folder`.

    Parameters
    ----------
    pool
        What is labelled: a pool, or P(label is True) for every item where there is nothing to
        learn from. None to go on with a session as it is.
    method
        How. A session that has begun goes on as it was: None, or the same.
    folder
        Where it is kept, made if it is not there; None for memory alone.
    trainer
        What learns from the answers. ``inline`` fits the method's predictor here and now after
        every answer, ``background`` in another process, for people who would not wait; or one of
        your own. None for nothing.
    about
        Plain values to keep about the pool; only looked at to begin a session.
    cache
        Where features are kept, to be found the next time; by default in `folder`, if there is
        one and the trainer needs a file.
    progress
        Told the share of the features that is ready.

    Raises
    ------
    InvalidInput
        There is no session there and no pool to begin one; or a session there began with another
        pool or method; or the method names a part or an option that does not exist; or the folder
        cannot be made or written to.
    StoreInUse
        Somebody else is at work there.
    Damaged
        A session was begun there, and a file of it is gone or not what it was.
    """
    given, items = _probs_and_items(pool)
    if folder is None:
        return _open_in_memory(given, items, method or Method(), trainer, cache, progress)
    if sources.lost(folder) or (not sources.exists(folder) and given is None):
        raise sources.no_session(folder)
    if method is not None:
        method.make_planner()  # refused before anything is made
    sources.make_session_folder(folder)
    store = sources.open_store(folder)
    try:
        opening = next((event.payload for event in store.read() if event.kind == "opened"), None)
        if opening is None:
            if given is None:
                raise sources.no_session(folder)
            opening = sources.write_sources(folder, given, items, about)
            history, now = History.of(len(given), ()), method or Method()
        else:
            with sources.gc_paused(to_stay=store.count > _MANY):
                history = History.of(sources.check_opening(folder, opening), store.read())
            now = method_of(history)
            _check_same_method(folder, now, method)
        first = sources.probs_of(folder, opening)
        if given is not None and not np.array_equal(first.values, given.values):
            raise InvalidInput(
                f"The session in {folder} has {len(first)} items with other probabilities than the "
                f"{len(given)} given; name another folder, or the pool it was begun with."
            )
        newest = sources.last_checkpoint(folder, len(first), lasting=True)
        if method is None and isinstance(trainer, str):
            _refuse_to_run_code(folder, now)
        fitting, prepared = _make_trainer(trainer, now, items, folder, cache, progress)
        return _join(store, opening, now, first, fitting, prepared, history, newest)
    except BaseException:
        store.close()
        raise


def check_same(folder: Path, begun: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Refuse to go on otherwise than the session was begun.

    Parameters
    ----------
    folder
        Where the session is.
    begun, wanted
        What it was begun with, and what is asked for, in plain values by name.
    """
    other = [name for name in {**begun, **wanted} if begun.get(name) != wanted.get(name)]
    if other:
        was = ", ".join(f"{name} {_word(begun.get(name))}" for name in other)
        now = ", ".join(f"{name} {_word(wanted.get(name))}" for name in other)
        raise InvalidInput(
            f"The session in {folder} goes on as it was begun, with {was}; got {now}. "
            "Ask for the same, or name another folder."
        )


def _check_same_method(folder: Path, begun: Method, wanted: Method | None) -> None:
    if wanted is not None:
        found = differences(begun, wanted)
        if "planner" in found:  # options of another planner say nothing
            found = {"planner": found["planner"]}
        check_same(folder, *({name: pair[k] for name, pair in found.items()} for k in (0, 1)))


def _open_in_memory(
    given: Probs | None,
    items: Pool | None,
    method: Method,
    trainer: Literal["inline", "background"] | Trainer | None,
    cache: Path | None,
    progress: Callable[[float], None] | None,
) -> OpenSession:
    if given is None:
        raise InvalidInput("A session needs a pool, or a folder with a session in it; got neither.")
    method.make_planner()  # refused before features are made
    fitting, prepared = _make_trainer(trainer, method, items, None, cache, progress)
    opening = {"format": FORMAT, "n": len(given)}
    return _join(MemoryStore(), opening, method, given, fitting, prepared)


def _join(
    store: Store,
    opening: Mapping[str, Any],
    method: Method,
    given: Probs,
    trainer: Trainer | None,
    prepared: Prepared | None,
    history: History | None = None,
    checkpoint: Checkpoint | None = None,
) -> OpenSession:
    planner = method.make_planner()
    session = Session(
        store,
        opening,
        planner,
        given,
        SystemClock(),
        trainer=trainer,
        calibrator=method.make_calibrator(given),
        schedule=method.make_schedule(given),
        options=method.session_options,
        checkpoint=checkpoint,
        method=method.plain(),
        history=history,
    )
    return OpenSession(session, method, planner, trainer, prepared, store)


def _probs_and_items(pool: Pool | KnownPool | Probs | None) -> tuple[Probs | None, Pool | None]:
    if pool is None or isinstance(pool, Probs):
        return pool, None
    if isinstance(pool, KnownPool):
        return pool.probs, pool.things
    return Probs(np.full(len(pool), 0.5) if pool.probs is None else pool.probs), pool


def _make_trainer(
    trainer: Literal["inline", "background"] | Trainer | None,
    method: Method,
    items: Pool | None,
    folder: Path | None,
    cache: Path | None,
    progress: Callable[[float], None] | None,
) -> tuple[Trainer | None, Prepared | None]:
    """The trainer, and what it was made of if it was made here."""
    if not isinstance(trainer, str):
        return trainer, None
    training = None if folder is None else folder / sources.TRAINING
    if trainer == "background" and folder is not None:
        cache = cache or folder / _CACHE
    prepared = prepare_method(method, items, cache=cache, progress=progress)
    if prepared is None:
        return None, None
    made_by = {"predictor": prepared.predictor, "features": list(prepared.features)}
    if trainer == "inline":
        made = InlineTrainer(prepared.make(), prepared.x, folder=training, made_by=made_by)
        return made, prepared
    if training is None or items is None:
        raise InvalidInput(
            "A trainer in the background needs a folder for its files; name one, or choose the "
            "trainer 'inline'."
        )
    return (
        BackgroundTrainer(
            training,
            len(items),
            predictor=prepared.predictor,
            options=prepared.options,
            features=prepared.x_path,
        ),
        prepared,
    )


def prepare_method(
    method: Method,
    items: Pool | None,
    *,
    cache: Path | None = None,
    progress: Callable[[float], None] | None = None,
) -> Prepared | None:
    """What the method's predictor learns from; None if nothing learns."""
    if items is None:
        if method.predictor not in (None, "fixed") or method.features is not None:
            raise InvalidInput(
                "A pool of probabilities alone has nothing to learn from; leave predictor and "
                "features out, or name a pool with pictures, texts or rows."
            )
        return None
    if method.predictor == "fixed" and items.probs is not None:
        return None
    follows = method.make_planner().describe(len(items)).follows_priority
    return prepare(
        items,
        features=method.features,
        predictor=method.predictor or DEFAULT_PREDICTOR,
        options=method.predictor_options,
        order=method.schedule if follows else "planner-order",
        cache=cache,
        progress=progress,
    )


def _refuse_to_run_code(folder: Path, method: Method) -> None:
    """A folder does not decide whether code is run that does not come with askless."""
    foreign = may_run_code(method.features or {})
    if method.predictor not in (None, *_OWN_PREDICTORS):
        foreign.append(method.predictor)
    if foreign:
        raise InvalidInput(
            f"A session does not decide whether code is run; that in {folder} learns with "
            f"{', '.join(foreign)}, where there may be some. If you trust it, name the method."
        )


def _word(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(map(_word, value)) or "none"
    if isinstance(value, Mapping):
        return ",".join(f"{name}={_word(each)}" for name, each in value.items()) or "none"
    return "none" if value is None else str(value)
