"""What a notebook shows of values: short, and whatever is in a text or a name is never markup."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pytest
from PIL import Image

import askless

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</td></table><style>*{display:none}</style>",
    "&lt;b&gt; <b>bold</b>\n<iframe src=javascript:alert(1)>",
    "'\"><svg onload=alert(1)>",
    "x" * 1_000_000,
]
ALLOWED = {"p", "b", "table", "tr", "td", "br", "small", "img", "progress"}


def _tags(html: str) -> set[str]:
    return {name.lower() for name in re.findall(r"<\s*/?\s*([a-zA-Z!][\w-]*)", html)}


@pytest.mark.parametrize("text", HOSTILE, ids=[text[:12] for text in HOSTILE])
def test_hostile_texts_names_and_ids_are_text(text: str) -> None:
    df = pd.DataFrame({"t": [text, "other"], text[:200]: [text, "y"]}, index=[text, "second"])
    name = text[:60].replace("\n", " ").replace("|", "")
    with askless.label(df, text="t", show=[text[:200]], positive=name, negative="rest") as it:
        asked = []
        while (question := it.ask()) is not None:
            asked.append(question)
            it.tell(yes=True)
        pages = [one._repr_html_() for one in asked]
        pages += [it._repr_html_(), it.progress._repr_html_()]
        for page in pages:
            assert _tags(page) <= ALLOWED
            assert len(page) < 20_000
        assert any(html in page for page in pages for html in ("&lt;", "xxxx", "second"))
        for value in (it, it.progress, it.pool, *asked):
            assert len(repr(value)) < 400


def test_hostile_file_names_are_text(tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    names = ["<img src=x onerror=alert(1)>.png", "\"'><svg onload=alert(1)>.png"]
    for number, name in enumerate(names):
        Image.new("RGB", (8, 8), (number * 100, 0, 0)).save(folder / name)
    with askless.label(folder, positive="red") as it:
        question = it.ask()
        assert question is not None
        html = question._repr_html_()
        assert _tags(html) <= ALLOWED
        assert html.count("<img") == len(question)
        (folder / question.ids[0]).unlink()
        assert _tags(question._repr_html_()) <= ALLOWED  # why there is no picture is text too
