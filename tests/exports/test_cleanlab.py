"""Out-of-sample probabilities, and what the real cleanlab finds with them."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
from cleanlab.filter import find_label_issues
from typer.testing import CliRunner

import askless
from askless.cli import app
from askless.labelling.question import ShownQuestion

WORDS = {
    "praise": ["lovely", "superb", "happy", "great"],
    "complaint": ["awful", "broken", "sad", "poor"],
}


def _reviews() -> tuple[list[str], list[str], set[int]]:
    """Texts, what is said of each, and where that is a mistake."""
    rng = random.Random(0)
    right = rng.choices(["praise", "complaint"], [1, 2], k=300)
    texts = [
        " ".join([*rng.choices(WORDS[label], k=2), *rng.sample("abcdefghijklm", 6)])
        for label in right
    ]
    wrong = set(rng.sample(range(300), 10))
    other = {"praise": "complaint", "complaint": "praise"}
    return texts, [other[one] if n in wrong else one for n, one in enumerate(right)], wrong


def test_cleanlab_finds_the_labels_that_are_wrong(tmp_path: Path) -> None:
    texts, said, wrong = _reviews()

    def annotator(question: ShownQuestion) -> bool:
        pairs = zip(question.ids, question.labels, strict=True)
        return all(said[place] == label for place, label in pairs)

    with askless.label(
        texts, positive="praise", negative="complaint", folder=tmp_path / "s"
    ) as labelling:
        labelling.run(annotator)
        (note,) = labelling.export(tmp_path / "a.cleanlab.npz")
    assert "first asked about" in note
    with np.load(tmp_path / "a.cleanlab.npz") as found:
        labels, probs, rows = found["labels"], found["pred_probs"], found["rows"]
        assert found["names"].tolist() == ["complaint", "praise"]
    assert [("complaint", "praise")[label] for label in labels] == [said[row] for row in rows]
    np.testing.assert_allclose(probs.sum(axis=1), 1)
    issues = set(rows[find_label_issues(labels, probs)].tolist())
    assert len(issues & wrong) >= 7
    assert len(issues - wrong) <= 3
    out = tmp_path / "b.npz"
    done = CliRunner().invoke(app, ["export", str(tmp_path / "s"), str(out), "--as", "cleanlab"])
    assert done.exit_code == 0, done.output
    with np.load(out) as again:
        np.testing.assert_allclose(again["pred_probs"], probs)


def test_labels_that_came_with_the_source_and_open_items_are_left_out(tmp_path: Path) -> None:
    texts, said, _ = _reviews()
    table = {"text": texts, "known": [*said[:40], *[""] * 260]}
    labelling = askless.label(table, text="text", label="known", true="praise", false="complaint")

    def annotator(question: ShownQuestion) -> bool:
        pairs = zip(question.ids, question.labels, strict=True)
        return all(said[place] == label for place, label in pairs)

    labelling.run(annotator, max_questions=10)
    notes = labelling.export(tmp_path / "a.cleanlab.npz")
    assert (
        notes[1] == "Labels of which nothing had been predicted, and which are not in the file: 40."
    )
    with np.load(tmp_path / "a.cleanlab.npz") as found:
        assert min(found["rows"]) >= 40
        assert len(found["rows"]) == labelling.progress.settled - 40
