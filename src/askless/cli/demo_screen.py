"""What `askless demo` draws: two bars, a curve, and the latest questions."""

from __future__ import annotations

from collections import deque

from rich.console import Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from askless.core.question import Question
from askless.lab.trace import Step
from askless.pools import demo

_ROWS = 7
_LATEST = 4
_EIGHTHS = " ▁▂▃▄▅▆▇█"
_ANSWER_STYLE = {"yes": "green", "no": "red", "pointed": "yellow"}


class DemoScreen:
    """A picture of the run so far; rich asks it for a new one at every refresh.

    Parameters
    ----------
    n
        The number of items in the pool.
    width
        How many characters wide the picture may be.
    """

    def __init__(self, n: int, width: int) -> None:
        self._n = n
        self._width = width
        self._settled = [0]
        self._latest: deque[Step] = deque(maxlen=_LATEST)

    def add(self, step: Step) -> None:
        """Take in the next question with its answer."""
        self._settled.append(step.settled)
        self._latest.appendleft(step)

    def __rich__(self) -> RenderableType:
        asked = len(self._settled) - 1
        title = Text.assemble(
            (f"Which of these {self._n:,} {demo.ITEMS} are {demo.MANY}?", "bold"),
            f"   {asked:,} questions",
        )
        return Group("", title, "", self._bars(asked), "", self._curve(asked), "", self._log())

    def _bars(self, asked: int) -> Table:
        bars = Table.grid(padding=(0, 1))
        for who, labels, style in (
            ("askless", self._settled[-1], "green"),
            ("one by one", asked, "blue"),
        ):
            bar = ProgressBar(
                total=self._n,
                completed=labels,
                width=max(10, self._width - 32),
                complete_style=style,
                finished_style=style,
            )
            bars.add_row(who, bar, Text(f"{labels:>{len(f'{self._n:,}')},} labels"))
        return bars

    def _curve(self, asked: int) -> Text:
        """Labels settled (upwards) by questions asked (rightwards), one by one in blue."""
        wide = max(10, self._width - 11)  # beside the words at its left
        columns = 1 + asked * (wide - 1) // self._n
        heights = []
        for column in range(columns):
            question = min(asked, (column + 1) * self._n // wide)
            heights.append((self._settled[question] / self._n, question / self._n))
        curve = Text()
        for row in reversed(range(_ROWS)):
            curve.append("labels     " if row == _ROWS - 1 else " " * 11)
            for ours, single in heights:
                eighths = round(ours * _ROWS * 8) - row * 8
                style = "blue" if single * _ROWS > row + 0.5 else "green"
                curve.append(_EIGHTHS[min(8, max(0, eighths))], style)
            curve.append("\n")
        end = f"{self._n:,} questions"
        return curve.append(" " * 11 + "0" + end.rjust(wide - 1, "╌"), "dim")

    def _log(self) -> Table:
        log = Table.grid(padding=(0, 2))
        for number, step in enumerate(self._latest):
            style = "" if number == 0 else "dim"
            kind = step.answer.kind
            log.add_row(
                Text(f"{step.number:>{len(f'{self._n:,}')},}", "dim"),
                Text(_in_words(step.answer.question), style),
                Text(kind, _ANSWER_STYLE[kind]),
            )
        for _ in range(_LATEST - len(self._latest)):
            log.add_row("", "", "")
        return log


def _in_words(question: Question) -> str:
    """The question as an annotator would hear it."""
    size, true = len(question), sum(question.guess)
    if size == 1:
        return f"Is this {demo.ONE}?" if true else f"Is this something other than {demo.ONE}?"
    if true == size:
        return f"Are {'both' if size == 2 else f'all {size}'} of these {demo.MANY}?"
    if true == 0:
        return f"Is none of these {size} {demo.ONE}?"
    named = demo.ONE if true == 1 else demo.MANY
    return f"{size} guesses, {true} of them {named}: all right?"
