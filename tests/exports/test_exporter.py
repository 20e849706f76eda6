"""What a format needs, and where it puts several files."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from askless.exports import file_exporters
from askless.exports.exporter import FolderPlace, ZipPlace


def test_a_format_that_needs_a_package_works_only_where_that_is_installed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("askless.exports.exporter.find_spec", lambda _: None)
    working = {name for name, exporter in file_exporters().items() if exporter.works}
    assert working >= {"csv", "full", "jsonl"}
    assert working.isdisjoint({"parquet", "xlsx"})


def test_several_files_are_the_same_in_a_folder_and_in_a_zip_file(tmp_path: Path) -> None:
    packed = io.BytesIO()
    for place in (FolderPlace(tmp_path), zipped := ZipPlace(packed)):
        place.put("a/b.png", b"picture")
        with place.open("labels.csv") as file:
            file.write(b"one\n" * 500)
    zipped.close()
    with zipfile.ZipFile(packed) as archive:
        assert archive.testzip() is None
        for name in ("a/b.png", "labels.csv"):
            assert archive.read(name) == (tmp_path / name).read_bytes()
        assert archive.getinfo("labels.csv").compress_size < 100
