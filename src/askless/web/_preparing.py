"""The child process that makes features; see `askless.web.preparation`."""

from __future__ import annotations

import json
import os
import sys
import threading
from typing import Any

from askless.errors import AsklessError


def main() -> None:
    """Read the job, do it, tell how it goes."""
    # Libraries print; what is told to the parent goes out by a way of its own.
    told = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    os.dup2(2, 1)
    os.nice(5)

    def tell(**what: Any) -> None:
        told.write(json.dumps(what) + "\n")
        told.flush()

    job = json.loads(sys.stdin.readline())
    threading.Thread(target=_end_with_the_parent, daemon=True).start()
    try:
        _prepare(job, tell)
    except AsklessError as error:
        tell(failure=str(error))
    except MemoryError:
        tell(failure="there is not enough memory")
    except OSError as error:
        tell(failure=f"{error.filename or 'a file'}: {error.strerror or error}")


def _end_with_the_parent() -> None:
    sys.stdin.read()
    os._exit(1)


def _prepare(job: dict[str, Any], tell: Any) -> None:
    from pathlib import Path

    from askless.assemble import prepare
    from askless.web.opening import pool_as_before

    tell(share=0.0, note="Looking at every item once, to learn from; questions go on meanwhile.")
    pool, _ = pool_as_before(job["source"], job["options"], Path(job["items"]))
    made = prepare(
        pool, cache=Path(job["cache"]), progress=lambda share: tell(share=round(share, 4))
    )
    tell(
        predictor=made.predictor,
        options=dict(made.options),
        features=None if made.x_path is None else str(made.x_path),
        note="",
    )


if __name__ == "__main__":
    main()
