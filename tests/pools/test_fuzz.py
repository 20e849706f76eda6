"""Whatever the bytes are: a pool, or a sentence; never anything else."""

from __future__ import annotations

import io
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from askless.checks import pool_laws
from askless.errors import InvalidInput
from askless.pools import open_pool
from askless.pools._pictures import FORMATS, decoded, why_not_a_picture


def encoded(form: str, mode: str = "RGB") -> bytes:
    pixels = np.random.default_rng(0).integers(0, 255, (12, 9, 3)).astype(np.uint8)
    file = io.BytesIO()
    exif = Image.Exif()
    exif[0x0112] = 6
    more = {"exif": exif} if form in ("JPEG", "PNG", "WEBP", "TIFF") else {}
    Image.fromarray(pixels).convert(mode).save(file, form, **more)
    return file.getvalue()


WHOLE = {form: encoded(form) for form in FORMATS}
CHANGES = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), max_size=12)


@pytest.mark.parametrize("form", FORMATS)
@settings(max_examples=60)
@given(changes=CHANGES, keep=st.floats(0, 1))
def test_a_damaged_picture_is_shown_or_refused_in_a_sentence(
    form: str, changes: list[tuple[float, int]], keep: float
) -> None:
    content = bytearray(WHOLE[form])
    for where, value in changes:
        content[int(where * (len(content) - 1))] = value
    damaged = bytes(content[: int(keep * len(content)) + 1])
    reason = why_not_a_picture(damaged)
    assert reason is None or reason.endswith((".", ")"))
    with suppress(InvalidInput):
        assert decoded(damaged, 8).shape[2] == 3


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl", ".npz", ".parquet"])
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    content=st.binary(max_size=60)
    | st.lists(
        st.sampled_from(
            [b"text", b"a", b",", b";", b"\t", b"\n", b"\r", b'"', b"\0", b"\xff", b"{", b"}", b"1"]
        ),
        max_size=40,
    ).map(b"".join)
    | st.lists(st.sampled_from(['{"text": "a"}', '{"text": 1, "b": [2]}', "{}", "7", '"']))
    .map("\n".join)
    .map(str.encode)
)
def test_a_file_of_anything_is_a_pool_or_a_sentence(
    tmp_path: Path, suffix: str, content: bytes
) -> None:
    path = tmp_path / f"t{suffix}"
    path.write_bytes(content)
    with suppress(InvalidInput):
        open_pool(path)
        for law in pool_laws():
            law(lambda: open_pool(path), 0)
