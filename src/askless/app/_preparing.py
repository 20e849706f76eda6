"""The child process that makes features; see `askless.app.preparation`.

First features that are quickly made, so that there is some model within seconds; then those
that were asked for, or the default ones. Tested in tests/app/test_preparation.py.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from askless.errors import AsklessError, InvalidInput
from askless.files import read_bytes, write_whole
from askless.trainer.in_child import meet_parent, step_back

_GLANCE: Final = 0.1
"""The share of the work that the quick features are said to be: the share never goes back."""
_QUICK: Final = {"images": "pixels", "texts": "words"}


def main() -> None:
    """Read the job, do it, tell how it goes; in the end ``done``, ``refused`` or ``failed``."""
    lines, tell = meet_parent()
    step_back(nice=5)
    try:
        _prepare(next(lines), tell)
        tell(done=True)
    except AsklessError as error:
        tell(refused=str(error))  # and would be again
    except MemoryError:
        tell(failed="there is not enough memory")
    except OSError as error:
        tell(failed=f"{error.filename or 'a file'}: {error.strerror or error}")


def _prepare(job: dict[str, Any], tell: Callable[..., None]) -> None:
    from askless.app.opening import pool_as_before
    from askless.assemble import prepare
    from askless.features import FEATURES, default_features
    from askless.folder.items import read_items
    from askless.planners.schedule import DEFAULT_SCHEDULE
    from askless.predictors import check_predictor_options

    _, items = read_items(Path(job["items"]))
    pool = pool_as_before(job["source"], job["options"], items)
    cache = Path(job["cache"])

    def made(
        features: Sequence[str] | Mapping[str, Mapping[str, Any]] | None,
        note: str,
        start: float = 0.0,
        end: float = 1.0,
        predictor: str | None = None,
        predictor_options: Mapping[str, Any] | None = None,
    ) -> Path | None:
        """Make features, which takes the share of the work from `start` to `end`."""
        found = prepare(
            pool,
            features=features,
            predictor=predictor,
            options=predictor_options,
            schedule=DEFAULT_SCHEDULE["seconds"],
            cache=cache,
            progress=lambda share: tell(share=round(start + (end - start) * share, 4)),
        )
        tell(
            share=end,
            predictor=found.predictor,
            options=dict(found.options),
            features=None if found.x_path is None else str(found.x_path),
            note=note,
        )
        return found.x_path

    asked, named = job.get("features"), job.get("predictor") or {}
    who: dict[str, Any] = {}
    for predictor, options in named.items():
        checked = check_predictor_options(predictor, options)
        who = {"predictor": predictor, "predictor_options": checked}
    name = _QUICK.get(pool.kind)
    quick = [name] if name in FEATURES.names() else list(default_features(pool.kind)[:1])
    wanted = asked or (None if who else default_features(pool.kind))
    looked = cache / "looked"  # this closer look was finished before, so it will be found soon
    said = [asked, named] if named else asked
    words = json.dumps(said, sort_keys=True).encode() if said else b""
    other = quick != list(wanted or ()) and who.get("predictor") != "fixed"
    if other and not _holds(looked, words):
        tell(share=0.0, note="A first glance at every item; questions go on meanwhile.")
        note = "A closer look at every item is under way; the model is a simple one so far."
        made(quick, note, end=_GLANCE)
        closer = made(wanted, "", start=_GLANCE, **who)
    else:
        tell(share=0.0, note="Looking at every item; questions go on meanwhile.")
        closer = made(wanted, "", **who)
    for path in cache.glob("kernel-*"):  # of a first glance, or of a pool that has grown since
        if closer is not None and path.stem != closer.stem:
            path.unlink(missing_ok=True)  # a trainer that still reads it keeps it open
    write_whole(looked, lambda file: file.write(words))
    tell(share=None)


def _holds(path: Path, content: bytes) -> bool:
    with contextlib.suppress(OSError, InvalidInput):
        return read_bytes(path, len(content)) == content
    return False


if __name__ == "__main__":
    main()
