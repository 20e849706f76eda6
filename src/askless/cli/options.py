"""Options and arguments that several commands have in common. Imported by the commands alone.

Tested in tests/cli/test_main.py.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from askless.core.promise import Promise
from askless.errors import InvalidInput

TextColumn = Annotated[
    str | None, typer.Option(metavar="COLUMN", help="Of a table: the text of an item.")
]
ImageColumn = Annotated[
    str | None, typer.Option(metavar="COLUMN", help="Of a table: the path of a picture.")
]
ProbColumn = Annotated[
    str | None,
    typer.Option(metavar="COLUMN", help="The column, or array, with P(label is positive)."),
]
SessionFolder = Annotated[Path, typer.Argument(metavar="SESSION", help="The session's folder.")]
TrueValues = Annotated[
    list[str] | None,
    typer.Option(
        "--true", metavar="VALUE", help="A value of the label that means positive; may be repeated."
    ),
]
FalseValues = Annotated[
    list[str] | None,
    typer.Option(
        "--false",
        metavar="VALUE",
        help="A value of the label that means negative; may be repeated; '*' for all the others. "
        "A value that means neither is no label.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Host = Annotated[str, typer.Option(help="The address to serve at.")]
Port = Annotated[
    int | None,
    typer.Option(min=1, max=65535, help="The port; if it is taken, the next free one."),
]
NoBrowser = Annotated[bool, typer.Option("--no-browser", help="Print the link and open nothing.")]
Behind = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Where a proxy serves the app, as in https://label.example.org/askless: the only "
        "address it then answers to.",
    ),
]
RemoteSources = Annotated[
    list[str] | None,
    typer.Option(
        metavar="WHERE",
        help="Of a table: fetch pictures at addresses from here, such as "
        "https://images.example.org or s3://bucket; 'https' for any public host. May be repeated.",
    ),
]
FrameAncestors = Annotated[
    list[str] | None,
    typer.Option(
        metavar="SITE",
        help="A site that may show the app in a frame, as in https://portal.example.org; may be "
        "repeated. Needs --behind.",
    ),
]
WrongLabel = Annotated[
    float | None,
    typer.Option(
        metavar="SECONDS",
        min=0.0,
        help="What a wrong label costs: where people overlook things, questions are smaller the "
        "more it is. [default: 10 in the app, else 0]",
    ),
]
Enough = Annotated[
    str | None,
    typer.Option(
        metavar="PROMISE",
        help="Stop once this is certain to 95 %: '1%' of all labels may be wrong, "
        "'accepted:1%' of those that are the model's, 'count:20', or 'recall:95%'.",
    ),
]
Recall = Annotated[
    str | None,
    typer.Option(
        metavar="SHARE",
        help="Stop once this share of the positive items is certain to be found: the same as "
        "--enough recall:SHARE.",
    ),
]


def parse_promise(enough: str | None, recall: str | None) -> Promise | None:
    """What --enough and --recall promise; None for nothing."""
    if enough is not None and recall is not None:
        raise InvalidInput("One promise is kept; got --enough and --recall. Give one of them.")
    if recall is not None:
        return Promise.parse(recall, "recall")
    return None if enough is None else Promise.parse(enough)
