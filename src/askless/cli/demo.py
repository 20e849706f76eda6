"""``askless demo``: watch a pool being labelled."""

from __future__ import annotations

import csv
import time
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.console import Console
from rich.live import Live

from askless.assemble import Simulation, load_pool, make_simulation
from askless.cli.demo_screen import DemoScreen
from askless.errors import InvalidInput
from askless.lab.simulate import Run
from askless.lab.trace import Step
from askless.lab.trace_file import TraceWriter, read_about
from askless.pools import demo as pool_words

_PACE_S = 12.0  # a planner that met the bound would play for so long
_FRAME_S = 1 / 15


def demo(
    fast: Annotated[bool, typer.Option("--fast", help="Play as fast as it goes.")] = False,
    out: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where to keep what was asked and found.")
    ] = Path("askless-demo"),
) -> None:
    """Watch a simulated annotator label 2000 images.

    The question is whether a garment is a top. A simple predictor has guessed; the
    planner asks about several guesses at once; the annotator answers yes or no
    until every label is certain. Labelling one by one runs beside it.

    Example: askless demo --fast
    """
    console = Console(highlight=False)
    simulation = make_simulation(load_pool("demo"))
    trace_file, labels_file = _claimed(out)
    animated = console.is_terminal and not console.is_dumb_terminal and "utf" in console.encoding
    about = {"pool": "demo", **simulation.about}
    try:
        with TraceWriter(trace_file, len(simulation.pool), about) as writer:
            if animated:
                pace_s = 0.0 if fast else _PACE_S / simulation.bound_questions
                run = _played(console, simulation, writer, pace_s)
            else:
                run = simulation.run(writer.write)
    except KeyboardInterrupt:
        console.print(f"Stopped. The questions so far are in {trace_file}.", markup=False)
        raise
    _write_labels(labels_file, run)
    _tell(console, simulation, run, trace_file, labels_file)


def _played(console: Console, simulation: Simulation, writer: TraceWriter, pace_s: float) -> Run:
    """The run, drawn while it goes on, a question every `pace_s` seconds."""
    screen = DemoScreen(len(simulation.pool), min(console.width, 80))
    with Live(screen, console=console, auto_refresh=False) as live:
        began = drawn = time.monotonic()

        def watch(step: Step) -> None:
            nonlocal drawn
            writer.write(step)
            screen.add(step)
            time.sleep(max(0.0, began + step.number * pace_s - time.monotonic()))
            if time.monotonic() >= drawn + _FRAME_S:
                live.refresh()
                drawn = time.monotonic()

        run = simulation.run(watch)
        live.refresh()
    return run


def _claimed(folder: Path) -> tuple[Path, Path]:
    """The two files to write, in a folder that is new, empty, or an earlier demo's."""
    trace_file, labels_file = folder / "trace.jsonl", folder / "labels.csv"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        taken = any(folder.iterdir())
    except OSError as error:
        raise InvalidInput(
            f"The folder {folder} cannot be made: {error.strerror or error}. "
            "Name another one with --out."
        ) from error
    if taken and not _is_a_demos(trace_file):
        raise InvalidInput(
            f"The folder {folder} holds something other than an earlier demo, so nothing is "
            "written there. Name another one with --out."
        )
    return trace_file, labels_file


def _is_a_demos(trace_file: Path) -> bool:
    try:
        return read_about(trace_file).get("pool") == "demo"
    except InvalidInput:
        return False


def _write_labels(path: Path, run: Run) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["item", "label"])
        writer.writerows(enumerate(run.labels.tolist()))


def _tell(
    console: Console, simulation: Simulation, run: Run, trace_file: Path, labels_file: Path
) -> None:
    pool = simulation.pool
    guessed = int(np.count_nonzero((pool.probs.values > 0.5) == pool.labels))
    found = f"{run.labels_right:,} of {len(pool):,} labels are settled and right"
    lines = [
        "",
        f"{found}, by {run.questions:,} answers instead of {len(pool):,}.",
        f"The predictor alone would have left {len(pool) - guessed:,} labels wrong.",
        "",
        "Kept here:",
        f"  {trace_file}  every question and answer",
        f"  {labels_file}   the labels of {len(pool):,} {pool_words.ITEMS}",
        "",
        "Next: askless simulate demo --max-n 16",
    ]
    for line in lines:
        console.print(line, markup=False, soft_wrap=True)
