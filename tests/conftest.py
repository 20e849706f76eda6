"""The tiers of tests, and an honest account of what did not run.

A test marked with a tier (`TIERS`) runs only where it can.
Whatever was skipped is listed at the end with its reason and the command that runs it.
With ``ASKLESS_TIERS=all`` (that is ``make test-all``) a skipped test is a failure. So it is with
``ASKLESS_TIERS=rest`` (``make test-rest``), which runs what the last plain run skipped.
A test marked ``foreign`` needs libraries that make does not install; skipped, it is no failure.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ASKED = os.environ.get("ASKLESS_TIERS", "")
EVERY_TIER = ASKED in {"all", "rest"}
SKIPPED = "askless/skipped"  # in pytest's cache: what the last plain run skipped

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
    if not importlib.util.find_spec("psycopg"):
        return "psycopg is not installed"
    there = any(map(shutil.which, ("initdb", "pg_ctlcluster")))
    return None if there else "no PostgreSQL server was found"


def _no_nginx() -> str | None:
    # It lies where only root looks for commands.
    places = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"))
    return None if shutil.which("nginx", path=places) else "no nginx was found"


def _no_hadolint() -> str | None:
    found = Path(sys.executable).with_name("hadolint").exists() or shutil.which("hadolint")
    return None if found else "no hadolint was found"


# Why a tier cannot run here, or None when it can.
TIERS: Mapping[str, Callable[[], str | None]] = {
    "long": _no_time,
    "torch": _no_torch,
    "browser": _no_chromium,
    "nginx": _no_nginx,
    "hadolint": _no_hadolint,
    "postgres": _no_postgres,
}


@pytest.fixture(scope="session", autouse=True)
def own_state_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test reads or writes what the user keeps."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASKLESS_STATE", str(tmp_path_factory.mktemp("state")))
        patch.setenv("ASKLESS_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test of a tier that cannot run here."""
    for tier, why_not in TIERS.items():
        if item.get_closest_marker(tier) and (reason := why_not()):
            pytest.skip(f"tier {tier}: {reason}")


def pytest_configure(config: pytest.Config) -> None:
    """Say at once, not in every process, when it is not known what the rest is."""
    if ASKED == "rest" and config.cache.get(SKIPPED, None) is None:
        raise pytest.UsageError("Nothing is known of an earlier run; run `make test` first.")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Where only the rest was asked for, leave out what the last plain run ran."""
    if ASKED != "rest":
        return
    rest = config.cache.get(SKIPPED, ())
    done = [item for item in items if not {item.nodeid, item.nodeid.split("::")[0]} & set(rest)]
    items[:] = [item for item in items if item not in done]
    config.hook.pytest_deselected(items=done)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Where every tier was asked for, a test that did not run is a failure."""
    if hasattr(session.config, "workerinput"):
        return  # one of several processes; the one that hears from them all keeps the account
    left_out = _skipped(session.config)
    if not EVERY_TIER and hasattr(session.config, "cache"):
        session.config.cache.set(SKIPPED, [report.nodeid for report in left_out])
    if ASKED == "rest" and session.exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
        session.exitstatus = pytest.ExitCode.OK  # nothing had been skipped
    missed = [report for report in left_out if "foreign" not in report.keywords]
    if EVERY_TIER and session.exitstatus == pytest.ExitCode.OK and missed:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Name what did not run, why, and what would run it."""
    reports = _skipped(config)
    left_out = Counter(_reason(report) for report in reports)
    terminalreporter.section("not run here")
    for reason, count in sorted(left_out.items()):
        terminalreporter.write_line(f"{count:4d}  {reason}")
    if not left_out:
        terminalreporter.write_line("nothing was skipped")
    elif EVERY_TIER:
        if any("foreign" not in report.keywords for report in reports):
            terminalreporter.write_line("Every tier was asked for, so this is a failure.", red=True)
    else:
        terminalreporter.write_line("To run every tier: make test-all")


def _skipped(config: pytest.Config) -> list[pytest.TestReport]:
    """The reports of the tests that were skipped."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    return list(reporter.stats.get("skipped", ())) if reporter else []


def _reason(report: pytest.TestReport) -> str:
    """The reason a test gave, without where in this file it was given."""
    place = report.longrepr
    text = place[2] if isinstance(place, tuple) else str(place)
    return text.removeprefix("Skipped: ")
