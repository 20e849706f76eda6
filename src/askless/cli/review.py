"""``askless review``: the labels of a session that are likeliest to be wrong.

It reads what the app shows in its review, and changes nothing. Tested in tests/cli/test_review.py.
"""

from __future__ import annotations

import json

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from askless.cli.options import Json, SessionFolder
from askless.cli.printable import printable

_SHOWN = 20
_SAID = {
    "held-out": "by a model that learnt from the other questions alone",
    "given": "by the probabilities the session began with",
    "when asked": "by what was believed when each was asked; the model's features are not in the "
    "cache",
}


def review(session: SessionFolder, as_json: Json = False) -> None:
    """List the labels that are likeliest to be wrong, with what a look at them is worth.

    The chance that a label is wrong comes from a model without that label and those of the same
    question, from how it was asked, and from how much is overlooked in audits. Labels that were
    looked at in the app's review are not listed again. Nothing is changed.

    Example: askless review my-session
    """
    from askless.app.label_table import HOW
    from askless.app.mistakes import read_evidence
    from askless.app.neighbours import open_columns
    from askless.app.review import cached_columns, look_seconds, up_for_review, worth_at
    from askless.app.settings import read_settings
    from askless.assemble import read_session
    from askless.certificates.self_agreement import consistencies
    from askless.cli.sessions import label_names, require_session
    from askless.predictors.held_out import held_out_probs

    kept = read_session(require_session(session))
    evidence = read_evidence(kept.history, kept.probs)
    columns = cached_columns(session)
    rows = None if columns is None else open_columns(columns, len(evidence.labels))
    held_out = None
    if rows is not None:
        held_out = held_out_probs(rows, evidence.labels, evidence.answer)
    reviewed = read_settings(session).reviewed
    worth = worth_at(kept.method.wrong_label_s)
    found = up_for_review(evidence, held_out, reviewed, look_seconds(kept.history), worth)
    ranking, ids = found.ranking, kept.items().ids
    if as_json:
        items = [
            {
                "item": item,
                "id": ids[item],
                "label": bool(evidence.labels[item]),
                "how": HOW[evidence.how[item]],
                "chance_wrong": round(chance, 6),
            }
            for item, chance in zip(ranking.items.tolist(), ranking.chances.tolist(), strict=True)
        ]
        about = {
            "probabilities": ranking.said,
            "worth_a_look": len(found.items),
            "looked_at": ranking.looked,
            "found_wrong": ranking.found,
            "expected_wrong": round(ranking.left, 3),
            "interval": [round(ranking.low, 3), round(ranking.high, 3)],
            "next": {
                "items": found.next_items,
                "wrong": round(found.next_wrong, 3),
                "seconds": round(found.next_s, 1),
            },
            "says": found.says(),
            "consistency": [one.to_json() for one in consistencies(kept.history)],
            "damage": kept.damage or None,
        }
        typer.echo(json.dumps({**about, "items": items}))
        return
    console = Console(highlight=False)
    if len(ranking.items):
        names = label_names(session)
        table = Table(box=None, pad_edge=False)
        for heading in ("wrong", "item", "label", "how"):
            table.add_column(heading, justify="right" if heading == "wrong" else "left")
        shown = zip(ranking.items[:_SHOWN].tolist(), ranking.chances.tolist(), strict=False)
        for item, chance in shown:
            label = names[int(evidence.labels[item])]
            how = HOW[evidence.how[item]]
            table.add_row(f"{chance:.0%}", *(escape(printable(x)) for x in (ids[item], label, how)))
        console.print(table)
    else:
        typer.echo("No label is settled that nobody has looked at again.")
    again = (sentence for one in consistencies(kept.history) for sentence in one.says())
    for sentence in (*found.says(), *again):
        typer.echo(sentence)
    if len(ranking.items):
        typer.echo(f"The chances are {_SAID[ranking.said]}.")
    if kept.damage:
        console.print(f"[bold red]Damaged.[/] {escape(printable(kept.damage))}")
