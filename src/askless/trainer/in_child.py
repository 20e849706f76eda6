"""What a child process of ours does first; the other end of `askless.trainer.child`.

What it prints goes to the log, and only `reply` reaches the parent. It steps back behind the people
who are answering: low priority, first to go when memory runs out. It does not outlive its parent: a
thread waits for the pipe to close, and on Linux the kernel sends a kill even while other code keeps
every other thread from running. (That kill reaches this process alone: what it has started must
then notice by itself.)

Imported by the modules that children run. Tested in tests/faults/test_trainer_process.py and
test_trainer_parent_dies.py.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

_PR_SET_PDEATHSIG = 1


def meet_parent() -> tuple[Iterator[dict[str, Any]], Callable[..., None]]:
    """What the parent says, line by line, and a function that replies to it."""
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what libraries print is no reply

    def reply(**message: Any) -> None:
        replies.write(json.dumps(message) + "\n")
        replies.flush()

    return _lines_while_parent_lives(), reply


def step_back(nice: int) -> None:
    """Let others go first: at the processor, and when memory runs out."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        with contextlib.suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text("1000")
    os.nice(nice)


def _lines_while_parent_lives() -> Iterator[dict[str, Any]]:
    """Lines from the parent; when it is gone, this process and its group end at once."""
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()

    def listen() -> None:
        for line in sys.stdin:
            lines.put(line)
        if os.getpgrp() == os.getpid():
            os.killpg(os.getpid(), signal.SIGKILL)
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    while True:
        yield json.loads(lines.get())
