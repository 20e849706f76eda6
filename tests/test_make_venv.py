"""`tools/make-venv.sh` finds a Python that will do, or says in one sentence why none will."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "tools" / "make-venv.sh"
TOO_OLD = "sys.version_info = (3, 10, 13, 'final', 0)"
NO_ENSUREPIP = "sys.modules['ensurepip'] = None"


def pretend(folder: Path, name: str, disguise: str) -> Path:
    """A Python in `folder` that runs `disguise` before what it is given with -c."""
    return script(folder / name, f'-c "import sys; {disguise}; exec(sys.argv[1])" "$2"')


def real(folder: Path, name: str) -> Path:
    """A Python in `folder` with nothing amiss."""
    return script(folder / name, '"$@"')


def script(path: Path, arguments: str) -> Path:
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" {arguments}\n')
    path.chmod(0o755)
    return path


def refusal(folder: Path, python: str = "") -> str:
    """What the script says when only `folder` is searched; it must be one line and no venv."""
    done = subprocess.run(
        ["/bin/sh", str(SCRIPT), str(folder / "venv")],
        env={"PATH": str(folder), "PYTHON": python},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert done.stdout == ""
    assert not (folder / "venv").exists()
    (line,) = done.stderr.splitlines()
    return line


def test_no_python_at_all_is_refused_in_one_sentence(tmp_path: Path) -> None:
    assert "needs Python 3.11 or newer, and none was found" in refusal(tmp_path)


def test_too_old_a_python_is_refused_with_its_version(tmp_path: Path) -> None:
    pretend(tmp_path, "python3", TOO_OLD)
    assert "3.11 or newer, and the one found here is 3.10.13 (python3)" in refusal(tmp_path)


def test_python_without_ensurepip_is_refused_with_what_to_install(tmp_path: Path) -> None:
    pretend(tmp_path, "python3.12", NO_ENSUREPIP)
    assert "venv and ensurepip modules, which python3.12" in refusal(tmp_path)


@pytest.mark.parametrize(
    ("disguise", "complaint"),
    [(TOO_OLD, "is 3.10.13"), (NO_ENSUREPIP, "ensurepip"), ("sys.exit(1)", "does not run")],
)
def test_named_python_is_not_replaced_by_another(
    tmp_path: Path, disguise: str, complaint: str
) -> None:
    real(tmp_path, "python3")
    named = pretend(tmp_path, "mine", disguise)
    sentence = refusal(tmp_path, str(named))
    assert complaint in sentence
    assert str(named) in sentence


def test_unfit_pythons_are_passed_over_for_a_fit_one(tmp_path: Path) -> None:
    pretend(tmp_path, "python3.13", NO_ENSUREPIP)
    pretend(tmp_path, "python3.12", TOO_OLD)
    real(tmp_path, "python3")
    env = {**os.environ, "PATH": f"{tmp_path}:/bin", "PYTHON": ""}
    venv = tmp_path / "venv"
    subprocess.run(["/bin/sh", str(SCRIPT), str(venv)], env=env, check=True, capture_output=True)
    assert (venv / "bin" / "pip").exists()
    assert (venv / ".made").exists()
