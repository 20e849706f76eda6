"""The app for a labelling, in a thread: the same session, the caller's own model, a clean end."""

from __future__ import annotations

import http.cookiejar
import json
import urllib.request
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

import askless
from askless.errors import InvalidInput
from askless.predictors.logistic import Logistic

TEXTS = [f"{'lovely' if n % 2 else 'awful'} thing {n}" for n in range(12)]


class _Browser:
    """Opens a link, keeps its cookie, and speaks to the API."""

    def __init__(self, link: str) -> None:
        self._base = f"http://{urlsplit(link).netloc}"
        cookies = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self._opener = urllib.request.build_opener(cookies)
        self.page = self._opener.open(link).read().decode()

    def get(self, path: str) -> Any:
        return json.load(self._opener.open(self._base + path))


@pytest.mark.parametrize("kept", [False, True])
def test_the_page_and_the_object_share_a_session(kept: bool, tmp_path: Path) -> None:
    folder = tmp_path / "s" if kept else None
    with askless.label(TEXTS, positive="praise", folder=folder, model="logistic") as labelling:
        labelling.run(lambda question: question.unsure(question.ids[:1]), max_questions=1)
        link = labelling.serve(port=0)
        assert link == labelling.serve()  # once is enough
        browser = _Browser(link)
        assert "<title>" in browser.page
        question = labelling.ask()
        assert question is not None
        labelling.tell(wrong=[])
        told = browser.get("/api/progress")
        assert told["unsure"] == 1
        assert told["settled"] == labelling.progress.settled > 0
        labelling.stop()
        with pytest.raises(OSError, match=r"refused|reset"):
            _Browser(link)
        assert labelling.method.objective is None  # as it was before
        settled = labelling.progress.settled
        labelling.run(
            lambda question: [name for name, guess in _pairs(question) if name % 2 != guess]
        )
        assert labelling.done
        assert labelling.progress.settled == 11 > settled
    table = labelling.labels()
    assert [label for label in table["label"][1::2] if label] == ["praise"] * sum(
        label is not None for label in table["label"][1::2]
    )


def _pairs(question: Any) -> Any:
    return zip(question.ids, question.guess, strict=True)


def test_an_own_model_learns_behind_the_page() -> None:
    import numpy as np

    x = np.arange(12)[:, None] % 2
    with askless.label(
        TEXTS, model=Logistic(), features=x + np.linspace(0, 0.1, 12)[:, None]
    ) as it:
        browser = _Browser(it.serve(port=0))
        while (question := it.ask()) is not None and it.progress.settled < 8:
            it.tell(wrong=[name for name, guess in _pairs(question) if name % 2 != guess])
        served = it._in_app
        assert served is not None
        assert served.trainer is not None
        assert served.trainer.wait(60)
        assert browser.get("/api/progress")["settled"] >= 8
        assert it.labels()["probability"][1] > 0.5 > it.labels()["probability"][0]


def test_a_port_that_is_none_is_refused() -> None:
    with askless.label(TEXTS) as labelling, pytest.raises(InvalidInput, match="port is"):
        labelling.serve(port="x")  # type: ignore[arg-type]
