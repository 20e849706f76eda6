"""A progress bar that costs a run next to nothing.

Tested in tests/cli/test_simulate.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

from askless.lab.trace import Step


@contextmanager
def progress_watcher(console: Console, n: int) -> Iterator[Callable[[Step], None]]:
    """A bar of settled labels, gone when the run is over; yields what must see every step.

    Parameters
    ----------
    console
        The terminal to draw on.
    n
        The number of items in the pool.
    """
    columns = (
        TextColumn("labels"),
        BarColumn(),
        TextColumn("{task.completed:,.0f} of {task.total:,.0f}"),
        TextColumn("after {task.fields[questions]:,} questions"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=n, questions=0)
        yield lambda step: progress.update(task, completed=step.settled, questions=step.number)


@contextmanager
def share_bar(console: Console) -> Iterator[Callable[[float], None]]:
    """A bar for getting ready, gone when that is done; yields what is told the share.

    Parameters
    ----------
    console
        The terminal to draw on.
    """
    columns = (TextColumn("getting ready"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=1.0)
        yield lambda share: progress.update(task, completed=share)
