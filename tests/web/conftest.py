"""A service with pictures, and somebody who has opened its link."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from askless.app.service import LabellingService
from tests.web.services import client_of, pictures, service_on


@pytest.fixture
def service(tmp_path: Path) -> Iterator[LabellingService]:
    made = service_on(pictures(tmp_path / "photos"))
    yield made
    made.close()


@pytest.fixture
def client(service: LabellingService) -> TestClient:
    return client_of(service)
