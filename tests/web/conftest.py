"""A desk with pictures, and somebody who has opened its link."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from askless.web.desk import Desk
from tests.web.desks import client_of, desk_on, pictures


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = desk_on(pictures(tmp_path / "photos"))
    yield made
    made.close()


@pytest.fixture
def client(desk: Desk) -> TestClient:
    return client_of(desk)
