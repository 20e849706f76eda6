"""`tools/count_code.py` counts code, and nothing that only explains it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.count_code import count_lines, count_packages, main

SAMPLE = '''"""A docstring
of two lines."""

# a comment
LIMIT = 3  # code, with a comment behind it
"""What the limit means."""


def area(width: int,
         height: int) -> str:
    """Not counted."""

    return f"""{width}
{height}"""
'''


def test_docstrings_comments_and_blank_lines_do_not_count() -> None:
    assert count_lines(SAMPLE) == 5
    assert count_lines("") == 0
    assert count_lines('"""Only a docstring."""\n') == 0


def test_files_are_summed_by_the_package_they_are_in(tmp_path: Path) -> None:
    (tmp_path / "core" / "deep").mkdir(parents=True)
    (tmp_path / "core" / "one.py").write_text(SAMPLE)
    (tmp_path / "core" / "deep" / "two.py").write_text("x = 1\n")
    (tmp_path / "alone.py").write_text("y = 2\n\nz = 3\n")
    assert count_packages(tmp_path) == {"alone.py": 2, "core": 6}


def test_the_command_prints_the_total_and_refuses_what_is_no_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "one.py").write_text("x = 1\n")
    assert main([str(tmp_path)]) == 0
    assert capsys.readouterr().out.splitlines() == ["     1 one.py", "     1 in all"]
    assert main([str(tmp_path / "missing")]) == 2
    assert main([]) == 2
