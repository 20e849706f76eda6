from __future__ import annotations

from pathlib import Path

import pytest

from askless.errors import InvalidInput
from askless.files import path_of


def test_a_text_and_a_path_are_paths_and_nothing_is_none() -> None:
    assert path_of("folder", "a/b") == path_of("folder", Path("a/b")) == Path("a/b")
    assert path_of("folder", None) is None


@pytest.mark.parametrize("value", [3, b"a", ["a"], "", " ", "a\0b", object()])
def test_what_is_no_path_is_refused(value: object) -> None:
    with pytest.raises(InvalidInput, match=r"^folder is a path"):
        path_of("folder", value)
