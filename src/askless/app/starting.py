"""The session behind a service: begun, or taken up again, always calibrated in the same way.

What a source brings is recalibrated, what is learnt is asked about in a good order
(`askless.calibration`); how, says the method that is stored with it.
Tested in tests/app/test_starting.py.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from askless.app.adaptive_planning import SMALL
from askless.assemble import Method, OpenSession, open_session
from askless.errors import InvalidInput
from askless.seams import Pool

AUDIT_EVERY: Final = 20


def begin(folder: Path, pool: Pool, *, recalibrate: bool = True) -> OpenSession:
    """Begin the session of a pool.

    Parameters
    ----------
    folder
        The session's; made if it is not there.
    pool
        What is to be labelled.
    recalibrate
        Whether to correct the probabilities it brings by what the answers show.
    """
    method = Method(
        objective="seconds",
        max_n=SMALL,
        same_guess=True,
        recalibrate=recalibrate,
        test_sample=_test_sample(len(pool)),
        audit_every=AUDIT_EVERY,
    )
    return open_session(pool, method, folder, about={"kind": pool.kind})


def take_up(folder: Path, *, recalibrate: bool | None = None) -> OpenSession:
    """The session that was begun in `folder`.

    Parameters
    ----------
    folder
        The session's.
    recalibrate
        As it was begun with; None for whatever that was.
    """
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


def _test_sample(n: int) -> int:
    """How many items are drawn at random at first: a per cent, thirty at least if there are."""
    return min(max(30, n // 100), 100, n // 4)
