"""Whatever is in a session folder: a sentence, in bounded time and bounded memory.

Before every field was checked where it is read, one in five such folders ended in a traceback or a
500, three never ended, and one small checkpoint took two gigabytes.
"""

from __future__ import annotations

import os
import resource
import shutil
import signal
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults import crafted_events, crafted_files
from tests.faults.hostile import make_session, run

VARIANTS = crafted_events.DATABASES | crafted_files.FILES
SWEEP = crafted_events.FIELDS | crafted_files.FIELDS
_MORE_BYTES = 1_500_000_000
_LONGEST_S = 300
"""Generous: what this ends would never have ended."""


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("template")
    make_session(folder)
    return folder


def test_the_session_that_is_spoilt_is_sound(template: Path, tmp_path: Path) -> None:
    shutil.copytree(template, tmp_path / "here")
    session = tmp_path / "here" / "photos.askless"
    for command in ("status", "verify", "export"):
        assert run(command, session, tmp_path / "labels.csv") == ""


@pytest.mark.parametrize("variant", [*VARIANTS, *list(SWEEP)[::16]])
def test_a_crafted_session_ends_in_a_sentence(variant: str, template: Path, tmp_path: Path) -> None:
    spoil = (VARIANTS | SWEEP)[variant]
    shutil.copytree(template, tmp_path / "here")
    session = tmp_path / "here" / "photos.askless"
    spoil(session)

    def drive() -> None:
        for command in ("status", "verify", "export", "label"):
            run(command, session, tmp_path / "labels.csv")

    assert in_bounds(drive) == ""


@pytest.mark.long
@pytest.mark.parametrize("variant", SWEEP)
def test_a_session_with_any_field_crafted_ends_in_a_sentence(
    variant: str, template: Path, tmp_path: Path
) -> None:
    test_a_crafted_session_ends_in_a_sentence(variant, template, tmp_path)


def test_what_is_no_sentence_or_too_large_is_found_out() -> None:
    assert "ZeroDivisionError" in in_bounds(lambda: divmod(1, 0))
    assert "MemoryError" in in_bounds(lambda: bytes(3 * _MORE_BYTES))


def in_bounds(drive: Callable[[], object]) -> str:
    """What came of it in a process with little memory and time; empty if all is well."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        _drive_in_child(drive, write)
    os.close(write)
    with os.fdopen(read, "rb") as file:
        said = file.read().decode(errors="replace")
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code == -signal.SIGALRM:
        return "it did not end"
    return said if code == 0 else f"status {code}: {said}"


def _drive_in_child(drive: Callable[[], object], write: int) -> None:
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(_LONGEST_S)
    with open("/proc/self/statm") as file:
        now = int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    resource.setrlimit(resource.RLIMIT_AS, (now + _MORE_BYTES,) * 2)
    said = b""
    try:
        drive()
    except BaseException:
        said = traceback.format_exc().encode(errors="replace")[-4000:]
    os.write(write, said)
    os._exit(0)
