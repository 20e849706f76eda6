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
        (Names("circles", "squares"), True, 1, "Is this one of the circles?"),
        (Names("circles", "squares"), False, 1, "Is this one of the squares?"),
        (Names("circles", "squares"), True, 3, "Are all of these circles?"),
        (Names("circles"), False, 1, "Is this something other than circles?"),
        (Names("a lens", "glass"), True, 1, "Is this a lens?"),
        (Names("physics", "yes"), True, 1, "Is this physics?"),
        (Names("physics", "yes"), False, 1, "Is this yes?"),
        (Names("|odd|"), True, 1, "Is this odd?"),
    ],
)
def test_the_sentence_names_the_label_that_is_guessed(
    names: Names, label: bool, size: int, sentence: str
) -> None:
    before, name, after = names.sentence(label, size)
    assert before + name + after == sentence
    assert name in (names.one(label), names.many(label))
    if size == 1:
        assert f"Is this {names.one(label)}?" == sentence


def test_what_one_item_is_called_is_known_only_if_somebody_said_it() -> None:
    names = Names("a cat|cats", "dogs")
    assert (names.given_one(True), names.given_one(False)) == ("a cat", None)
    assert (names.one(True), names.one(False)) == ("a cat", "one of the dogs")
    assert Names("cats").given_one(False) is None


@pytest.mark.parametrize("name", ["", " ", "|", " | "])
def test_a_name_needs_a_letter(name: str) -> None:
    with pytest.raises(InvalidInput, match="called by a name"):
        Names(name)
    with pytest.raises(InvalidInput, match="called by a name"):
        Names("fine", name)
