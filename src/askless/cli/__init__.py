"""The commands. Bad input gets one sentence on stderr and exit status 2, never a traceback.

With ``--json`` standard output is one JSON object, whatever happens: where a command fails before
it has printed its own, the object has the sentence as ``error``. Tested in tests/cli/test_main.py.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated

import typer

import askless
from askless.cli.cache import cache
from askless.cli.demo import demo
from askless.cli.doctor import doctor
from askless.cli.export import export
from askless.cli.forget import forget
from askless.cli.label import label
from askless.cli.move import move
from askless.cli.printable import printable
from askless.cli.review import review
from askless.cli.sessions import status, verify
from askless.cli.simulate import simulate
from askless.errors import AsklessError

_PARSERS_WORDS = {
    "a valid integer": "a whole number",
    "greater than or equal to": "at least",
    "less than or equal to": "at most",
}

app = typer.Typer(
    name="askless",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(label)
app.command()(demo)
app.command()(simulate)
app.command()(status)
app.command()(review)
app.command()(export)
app.command()(verify)
app.command()(forget)
app.command()(move)
app.command()(doctor)
app.command()(cache)


def main(args: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status.

    Parameters
    ----------
    args
        What follows the program's name; by default what it was started with.
    """
    args = sys.argv[1:] if args is None else list(args)
    try:
        status = app(args or ["--help"], prog_name="askless", standalone_mode=False)
        sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except (KeyboardInterrupt, typer.Abort):
        _tell_scripts(args, "Stopped.")
        return 130
    except BrokenPipeError:
        # The reader has gone; what Python would flush at its exit goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except AsklessError as error:
        return _refused(args, str(error), 2)
    except OSError as error:
        return _refused(args, f"{error.filename or 'A file'}: {error.strerror or error}.", 1)
    except Exception as error:
        # Usage errors; their class has no public name in every version of typer.
        if not hasattr(error, "format_message"):
            raise
        return _refused(args, _reword(error.format_message(), args), 2)


def _tell_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"askless {askless.__version__}")
        raise typer.Exit


@app.callback(epilog="Begin with: askless demo")
def _root(
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version.", is_eager=True, callback=_tell_version),
    ] = False,
) -> None:
    """Label a whole pool with few yes/no answers."""


def _reword(message: str, args: Sequence[str]) -> str:
    """Say of a number that it cannot be what is wrong with it, without words of the parser."""
    found = re.match(
        r"Invalid value for '(--[\w-]+)': Input should be (.*?)(, unable to|$)", message
    )
    if found is None:
        return message
    option, wanted, _ = found.groups()
    given = next((after for word, after in pairwise(args) if word == option), "")
    for theirs, ours in _PARSERS_WORDS.items():
        wanted = wanted.replace(theirs, ours)
    return f"{option} must be {wanted}; got {given!r}"


def _refused(args: Sequence[str], sentence: str, status: int) -> int:
    one_line = printable(" ".join(sentence.split()))
    one_line = one_line if one_line[-1] in ".?" else one_line + "."
    sys.stderr.write(f"askless: {one_line}\n")
    _tell_scripts(args, one_line)
    return status


def _tell_scripts(args: Sequence[str], sentence: str) -> None:
    if "--json" in args:
        typer.echo(json.dumps({"error": sentence}))
