"""The question as a sentence: the guess is named by its own label."""

import pytest

from askless.app.names import Names
from askless.errors import InvalidInput


@pytest.mark.parametrize(
    ("names", "label", "size", "sentence"),
    [
        (Names("footwear"), True, 1, "Is this footwear?"),
        (Names("footwear"), True, 2, "Are both of these footwear?"),
        (Names("footwear"), True, 9, "Are all of these footwear?"),
        (Names("footwear", "other clothing"), False, 9, "Are all of these other clothing?"),
        (Names("a cat|cats", "a dog|dogs"), True, 1, "Is this a cat?"),
        (Names("a cat|cats", "a dog|dogs"), False, 3, "Are all of these dogs?"),
        (Names("a cat|cats"), False, 1, "Is this something other than a cat?"),
        (Names("a cat|cats"), False, 3, "Are all of these something other than cats?"),
        (Names("|odd|"), True, 1, "Is this odd?"),
    ],
)
def test_the_sentence_names_the_label_that_is_guessed(
    names: Names, label: bool, size: int, sentence: str
) -> None:
    before, name, after = names.sentence(label, size)
    assert before + name + after == sentence
    assert name in (names.one(label), names.many(label))


@pytest.mark.parametrize("name", ["", " ", "|", " | "])
def test_a_name_needs_a_letter(name: str) -> None:
    with pytest.raises(InvalidInput, match="called by a name"):
        Names(name)
    with pytest.raises(InvalidInput, match="called by a name"):
        Names("fine", name)
