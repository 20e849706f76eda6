"""The service and the client of tests/web, for tests that need both rooms."""

from tests.web.conftest import client, service

__all__ = ["client", "service"]
