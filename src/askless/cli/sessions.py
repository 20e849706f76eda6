"""``askless status`` and ``verify``: look at a session on disk.

What they need (a database, for one) is loaded when they run, so that the other commands, and
``--help``, do not wait for it. Tested in tests/folder and
tests/cli/test_sessions.py.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from askless.cli.options import Json, SessionFolder
from askless.cli.printable import megabytes, printable
from askless.cli.typed import typed
from askless.errors import InvalidInput

if TYPE_CHECKING:
    from askless.certificates.standing import Standing
    from askless.core.interval import Share
    from askless.session.progress import Progress, Range

_SHOWN = 8
_FEW = 12  # items: so few may well be asked one at a time
_TELLING = 10  # audits: of fewer, an interval says nothing


def status(session: SessionFolder, as_json: Json = False) -> None:
    """Tell how far a session is and how long it may still take.

    Example: askless status my-session
    """
    from askless.assemble import read_session
    from askless.certificates.self_agreement import consistencies

    kept = read_session(require_session(session))
    progress, standing = kept.progress(), kept.standing()
    takes = _takes(session)
    if as_json:
        disputes = [dispute.answers for dispute in kept.history.disputes]
        said = None if standing is None else _plain_standing(standing)
        more = {"disputed_answers": disputes, "damage": kept.damage or None, **takes}
        again = [one.to_json() for one in consistencies(kept.history)]
        both = {"standing": said, "consistency": again}
        typer.echo(json.dumps({**_plain(progress), **more, **both}))
        return
    console = Console(highlight=False)
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim")
    table.add_column(justify="right")
    table.add_column()
    for row in _lines(progress, label_names(session)):
        table.add_row(*map(printable, row))
    cached = "and in the cache " + megabytes(takes["cache_bytes"])
    table.add_row("on disk", megabytes(takes["session_bytes"]), cached)
    console.print(table)
    if standing is not None:
        console.print(str(standing), markup=False, soft_wrap=True)
    for sentence in (said for one in consistencies(kept.history) for said in one.says()):
        console.print(sentence, markup=False, soft_wrap=True)
    for dispute in kept.history.disputes[:_SHOWN]:
        console.print(f"Answers {_in_words(dispute.answers)} cannot all be true.")
    if kept.damage:
        console.print(f"[bold red]Damaged.[/] {escape(printable(kept.damage))}")
    elif not progress.open:
        hint = typed("export", session, "labels.csv")
        told = f"Nothing is left to ask. To write the labels: {hint}"
        console.print(told, markup=False, soft_wrap=True)


def verify(
    session: SessionFolder,
    certificate: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="A certificate that is to be this session's, now or earlier."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Check every stored event, and that answers entail every label.

    Checks and re-asks are drawn again from their seeds, and what they prove is computed again.
    So is the certificate, from the events alone. Nothing is changed. Exit status 1 if anything is
    wrong.

    Example: askless verify my-session
    """
    from askless.folder.verifying import verify_session

    found = verify_session(require_session(session), certificate)
    if as_json:
        typer.echo(json.dumps({**asdict(found), "sound": found.sound}))
    else:
        typer.echo(
            f"{found.events:,} events, {found.answers:,} answers, {found.labels:,} labels"
            + (f", {found.checks:,} checks drawn again" if found.checks else "")
            + (f", {found.reasks:,} re-asks drawn again: " if found.reasks else ": ")
            + ("all sound." if found.sound else "NOT sound.")
        )
        if found.standing:
            typer.echo(found.standing)
        if certificate is not None and found.sound:
            typer.echo(f"The certificate in {certificate} is this session's: computed again.")
        elif found.certificate is not None:
            typer.echo(found.certificate["methods"])
        for sentence in found.consistency:
            typer.echo(sentence)
        for finding in found.findings:
            typer.echo(f"- {printable(finding)}")
    if not found.sound:
        raise typer.Exit(1)


def require_session(session: Path) -> Path:
    """The folder, if there is a session in it, or was; else it is said where one is."""
    from askless.folder import files as folders

    if folders.exists(session) or folders.lost(session):
        return session
    beside = session.with_name(f"{session.name}.askless") if session.name else session
    what = (
        f"the one that labels it is {beside}"
        if folders.exists(beside)
        else f"begin one with {typed('label', 'SOURCE')}, which tells you the folder it is kept in"
    )
    raise InvalidInput(f"There is no session in {session}; {what}.")


def _takes(session: Path) -> dict[str, int]:
    """The bytes that a session takes in its folder, and its pool in the user's cache."""
    from askless.files.user_cache import cache_size, folder_size
    from askless.folder.reading import cache_key

    key = cache_key(session)
    cached = 0 if key is None else cache_size(key)[1]
    return {"session_bytes": folder_size(session), "cache_bytes": cached}


def _plain_standing(standing: Standing) -> dict[str, Any]:
    plain = asdict(replace(standing, guesses=None))
    del plain["guesses"]  # one for each item
    return {**plain, "says": str(standing)}


def _plain(progress: Progress) -> dict[str, Any]:
    plain = asdict(progress)
    plain["agreement"] = {
        **plain["agreement"],
        "value": progress.agreement.value,
        "interval": progress.agreement.interval,
    }
    return plain


def label_names(session: Path) -> tuple[str, str]:
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
        *([("gone", f"{progress.gone:,}", "no longer in the source")] if progress.gone else []),
        (
            "labels",
            f"{progress.positives:,}",
            escape(f"{names[1]}, and {progress.negatives:,} {names[0]}"),
        ),
        *([("given", f"{progress.given:,}", "came with the source")] if progress.given else []),
        ("answers", f"{count:,}", kinds),
        ("labels an answer", "-" if each is None else f"{each:.2f}", ""),
    ]
    if progress.draws_left:
        why = "random items, asked alone, before a forecast: they are your unbiased test split"
        lines.append(("random draws left", f"{progress.draws_left:,}", why))
    elif progress.open and progress.questions_left is None:
        lines.append(("answers left", "-", "no forecast yet: questions may still grow"))
    elif progress.open and progress.questions_left is not None:
        left, seconds = progress.questions_left, progress.seconds_left
        alone = progress.open > _FEW and left.low >= progress.open
        said = "one item at a time: groups would save no time here" if alone else _between(left, 1)
        lines.append(("answers left", f"{left.expected:,.0f}", said))
        if seconds is not None:
            minutes = f"{seconds.expected / 60:,.0f}" if seconds.expected >= 60 else "< 1"
            lines.append(("minutes left", minutes, _between(seconds, 60)))
    if progress.disputes:
        lines.append(("disputes", f"{progress.disputes:,}", "answers that contradict one another"))
    if progress.agreement.trials:
        lines.append(("audits", f"{progress.agreement.trials:,}", _agreement(progress.agreement)))
    return lines


def _in_words(numbers: tuple[int, ...]) -> str:
    shown = ", ".join(map(str, numbers[:_SHOWN]))
    return shown + ", ..." if len(numbers) > _SHOWN else shown


def _between(span: Range, unit: float) -> str:
    low, high = f"{span.low / unit:,.0f}", f"{span.high / unit:,.0f}"
    return "" if low == high else f"likely {low} to {high}"


def _agreement(share: Share) -> str:
    said, (low, high) = f"{share.hits:,} answered as the labels say", share.interval
    return f"{said} ({low:.0%} to {high:.0%})" if share.trials >= _TELLING else said
