"""One object for the loop: ask and tell, run, undo, labels; the same questions as a simulation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import askless
from askless.core.question import Question
from askless.errors import AsklessError, InvalidInput, Refused
from askless.lab.known_pool import known_pool
from askless.lab.truthful import TruthfulAnnotator
from askless.labelling import Labelling
from askless.labelling.question import ShownQuestion
from askless.pools import open_pool

N = 24
TRUTH = np.arange(N) % 3 == 0
FRAME = pd.DataFrame(
    {"review": [f"{'lovely' if good else 'awful'} thing {n}" for n, good in enumerate(TRUTH)]},
    index=[f"r{n}" for n in range(N)],
)
RIGHT = dict(zip(FRAME.index, TRUTH, strict=True))


def made(**more: Any) -> Labelling:
    return askless.label(FRAME, text="review", positive="praise", negative="complaint", **more)


def right(question: ShownQuestion) -> bool:
    return all(
        RIGHT[name] == guess for name, guess in zip(question.ids, question.guess, strict=True)
    )


def test_a_function_takes_as_many_questions_as_a_simulation() -> None:
    labelling = made()
    labelling.run(right)
    pool = known_pool(open_pool(FRAME.assign(y=TRUTH.astype(int)), text="review", label="y"))
    method = askless.Method(test_sample=1)
    from askless.assemble import open_simulation

    with open_simulation(pool, method) as simulation:
        run = simulation.run()
    asked = [given.answer.question for given in labelling.session.history.answers.values()]
    assert asked == [step.answer.question for step in run.trace.steps]


def test_labels_are_on_the_index_of_the_caller() -> None:
    labelling = made()
    labelling.run(right)
    table = labelling.labels()
    assert list(table.index) == list(FRAME.index)
    assert list(table.columns) == ["label", "certain", "how", "probability"]
    assert ((table["label"] == "praise") == TRUTH).all()
    assert set(table["label"]) == {"praise", "complaint"}
    assert table["certain"].all()
    assert FRAME.join(table).shape == (N, 5)


def test_what_is_not_settled_has_no_label() -> None:
    table = made().labels()
    assert table["label"].isna().all()
    assert not table["certain"].any()
    assert (table["probability"] == 0.5).all()


@pytest.mark.parametrize("pointing", [False, True])
def test_an_annotator_object_answers_too(pointing: bool) -> None:
    labelling = made(channel="pointed" if pointing else "yes-no")
    labelling.run(TruthfulAnnotator(TRUTH, pointing=pointing))
    assert ((labelling.labels()["label"] == "praise") == TRUTH).all()
    kinds = {given.answer.kind for given in labelling.session.history.answers.values()}
    assert ("pointed" in kinds) is pointing


def test_a_function_may_name_the_wrong_ones_or_say_that_it_cannot_tell() -> None:
    def annotator(question: ShownQuestion) -> Any:
        if "r5" in question.ids:
            return question.unsure(["r5"])
        return [
            name
            for name, guess in zip(question.ids, question.guess, strict=True)
            if RIGHT[name] != guess
        ]

    labelling = made(channel="pointed")
    progress = labelling.run(annotator)
    table = labelling.labels()
    assert (progress.settled, progress.unsure) == (N - 1, 1)
    assert table.loc["r5", "how"] == "unsure"
    assert ((table["label"] == "praise") == TRUTH).drop("r5").all()


def test_ask_and_tell_and_undo() -> None:
    labelling = made()
    question = labelling.ask()
    assert question is not None
    again = labelling.ask()
    assert again is not None
    assert again.ids == question.ids  # until it is answered
    labelling.tell(yes=right(question))
    assert labelling.progress.settled == 1
    back = labelling.undo()
    assert back is not None
    assert back.ids == question.ids
    assert labelling.progress.settled == 0
    labelling.tell(wrong=[] if right(back) else back.ids)
    assert labelling.progress.settled == 1


def test_unsure_items_leave_the_rest_of_their_question() -> None:
    labelling = made(test_sample=0, model="fixed", probs=np.where(TRUTH, 0.99, 0.01))
    question = labelling.ask()
    assert question is not None
    assert len(question) == 8
    labelling.tell(yes=True, unsure=question.ids[:2])
    assert (labelling.progress.settled, labelling.progress.unsure) == (6, 2)


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ({}, "Tell one thing"),
        ({"yes": True, "wrong": []}, "Tell one thing"),
        ({"wrong": ["nobody"]}, "got 'nobody', which is none of them"),
        ({"wrong": [["r1"]]}, "a single value"),
        ({"unsure": []}, "Name at least one"),
        ({"yes": 3}, "got 3"),
    ],
)
def test_what_says_nothing_is_refused(said: dict[str, Any], sentence: str) -> None:
    labelling = made()
    with pytest.raises(Refused, match="call ask"):
        labelling.tell(yes=True)
    labelling.ask()
    with pytest.raises(InvalidInput, match=sentence):
        labelling.tell(**said)
    assert labelling.progress.settled == 0


@pytest.mark.parametrize(
    ("annotator", "sentence"),
    [
        (lambda question: None, "got None"),
        (lambda question: "yes", "got 'yes'"),
        (lambda question: {"r1": True}, "got {'r1': True}"),
        (lambda question: Question((0, 1), (True, True)).yes(), "another question"),
        (7, "a function of a question"),
        (TruthfulAnnotator, "a function of a question"),
    ],
)
def test_an_annotator_that_does_not_answer_is_refused(annotator: Any, sentence: str) -> None:
    labelling = made()
    with pytest.raises(InvalidInput, match=sentence):
        labelling.run(annotator)
    assert labelling.progress.answers == {}


def test_a_function_that_fails_loses_nothing() -> None:
    labelling = made()
    answered = 0

    def annotator(question: ShownQuestion) -> bool:
        nonlocal answered
        if answered == 5:
            raise RuntimeError
        answered += 1
        return right(question)

    with pytest.raises(RuntimeError):
        labelling.run(annotator)
    assert sum(labelling.progress.answers.values()) == 5
    labelling.run(right)
    assert labelling.done


def test_it_goes_on_in_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "s"
    with made(folder=str(folder)) as labelling:
        first = labelling.run(right, max_questions=4)
        before = labelling.labels()
    with made(folder=folder) as labelling:
        assert labelling.progress.settled == first.settled
        assert labelling.labels()["label"].equals(before["label"])
        assert labelling.notices == ()
        labelling.run(right)
        assert ((labelling.labels()["label"] == "praise") == TRUTH).all()


def test_other_options_are_how_it_goes_on(tmp_path: Path) -> None:
    with made(folder=tmp_path / "s") as labelling:
        labelling.run(right, max_questions=2)
    with made(folder=tmp_path / "s", max_n=2, model="logistic") as labelling:
        assert labelling.method.max_n == 2
        labelling.run(right)
        sizes = [len(a.answer) for a in labelling.session.history.answers.values()]
        assert max(sizes[2:]) <= 2
    with made(folder=tmp_path / "s", max_n=2, model="logistic") as labelling:
        assert labelling.done


def test_a_source_that_has_grown_goes_on_with_what_is_new(tmp_path: Path) -> None:
    with askless.label(FRAME[:20], text="review", folder=tmp_path / "s") as labelling:
        labelling.run(right)
    with askless.label(FRAME, text="review", folder=tmp_path / "s") as labelling:
        assert labelling.notices == ("The source has changed since last time: 4 new.",)
        assert (labelling.progress.settled, labelling.progress.items) == (20, N)
        labelling.run(right)
        assert ((labelling.labels()["label"] == "positive") == TRUTH).all()


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(InvalidInput, match="holds something else"):
        made(folder=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_nothing_is_left_where_a_session_cannot_begin(tmp_path: Path) -> None:
    for more in ({"features": ["pixels"]}, {"model": "nobody"}, {"max_n": 0}, {"probs": [0.5]}):
        with pytest.raises(AsklessError):
            made(folder=tmp_path / "s", **more)
        assert list(tmp_path.iterdir()) == []


def test_known_labels_are_taken() -> None:
    known = ["yes" if good else "no" for good in TRUTH[:10]] + [None] * (N - 10)
    labelling = askless.label(FRAME.assign(known=known), text="review", label="known")
    assert labelling.progress.given == 10
    labelling.run(right)
    assert labelling.progress.settled == N


def test_it_says_what_it_is_in_a_line() -> None:
    labelling = made()
    question = labelling.ask()
    assert repr(labelling) == "<Labelling of 24 texts in memory: 0 of 24 settled with 0 answers>"
    assert question is not None
    assert question.sentence in repr(question)
    assert repr(labelling.progress) == "<Progress: 0 of 24 settled with 0 answers>"
    shown = question._repr_html_()
    assert question.ids[0] in shown
    assert "thing" in shown
    assert "<progress" in labelling.progress._repr_html_()
    assert "24 texts" in labelling._repr_html_()


def test_html_of_a_question_is_harmless_and_shows_pictures() -> None:
    text = askless.label(["<script>", "b"], positive="<i>x").ask()
    assert text is not None
    assert "<script>" not in text._repr_html_()
    assert "<i>" not in text._repr_html_()
    picture = askless.label(
        np.zeros((2, 4, 4), np.uint8) + np.arange(2, dtype=np.uint8)[:, None, None]
    ).ask()
    assert picture is not None
    assert "data:image/png" in picture._repr_html_()
    assert picture.pictures[0].shape == (4, 4, 3)


def test_it_is_enough_when_a_promise_holds() -> None:
    rng = np.random.default_rng(0)
    truth = rng.random(600) < 0.4
    probs = np.where(truth ^ (rng.random(600) < 0.05), 0.95, 0.05)
    texts = [f"text {number}" for number in range(600)]
    labelling = askless.label(texts, probs=probs, model="fixed", enough="10%")
    progress = labelling.run(
        lambda question: all(
            truth[place] == guess for place, guess in zip(question.ids, question.guess, strict=True)
        )
    )
    table = pd.DataFrame(labelling.labels())
    accepted = table["how"] == "accepted"
    assert labelling.done
    assert progress.settled < 600
    assert accepted.sum() == 600 - progress.settled
    assert ((table["label"] == "positive") == truth).mean() > 0.9
    assert not table.loc[accepted, "certain"].any()


@pytest.mark.parametrize("name", ["auto", "fill", "grid", "lookahead", "nested", "one-by-one"])
def test_a_planner_refuses_probabilities_of_another_pool(name: str) -> None:
    planner = askless.make_planner(name)
    with pytest.raises(InvalidInput, match="got 3 for 4 items"):
        planner.plan(askless.Probs(np.full(3, 0.5)), askless.State.blank(4))
