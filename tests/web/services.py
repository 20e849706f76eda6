"""Small pools, services and clients for the tests of the app."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PIL import Image
from starlette.testclient import TestClient

from askless.app.opening import open_service
from askless.app.service import LabellingService
from askless.app.terms import Terms
from askless.web.app import make_app
from askless.web.guard import Bucket

HOST = "127.0.0.1:8765"
TOKEN = "a-token-that-nobody-can-guess"
_KEYS = itertools.count()


def pictures(folder: Path, n: int = 24) -> Path:
    """A folder of `n` pictures, all different; every third is red, the others blue."""
    folder.mkdir()
    for number in range(n):
        colour = (200, number, 0) if is_red(number) else (0, number, 200)
        Image.new("RGB", (32, 24), colour).save(folder / f"{number:03}.png")
    return folder


def is_red(item: int) -> bool:
    """The truth about `pictures`."""
    return item % 3 == 0


def texts(path: Path, rows: Sequence[str]) -> Path:
    """A table of texts."""
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["text"], *([row] for row in rows)])
    return path


def likely(path: Path, n: int = 60) -> Path:
    """A table of texts that comes with good probabilities; the truth is `is_red`."""
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = [[f"text {item}", 0.97 if is_red(item) else 0.03] for item in range(n)]
        csv.writer(file).writerows([["text", "prob"], *rows])
    return path


def service_on(source: Path, **options: Any) -> LabellingService:
    """A service without a model, in a session folder beside the source."""
    terms = options.pop("terms", Terms("red", "blue", "More red than blue.", annotator="ann"))
    folder = options.pop("folder", source.with_name(source.name + ".askless"))
    return open_service(source, folder, options, terms, learn=False)


def client_of(service: LabellingService, *, let_in: bool = True, **guard: Any) -> TestClient:
    """Somebody who talks to the app; let in by the link unless told otherwise."""
    limits = {"requests": Bucket(1e9, 1e9)}
    limits |= {k: guard.pop(k) for k in ("requests", "anonymous", "guesses") if k in guard}
    app = make_app(service, token=TOKEN, hosts={HOST}, **guard)
    for name, bucket in limits.items():
        setattr(app, name, bucket)
    client = TestClient(app, base_url=f"http://{HOST}", raise_server_exceptions=False)
    if let_in:
        client.get("/", params={"token": TOKEN}, follow_redirects=False)
    return client


def key() -> str:
    """An idempotency key nobody has used."""
    return f"key-{next(_KEYS):08}"


def post(client: TestClient, path: str, **body: Any) -> Any:
    """What the app says to this, which it must not refuse."""
    reply = client.post(path, json=body)
    assert reply.status_code == 200, reply.text
    return reply.json()


def get(client: TestClient, path: str, **query: Any) -> Any:
    """What the app says, which it must not refuse."""
    reply = client.get(path, params=query)
    assert reply.status_code == 200, reply.text
    return reply.json()


def truthfully(question: dict[str, Any], *, pointing: bool = False) -> dict[str, Any]:
    """The answer of somebody who knows `is_red`."""
    wrong = [i["item"] for i in question["items"] if is_red(i["item"]) != question["guess"]]
    if not wrong:
        return {"kind": "yes", "wrong": []}
    if pointing and len(question["items"]) > 1:
        return {"kind": "pointed", "wrong": wrong}
    return {"kind": "no", "wrong": []}


def tell(client: TestClient, question: dict[str, Any], **more: Any) -> Any:
    """Answer a question truthfully, unless `more` says otherwise."""
    body = {
        "tab": "t",
        "question_id": question["id"],
        "ticket": question["ticket"],
        "key": key(),
        "seconds": 1.5,
        **truthfully(question),
        **more,
    }
    return post(client, "/api/tell", **body)


def label_all(client: TestClient, *, pointing: bool = False, tab: str = "t") -> int:
    """Answer truthfully until nothing is left; how many answers that took."""
    question = post(client, "/api/ask", tab=tab)["question"]
    count = 0
    while question is not None:
        told = tell(client, question, tab=tab, **truthfully(question, pointing=pointing))
        question, count = told["question"], count + 1
        assert count < 500
    return count
