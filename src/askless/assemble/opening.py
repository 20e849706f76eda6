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
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np

from askless.assemble.going_on import check_same_method
from askless.assemble.method import Method, method_of
from askless.assemble.own_parts import NOTHING_OWN, OwnParts
from askless.assemble.preparing import Prepared
from askless.assemble.trainers import make_trainer, refuse_to_run_code
from askless.certificates.enough import PromisePolicy
from askless.certificates.promise_cost import OFFERED, Projection, project
from askless.core.event import FORMAT
from askless.core.probability import Probs
from askless.core.promise import Promise
from askless.doors import of_kind
from askless.errors import InvalidInput
from askless.files import path_of
from askless.files.user_cache import PoolCache
from askless.folder import files as sources
from askless.folder.reading import session_id
from askless.history.history import History
from askless.lab.known_pool import KnownPool
from askless.seams import Checkpoint, Planner, Pool, Store, Trainer
from askless.session.session import Session

_MANY: Final = 10_000
"""From this many events on, their contents are worth keeping out of the garbage collection."""


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
        Keeps the events; None in memory.
    cache
        Where the features and the model are kept; None if nothing is.
    """

    session: Session
    method: Method
    planner: Planner
    trainer: Trainer | None
    prepared: Prepared | None
    store: Store | None
    cache: PoolCache | None = None
    _draw_seed: int | None = field(default=None, init=False)
    _policy: PromisePolicy | None = field(default=None, init=False)

    def plan(self, method: Method) -> None:
        """Choose questions this way from now on; stored, so that others know."""
        planner = method.make_planner()
        policy = method.make_policy(self._draw_seed)
        self.session.replan(planner, method.plain())
        if policy is None:
            if self.method.promise is not None:
                self.session.promise_nothing()
        elif policy == self._policy:
            policy = self._policy
        else:
            if self._policy is not None:
                policy = replace(policy, record=self._policy.record)
            self.session.use(policy=policy)
        self.method, self.planner, self._policy = method, planner, policy

    def projections(self, promises: Sequence[Promise] = OFFERED) -> tuple[Projection, ...]:
        """What each of these promises will cost from here, beside labelling everything."""
        policy = self._policy or self.method.replace(promise=OFFERED[0]).make_policy()
        assert policy is not None
        return project(policy, self.session.probs, self.session.state, promises)

    def fix_draws(self, seed: int) -> None:
        """Draw checks by this seed, in the lab alone; else by the operating system's entropy."""
        self._draw_seed = seed
        if (policy := self.method.make_policy(seed)) is not None:
            self._policy = policy
            self.session.use(policy=policy)

    def learn(
        self,
        pool: Pool,
        folder: Path,
        own: OwnParts = NOTHING_OWN,
        progress: Callable[[float], None] | None = None,
    ) -> None:
        """Have a session that was opened without a trainer learn, here, after every answer."""
        made = make_trainer("inline", self.method, pool, folder, None, progress, own)
        self.trainer, self.prepared = made
        self.session.use(planner=own.planner, trainer=self.trainer)
        self.planner = self.planner if own.planner is None else own.planner

    def close(self) -> None:
        """Let others have the folder."""
        if self.trainer is not None and self.prepared is not None:
            self.trainer.close()
        if self.store is not None:
            self.store.close()
        if self.cache is not None:
            self.cache.close()

    def __exit__(self, *_: object) -> None:
        self.close()


