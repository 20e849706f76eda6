"""Labels and out-of-sample probabilities as arrays, as cleanlab takes them.

    found = numpy.load("labels.cleanlab.npz")
    cleanlab.filter.find_label_issues(found["labels"], found["pred_probs"])

``labels`` are 0 and 1, ``pred_probs`` has a column for each, ``rows`` says which row of the source
each is, from 0, and ``names`` what the labels are called. Exact duplicates are written once, and a
label only where somebody stated a probability without having learnt it.
Tested in tests/exports/test_cleanlab.py.
"""

from __future__ import annotations

from typing import BinaryIO, Final

import numpy as np

from askless.exports.contents import Contents
from askless.exports.exporter import Exporter


def write_cleanlab(contents: Contents, file: BinaryIO) -> None:
    """Write the arrays into `file`."""
    stated = contents.out_of_sample
    labels, rows, positive = list[int](), list[int](), list[float]()
    seen, left_out = set[int](), 0
    for place, row in enumerate(contents.rows()):
        if row.item < 0 or row.label is None or row.item in seen:
            continue
        seen.add(row.item)
        probability = float(stated.probs[row.item])
        if np.isnan(probability):
            left_out += 1
            continue
        labels.append(row.label)
        rows.append(place)
        positive.append(probability)
    probs = np.array(positive, np.float64)
    np.savez(
        file,
        labels=np.array(labels, np.int64),
        pred_probs=np.stack([1 - probs, probs], axis=1),
        rows=np.array(rows, np.int64),
        names=np.array(contents.label_names, np.str_),
    )
    contents.notes.append(stated.says)
    if left_out:
        contents.notes.append(
            f"Labels of which nothing had been predicted, and which are not in the file: "
            f"{left_out:,}."
        )


CLEANLAB: Final = Exporter(
    title="cleanlab",
    purpose="labels with out-of-sample probabilities, to find wrong ones",
    suffix=".cleanlab.npz",
    media_type="application/octet-stream",
    write=write_cleanlab,
    tool=True,
)
