"""Count lines of code, package by package: no blank lines, comments or docstrings.

    python tools/count_code.py src/askless

A line counts if a token of code is on it. A string that stands alone as a statement is a docstring,
wherever it stands, and does not count. Tested in tests/test_count_code.py.
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from collections import Counter
from pathlib import Path

_NO_CODE = {
    tokenize.COMMENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
    tokenize.INDENT,
    tokenize.NEWLINE,
    tokenize.NL,
}


def count_lines(source: str) -> int:
    """Return the number of lines of code in the text of a Python file."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in _NO_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and _is_text(node.value):
            lines.difference_update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(lines)


def count_packages(root: Path) -> dict[str, int]:
    """Return the lines of code of every package and module directly under `root`, by name."""
    counts: Counter[str] = Counter()
    for path in sorted(root.rglob("*.py")):
        counts[path.relative_to(root).parts[0]] += count_lines(path.read_text(encoding="utf-8"))
    return dict(counts)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def main(arguments: list[str]) -> int:
    """Print the count of each package, and the total."""
    if len(arguments) != 1 or not Path(arguments[0]).is_dir():
        print(f"usage: python {Path(__file__).name} FOLDER; got {arguments}", file=sys.stderr)
        return 2
    counts = count_packages(Path(arguments[0]))
    for name, count in counts.items():
        print(f"{count:6} {name}")
    print(f"{sum(counts.values()):6} in all")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
