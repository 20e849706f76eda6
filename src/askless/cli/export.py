"""``askless export``: write the labels of a session on disk into files for others.

What it needs is loaded when it runs, so that the other commands, and ``--help``, do not wait for
it. Tested in tests/cli/test_sessions.py, test_export_pictures.py and test_accepted.py.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from askless.cli.options import Json, SessionFolder
from askless.cli.printable import printable
from askless.cli.sessions import require_session
from askless.errors import InvalidInput
from askless.exports import EXPORTERS

if TYPE_CHECKING:
    from askless.exports.contents import Counts, ExportOptions


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
            help=f"{EXPORTERS.own}, or package.module:EXPORTER for one of your own. "
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
    guess_above: Annotated[
        str | None,
        typer.Option(
            metavar="PERCENT",
            help="Add a column guess: the likelier label of open items, where it is likelier than "
            "this, as 95; at least 50.",
        ),
    ] = None,
    probability: Annotated[
        bool,
        typer.Option(help="Fill the column probability, or leave it empty."),
    ] = True,
    accepted: Annotated[
        bool,
        typer.Option(
            "--accepted",
            help="Write accepted labels too: the model's, under the certificate, and not certain.",
        ),
    ] = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace FILE if it is there already.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Write your table, or your files, with the label of each.

    Rows and columns are those of the source, in its order; behind them are label, certain, how and
    probability. There is a label where the answers entail it, with --accepted also where the
    model's is accepted, and none otherwise. --as full writes why to believe each label; pictures
    are copied into one folder a label (--as folders) or as others load them (--as huggingface),
    into a ZIP file if FILE ends in .zip. Without --as, such a file has one folder a label.

    Example: askless export my-session labels.csv
    """
    from askless.app.exporting import session_contents
    from askless.assemble import read_session
    from askless.exports import certificate_path, find_exporter, is_full
    from askless.exports import export as write_export
    from askless.exports.contents import ExportOptions
    from askless.exports.exporter import FolderExporter
    from askless.folder.export_note import note_export

    options = ExportOptions(_share(guess_above), probability, accepted)
    kept = read_session(require_session(session))
    _refuse_a_file_of_a_session(out)
    _refuse_what_is_there(session, source, out, overwrite)
    several = isinstance(find_exporter(as_, out), FolderExporter)
    if accepted and not several:
        _refuse_what_is_there(session, source, certificate_path(out), overwrite)
    called = None if names is None else _two(names)
    contents = session_contents(kept, source, called, options, full=is_full(as_, out))
    write_export(contents, out, as_)
    if accepted and not several and contents.certificate is None:
        with suppress(OSError):  # one of an earlier export does not belong to these labels
            certificate_path(out).unlink(missing_ok=True)
    found = contents.counts()
    counts = {"file": str(out), "items": kept.history.state.n, **found._asdict()}
    if kept.damage:
        told = f"Only what stands before the damage was written to {out}. {kept.damage}"
        if as_json:
            typer.echo(json.dumps({**counts, "noted": False, "error": told}))
        typer.echo(printable(told), err=True)
        raise typer.Exit(1)
    untold = note_export(session, {**counts, "file": out.name, "events": kept.events})
    if as_json:
        typer.echo(json.dumps({**counts, "notes": contents.notes, "noted": not untold}))
        return
    lines = [*_written(out, found, options, several), *_renamed(contents.added), *contents.notes]
    if accepted and found.accepted:
        where = out if several else certificate_path(out)
        lines += _certified(contents.certificate, where)
    for line in lines:
        typer.echo(line)
    if untold:
        typer.echo(printable(untold), err=True)


def _certified(certificate: bytes | None, where: Path) -> list[str]:
    """What is proved about the accepted labels, and whether that is what was promised."""
    if certificate is None:
        return ["There is no certificate: nothing is proved about accepted labels now."]
    found = json.loads(certificate)["certificate"]
    lines = [f"{found['says']} Their certificate is in {where}."]
    if not found["holds"]:
        lines.append("That is less than was promised: it takes more checks.")
    return lines


def _refuse_a_file_of_a_session(out: Path) -> None:
    """Refuse to write labels over what a session, this or another, is kept in."""
    from askless.folder import files as folders

    ours = out.name in folders.FILES or out.name.startswith(folders.EVENTS)
    if folders.exists(out.parent) and ours:
        raise InvalidInput(
            f"Labels are never written over a session's own files; {out} is one of them. "
            "Name another file."
        )


