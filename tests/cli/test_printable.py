"""Names of files and the like on a terminal."""

import pytest

from askless.cli.printable import printable


@pytest.mark.parametrize(
    "text", ["", "a cat.png", "\u00fcber \u732b \U0001f468\u200d\U0001f373\xa0x"]
)
def test_what_people_write_stays_as_it_is(text: str) -> None:
    assert printable(text) == text


def test_what_a_terminal_would_obey_is_spelt_out() -> None:
    assert printable("a\x1b[2J\r\nOpen this link: \x07\udcff") == (
        r"a\x1b[2J\r\nOpen this link: \x07\udcff"
    )
