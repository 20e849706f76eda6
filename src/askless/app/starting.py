"""The session behind a service: begun, or taken up again, always calibrated in the same way.

What a source brings is recalibrated, what is learnt is asked about in a good order
(`askless.calibration`); how, stands in the event that opened the session.
Tested in tests/app/test_starting.py.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np

from askless import folder as folders
from askless.core.probability import Probs
from askless.errors import InvalidInput
from askless.seams import Pool
from askless.session.options import SessionOptions

AUDIT_EVERY: Final = 20


def begin(folder: Path, pool: Pool, *, recalibrate: bool = True) -> folders.Working:
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
    return folders.start(
        folder,
        Probs(np.full(len(pool), 0.5) if pool.probs is None else pool.probs),
        pool=pool,
        about={"kind": pool.kind},
        session_options=SessionOptions(
            audit_every=AUDIT_EVERY, test_sample=_test_sample(len(pool))
        ),
        calibration={"recalibrate": recalibrate},
    )


def take_up(folder: Path, *, recalibrate: bool | None = None) -> folders.Working:
    """The session that was begun in `folder`.

    Parameters
    ----------
    folder
        The session's.
    recalibrate
        As it was begun with; None for whatever that was.
    """
    working = folders.start(folder)
    words = (working.session.history.opening or {}).get("correction")
    was = not isinstance(words, dict) or words.get("recalibrate", True)
    if recalibrate not in (None, was):
        working.close()
        raise InvalidInput(
            f"The session in {folder} was begun with --{'' if was else 'no-'}recalibrate and "
            "goes on so. Leave the option out, or name a folder for another session with "
            "--session."
        )
    return working


def _test_sample(n: int) -> int:
    """How many items are drawn at random at first: a per cent, thirty at least if there are."""
    return min(max(30, n // 100), 100, n // 4)