def _refuse_what_is_there(session: Path, source: Path | None, out: Path, overwrite: bool) -> None:
    """Refuse to write labels over the source, or over any file unless that was asked for."""
    from askless.app.settings import read_settings

    sources = [] if source is None else [source]
    with suppress(InvalidInput):  # the record is written without the notes
        sources.append(Path(read_settings(session).source or session))
    if any(_same(out, place) for place in sources):
        raise InvalidInput(
            f"Labels are never written over their source; {out} is that file. Name another file."
        )
    if os.path.lexists(out) and not out.is_dir() and not overwrite:
        raise InvalidInput(
            f"Labels are written to a new file; {out} is there already. Name another file, or "
            "replace it with --overwrite."
        )


def _same(one: Path, other: Path) -> bool:
    """Whether both are one file, by whatever path or link."""
    try:
        return one.samefile(other)
    except (OSError, ValueError):  # one of them is not there, or is the name of nothing
        return False


def _written(out: Path, found: Counts, options: ExportOptions, several: bool) -> list[str]:
    """What was written, in sentences; of several files, those with a label."""
    from askless.exports.contents import in_percent

    accepted = found.accepted if options.accepted else 0
    rest = f"{found.open - accepted:,} open, {found.unsure:,} unsure."
    if several:
        more = f" and {_count(accepted, 'accepted one')}" if options.accepted else ""
        labels = _count(found.certain, "certain label") + more
        first = f"Wrote {labels} to {out}, of {_count(found.rows, 'row')}: {rest}"
    else:
        more = f"{accepted:,} with an accepted one, " if options.accepted else ""
        first = (
            f"Wrote {_count(found.rows, 'row')} to {out}: {found.certain:,} with a certain label, "
            f"{more}{rest}"
        )
    lines, guess_above = [first, *_said_of_accepted(found, options)], options.guess_above
    if guess_above is not None:
        lines.append(
            f"Open ones with a guess above {in_percent(guess_above)}: {found.guesses:,}; by the "
            f"model's probabilities {found.expected_wrong:,.1f} of these are wrong."
        )
    for count, what in (
        (found.no_item, "Rows that are new in the source, or have nothing to show: {}."),
        (found.left_out, "Rows that cannot be read, and are not in the file: {}."),
        (found.missing, "Items that are no longer in the source, and only in --as full: {}."),
    ):
        if count:
            lines.append(what.format(f"{count:,}"))
    return lines


def _said_of_accepted(found: Counts, options: ExportOptions) -> list[str]:
    if not found.accepted:
        return ["No label is accepted: nothing is claimed."] if options.accepted else []
    if not options.accepted:
        are = "is" if found.accepted == 1 else "are"
        said = f"Of the open ones {found.accepted:,} {are} accepted, with the model's label."
        return [f"{said} To write them too, marked as not certain: --accepted."]
    lines = ["Accepted labels are the model's; the columns certain and how tell them apart."]
    if found.suspect:
        lines.append(
            f"Of these {found.suspect:,} are suspect, since some among them are known to be wrong; "
            "--as full says which."
        )
    return lines


def _count(number: int, one: str) -> str:
    return f"{number:,} {one if number == 1 else one + 's'}"


def _renamed(added: Mapping[str, object]) -> list[str]:
    """What the added columns are called where the source has columns of their names."""
    ours = [name for name in added if name.startswith("askless_")]
    said = ", ".join(ours)
    return (
        [f"Your own columns keep their names, so the added ones are called {said}."] if ours else []
    )


def _share(percent: str | None) -> float | None:
    if percent is None:
        return None
    try:
        return float(percent.strip().removesuffix("%")) / 100
    except ValueError:
        raise InvalidInput(
            f"--guess-above is a number of per cent, as 95; got {percent!r}."
        ) from None


def _two(names: str) -> tuple[str, str]:
    false, _, true = (part.strip() for part in names.partition(","))
    if not false or not true or "," in true or false == true:
        raise InvalidInput(
            f"--names is two different names with a comma between, as clothes,shoes; got {names!r}."
        )
    return false, true
