"""``askless label``: label your own pool in the browser.

Tested in tests/cli/test_label.py.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from askless import predictors
from askless.cli import models
from askless.cli import options as shared
from askless.cli.features import FeatureOptions, Features, NegativePrompt, Prompt, parse_features
from askless.cli.typed import typed
from askless.core.promise import OFF, Promise
from askless.errors import InvalidInput
from askless.features import may_run_code, typed_features

_LONGEST = 20_000


def label(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE",
            help="A folder of pictures, a CSV, TSV, JSONL or Parquet table, a file of Label "
            "Studio, Argilla, Prodigy, COCO or CVAT, or an .npz file; "
            "or a session begun before.",
        ),
    ],
    positive: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="What a positive item is called, as in 'a cat|cats'."),
    ] = None,
    negative: Annotated[
        str | None, typer.Option(metavar="NAME", help="What a negative item is called.")
    ] = None,
    definition: Annotated[
        str | None,
        typer.Option(metavar="TEXT|FILE", help="What positive means, in words or in a file."),
    ] = None,
    max_n: Annotated[
        int | None,
        typer.Option(min=1, max=200, help="The most items to a question; chosen if not given."),
    ] = None,
    price_of_a_wrong_label: shared.WrongLabel = None,
    enough: Annotated[
        str | None,
        typer.Option(
            metavar="PROMISE",
            help="Stop once this is certain to 95 %: '1%' of all labels may be wrong, "
            "'accepted:1%' of those that are the model's, 'count:20', or 'recall:95%'; 'off' to "
            "label everything again.",
        ),
    ] = None,
    recall: shared.Recall = None,
    text: shared.TextColumn = None,
    image: shared.ImageColumn = None,
    remote: shared.RemoteSources = None,
    label_: Annotated[
        str | None,
        typer.Option("--label", metavar="COLUMN", help="The column of labels already known."),
    ] = None,
    prob: shared.ProbColumn = None,
    recalibrate: Annotated[
        bool | None,
        typer.Option(
            "--recalibrate/--no-recalibrate",
            help="Correct these probabilities by what the answers show, or take them as they "
            "are. [default: recalibrate]",
        ),
    ] = None,
    id_: Annotated[
        str | None, typer.Option("--id", metavar="COLUMN", help="The column of names of items.")
    ] = None,
    show: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN", help="A column to show beside the text; may be repeated."),
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Where the paths of pictures in SOURCE begin. [default: the folder it is in]",
        ),
    ] = None,
    true: shared.TrueValues = None,
    false: shared.FalseValues = None,
    features: Features = None,
    feature_option: FeatureOptions = None,
    prompt: Prompt = None,
    negative_prompt: NegativePrompt = None,
    predictor: models.Predictor = None,
    predictor_option: models.PredictorOptions = None,
    model: models.Model = None,
    trust_here: models.TrustHere = False,
    annotator: Annotated[
        str | None, typer.Option(metavar="NAME", help="Who answers; by default who is logged in.")
    ] = None,
    session: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Where to keep it; by default SOURCE.askless."),
    ] = None,
    host: shared.Host = "127.0.0.1",
    port: shared.Port = None,
    no_browser: shared.NoBrowser = False,
    behind: shared.Behind = None,
    frame_ancestors: shared.FrameAncestors = None,
) -> None:
    """Label a pool in the browser; begin a session, or go on with one.

    Questions come at once, and get better as the model learns. Every answer is safe
    when the page says so. Ctrl-C ends the app; the same command goes on where it was.

    Example: askless label photos --positive "a cat|cats"
    """
    from askless.app.opening import session_folder, source_of
    from askless.app.terms import Terms
    from askless.assemble import DEFAULT_PREDICTOR
    from askless.cli.serving import serve_session
    from askless.folder.files import exists

    _check_name(source)
    options: dict[str, Any] = {
        "text": text,
        "image": image,
        "label": label_,
        "prob": prob,
        "id": id_,
        "show": show or None,
        "folder": None if folder is None else str(folder.resolve()),
        "remote": remote or None,
    }
    options |= {"true": _one_or_more(true), "false": _one_or_more(false)}
    chosen = {name: value for name, value in options.items() if value is not None}
    predicts = models.parse_predictor(
        predictor, predictor_option, model, trust_here=trust_here, usual=DEFAULT_PREDICTOR
    )
    asked = parse_features(features, feature_option, prompt, negative_prompt)
    terms = Terms(
        positive,
        negative,
        _definition(definition),
        max_n,
        annotator,
        recalibrate,
        asked,
        price_of_a_wrong_label,
        _promise(enough, recall),
        predicts,
    )
    words = [] if session is None else ["--session", str(session)]
    if asked and may_run_code(asked):
        words += typed_features(asked)  # such sets have to be named each time
    if predicts and any(map(predictors.may_run_code, predicts)):
        words += models.typed_predictor(predicts, trust_here=trust_here)
    words += [word for where in remote or () for word in ("--remote", where)]
    words += [] if behind is None else ["--behind", behind]
    words += [word for site in frame_ancestors or () for word in ("--frame-ancestors", site)]
    again = typed("label", source, *words)
    if session is None and (begun := source_of(Path(source))) is not None:
        session = Path(source)  # a session was named, not its source
        source = _moved(session, begun)
    elif session is None and exists(Path(source)):
        raise InvalidInput(
            f"The session in {source} does not say where its items are (they were forgotten); "
            f"name them too: {typed('label', 'SOURCE', '--session', source)}."
        )
    folder = session or session_folder(source)
    serve_session(
        source,
        folder,
        chosen,
        terms,
        again=again,
        host=host,
        port=port,
        browser=not no_browser,
        behind=behind,
        frame_ancestors=frame_ancestors or (),
    )


def _promise(enough: str | None, recall: str | None) -> Promise | Literal["off"] | None:
    if enough is not None and enough.strip().lower() == OFF and recall is None:
        return OFF
    return shared.parse_promise(enough, recall)


def _one_or_more(values: list[str] | None) -> str | list[str] | None:
    return values[0] if values and len(values) == 1 else values


def _check_name(source: str) -> None:
    """Refuse what nothing can be called, such as a variable of the shell that is not set."""
    why = "it is empty"
    try:
        if source.strip():
            Path(source).resolve().exists()
            return
    except (OSError, RuntimeError) as error:  # too long; links in a circle
        why = str(getattr(error, "strerror", None) or error)
    raise InvalidInput(
        "A source is a folder of pictures, a table or an .npz file; "
        f"{source!r:.60} is the name of none: {why}."
    )


def _moved(session: Path, source: str) -> str:
    """The source of a session; if it is gone, what lies beside the session under its name."""
    if source == "demo" or Path(source).exists():
        return source
    beside = session.resolve().with_name(Path(source).name)
    if beside.exists():
        return str(beside)
    raise InvalidInput(
        f"The items of the session in {session} were in {source}, which is gone; say where they "
        f"are now: {typed('label', 'SOURCE', '--session', session)}."
    )


def _definition(given: str | None) -> str | None:
    """The words themselves, or those in the file of that name."""
    if given is None:
        return None
    try:
        # os.path, since a text longer than any name of a file is no error to it
        words = Path(given).read_text(encoding="utf-8") if os.path.isfile(given) else given
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(
            f"A definition is a text in UTF-8; {given} cannot be read: {error}."
        ) from error
    words = words.strip()
    if not 0 < len(words) <= _LONGEST or "\0" in words:
        raise InvalidInput(
            f"A definition has 1 to {_LONGEST:,} characters; got {len(words):,}. Say it in fewer."
        )
    return words
