"""``askless simulate``: how many questions would this pool take?

Tested in tests/cli/test_simulate.py and test_simulate_learning.py.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.console import Console

from askless.assemble import (
    DEFAULT_PLANNER,
    Simulation,
    SimulationOptions,
    load_pool,
    make_simulation,
)
from askless.cli.features import FeatureOptions, Features, parse_features
from askless.cli.options import Json
from askless.cli.progress import progress_watcher, share_bar
from askless.cli.tables import figures
from askless.core.annotation_cost import DEFAULT_COST
from askless.errors import InvalidInput
from askless.lab.foretold import Foretold
from askless.lab.known_pool import KnownPool
from askless.lab.simulate import simulate_session
from askless.lab.trace import Step
from askless.lab.trace_file import TraceWriter
from askless.planners import planner_names
from askless.planners.schedule import schedule_names
from askless.predictors import predictor_names

_USUAL: Final = ",".join(f"{seconds:g}" for seconds in DEFAULT_COST)
_KEPT: Final = ("channel", "recalibrate", "predictor", "features", "feature_options", "start")
"""What a session is begun with, beside what every session knows about itself."""


def simulate(
    pool: Annotated[
        str,
        typer.Argument(
            metavar="POOL",
            help="An .npz file with 'positive' (the truth) and 'probs' (P(label is True)), or "
            "with 'images' or 'x' to learn from; a labelled CSV, TSV, JSONL or Parquet table; a "
            "folder of pictures, one subfolder per label; or 'demo' for the bundled pool.",
        ),
    ],
    text: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="Of a table: the text of an item.")
    ] = None,
    image: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="Of a table: the path of a picture.")
    ] = None,
    label: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="The column, or array, with the right labels."),
    ] = None,
    positive: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="The label that is the positive one; may be repeated."),
    ] = None,
    prob: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="The column, or array, with P(label is positive)."),
    ] = None,
    planner: Annotated[
        str,
        typer.Option(
            metavar="NAME", help=f"Who chooses the questions: {', '.join(planner_names())}."
        ),
    ] = DEFAULT_PLANNER,
    max_n: Annotated[
        str | None,
        typer.Option(
            metavar="N|none",
            help="The most items a question may show. [default: 8; 24 with pointed answers; "
            "none with --objective seconds]",
        ),
    ] = None,
    answers: Annotated[
        str,
        typer.Option(
            metavar="yes-no|pointed",
            help="Whether the annotator says only yes or no, or points at the wrong items.",
        ),
    ] = "yes-no",
    objective: Annotated[
        str | None,
        typer.Option(
            metavar="questions|labels|seconds",
            help="What to save; 'labels' means the first labels soonest. [default: questions]",
        ),
    ] = None,
    seconds: Annotated[
        str,
        typer.Option(
            metavar="A,B,C",
            help="What a question takes, an item shown, an item pointed at.",
        ),
    ] = _USUAL,
    same_guess: Annotated[
        bool | None,
        typer.Option(
            "--same-guess/--no-same-guess",
            help="Guess one label in a question, or mix both. [default: same-guess]",
        ),
    ] = None,
    recalibrate: Annotated[
        bool,
        typer.Option(help="Correct the probs between questions by what the answers show."),
    ] = True,
    predictor: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=f"Who says how likely the labels are: {', '.join(predictor_names())}. "
            "[default: kernel, which learns, or fixed if there is nothing to learn from]",
        ),
    ] = None,
    features: Features = None,
    feature_option: FeatureOptions = None,
    start: Annotated[
        int, typer.Option(metavar="N", help="So many labels, drawn at random, to start with.")
    ] = 1,
    order: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=f"What to ask while still learning: {', '.join(schedule_names())}. "
            "[default: the best for the objective]",
        ),
    ] = None,
    cache: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Keep features there, and find them the next time."),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Fixes what is drawn at random.")] = 0,
    as_json: Json = False,
    trace: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep every question and answer, as JSON lines."),
    ] = None,
    session: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Work in a real session there, on disk; one that was stopped is taken up.",
        ),
    ] = None,
    al_method: Annotated[
        str | None,
        typer.Option(
            metavar="random|uncertainty",
            help="Which single items to consider.",
        ),
    ] = None,
    cost: Annotated[
        str | None,
        typer.Option(
            metavar="entropy|log-size",
            help="What a state is expected to cost.",
        ),
    ] = None,
    max_expansions: Annotated[
        int | None,
        typer.Option(metavar="N", help="Leaves expanded for a question."),
    ] = None,
    temperature: Annotated[
        float | None,
        typer.Option(
            metavar="T",
            help="How evenly sibling guesses share the search.",
        ),
    ] = None,
    max_depth: Annotated[
        int | None,
        typer.Option(metavar="N", help="How many questions to look ahead."),
    ] = None,
    reduce_certainty_factor: Annotated[
        float | None,
        typer.Option(
            metavar="R",
            help="r in p' = (1 - r) p + r/2, against overconfident probs.",
        ),
    ] = None,
    reset_tree: Annotated[
        bool | None,
        typer.Option(
            "--reset-tree/--keep-tree",
            help="Grow a new tree for every question, or keep it.",
        ),
    ] = None,
    early_stopping: Annotated[
        bool | None,
        typer.Option(
            "--early-stopping/--all-n",
            help="Stop at the first size that costs more, or try all.",
        ),
    ] = None,
) -> None:
    """Play a truthful annotator against a pool whose labels are known.

    Every label comes out right; what counts is what it takes, in questions, items shown and
    seconds. The options from --al-method on belong to the planner lookahead.

    Example: askless simulate demo --max-n 16 --json

    Example: askless simulate messages.csv --text text --label label --positive spam
    """
    given: dict[str, Any] = {
        "al_method": al_method,
        "cost": cost,
        "max_expansions": max_expansions,
        "temperature": temperature,
        "max_depth": max_depth,
        "reduce_certainty_factor": reduce_certainty_factor,
        "reset_tree": reset_tree,
        "early_stopping": early_stopping,
    }
    options = SimulationOptions(
        planner=planner,
        max_n="usual" if max_n is None else _parsed_max_n(max_n),
        answers=answers,  # type: ignore[arg-type]  # refused with a sentence if it is another word
        objective=objective,  # type: ignore[arg-type]
        same_guess=same_guess,
        seconds=_parsed_seconds(seconds),
        recalibrate=recalibrate,
        predictor=predictor,
        features=parse_features(features, feature_option) or None,
        start=start,
        order=order,
        cache=cache,
        seed=seed,
        more={name: value for name, value in given.items() if value is not None},
    )
    if session is not None:
        from askless.folder import make

        make(session)  # refused before features are made
    console = Console(highlight=False)
    shown = console.is_terminal and not as_json
    with ExitStack() as stack:
        bar = stack.enter_context(share_bar(console)) if shown else None
        known = load_pool(
            pool, text=text, label=label, image=image, prob=prob, positive=positive, progress=bar
        )
        simulation = make_simulation(known, options, progress=bar)
    n = len(known)
    with ExitStack() as stack:
        watchers: list[Callable[[Step], None]] = []
        if trace is not None:
            watchers.append(stack.enter_context(TraceWriter(trace, n, simulation.about)).write)
        if shown:
            watchers.append(stack.enter_context(progress_watcher(console, n)))

        def watch(step: Step) -> None:
            for watcher in watchers:
                watcher(step)

        report = _played(simulation, watch if watchers else None, session)
    if as_json:
        typer.echo(json.dumps(report, indent=2))
        return
    console.print(figures(report))
    if session is not None:
        console.print(f"The session is in {session}.", markup=False, soft_wrap=True)
    if trace is not None:
        console.print(f"Every question and answer is in {trace}.", markup=False, soft_wrap=True)


def _played(
    simulation: Simulation, watch: Callable[[Step], None] | None, session: Path | None
) -> dict[str, Any]:
    """The report of the run."""
    if session is None:
        learns = simulation.prepared is not None
        return simulation.report(simulation.learn(watch) if learns else simulation.run(watch))
    # Loaded here: the database below is a third of a second, and few runs are sessions.
    from askless import folder as folders
    from askless.session.options import SessionOptions
    from askless.trainer.inline import InlineTrainer

    pool, about, prepared = simulation.pool, simulation.about, simulation.prepared
    wanted = {**{name: about[name] for name in _KEPT}, "pool": _fingerprint(pool)}
    foretold = trainer = None
    if prepared is not None:
        foretold = Foretold(prepared.make(), pool.probs.values)
        made_by = {"foretold": prepared.predictor, "features": list(prepared.features)}
        training = session / folders.TRAINING
        trainer = InlineTrainer(foretold, prepared.x, folder=training, made_by=made_by)
    with folders.start(
        session,
        pool.probs,
        about["planner"],
        simulation.planner_options,
        pool=pool.things,
        about={"simulated": wanted},
        calibration=simulation.calibration,
        trainer=trainer,
        session_options=SessionOptions(seed=about["seed"], test_sample=about["start"]),
    ) as working:
        begun: Any = (working.session.history.opening or {}).get("about", {})
        folders.check_same(session, {**wanted, **begun.get("simulated", {})}, wanted)
        try:
            run = simulate_session(
                working.session, pool.labels, annotator=simulation.annotator, watch=watch
            )
        except KeyboardInterrupt:
            typer.echo(
                f"askless: Stopped; every answer is kept in {session}. "
                "The same command goes on from there.",
                err=True,
            )
            raise
        drawn = working.session.history.test_sample
    return simulation.report(run if foretold is None else foretold.learnt(run, pool.labels, drawn))


def _fingerprint(pool: KnownPool) -> str:
    """Of the items and their right labels, to know the pool again."""
    digest = hashlib.sha256(pool.labels.tobytes())
    for checksum in () if pool.things is None else pool.things.checksums:
        digest.update(checksum.encode())
    return digest.hexdigest()[:12]


def _parsed_max_n(text: str) -> int | None:
    if text.lower() == "none":
        return None
    try:
        return int(text)
    except ValueError:
        raise InvalidInput(
            f"--max-n is a whole number, 1 or more, or 'none' for no limit; got {text!r}."
        ) from None


def _parsed_seconds(text: str) -> tuple[float, float, float]:
    try:
        a, b, c = map(float, text.split(","))
    except ValueError:
        raise InvalidInput(
            "--seconds is three numbers with commas between them, per question, per item shown "
            f"and per item pointed at, such as {_USUAL}; got {text!r}."
        ) from None
    return a, b, c
