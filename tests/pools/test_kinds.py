"""What an item of one kind does not have is refused in a sentence."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from PIL import Image

from askless.errors import InvalidInput
from askless.pools import open_pool


def _rows() -> Any:
    return open_pool(np.arange(12.0).reshape(4, 3))


def _pictures() -> Any:
    return open_pool(np.arange(4 * 64, dtype=np.uint8).reshape(4, 8, 8))


def _texts() -> Any:
    return open_pool(["one", "two", "three"])


@pytest.mark.parametrize(
    ("make", "ask", "sentence"),
    [
        (_pictures, lambda pool: pool.text(0), "are images; they have no text"),
        (_pictures, lambda pool: pool.columns(), "are images; they have no columns"),
        (_texts, lambda pool: pool.picture(0), "are texts; they have no pictures"),
        (_texts, lambda pool: pool.columns(), "are texts; they have no columns"),
        (_rows, lambda pool: pool.picture(0), "are rows; they have no pictures"),
    ],
)
def test_what_an_item_does_not_have_is_refused(
    make: Callable[[], Any], ask: Callable[[Any], object], sentence: str
) -> None:
    with pytest.raises(InvalidInput, match=sentence):
        ask(make())


def test_pictures_in_files_have_no_text(tmp_path: Any) -> None:
    Image.new("RGB", (8, 8), (1, 2, 3)).save(tmp_path / "one.png")
    pool = open_pool(tmp_path)
    with pytest.raises(InvalidInput, match="are images; they have no text"):
        pool.text(0)
    with pytest.raises(InvalidInput, match="are images; they have no columns"):
        pool.columns()
