"""``askless simulate``: how many questions would this pool take?

Tested in tests/cli/test_simulate.py, test_simulate_annotators.py and test_simulate_learning.py.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.console import Console

from askless.cli import models
from askless.cli import options as shared
from askless.cli.features import FeatureOptions, Features, NegativePrompt, Prompt, parse_features
from askless.cli.progress import progress_watcher, share_bar
from askless.cli.tables import figures
from askless.core.annotation_cost import DEFAULT_COST
from askless.errors import InvalidInput
from askless.folder.files import make_session_folder
from askless.lab.annotators import TRUTHFUL, parse_habits
from askless.lab.habits import HABITS
from askless.lab.trace import Step, trace_writer
from askless.planners import PLANNERS, read_planner_option
from askless.planners.schedule import schedule_names

_DEFAULT_SECONDS: Final = ",".join(f"{seconds:g}" for seconds in DEFAULT_COST)


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
    text: shared.TextColumn = None,
    image: shared.ImageColumn = None,
    label: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="The column, or array, with the right labels."),
    ] = None,
    true: shared.TrueValues = None,
    false: shared.FalseValues = None,
    prob: shared.ProbColumn = None,
    classes: Annotated[
        str | None,
        typer.Option(
            metavar="all|NAME,...",
            help="More labels than two: the values of the label that are classes, or 'all'.",
        ),
    ] = None,
    planner: Annotated[
        str,
        typer.Option(metavar="NAME", help=f"Who chooses the questions: {PLANNERS.own}."),
    ] = "auto",
    planner_option: Annotated[
        list[str] | None,
        typer.Option(
            metavar="OPTION=VALUE",
            help="A further option of the planner, as cost=entropy for lookahead; may be repeated.",
        ),
    ] = None,
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
            metavar="yes-no|pointed|typed",
            help="Whether the annotator says only yes or no, or points at the wrong items; with "
            "--classes they may type their class too.",
        ),
    ] = "yes-no",
    annotator: Annotated[
        str,
        typer.Option(
            metavar="truthful|HABIT+...",
            help="Who answers: 'truthful', or habits such as slips:0.14+persistent:0.03 "
            f"({', '.join(HABITS.names())}).",
        ),
    ] = TRUTHFUL,
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
            metavar="A,B,C[,D]",
            help="What a question takes, an item shown, an item pointed at, a class typed.",
        ),
    ] = _DEFAULT_SECONDS,
    price_of_a_wrong_label: shared.WrongLabel = None,
    enough: shared.Enough = None,
    recall: shared.Recall = None,
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
    predictor: models.Predictor = None,
    predictor_option: models.PredictorOptions = None,
    model: models.Model = None,
    trust_here: models.TrustHere = False,
    features: Features = None,
    feature_option: FeatureOptions = None,
    prompt: Prompt = None,
    negative_prompt: NegativePrompt = None,
    start: Annotated[
        int,
        typer.Option(metavar="N", min=0, help="So many labels, drawn at random, to start with."),
    ] = 1,
    schedule: Annotated[
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
    as_json: shared.Json = False,
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
) -> None:
    """Play an annotator against a pool whose labels are known.

    A truthful one gets every label right; what counts is what it takes, in questions, items shown
    and seconds. One that errs leaves labels wrong, and they are counted.

    Example: askless simulate demo --max-n 16 --json

    Example: askless simulate messages.csv --text text --label label --true spam

    Example: askless simulate demo --annotator slips:0.14

    Example: askless simulate demo --enough 1%

    Example: askless simulate digits.npz --label labels --classes all
    """
    if classes is not None:
        from askless.cli.simulate_classes import simulate_classes

        two_only = {
            "true": true, "false": false, "prob": prob, "objective": objective, "enough": enough,
            "recall": recall, "price-of-a-wrong-label": price_of_a_wrong_label,
            "planner-option": planner_option, "schedule": schedule, "session": session,
            "model": model, "annotator": None if annotator == TRUTHFUL else annotator,
        }  # fmt: skip
        simulate_classes(
            pool,
            label=label,
            classes=classes,
            columns={"text": text, "image": image},
            refused=[name for name, value in two_only.items() if value is not None],
            planner=planner,
            max_n=_parse_max_n(max_n or ("8" if answers == "yes-no" else "24")),
            answers=answers,
            seconds=seconds,
            same_guess=same_guess is not False,
            features=parse_features(features, feature_option) or None,
            predictor=predictor,
            predictor_option=predictor_option,
            cache=cache,
            seed=seed,
            as_json=as_json,
            trace=trace,
        )
        return
    if answers == "typed":
        raise InvalidInput(
            "--answers typed is for pools with more labels than two: name them with --classes, or "
            "all of them with --classes all; got no --classes. With two labels, wrong ones are "
            "pointed at: --answers pointed."
        )
    # Loaded here: what checks a method takes a tenth of a second, and --help need not wait for it.
    from askless.assemble import DEFAULT_PREDICTOR, Method, load_pool, open_simulation

    predicts = models.parse_predictor(
        predictor, predictor_option, model, trust_here=trust_here, usual=DEFAULT_PREDICTOR
    )
    asked = {
        "objective": objective,
        "wrong_label_s": price_of_a_wrong_label,
        "same_guess": same_guess,
        "features": parse_features(features, feature_option, prompt, negative_prompt) or None,
        "schedule": schedule,
        "promise": shared.parse_promise(enough, recall),
    }
    given: dict[str, Any] = {name: value for name, value in asked.items() if value is not None}
    for name, options in (predicts or {}).items():
        given |= {"predictor_options": options}
        if (predictor, model) != (None, None):
            given["predictor"] = name
    if max_n is not None:
        given["max_n"] = _parse_max_n(max_n)
    method = Method(
        planner=planner,
        planner_options=models.read_options(planner, planner_option, read_planner_option),
        channel=answers,  # type: ignore[arg-type]  # refused with a sentence if it is another word
        seconds=_parse_seconds(seconds),
        recalibrate=recalibrate,
        test_sample=start,
        seed=seed,
        **given,
    )
    columns: dict[str, Any] = {"text": text, "image": image, "label": label, "prob": prob}
    columns |= {"true": true, "false": false}
    columns = {name: column for name, column in columns.items() if column is not None}
    method.make_planner()  # refused before features are made
    parse_habits(annotator)
    if session is not None:
        make_session_folder(session)
    console = Console(highlight=False)
    shown = console.is_terminal and not as_json
    with ExitStack() as stack:
        bar = stack.enter_context(share_bar(console)) if shown else None
        known = load_pool(pool, **columns, progress=bar)
        simulation = open_simulation(
            known, method, annotator=annotator, folder=session, cache=cache, progress=bar
        )
    n = len(known)
    if session is not None:
        from askless.app.settings import SettingsFile

        names = {"positive": true, "negative": None if false == ["*"] else false}
        called = {name: " or ".join(values) for name, values in names.items() if values}
        SettingsFile(session).change_source(pool, columns, **called)
    with simulation, ExitStack() as stack:
        watchers: list[Callable[[Step], None]] = []
        if trace is not None:
            watchers.append(stack.enter_context(trace_writer(trace, n, simulation.about)))
        if shown:
            watchers.append(stack.enter_context(progress_watcher(console, n)))

        def watch(step: Step) -> None:
            for watcher in watchers:
                watcher(step)

        try:
            report = simulation.report(simulation.run(watch if watchers else None))
        except KeyboardInterrupt:
            if session is not None:
                typer.echo(
                    f"askless: Stopped; every answer is kept in {session}. "
                    "The same command goes on from there.",
                    err=True,
                )
            raise
    if as_json:
        typer.echo(json.dumps(report, indent=2))
        return
    console.print(figures(report))
    if session is not None:
        console.print(f"The session is in {session}.", markup=False, soft_wrap=True)
    if trace is not None:
        console.print(f"Every question and answer is in {trace}.", markup=False, soft_wrap=True)


def _parse_max_n(text: str) -> int | None:
    if text.lower() == "none":
        return None
    try:
        return int(text)
    except ValueError:
        raise InvalidInput(
            f"--max-n is a whole number, 1 or more, or 'none' for no limit; got {text!r}."
        ) from None


def _parse_seconds(text: str) -> tuple[float, float, float]:
    try:
        a, b, c = map(float, text.split(","))
    except ValueError:
        raise InvalidInput(
            "--seconds is three numbers with commas between them, per question, per item shown "
            f"and per item pointed at, such as {_DEFAULT_SECONDS}; got {text!r}."
        ) from None
    return a, b, c
