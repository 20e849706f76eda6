"""Several processes begin one session at the same moment: one gets it, and the others are told.

Seen to fail first: with the files of the folder written before the store was opened, they were
those of one process and the events those of another.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from askless.assemble import read_session
from askless.cli import main
from askless.errors import StoreInUse
from askless.folder.verifying import verify_session
from tests.faults.kinds import Kind

ROOT = Path(__file__).parents[2]
KIND = Kind.drawn(0)
PROCESSES = 3
ANSWERS = 5
SCRIPT = f"""
import sys
from pathlib import Path
from askless.errors import StoreInUse
from tests.faults.kinds import Kind

print("ready", flush=True)
sys.stdin.readline()
try:
    session = Kind.drawn(0).start(Path(sys.argv[1])).session
except StoreInUse as error:
    sys.exit(f"refused: {{error}}")
for number in range({ANSWERS}):
    asked = session.ask("ann")
    session.tell(asked.id, asked.question.yes(), f"{{number}}")
print("mine", flush=True)
sys.stdin.readline()
"""


def test_one_of_several_processes_gets_the_session_and_the_next_when_it_is_dead(
    quick_folder: Path,
) -> None:
    folder = quick_folder / "s"
    racers = [racer(folder) for _ in range(PROCESSES)]
    assert [said(process) for process in racers] == ["ready"] * PROCESSES
    for process in racers:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    got = [process for process in racers if said(process) == "mine"]
    assert len(got) == 1
    for process in racers:
        if process is not got[0]:
            assert process.stderr is not None
            assert "one program at a time" in process.stderr.read()
    with pytest.raises(StoreInUse, match=f"process {got[0].pid} has it open"):
        KIND.start(folder)
    assert verify_session(folder).sound
    assert len(read_session(folder).history.answers) == ANSWERS
    assert main(["status", str(folder)]) == 0
    got[0].kill()
    for process in racers:
        process.communicate()
    with KIND.start(folder) as working:
        assert len(working.session.history.answers) == ANSWERS


def racer(folder: Path) -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", SCRIPT, str(folder)]
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, cwd=ROOT)


def said(process: subprocess.Popen[str]) -> str:
    """The next line it says; nothing if it has ended."""
    assert process.stdout is not None
    return process.stdout.readline().strip()
