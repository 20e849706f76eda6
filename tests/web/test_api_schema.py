"""The API does what its OpenAPI page says, whatever is thrown at it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import Case, GenerationMode
from schemathesis.core.result import Ok

from askless.app.service import LabellingService
from tests.web.services import HOST, client_of, get, label_all, pictures, service_on

_SETTINGS = settings(
    max_examples=8,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabellingService]:
    made = service_on(pictures(tmp_path_factory.mktemp("schema") / "photos", 12))
    label_all(client_of(made))
    yield made
    made.close()


@pytest.mark.parametrize("mode", list(GenerationMode))
def test_every_reply_is_as_described(service: LabellingService, mode: GenerationMode) -> None:
    headers = {"host": HOST, "cookie": f"askless={client_of(service).cookies['askless']}"}
    app = client_of(service).app
    api = schemathesis.openapi.from_asgi("/api/openapi.json", app, headers=headers)
    count = 0
    for found in api.exclude(path="/api/events").get_all_operations():  # events do not end
        assert isinstance(found, Ok)
        operation = found.ok()

        @_SETTINGS
        @given(case=operation.as_strategy(generation_mode=mode))
        def throw(case: Case[Any]) -> None:
            case.call_and_validate(headers=headers)

        with contextlib.suppress(Unsatisfiable):  # what takes nothing cannot be given nonsense
            throw()
            count += 1
    assert count >= 15


def test_every_route_is_described(service: LabellingService) -> None:
    described = get(client_of(service), "/api/openapi.json")["paths"]
    named = [
        "ask", "ahead", "tell", "unsure", "undo", "retract", "revise", "definition", "pin",
        "names", "group", "enough", "enough/costs", "progress", "events", "curve", "bounds",
        "answers", "gallery", "review", "reviewed", "reask", "summary", "certificate",
        "certificate/slips", "export", "export/guesses", "session", "items/{item}",
        "items/{item}/picture",
    ]  # fmt: skip
    assert sorted(described) == sorted(f"/api/{name}" for name in named)


def test_every_route_tells_of_problems_in_one_form(service: LabellingService) -> None:
    page = get(client_of(service), "/api/openapi.json")
    for operations in page["paths"].values():
        for operation in operations.values():
            for status, reply in operation["responses"].items():
                if status != "200":
                    assert list(reply["content"]) == ["application/problem+json"]
