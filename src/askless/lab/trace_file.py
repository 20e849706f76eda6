"""Traces in files: JSON lines with named fields and a format number.

The first line is the header::

    {"format": 1, "what": "askless trace", "items": 2000, "about": {"planner": "one_by_one"}}

and every other line one question with its answer, numbered from 1::

    {"question": 1, "items": [3, 8], "guess": [true, false], "purpose": "label",
     "answer": "yes", "wrong": [], "rest_right": false, "settled": 2, "probs": 0}

``settled`` is how many labels were settled once the answer was in. ``probs`` counts the changes of
the probs before the question was planned; where it is missing there were none. The same run
writes the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TextIO

from askless.core.question import Answer, Question
from askless.errors import InvalidInput
from askless.lab.trace import Step, Trace

FORMAT = 1
WHAT = "askless trace"


class TraceWriter:
    """Writes a trace while the run goes on; a context manager.

    An older trace or an empty file at `path` is replaced; any other file is left
    alone and refused.

    Parameters
    ----------
    path
        The file to write.
    n
        The number of items in the pool.
    about
        What made the run. Plain JSON values.
    """

    def __init__(self, path: str | Path, n: int, about: Mapping[str, Any] | None = None) -> None:
        path = Path(path)
        try:
            _refuse_to_replace(path)
            self._file = path.open("w", encoding="utf-8", newline="\n")
        except OSError as error:
            raise InvalidInput(
                f"The trace cannot be written to {path}: {error.strerror or error}. "
                "Name a file in a folder that exists and that you may write to."
            ) from error
        self._line({"format": FORMAT, "what": WHAT, "items": n, "about": dict(about or {})})

    def write(self, step: Step) -> None:
        """Append one question with its answer."""
        question = step.answer.question
        self._line(
            {
                "question": step.number,
                "items": question.items,
                "guess": question.guess,
                "purpose": question.purpose,
                "answer": step.answer.kind,
                "wrong": step.answer.wrong,
                "rest_right": step.answer.rest_right,
                "settled": step.settled,
                "probs": step.probs,
            }
        )

    def close(self) -> None:
        """Write what is left and close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _line(self, fields: Mapping[str, Any]) -> None:
        self._file.write(json.dumps(fields) + "\n")


def read_trace(path: str | Path) -> Trace:
    """The trace kept in a file.

    Parameters
    ----------
    path
        A file written by `TraceWriter`.
    """
    with _opened(Path(path)) as file:
        header = _header(Path(path), file.readline())
        steps = tuple(_step(Path(path), number, line) for number, line in enumerate(file, 1))
    return Trace(header["items"], steps, header["about"])


@contextmanager
def _opened(path: Path) -> Iterator[TextIO]:
    try:
        with path.open(encoding="utf-8") as file:
            yield file
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror or error}.") from error
    except UnicodeDecodeError:
        raise InvalidInput(f"{path} is not a trace: it is not text.") from None


def _header(path: Path, line: str) -> dict[str, Any]:
    header = _parsed(line)
    if header is None or header.get("what") != WHAT:
        raise InvalidInput(f"{path} is not a trace: its first line is not a trace's header.")
    if header.get("format") != FORMAT:
        raise InvalidInput(
            f"{path} is a trace of format {header.get('format')}; this askless reads "
            f"format {FORMAT}. Use the askless that wrote it, or a newer one."
        )
    if type(header.get("items")) is not int or not isinstance(header.get("about"), dict):
        raise InvalidInput(f"{path}: the header needs 'items', a number, and 'about', an object.")
    return header


def _step(path: Path, number: int, line: str) -> Step:
    fields = _parsed(line)
    try:
        if fields is None:
            raise InvalidInput("the line is cut short or is not JSON")
        if fields["question"] != number:
            raise InvalidInput(f"question {number} was expected, got {fields['question']}")
        question = Question(tuple(fields["items"]), tuple(fields["guess"]), fields["purpose"])
        wrong, rest_right = tuple(fields["wrong"]), fields["rest_right"]
        answer = Answer(question, fields["answer"], wrong, rest_right)
        return Step(number, answer, fields["settled"], fields.get("probs", 0))
    except KeyError as error:
        raise InvalidInput(f"{path}, line {number + 1}: there is no {error}.") from None
    except (InvalidInput, TypeError) as error:
        raise InvalidInput(f"{path}, line {number + 1}: {error}") from None


def _parsed(line: str) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _refuse_to_replace(path: Path) -> None:
    """A slip of the keyboard must not cost anybody their pool."""
    if not path.is_file() or path.stat().st_size == 0:
        return
    with path.open("rb") as file:
        first = file.readline(4096).decode("utf-8", errors="replace")
    if f'"what": "{WHAT}"' not in first:
        raise InvalidInput(
            f"{path} exists and is not a trace, so it is not replaced. Name another file."
        )
