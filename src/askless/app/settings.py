"""What the application keeps beside the answers: names of the labels, pinned examples, reviews.

One file in the session's folder, ``app.json``, written whole. Everything that labels follow from
is in the events instead. The file may come from a stranger: each field is checked where it is
read, and what is damaged is refused in a sentence.
Imported by `app`, `web` and `cli`; tested in tests/app/test_settings.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from askless.errors import InvalidInput
from askless.files import read_bytes, write_whole
from askless.folder.files import SETTINGS
from askless.pools import OTHERS

_MOST_BYTES: Final = 1 << 24
"""Room for a million reviewed items; what it unfolds to stays below half a gigabyte."""
Item = Annotated[int, Field(ge=0)]
PoolOption = Annotated[str, Field(pattern="^(text|image|label|prob|id|show|folder|true|false)$")]
"""What a session may say about how its source is opened; no path is among it."""
Columns = Annotated[Sequence[str], Field(max_length=1000)]


class AppSettings(BaseModel):
    """What the application remembers.

    Parameters
    ----------
    source
        Where the pool comes from.
    options
        How it was opened: the columns and so on, by `open_pool`'s names.
    positive, negative
        What the labels are called.
    confirmed
        Whether the person has said what the positive label means, or agreed.
    pinned, reviewed
        Items.
    port
        Where the app was last served; a page left open finds it again.
    max_n
        The most items a question may show.
    features
        What the model learns from: the options of each feature set by its name; None for what is
        usual for the pool.
    predictor
        What the model is: a predictor, with its options, by its name; None for the default.
    """

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")

    source: Annotated[str, Field(max_length=10_000)] = ""
    options: Mapping[PoolOption, str | Columns] = Field(default_factory=dict)
    positive: str = "positive"
    negative: str | None = None
    confirmed: bool = False
    pinned: tuple[Item, ...] = ()
    reviewed: tuple[Item, ...] = ()
    port: Annotated[int, Field(ge=0, le=65535)] | None = None
    max_n: Annotated[int, Field(ge=1)] | None = None
    features: Annotated[Mapping[str, Mapping[str, Any]], Field(min_length=1)] | None = None
    predictor: (
        Annotated[Mapping[str, Mapping[str, Any]], Field(min_length=1, max_length=1)] | None
    ) = None

    @field_validator("options", mode="before")
    @classmethod
    def _earlier_words(cls, options: Any) -> Any:
        """Earlier versions took every value of the label that was not positive for negative."""
        if isinstance(options, dict) and "positive" in options:
            rest = {name: value for name, value in options.items() if name != "positive"}
            return {**rest, "true": options["positive"], "false": OTHERS}
        return options


class SettingsFile:
    """The settings of one session, and the file they are kept in.

    Parameters
    ----------
    folder
        The session's folder; must exist.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.current = read_settings(folder)

    def change_source(self, source: str | Path, options: Mapping[str, Any], **changes: Any) -> None:
        """Change where the items are and how they were opened, and perhaps other settings."""
        where = "demo" if source == "demo" else str(Path(source).resolve())
        self.change(source=where, options=dict(options), **changes)

    def change(self, **changes: Any) -> None:
        """Change some settings; they are on disk when this returns, or nothing has changed."""
        changed = AppSettings(**{**dict(self.current), **changes})
        if changed == self.current:
            return
        body = changed.model_dump_json(indent=1).encode()
        write_whole(self.folder / SETTINGS, lambda file: file.write(body))
        self.current = changed


def read_settings(folder: Path) -> AppSettings:
    """The settings in a session's folder; the defaults if there are none.

    Raises
    ------
    InvalidInput
        The file cannot be read, or a setting in it makes no sense.
    """
    path = folder / SETTINGS
    try:
        return AppSettings.model_validate_json(read_bytes(path, _MOST_BYTES))
    except FileNotFoundError:
        return AppSettings()
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        where = ".".join(map(str, fault["loc"])) or "the file"
        why = f"{where}: {fault['msg'].rstrip('.')}; got {fault['input']!r:.60}"
        raise _unreadable(path, why) from error
    except (OSError, InvalidInput) as error:
        raise _unreadable(path, f"it cannot be read: {error}".rstrip(".")) from error


def _unreadable(path: Path, why: str) -> InvalidInput:
    return InvalidInput(
        f"{path} must hold the settings of the app as JSON; {why}. Remove it to begin with new "
        "settings; the answers are elsewhere."
    )
