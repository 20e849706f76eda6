"""What is read of a session on disk is what the app says that has it open.

The pools are small enough that every estimate is exact, so the two are equal, not merely close.
An app that was started again has calibrated again; until its next fit the two may differ a little.
"""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from askless.app.service import LabellingService
from askless.assemble import read_session
from askless.cli import app
from askless.folder.files import TRAINING
from askless.predictors import make_predictor
from askless.trainer.inline import InlineTrainer
from tests.web.services import is_red, key, likely, service_on, texts

N = 120


def _answer(service: LabellingService, count: int, *, look_ahead: bool) -> None:
    for _ in range(count):
        asked = service.ask("t")
        if asked is None:
            return
        if look_ahead:
            service.ahead("t", asked.id)
        pairs = zip(asked.question.items, asked.question.guess, strict=True)
        kind = "yes" if all(is_red(item) is guess for item, guess in pairs) else "no"
        service.tell("t", asked.id, asked.question, kind, [], key(), seconds=1.5)


def _check_equal(service: LabellingService) -> None:
    now, folder = service.session.progress(), service.settings.folder
    snapshot = read_session(folder)
    read = snapshot.progress()
    assert snapshot.method == service.method
    assert np.array_equal(snapshot.probs.values, service.session.probs.values)
    assert (read.questions_left, read.seconds_left) == (now.questions_left, now.seconds_left)
    assert (read.settled, read.open, read.answers) == (now.settled, now.open, now.answers)
    reply = CliRunner().invoke(app, ["status", str(folder), "--json"])
    said: dict[str, Any] = json.loads(reply.output)
    assert said["draws_left"] == now.draws_left
    assert said["questions_left"] == (now.questions_left and asdict(now.questions_left))


def _service(path: Path, *, informed: bool) -> LabellingService:
    source = path / "pool.csv"
    if informed:
        return service_on(likely(source, N), prob="prob")
    return service_on(texts(source, [f"text {item}" for item in range(N)]))


@pytest.mark.parametrize("look_ahead", [False, True])
@pytest.mark.parametrize("informed", [False, True])
def test_status_says_what_the_app_says_also_when_the_planning_has_changed(
    tmp_path: Path, informed: bool, look_ahead: bool
) -> None:
    service = _service(tmp_path, informed=informed)
    caps = set()
    try:
        for _ in range(9):
            _check_equal(service)
            caps.add(service.method.max_n)
            _answer(service, 5, look_ahead=look_ahead)
        _check_equal(service)
    finally:
        service.close()
    assert len(caps) > 1 or not informed


def test_status_says_what_the_app_says_before_and_after_a_checkpoint(tmp_path: Path) -> None:
    service = _service(tmp_path, informed=False)
    features = np.array([[is_red(item), item / N] for item in range(N)], np.float32)
    try:
        _answer(service, 12, look_ahead=True)
        _check_equal(service)
        assert service.session.history.checkpoint == 0
        folder = service.settings.folder / TRAINING
        trainer = InlineTrainer(make_predictor("logistic"), features, folder=folder)
        service.session.use(trainer=trainer)
        _answer(service, 5, look_ahead=True)
        assert service.session.history.checkpoint > 0
        _check_equal(service)
    finally:
        service.close()
