"""A predictor, a model and numbers of one's own, for `askless simulate` and `askless label`."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from askless.app.opening import open_service, session_folder
from askless.app.service import LabellingService
from askless.app.terms import Terms
from askless.cli import main
from askless.cli.features import parse_features
from askless.cli.models import parse_predictor, typed_predictor
from askless.errors import InvalidInput, UnknownPart
from tests.features.onnx_models import text_model, tokenizer

N = 40
MINE = """
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

def pipeline(C=10.0):
    return make_pipeline(CountVectorizer(), LogisticRegression(C=C))

ready = LogisticRegression()

def broken():
    raise RuntimeError("no luck")

def nothing():
    return 5
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a table, embeddings and code; what is imported from it is forgotten."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", list(sys.path))
    with Path("t.csv").open("w", newline="") as file:
        rows = ([f"{'good' if at % 3 else 'bad'} day {at}", at % 3 > 0] for at in range(N))
        csv.writer(file).writerows([["text", "y"], *rows])
    rng = np.random.default_rng(0)
    np.save("emb.npy", rng.normal(size=(N, 4)) + 4 * (np.arange(N) % 3 > 0)[:, None])
    Path("my_own_models.py").write_text(MINE)
    yield tmp_path
    sys.modules.pop("my_own_models", None)


def simulated(capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, Any]:
    args = ["simulate", "t.csv", "--text", "text", "--label", "y", "--json", *options]
    assert main(args) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert found["labels_wrong"] == 0
    return found


