"""``askless simulate --classes``: how much would this pool take, with more labels than two?

Tested in tests/cli/test_simulate_classes.py.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import typer
from rich.console import Console
from rich.table import Table

from askless.cli.progress import progress_watcher, share_bar
from askless.errors import InvalidInput
from askless.lab.trace import Step, trace_writer


def simulate_classes(
    where: str,
    *,
    label: str | None,
    classes: str,
    columns: Mapping[str, str | None],
    refused: Sequence[str],
    planner: str,
    max_n: int | None,
    answers: str,
    seconds: str,
    same_guess: bool,
    features: Mapping[str, Mapping[str, Any]] | None,
    predictor: str | None,
    predictor_option: Sequence[str] | None,
    cache: Path | None,
    seed: int,
    as_json: bool,
    trace: Path | None,
) -> None:
    """Play an annotator against a pool whose classes are known; options as they were typed."""
    # Loaded here, since --help need not wait for it.
    from askless.assemble.class_simulation import ALL, open_class_pool, simulate_pool
    from askless.lab.class_simulation import ClassPace

    if refused:
        raise InvalidInput(f"--{refused[0]} is for two labels; leave it out with --classes.")
    if label is None:
        if not Path(where).is_dir():
            raise InvalidInput("--classes needs --label, the column or array with the classes.")
        label = "folder"
    if predictor not in (None, "kernel", "sklearn"):
        raise InvalidInput(f"With --classes the predictor is kernel or sklearn; got {predictor!r}.")
    names = [word for text in predictor_option or () for word in [text.partition("=")] if word[1]]
    estimator = {name.strip(): value.strip() for name, _, value in names}.get("estimator")
    if predictor == "sklearn":
        estimator = estimator or "sklearn.linear_model:LogisticRegression"
    try:
        parts = [float(part) for part in seconds.split(",")]
    except ValueError:
        parts = []
    if len(parts) not in (3, 4) or not all(0 <= part <= 1e6 for part in parts):
        raise InvalidInput(
            "--seconds is three or four numbers with commas between them, 0 or more: per question, "
            f"per item shown, per item pointed at and per class typed; got {seconds!r}."
        )
    pace = ClassPace(*parts)
    console = Console(highlight=False)
    shown = console.is_terminal and not as_json
    said = [name.strip() for name in classes.split(",")]
    pool = open_class_pool(
        where,
        label=label,
        classes=ALL if said == [ALL] else said,
        **{name: column for name, column in columns.items() if column is not None},
    )
    with ExitStack() as stack:
        watchers: list[Callable[[Step], None]] = []
        if trace is not None:
            about = {"classes": list(pool.label_names), "planner": planner, "seed": seed}
            watchers.append(stack.enter_context(trace_writer(trace, len(pool), about)))
        if shown:
            watchers.append(stack.enter_context(progress_watcher(console, len(pool))))

        def watch(step: Step) -> None:
            for watcher in watchers:
                watcher(step)

        with ExitStack() as getting_ready:
            bar = getting_ready.enter_context(share_bar(console)) if shown and not trace else None
            report = simulate_pool(
                pool, max_n=max_n, answers=answers,  # type: ignore[arg-type]  # refused in a sentence
                planner=planner, same_guess=same_guess, pace=pace, features=features,
                estimator=estimator, seed=seed, cache=cache, progress=bar,
                watch=watch if watchers else None,
            )  # fmt: skip
    if as_json:
        typer.echo(json.dumps(report, indent=2))
        return
    console.print(_figures(report))


def _figures(report: Mapping[str, Any]) -> Table:
    alone = report["typed_alone"]
    most = "any number of" if report["max_n"] is None else f"at most {report['max_n']:,}"
    kinds = [f"{count:,} {kind}" for kind, count in report["answers"].items() if count]
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim")
    rows = {
        "classes": f"{len(report['classes']):,}",
        "planner": f"{report['planner']}; {most} items a question; seed {report['seed']}",
        "labels right": f"{report['labels_right']:,} of {report['items']:,}",
        "answers": ", ".join(kinds),
        "questions": f"{report['questions']:,}, of which {report['none_of_these']:,} ask whether "
        "none is of a class",
        "typed": f"{report['typed']:,} classes; {report['pointed']:,} items were pointed at",
        "items shown": f"{report['items_shown']:,}",
        "seconds": f"{report['seconds']:,.0f} (typed one by one {alone['seconds']:,.0f}, each "
        f"item seen once {report['floor_seconds']:,.0f})",
        "code length": f"{report['code_length_bits']:,.0f} bits"
        + (
            f", {report['questions_per_bit']:.3f} questions a bit"
            if report["questions_per_bit"]
            else ""
        ),
    }
    for name, words in rows.items():
        table.add_row(name, words)
    return table
