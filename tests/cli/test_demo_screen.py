from io import StringIO

from rich.console import Console

from askless.cli.demo_screen import DemoScreen
from askless.core.question import Answer, Question
from askless.lab.trace import Step


def drawn(screen: DemoScreen, width: int = 80) -> str:
    console = Console(file=StringIO(), width=width, color_system=None, legacy_windows=False)
    console.print(screen)
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def after(*answers: Answer, settled: int) -> str:
    screen = DemoScreen(100, 80)
    for number, answer in enumerate(answers, 1):
        screen.add(Step(number, answer, settled))
    return drawn(screen)


def test_an_empty_screen_is_as_tall_as_a_full_one() -> None:
    full = DemoScreen(100, 80)
    for number in range(1, 101):
        full.add(Step(number, Question((number - 1,), (True,)).yes(), number))
    assert drawn(DemoScreen(100, 80)).count("\n") == drawn(full).count("\n")


def test_both_counts_stand_beside_their_bars() -> None:
    shown = after(*[Question((0,), (True,)).yes()] * 3, settled=42)
    askless, one_by_one = [line for line in shown.splitlines() if line.endswith("labels")]
    assert askless.startswith("askless")
    assert askless.endswith(" 42 labels")
    assert one_by_one.startswith("one by one")
    assert one_by_one.endswith(" 3 labels")


def test_questions_are_put_as_an_annotator_would_hear_them() -> None:
    shown = after(
        Question((0, 1, 2), (True,) * 3).yes(),
        Question((0, 1), (True,) * 2).no(),
        Question((0, 1, 2), (False,) * 3).yes(),
        Question((0, 1, 2), (True, False, False)).no(),
        settled=3,
    )
    assert "1  Are all 3 of these tops?                yes" in shown
    assert "2  Are both of these tops?                 no" in shown
    assert "3  Is none of these 3 a top?               yes" in shown
    assert "4  3 guesses, 1 of them a top: all right?  no" in shown


def test_the_curve_reaches_the_top_when_all_is_settled() -> None:
    rows = after(Question((0,), (True,)).yes(), settled=100).splitlines()
    assert sum("█" in row for row in rows) == 7


def test_a_narrow_terminal_is_no_reason_to_fail() -> None:
    screen = DemoScreen(100, 20)
    screen.add(Step(1, Question((0,), (True,)).yes(), 1))
    assert "questions" in drawn(screen, width=20)