def refused(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    assert main(list(args)) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    return said


def asked(*args: Any, **options: Any) -> Any:
    given = {"trust_here": False, "usual": "kernel", **options}
    return parse_predictor(*(*args, None, None, None)[:3], **given)


# --- as it is typed -------------------------------------------------------------------------------


def test_a_predictor_comes_with_the_options_that_were_typed() -> None:
    assert asked() is None
    assert asked("default") == {}
    assert asked("logistic", ["scale=2"]) == {"logistic": {"scale": 2.0}}
    assert asked(None, ["seed=3"]) == {"kernel": {"seed": 3}}
    assert asked(None, None, "os.path:make") == {"sklearn": {"estimator": "os.path:make"}}
    with pytest.raises(InvalidInput, match="One model predicts"):
        asked("logistic", None, "os.path:make")
    with pytest.raises(InvalidInput, match="has no options"):
        asked("default", ["seed=3"])
    with pytest.raises(UnknownPart, match="no predictor named 'smell'"):
        asked("smell", ["seed=3"])


def test_what_was_asked_for_can_be_typed_again() -> None:
    words = typed_predictor({"sklearn": {"estimator": "a:b"}}, trust_here=True)
    assert words == [
        "--trust-here",
        "--predictor",
        "sklearn",
        "--predictor-option",
        "estimator=a:b",
    ]


# --- askless simulate -----------------------------------------------------------------------------


def test_a_simulation_learns_from_ones_own_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    usual = simulated(capsys, "--features", "words")
    own = simulated(capsys, "--features", "emb.npy")
    assert own["features"] == [str(Path("emb.npy").resolve())]
    assert own["questions"] < N / 2
    both = simulated(capsys, "--features", "emb.npy,words", "--predictor", "logistic")
    assert both["predictor"] == "logistic"
    assert len(both["features"]) == 2
    assert usual["questions"] < N


def test_ones_own_code_is_found_here_only_if_that_is_trusted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    model = ("--model", "my_own_models:pipeline")
    args = ("simulate", "t.csv", "--text", "text", "--label", "y")
    told = refused(capsys, *args, *model)
    assert "or, with --trust-here, of the current folder" in told
    assert "No module named 'my_own_models'" in told
    assert os.getcwd() not in sys.path
    report = simulated(capsys, *model, "--trust-here")
    assert (report["predictor"], report["features"]) == ("sklearn", [])
    assert report["questions"] < N


def test_the_current_folder_is_not_searched_by_python_m_either() -> None:
    command = [sys.executable, "-m", "askless", "simulate", "t.csv", "--text", "text"]
    command += ["--label", "y", "--model", "my_own_models:pipeline"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "No module named 'my_own_models'" in done.stderr


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("broken", "it failed: RuntimeError: no luck"),
        ("nothing", "has no fit or predict_proba"),
        ("absent", "Say where your own scikit-learn estimator is found, as package.module:NAME"),
    ],
)
def test_code_that_makes_no_model_is_a_sentence(
    name: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    args = ("simulate", "t.csv", "--text", "text", "--label", "y", "--trust-here")
    assert words in refused(capsys, *args, "--model", f"my_own_models:{name}")


def test_an_estimator_that_is_no_pipeline_gets_features(
    capsys: pytest.CaptureFixture[str],
) -> None:
    options = ("--model", "my_own_models:ready", "--trust-here", "--features", "emb.npy")
    assert simulated(capsys, *options)["questions"] < N


# --- askless label --------------------------------------------------------------------------------


def until(true: Callable[[], bool], most_s: float = 600) -> None:
    end = time.monotonic() + most_s
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def labelled(terms: Terms, rounds: int) -> tuple[LabellingService, Any]:
    """A service that prepares its model; after some answers, what it was made of."""
    service = open_service("t.csv", session_folder("t.csv"), {"text": "text"}, terms)
    preparation = service.preparation
    assert preparation is not None
    until(lambda: preparation.share is None or preparation.failure is not None)
    made = getattr(preparation, "_trained_on", None)
    for _ in range(rounds):
        if (question := service.session.ask("ann")) is None:
            break
        truth = [item % 3 > 0 for item in question.question.items]
        right = list(question.question.guess) == truth
        answer = question.question.yes() if right else question.question.no()
        service.session.tell(None, answer, f"k{time.monotonic_ns()}", "ann")
    return service, made


@pytest.mark.parametrize(
    ("terms", "predictor"),
    [
        (Terms(features={"emb.npy": {}}), "kernel"),
        (Terms(features={"emb.npy": {}}, predictor={"logistic": {"scale": 2.0}}), "logistic"),
        (Terms(predictor={"sklearn": {"estimator": "my_own_models:pipeline"}}), "sklearn"),
    ],
    ids=["file", "predictor", "model"],
)
def test_the_app_learns_with_what_was_named_and_goes_on_with_it(
    terms: Terms, predictor: str, here: Path
) -> None:
    if predictor == "sklearn":
        sys.path.append(str(here))
    if terms.features:
        sets = {str(here / name): options for name, options in terms.features.items()}
        terms = Terms(features=sets, predictor=terms.predictor)
    for again in (False, True):
        code = predictor == "sklearn"
        service, made = labelled(terms if code or not again else Terms(), 3)
        preparation = service.preparation
        assert preparation is not None
        try:
            assert preparation.failure is None
            assert made["predictor"] == predictor
            until(lambda: preparation.trainer_status().checkpoint is not None)  # noqa: B023
            assert preparation.trainer_status().failures == 0
        finally:
            service.close()


def test_the_app_starts_from_the_guesses_of_a_prompt_and_goes_on_with_it(here: Path) -> None:
    text_model(here / "m/model.onnx")
    tokenizer(here / "m", model_max_length=20)
    named = ["--features", "onnx", "--feature-option", "onnx.model=m"]
    prompts = {"prompt": "good", "negative_prompt": "bad"}
    sets = parse_features("onnx", ["onnx.model=m"], **prompts)
    assert sets == {"onnx": {"model": str(here / "m"), **prompts}}
    for terms in (Terms(features=sets), Terms()):
        service, made = labelled(terms, 1)
        service.close()
        prior = made["options"]["prior"]
        good = [prior[item] for item in range(N) if item % 3 > 0]
        assert min(good) > max(prior[item] for item in range(N) if item % 3 == 0)
    done = ["simulate", "t.csv", "--text", "text", "--label", "y", *named, "--prompt", "good"]
    assert main(done) == 0


def test_a_prompt_needs_an_encoder_that_reads(capsys: pytest.CaptureFixture[str]) -> None:
    args = ("label", "t.csv", "--text", "text", "--prompt", "good")
    assert "name it among the feature sets" in refused(capsys, *args)
    assert "Got words." in refused(capsys, *args, "--features", "words")


def test_what_does_not_fit_is_told_before_the_app_starts(
    capsys: pytest.CaptureFixture[str],
) -> None:
    np.save("short.npy", np.zeros((3, 2)))
    said = refused(capsys, "label", "t.csv", "--text", "text", "--features", "short.npy")
    assert f"each of the {N} rows of the source; got 3" in said
    said = refused(capsys, "label", "t.csv", "--text", "text", "--features", "column:e")
    assert "there is no 'e', it has 'text', 'y'" in said
    said = refused(capsys, "label", "t.csv", "--text", "text", "--predictor", "fixed")
    assert "brings no probabilities" in said
    said = refused(capsys, "label", "t.csv", "--text", "text", "--model", "my_own_models:ready")
    assert "No module named" in said
    assert not session_folder("t.csv").exists()


def test_a_session_does_not_choose_the_code_of_its_model(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sys.path.append(str(here))
    terms = Terms(predictor={"sklearn": {"estimator": "my_own_models:pipeline"}})
    folder = session_folder("t.csv")
    open_service("t.csv", folder, {"text": "text"}, terms, learn=False).close()
    said = refused(capsys, "label", str(folder))
    assert "has the predictor sklearn, where there may be some" in said
    other = Terms(predictor={})
    service = open_service("t.csv", folder, {"text": "text"}, other, learn=False)
    assert "The model is now the default one; before, sklearn" in " ".join(service.notices)
    service.close()
