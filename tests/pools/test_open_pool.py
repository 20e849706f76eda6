from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from askless.errors import InvalidInput
from askless.pools import changed_items, open_pool


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("nothing", "There is no nothing"),
        ("nul\0byte", "There is no|is not the name"),
        ("x" * 5000, "is not the name of a source"),
        ("page.html", "A source is a folder of pictures or a file that ends in"),
    ],
)
def test_a_source_that_is_none_is_refused_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("page.html").write_text("<p>")
    with pytest.raises(InvalidInput, match=sentence):
        open_pool(name)


def test_columns_are_for_tables() -> None:
    with pytest.raises(InvalidInput, match="text='words' names a column"):
        open_pool(np.zeros((2, 3, 3)), text="words")
    with pytest.raises(InvalidInput, match="holds arrays"):
        open_pool("demo", image="file")


def test_a_text_or_a_picture_is_shown_never_both() -> None:
    with pytest.raises(InvalidInput, match="as a text or as a picture"):
        open_pool({"a": ["x"], "b": ["y"]}, text="a", image="b")


def test_a_pool_shows_what_its_items_are_and_refuses_the_rest() -> None:
    texts, pictures = open_pool(["a", "b"]), open_pool("demo")
    for wrong in (lambda: texts.picture(0), texts.columns, lambda: pictures.text(0)):
        with pytest.raises(InvalidInput, match="The items of this pool are"):
            wrong()
    with pytest.raises(InvalidInput, match="longer side"):
        pictures.picture(0, 0)
    with pytest.raises(InvalidInput, match="numbered 0 to 1; got 2"):
        texts.text(2)


def test_what_was_read_whole_does_not_change() -> None:
    assert changed_items(open_pool("demo")) == {}
    assert changed_items(open_pool(["a", "b"])) == {}
    assert changed_items(open_pool({"a": [1, 2]})) == {}


def test_the_demo_does_not_tell_its_labels_unless_asked() -> None:
    assert set(open_pool("demo").known.tolist()) == {-1}
    assert int(open_pool("demo", label="footwear").known.sum()) == 615
