"""``askless status``, ``export`` and ``verify``: look at a session on disk.

What they need (a database, for one) is loaded when they run, so that the other commands, and
``--help``, do not wait for it. Tested in tests/folder.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from askless.cli.options import Json, SessionFolder
from askless.cli.printable import printable
from askless.cli.typed import typed
from askless.errors import InvalidInput
from askless.exports import EXPORTERS

if TYPE_CHECKING:
    from askless.core.interval import Share
    from askless.session.progress import Progress, Range

_SHOWN = 8


def status(session: SessionFolder, as_json: Json = False) -> None:
    """Tell how far a session is and how long it may still take.

    Example: askless status my-session
    """
    from askless.assemble import read_session

    kept = read_session(_begun(session))
    progress = kept.progress()
    if as_json:
        disputes = [dispute.answers for dispute in kept.history.disputes]
        more = {"disputed_answers": disputes, "damage": kept.damage or None}
        typer.echo(json.dumps({**_plain(progress), **more}))
        return
    console = Console(highlight=False)
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim")
    table.add_column(justify="right")
    table.add_column()
    for row in _lines(progress, _names(session)):
        table.add_row(*map(printable, row))
    console.print(table)
    for dispute in kept.history.disputes[:_SHOWN]:
        console.print(f"Answers {_in_words(dispute.answers)} cannot all be true.")
    if kept.damage:
        console.print(f"[bold red]Damaged.[/] {escape(printable(kept.damage))}")
    elif not progress.open:
        hint = typed("export", session, "labels.csv")
        told = f"Nothing is left to ask. To write the labels: {hint}"
        console.print(told, markup=False, soft_wrap=True)


def export(
    session: SessionFolder,
    out: Annotated[
        Path, typer.Argument(metavar="FILE", help="What to write: a file, or a new folder.")
    ],
    as_: Annotated[
        str | None,
        typer.Option(
            "--as",
            metavar="FORMAT",
            help=f"{', '.join(EXPORTERS.names())}, or package.module:EXPORTER for one of your own. "
            "[default: by the suffix of FILE]",
        ),
    ] = None,
    source: Annotated[
        Path | None,
        typer.Option(metavar="SOURCE", help="Where the items are now. [default: where they were]"),
    ] = None,
    names: Annotated[
        str | None,
        typer.Option(
            metavar="FALSE,TRUE",
            help="What the two labels are called. [default: as in the app]",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Write every item with its label and why to believe it.

    Items that are not settled yet are written with their likelier label, marked as predicted.
    Pictures are copied into one folder a label (--as folders) or as others load them
    (--as huggingface).

    Example: askless export my-session labels.csv
    """
    from askless import folder as folders
    from askless.app.exporting import session_context
    from askless.assemble import read_session
    from askless.exports import export as write_export
    from askless.exports.row import rows_of
    from askless.session.labels import labelled

    kept = read_session(_begun(session))
    _refuse_a_file_of_a_session(out)
    items = kept.items()
    labels = labelled(kept.history, kept.probs)
    context = session_context(session, source, None if names is None else _two(names))
    write_export(rows_of(labels, items), out, as_, context)
    state = kept.history.state
    counts = {
        "file": str(out),
        "items": state.n,
        "settled": state.n_settled,
        "predicted": state.n_open,
        "unsure": state.n_unsure,
        "duplicates": sum(map(len, items.copies.values())),
    }
    if kept.damage:
        told = f"Only what stands before the damage was written to {out}. {kept.damage}"
        if as_json:
            typer.echo(json.dumps({**counts, "noted": False, "error": told}))
        typer.echo(printable(told), err=True)
        raise typer.Exit(1)
    untold = folders.note_export(session, {**counts, "file": out.name, "events": kept.events})
    if as_json:
        typer.echo(json.dumps({**counts, "noted": not untold}))
        return
    typer.echo(
        f"Wrote {state.n:,} items to {out}: {state.n_settled:,} settled, "
        f"{state.n_open:,} only predicted, {state.n_unsure:,} unsure."
    )
    if counts["duplicates"]:
        typer.echo(f"Their {counts['duplicates']:,} exact duplicates have the same labels.")
    if untold:
        typer.echo(printable(untold), err=True)


