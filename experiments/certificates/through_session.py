"""Coverage through the real session: leases, undo, skips, corrections, parts and two windows.

    python -m experiments.certificates.through_session            # writes through_session.json

In every run more guesses of a claim are wrong than the promise allows, so a certificate is false.
An adversary works with the session until it certifies, or until too few wrong guesses are left for
it to be false, or until it has had enough. The prior is at its worst, trusting a predictor that
expects hardly any wrong guess. Counted are runs that were certified (*false*), and runs in which
the bound was below the truth at any moment (*bound false*): what any rule when to stop, and any
promise read off the same claim, could make false. Answers are the truth at every moment that
counts: slips are corrected before anybody looks, since a certificate is relative to the person's
own judgement, which is a fixed one: what nobody can tell is so from the beginning. Every run ends
with a replay of its events, which must say the same.
Tested, with fewer runs, in tests/experiments/test_certificates.py.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from askless.certificates.standing import Standing, standing_of
from askless.history.history import History
from experiments.certificates.session_adversaries import (
    CONFIDENCE,
    Run,
    Setting,
    answers_everything,
    corrects,
    finds_errors_first,
    keeps_bad_checks_back,
    marks_unsure,
    retracts_long_ago,
    retracts_noes,
    settles_right_items,
    shows_two_at_a_time,
    skips,
    undoes,
    works_in_two_windows,
)

RESULTS: Final = Path(__file__).with_name("through_session.json")
RUNS: Final = 160
"""Of each setting."""
_TURNS: Final = 400


SETTINGS: Final = (
    Setting("answers everything", answers_everything, n=200, allowed=6, size=8),
    Setting("answers everything, pointing", answers_everything, size=4, form="pointed", more=3),
    Setting("one item a check, undoes", undoes, n=60, allowed=2, size=1, more=2),
    Setting("settles right items", settles_right_items, n=120, size=3),
    Setting("finds errors, then right items", finds_errors_first, more=5),
    Setting("retracts noes", retracts_noes, size=3),
    Setting("retracts long ago, two strata", retracts_long_ago, size=3, strata=True),
    Setting("skips what it would deny", skips, size=3),
    Setting("slips and corrects", corrects, n=120, size=3),
    Setting("two windows, leases run out", works_in_two_windows, n=150, size=4),
    Setting("keeps bad checks back", keeps_bad_checks_back, size=3),
    Setting("parts and four claims", shows_two_at_a_time, n=80, allowed=3, size=3, claims=4),
    Setting("unsure of some", marks_unsure, n=120, size=3, more=4, undecidable=5),
)


def play(setting: Setting, seed: int) -> dict[str, Any]:
    """One run: whether it was certified, whether the bound was ever too low, how long it took."""
    run = Run(setting, seed)
    false = bound_false = False
    looks = claims = checks = 0
    for _ in setting.work(run):
        looks += 1
        standing = run.session.standing()
        assert standing is not None
        wrong = len(run.open_wrong)
        if _is_true_now(run) and standing.at_most is not None:
            bound_false |= standing.at_most < wrong
            false |= standing.enough and wrong > setting.allowed
        if false or wrong <= setting.allowed or looks >= _TURNS:
            break
        if standing.checks.asked >= 8 and claims + 1 < setting.claims:
            claims += 1
            checks += standing.checks.asked
            run.freeze()
    standing = run.session.standing()
    assert standing is not None
    assert _replayed(run) == standing
    return {
        "false": bool(false),
        "bound_false": bool(bound_false),
        "looks": looks,
        "checks": checks + standing.checks.asked,
        "events": run.session.history.last + 1,
    }


def _is_true_now(run: Run) -> bool:
    """Whether every label given is right: what a certificate is relative to."""
    labels = run.session.state.labels()
    known = labels >= 0
    return bool(np.all(labels[known] == run.truth[known]))


def _replayed(run: Run) -> Standing | None:
    return standing_of(History.of(run.setting.n, run.session.events_in_memory()), run.promise)


def coverage(settings: Sequence[Setting] = SETTINGS, runs: int = RUNS) -> dict[str, Any]:
    """All settings, so many runs of each, and their sum."""
    found: dict[str, Mapping[str, Any]] = {}
    for setting in settings:
        played = [play(setting, seed) for seed in range(runs)]
        found[setting.name] = {
            "runs": runs,
            "false": sum(one["false"] for one in played),
            "bound_false": sum(one["bound_false"] for one in played),
            "checks": round(float(np.mean([one["checks"] for one in played])), 1),
            "events": round(float(np.mean([one["events"] for one in played])), 1),
            "says": " ".join((setting.work.__doc__ or "").split()),
        }
        print(f"{setting.name:32} {found[setting.name]}", flush=True)
    total = sum(one["runs"] for one in found.values())
    false = sum(one["false"] for one in found.values())
    return {
        "confidence": CONFIDENCE,
        "runs": total,
        "false": false,
        "share": round(false / total, 4),
        "bound_false": sum(one["bound_false"] for one in found.values()),
        "limit": round(limit(total), 4),
        "settings": found,
    }


def limit(runs: int) -> float:
    """The share of false certificates that is allowed: alpha and three standard errors."""
    alpha = 1 - CONFIDENCE
    return alpha + 3 * float(np.sqrt(alpha * (1 - alpha) / runs))


def main() -> None:
    """Run all of it and write the result."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=RUNS, help="of each setting")
    parser.add_argument("--results", type=Path, default=RESULTS)
    options = parser.parse_args()
    found = coverage(runs=options.runs)
    options.results.write_text(json.dumps(found, indent=1) + "\n")
    print(f"{found['false']} of {found['runs']} false; limit {found['limit']:.1%}")


if __name__ == "__main__":
    main()
