"""Labels come back in the kind of table that was given, row by row, copies included."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import askless
from askless.errors import InvalidInput

TEXTS = ["good one", "bad one", "", "good one", "good two"]
LABELS = ["good", "bad", None, "good", "good"]


def labelled(data: Any, **more: Any) -> Any:
    labelling = askless.label(data, positive="good", negative="bad", **more)
    labelling.run(
        lambda question: all(
            text.startswith(label)
            for text, label in zip(question.texts, question.labels, strict=True)
        )
    )
    return labelling.labels()


def test_pandas() -> None:
    frame = pd.DataFrame({"text": TEXTS}, index=pd.Index([3, 1, 4, 1, 5], name="n"))
    table = labelled(frame)
    assert table.index.equals(frame.index)
    assert table["label"].astype(object).where(table["label"].notna(), None).tolist() == LABELS
    assert table["certain"].dtype == bool
    assert table["probability"].dtype == float
    assert labelled(frame["text"])["label"].equals(table["label"])


@pytest.mark.parametrize("make", [pl.DataFrame, pa.table])
def test_polars_and_arrow(make: Any) -> None:
    table = labelled(make({"text": TEXTS}))
    assert type(table) is type(make({"text": TEXTS}))
    assert pl.DataFrame(table)["label"].to_list() == LABELS


def test_polars_column() -> None:
    assert labelled(pl.Series(TEXTS))["label"].to_list() == LABELS


def test_anything_else_is_a_mapping_of_columns() -> None:
    table = labelled(TEXTS)
    assert table["label"] == LABELS
    assert pd.DataFrame(table).shape == (5, 5)
    assert labelled({"text": TEXTS})["label"] == LABELS


def test_a_name_that_stands_for_two_items_of_a_question_is_refused() -> None:
    frame = pd.DataFrame({"text": ["a", "b"]}, index=["x", "x"])
    labelling = askless.label(frame, probs=[0.01, 0.01], model="fixed", channel="pointed")
    question = labelling.ask()
    assert question is not None
    assert question.ids == ["x", "x"]
    with pytest.raises(InvalidInput, match="stands for several"):
        labelling.tell(wrong=["x"])


def test_numbers_of_numpy_name_items_too() -> None:
    labelling = askless.label(["a", "b"], probs=[0.01, 0.01], model="fixed", channel="pointed")
    labelling.ask()
    labelling.tell(wrong=np.array([1]))
    assert labelling.labels()["label"] == ["negative", "positive"]
