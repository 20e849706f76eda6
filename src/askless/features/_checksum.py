"""Names the content of a file, or of all files in a folder: what features made by them depend on.

Imported by the extractors; tested in tests/features/test_own_numbers.py.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path


def file_checksum(path: Path) -> str:
    """SHA-256 of a file; of a folder, of the names and contents of all files in it."""
    if path.is_dir():
        return checksum_of_files(path, (each for each in path.rglob("*") if each.is_file()))
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def checksum_of_files(folder: Path, files: Iterable[Path]) -> str:
    """SHA-256 of the names, within `folder`, and contents of some files."""
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(f"{path.relative_to(folder)} {file_checksum(path)}\n".encode())
    return digest.hexdigest()
