"""The tiers of tests, and an honest account of what did not run.

A test marked ``long``, ``torch``, ``browser`` or ``postgres`` runs only where it can.
Whatever was skipped is listed at the end with its reason and the command that runs it.
With ``ASKLESS_TIERS=all`` (that is ``make test-all``) a skipped test is a failure.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

import pytest
from hypothesis import HealthCheck, settings

EVERY_TIER = os.environ.get("ASKLESS_TIERS", "") == "all"

# No verdict by the clock, which a busy machine would lose. A plain run repeats itself exactly;
# with every tier hypothesis looks for examples it has not tried.
settings.register_profile(
    "askless",
    deadline=None,
    derandomize=not EVERY_TIER,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("askless")


def _no_time() -> str | None:
    return None if EVERY_TIER else "takes minutes"


def _no_torch() -> str | None:
    return None if importlib.util.find_spec("torch") else "torch is not installed"


def _no_chromium() -> str | None:
    names = ("chromium", "chromium-browser", "google-chrome")
    return None if any(map(shutil.which, names)) else "no Chromium was found"


def _no_postgres() -> str | None:
    if os.environ.get("ASKLESS_POSTGRES") or any(map(shutil.which, ("pg_ctl", "pg_ctlcluster"))):
        return None
    return "no PostgreSQL server was found"


# Why a tier cannot run here, or None when it can.
TIERS: Mapping[str, Callable[[], str | None]] = {
    "long": _no_time,
    "torch": _no_torch,
    "browser": _no_chromium,
    "postgres": _no_postgres,
}


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test of a tier that cannot run here."""
    for tier, why_not in TIERS.items():
        if item.get_closest_marker(tier) and (reason := why_not()):
            pytest.skip(f"tier {tier}: {reason}")


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Where every tier was asked for, a test that did not run is a failure."""
    if EVERY_TIER and session.exitstatus == 0 and _not_run(session.config):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Name what did not run, why, and what would run it."""
    left_out = _not_run(config)
    terminalreporter.section("not run here")
    for reason, count in sorted(left_out.items()):
        terminalreporter.write_line(f"{count:4d}  {reason}")
    if not left_out:
        terminalreporter.write_line("nothing was skipped")
    elif EVERY_TIER:
        terminalreporter.write_line("Every tier was asked for, so this is a failure.", red=True)
    else:
        terminalreporter.write_line("To run every tier: make test-all")


def _not_run(config: pytest.Config) -> Counter[str]:
    """How many tests were skipped, by reason."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    skipped: Iterable[pytest.TestReport] = reporter.stats.get("skipped", ()) if reporter else ()
    return Counter(_reason(report) for report in skipped)


def _reason(report: pytest.TestReport) -> str:
    """The reason a test gave, without where in this file it was given."""
    place = report.longrepr
    text = place[2] if isinstance(place, tuple) else str(place)
    return text.removeprefix("Skipped: ")
