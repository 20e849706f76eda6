"""Every public door, with a zoo of wrong inputs: understood, or refused in a sentence of ours.

Each parameter of each public callable is given each animal of the zoo, all others what is right.
Nothing but an `AsklessError` may come out, and nothing may be left in the folder it was to work in.
"""

from __future__ import annotations

import datetime
import inspect
import warnings
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from PIL import Image
from scipy import sparse
from sklearn.linear_model import LogisticRegression

import askless
from askless.errors import AsklessError
from askless.labelling import Labelling

TEXTS = ["good", "bad", "fine", "poor"]


class _Odd:
    """Refuses to be looked at."""

    def __repr__(self) -> str:
        raise RuntimeError


ZOO: dict[str, Callable[[], Any]] = {
    "None": lambda: None,
    "True": lambda: True,
    "zero": lambda: 0,
    "minus one": lambda: -1,
    "huge": lambda: 2**70,
    "half": lambda: 1.5,
    "nan": lambda: float("nan"),
    "infinity": lambda: float("inf"),
    "complex": lambda: 1j,
    "decimal": lambda: Decimal("0.5"),
    "empty text": lambda: "",
    "text": lambda: "x",
    "nul": lambda: "\0",
    "lone surrogate": lambda: "\ud800",
    "bytes": lambda: b"x",
    "empty list": list,
    "list of numbers": lambda: [1, 2],
    "list of texts": lambda: ["a", "b"],
    "list of lists": lambda: [[1.0], [2.0, 3.0]],
    "list of None": lambda: [None],
    "list of objects": lambda: [object()],
    "tuple": lambda: (0,),
    "empty mapping": dict,
    "mapping": lambda: {"a": 1},
    "mapping of numbers": lambda: {1: {2: 3}},
    "set": lambda: {1},
    "object": object,
    "class": lambda: int,
    "function": lambda: lambda *a, **k: None,
    "generator": lambda: (n for n in range(3)),
    "module": lambda: np,
    "array": lambda: np.zeros(4),
    "matrix": lambda: np.zeros((4, 2)),
    "array of nan": lambda: np.full(4, np.nan),
    "array of one": lambda: np.array(1.0),
    "empty array": lambda: np.zeros(0),
    "array of texts": lambda: np.array(["a", "b"]),
    "array of objects": lambda: np.array([object(), None]),
    "array of dates": lambda: np.array(["2020"], "datetime64[D]"),
    "pandas table": lambda: pd.DataFrame({"a": [1, 2]}),
    "pandas column": lambda: pd.Series([1, 2]),
    "pandas missing": lambda: pd.NA,
    "polars table": lambda: pl.DataFrame({"a": ["x", "y"]}),
    "polars plan": lambda: pl.DataFrame({"a": [1]}).lazy(),
    "arrow table": lambda: pa.table({"a": [1]}),
    "sparse matrix": lambda: sparse.eye_array(4).tocsr(),
    "path": lambda: Path("no such thing"),
    "picture": lambda: Image.new("RGB", (2, 2)),
    "date": lambda: datetime.date(2020, 1, 1),
    "estimator": LogisticRegression,
    "estimator class": lambda: LogisticRegression,
    "question": lambda: askless.Question((0,), (True,)),
    "probs": lambda: askless.Probs(np.full(2, 0.5)),
}


def _session() -> askless.Session:
    return askless.open_session(askless.Probs(np.full(4, 0.5))).session


def _asked() -> Labelling:
    labelling = askless.label(TEXTS, model="fixed", probs=[0.5] * 4)
    labelling.ask()
    return labelling


def _told() -> dict[str, Any]:
    session = _session()
    asked = session.ask("ann")
    assert asked is not None
    return {
        "door": session.tell,
        "question_id": asked.id,
        "answer": asked.question.yes(),
        "key": "k",
    }


QUESTION = askless.Question((0, 1), (True, True))
DOORS: dict[str, Callable[[], dict[str, Any]]] = {
    "Answer": lambda: {"question": QUESTION, "kind": "pointed", "wrong": (0,)},
    "Labelling.export": lambda: {"door": _asked().export, "path": "labels.csv"},
    "Labelling.run": lambda: {
        "door": _asked().run,
        "annotator": lambda question: True,
        "max_questions": 2,
    },
    "Labelling.tell": lambda: {"door": _asked().tell},
    "Labelling.labels": lambda: {"door": _asked().labels},
    "Labelling.undo": lambda: {"door": _asked().undo},
    "Method": dict,
    "Probs": lambda: {"values": [0.5]},
    "Question": lambda: {"items": (0,), "guess": (True,)},
    "Question.pointed": lambda: {"door": QUESTION.pointed, "wrong": (0,)},
    "Question.about": lambda: {"door": QUESTION.about, "items": (0,)},
    "Session.ask": lambda: {"door": _session().ask, "annotator": "ann"},
    "Session.tell": _told,
    "Session.unsure": lambda: {"door": _session().unsure, "item": 0},
    "Session.undo": lambda: {"door": _session().undo, "annotator": "ann"},
    "Session.correct": lambda: {
        "door": _session().correct,
        "items": 0,
        "label": True,
        "annotator": "ann",
    },
    "State.blank": lambda: {"door": askless.State.blank, "n": 4},
    "label": lambda: {"data": TEXTS, "model": "fixed", "probs": [0.5] * 4},
    "learn": lambda: {"state": askless.State.blank(4), "answer": QUESTION.yes()},
    "load_pool": lambda: {"where": "demo"},
    "make_planner": lambda: {"name": "auto"},
    "open_pool": lambda: {"source": TEXTS},
    "open_session": lambda: {"pool": askless.Probs(np.full(4, 0.5))},
    "planner_names": dict,
    "replay": lambda: {"n": 4, "answers": [QUESTION.yes()]},
    "simulate": lambda: {"session": _session(), "labels": [True] * 4},
    "widget": lambda: {"data": TEXTS, "model": "fixed", "probs": [0.5] * 4},
}
INSIDE = {
    "AsklessError": "what comes out",
    "Labelling": "made by label",
    "Session": "made by open_session",
    "State": "made by State.blank",
}
"""Public names that nobody is to call."""


def _places() -> Iterator[tuple[str, str]]:
    for door, make in DOORS.items():
        given = make()
        call = given.get("door") or getattr(askless, door)
        for name, parameter in inspect.signature(call).parameters.items():
            if parameter.kind is not parameter.VAR_KEYWORD:
                yield door, name


def test_every_public_name_is_a_door_that_is_tried() -> None:
    assert set(askless.__all__) == {name.partition(".")[0] for name in DOORS} | set(INSIDE)


@pytest.mark.parametrize(("door", "parameter"), list(_places()))
def test_wrong_inputs_are_refused_in_a_sentence(
    door: str, parameter: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = []
    for animal, make in ZOO.items():
        given = {**DOORS[door](), parameter: make()}
        call = given.pop("door", None) or getattr(askless, door)
        if "folder" in inspect.signature(call).parameters and parameter != "folder":
            given["folder"] = tmp_path / "session"
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                made = call(**given)
        except AsklessError as error:
            if len(str(error)) < 20:
                found.append(f"{animal}: {error!r} is no sentence")
            left = sorted(path.name for path in tmp_path.rglob("*"))
            if left:
                found.append(f"{animal}: left {left}")
        except Exception as error:
            found.append(f"{animal}: {type(error).__name__}: {error!s:.120}")
        else:
            if hasattr(made, "close"):
                made.close()
        for path in sorted(tmp_path.rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
    assert found == []
