"""The examples run as a reader would run them, and do what they say."""

import re
import subprocess
import sys
from pathlib import Path

from askless import planner_names

EXAMPLES = Path(__file__).parents[2] / "examples"
SPAM = {1, 4, 5}


def test_by_hand_finds_the_labels_of_an_honest_reader() -> None:
    process = subprocess.Popen(
        [sys.executable, "-u", EXAMPLES / "by_hand.py"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    printed = ""
    answered = 0
    while piece := process.stdout.read(1):
        printed += piece
        if printed.endswith("[y/n] "):
            shown = re.findall(r"mail (\d) is (no )?spam", printed[answered:])
            right = all((int(item) in SPAM) != bool(no) for item, no in shown)
            answered = len(printed)
            process.stdin.write("y\n" if right else "n\n")
            process.stdin.flush()
    process.stdin.close()
    process.stdout.close()
    assert process.wait() == 0
    assert printed.endswith("labels: [0 1 0 0 1 1 0 0]\n")


def test_compare_planners_tells_of_every_planner() -> None:
    done = subprocess.run(
        [sys.executable, EXAMPLES / "compare_planners.py"],
        capture_output=True,
        text=True,
        check=True,
    )
    found = set(re.findall(r"^([\w-]+) +max_n", done.stdout, re.MULTILINE))
    assert found == set(planner_names())