def open_session(
    pool: Pool | KnownPool | Probs | None = None,
    method: Method | None = None,
    folder: str | Path | None = None,
    *,
    trainer: Literal["inline", "background"] | Trainer | None = None,
    about: Mapping[str, Any] | None = None,
    cache: str | Path | None = None,
    progress: Callable[[float], None] | None = None,
    own: OwnParts = NOTHING_OWN,
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
        Where features are kept, to be found the next time; by default in the user's cache
        (`askless.files.user_cache`), if there is a folder and the trainer needs a file.
    progress
        Told the share of the features that is ready.
    own
        Parts that are given as objects, in place of what the method names. They are not kept.

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
    folder, cache = path_of("folder", folder), path_of("cache", cache)
    _check_kinds(method, trainer)
    of_kind("own", own, OwnParts, "OwnParts")
    if about is not None:
        about = dict(of_kind("about", about, Mapping, "a mapping of plain values"))  # type: ignore[type-abstract]
    given, items = _probs_and_items(pool)
    if folder is None:
        return _open_in_memory(given, items, method or Method(), trainer, cache, progress, own)
    if sources.lost(folder) or (not sources.exists(folder) and given is None):
        raise sources.no_session(folder)
    if method is not None:
        method.make_planner()  # refused before anything is made
    there = folder.exists()
    sources.make_session_folder(folder)
    store = sources.open_store(folder)
    held: PoolCache | None = None
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
            check_same_method(folder, now, method)
        first = sources.probs_of(folder, opening, history.source)
        if given is not None and not np.array_equal(first.values, given.values):
            raise InvalidInput(
                f"The session in {folder} has {len(first)} items with other probabilities than the "
                f"{len(given)} given; name another folder, or the pool it was begun with."
            )
        newest = sources.last_checkpoint(folder, len(first), lasting=True)
        if method is None and isinstance(trainer, str) and own.predictor is None:
            refuse_to_run_code(folder, now)
        model = None
        if isinstance(trainer, str) and items is not None:
            held = PoolCache(items.checksums[: history.source.sizes[0]])
            cache = cache or (held / "features" if trainer == "background" else None)
            if history.opening is not None:
                model = held / "models" / f"{session_id(folder)}.npz"
        fitting, prepared = make_trainer(trainer, now, items, folder, cache, progress, own, model)
        opened = _join(store, opening, now, first, fitting, prepared, own, history, newest)
        opened.cache = held
        return opened
    except BaseException:
        if not store.count:
            sources.remove_unbegun(folder, there)
        store.close()
        if held is not None:
            held.close()
        raise


def _open_in_memory(
    given: Probs | None,
    items: Pool | None,
    method: Method,
    trainer: Literal["inline", "background"] | Trainer | None,
    cache: Path | None,
    progress: Callable[[float], None] | None,
    own: OwnParts,
) -> OpenSession:
    if given is None:
        raise InvalidInput("A session needs a pool, or a folder with a session in it; got neither.")
    method.make_planner()  # refused before features are made
    fitting, prepared = make_trainer(trainer, method, items, None, cache, progress, own)
    opening = {"format": FORMAT, "n": len(given)}
    return _join(None, opening, method, given, fitting, prepared, own)


def _join(
    store: Store | None,
    opening: Mapping[str, Any],
    method: Method,
    given: Probs,
    trainer: Trainer | None,
    prepared: Prepared | None,
    own: OwnParts,
    history: History | None = None,
    checkpoint: Checkpoint | None = None,
) -> OpenSession:
    planner = method.make_planner() if own.planner is None else own.planner
    policy = method.make_policy()
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
        policy=policy,
        history=history,
    )
    if policy is None:
        session.promise_nothing()
    opened = OpenSession(session, method, planner, trainer, prepared, store)
    opened._policy = policy
    return opened


def _check_kinds(method: object, trainer: object) -> None:
    if method is not None and not isinstance(method, Method):
        raise InvalidInput(f"A session works by a Method; got {type(method).__name__}.")
    named = trainer in ("inline", "background") if isinstance(trainer, str) else trainer is None
    if not named and not (hasattr(trainer, "submit") and hasattr(trainer, "poll")):
        raise InvalidInput(
            "A trainer is 'inline', 'background', or an object with the methods of "
            f"askless.seams.Trainer; got {trainer!r:.60}."
        )


def _probs_and_items(pool: Pool | KnownPool | Probs | None) -> tuple[Probs | None, Pool | None]:
    if pool is None or isinstance(pool, Probs):
        return pool, None
    if isinstance(pool, KnownPool):
        return pool.probs, pool.things
    if not hasattr(pool, "checksums") or isinstance(pool, type):
        raise InvalidInput(
            "A session labels a pool, which askless.open_pool makes of a source, or Probs; got "
            f"{type(pool).__name__}. askless.label takes the source itself."
        )
    return Probs(np.full(len(pool), 0.5) if pool.probs is None else pool.probs), pool