def verify(session: SessionFolder, as_json: Json = False) -> None:
    """Check every stored event, and every label against the answers that entail it.

    Nothing is changed. Exit status 1 if anything is wrong.

    Example: askless verify my-session
    """
    from askless import folder as folders

    found = folders.verify(_begun(session))
    if as_json:
        typer.echo(json.dumps({**asdict(found), "sound": found.sound}))
    else:
        typer.echo(
            f"{found.events:,} events, {found.answers:,} answers, {found.labels:,} labels: "
            + ("all sound." if found.sound else "NOT sound.")
        )
        for finding in found.findings:
            typer.echo(f"- {printable(finding)}")
    if not found.sound:
        raise typer.Exit(1)


def _begun(session: Path) -> Path:
    """The folder, if there is a session in it, or was; else it is said where one is."""
    from askless import folder as folders

    if folders.exists(session) or folders.lost(session):
        return session
    beside = session.with_name(f"{session.name}.askless") if session.name else session
    what = (
        f"the one that labels it is {beside}"
        if folders.exists(beside)
        else f"begin one with {typed('label', 'SOURCE')}, which tells you the folder it is kept in"
    )
    raise InvalidInput(f"There is no session in {session}; {what}.")


def _refuse_a_file_of_a_session(out: Path) -> None:
    """Refuse to write labels over what a session, this or another, is kept in."""
    from askless import folder as folders

    ours = out.name in folders.FILES or out.name.startswith(folders.EVENTS)
    if folders.exists(out.parent) and ours:
        raise InvalidInput(
            f"Labels are never written over a session's own files; {out} is one of them. "
            "Name another file."
        )


def _plain(progress: Progress) -> dict[str, Any]:
    plain = asdict(progress)
    plain["agreement"] = {
        **plain["agreement"],
        "value": progress.agreement.value,
        "interval": progress.agreement.interval,
    }
    return plain


def _names(session: Path) -> tuple[str, str]:
    """What a False and a True label are called in the app, if it has been used."""
    from askless.app.names import Names
    from askless.app.settings import AppSettings, read_settings

    with suppress(InvalidInput):  # notes that cannot be read are no reason to be silent
        if (notes := read_settings(session)) != AppSettings():
            names = Names(notes.positive, notes.negative)
            return names.many(False), names.many(True)
    return "False", "True"


def _lines(progress: Progress, names: tuple[str, str]) -> list[tuple[str, str, str]]:
    count = sum(progress.answers.values())
    kinds = ", ".join(f"{number:,} {kind}" for kind, number in sorted(progress.answers.items()))
    each = progress.labels_per_answer
    lines = [
        ("items", f"{progress.items:,}", ""),
        ("settled", f"{progress.settled:,}", ""),
        ("open", f"{progress.open:,}", ""),
        ("unsure", f"{progress.unsure:,}", ""),
        (
            "labels",
            f"{progress.positives:,}",
            escape(f"{names[1]}, and {progress.negatives:,} {names[0]}"),
        ),
        ("answers", f"{count:,}", kinds),
        ("labels an answer", "-" if each is None else f"{each:.2f}", ""),
    ]
    if progress.open:
        left = progress.questions_left
        lines.append(("questions left", f"{left.expected:,.0f}", _between(left, 1)))
    if progress.open and progress.seconds_left is not None:
        seconds = progress.seconds_left
        minutes = f"{seconds.expected / 60:,.0f}" if seconds.expected >= 60 else "< 1"
        lines.append(("minutes left", minutes, _between(seconds, 60)))
    if progress.disputes:
        lines.append(("disputes", f"{progress.disputes:,}", "answers that contradict one another"))
    if progress.agreement.trials:
        lines.append(("audits", f"{progress.agreement.trials:,}", _agreement(progress.agreement)))
    return lines


def _two(names: str) -> tuple[str, str]:
    false, _, true = (part.strip() for part in names.partition(","))
    if not false or not true or "," in true or false == true:
        raise InvalidInput(
            f"--names is two different names with a comma between, as clothes,shoes; got {names!r}."
        )
    return false, true


def _in_words(numbers: tuple[int, ...]) -> str:
    shown = ", ".join(map(str, numbers[:_SHOWN]))
    return shown + ", ..." if len(numbers) > _SHOWN else shown


def _between(span: Range, unit: float) -> str:
    low, high = f"{span.low / unit:,.0f}", f"{span.high / unit:,.0f}"
    return "" if low == high else f"between {low} and {high}"


def _agreement(share: Share) -> str:
    low, high = share.interval
    return f"{share.hits:,} answered as the labels say ({low:.0%} to {high:.0%})"
