"""Feature sets and their options, as they are typed: ``--features`` and ``--feature-option``.

    --features pixels,backbone --feature-option backbone.side=112
    --features embeddings.npy,tf-idf
    --features column:embedding

Imported by the commands alone. Tested in tests/cli/test_features.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from askless.errors import InvalidInput
from askless.features import FEATURES, FILES, check_option, with_prompt

DEFAULT: Final = "default"
"""In place of names: the default for the kind of pool."""

Features = Annotated[
    str | None,
    typer.Option(
        metavar="A,B,...",
        help=f"What to learn from: {FEATURES.own}; a file of your own numbers (.npy, .npz, "
        f".parquet, .lance), column:NAME of the table; or {DEFAULT}, by the pool. "
        "[default: as before, or by the pool]",
    ),
]
FeatureOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--feature-option",
        metavar="SET.OPTION=VALUE",
        help="An option of a feature set that is named in --features, as backbone.side=112; "
        "may be repeated.",
    ),
]
Prompt = Annotated[
    str | None,
    typer.Option(
        metavar="TEXT",
        help="First guesses by words: what a positive item is, as in 'a photo of a cat'. Read by "
        "the encoder that --features names.",
    ),
]
NegativePrompt = Annotated[
    str | None,
    typer.Option(
        metavar="TEXT", help="What a negative item is. [default: whatever else is in the pool]"
    ),
]
_FORM: Final = "--feature-option is SET.OPTION=VALUE, such as backbone.side=112"


def parse_features(
    features: str | None,
    options: Sequence[str] | None,
    prompt: str | None = None,
    negative_prompt: str | None = None,
) -> dict[str, Mapping[str, Any]] | None:
    """The feature sets that were asked for, each with its options in plain JSON values.

    None if nothing was asked for, and none at all if the default was. A path is spelt out from
    the root of the disk, so that it means the same wherever a session is taken up.

    Parameters
    ----------
    features
        Names with commas between them, or `DEFAULT` alone.
    options
        Each as ``SET.OPTION=VALUE``.
    prompt, negative_prompt
        For `askless.features.with_prompt`.

    Raises
    ------
    UnknownPart
        No feature set has that name.
    InvalidInput
        Names stand beside `DEFAULT`; or an option is not of that form, is given twice, is of a set
        that was not asked for or that has no such option, or cannot have that value.
    """
    asked: dict[str, dict[str, Any]] = {}
    if features is not None:
        asked = {_spelt_out(name.strip()): {} for name in features.split(",")}
        if DEFAULT in asked:
            if len(asked) > 1:
                raise InvalidInput(
                    f"--features {DEFAULT} stands alone; got {features!r}. Name the sets, or leave "
                    "the others out."
                )
            asked = {}
    for text in options or ():
        left, equals, value = text.partition("=")
        name, _, option = left.strip().rpartition(".")  # a set may be package.module:Class
        if not name or not option or not equals:
            raise InvalidInput(f"{_FORM}; got {text!r}.")
        name = _spelt_out(name)
        read = check_option(name, option, value.strip())
        if name not in asked:
            raise InvalidInput(
                f"--feature-option is for a set that --features names; got {text!r} and --features "
                f"{','.join(asked) or '(none)'}. Name {name} there too, with the others you want."
            )
        if option in asked[name]:
            raise InvalidInput(f"An option is given once; got {name}.{option} twice.")
        asked[name][option] = str(read.expanduser().resolve()) if isinstance(read, Path) else read
    return with_prompt(None if features is None else asked, prompt, negative_prompt)


def _spelt_out(name: str) -> str:
    """The name of a set; if it is a file, from the root of the disk on."""
    return str(Path(name).expanduser().resolve()) if name.lower().endswith(FILES) else name
