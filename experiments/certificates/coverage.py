"""Coverage: how often a certificate is false, against every adversary, and what naive tests do.

    python -m experiments.certificates.coverage --processes 2     # writes coverage.json

Adversaries that are on file with as many runs and the same seed are kept.

In every run more guesses of a claim are wrong than the promise allows, so a certificate is false.
A run ends with a false certificate, or when so many wrong guesses were found that it would be true,
or when nothing is left to draw, or when the evidence E = M / L against the truth is below 0.01, or
after some checks. From there it would reach 1 / alpha with chance alpha E at most (Ville's
inequality); these chances are added up in `cut`, and counted as if they had been false. *Rejected*
are runs in which the true number was ever rejected while the promise did not hold: whatever rule
when to stop, and whatever number of wrong labels were promised, no more could be made false. The
prior is at its worst, trusting a predictor that expects hardly any wrong guess, unless the name
says otherwise. `experiments.certificates.naive` has the tests beside it.
Tested, with fewer runs, in tests/experiments/test_coverage.py.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path
from typing import Any, Final
from zlib import crc32

import numpy as np

from askless.history.claims import SHARES
from experiments.certificates import naive
from experiments.certificates.claim_adversaries import (
    ALPHA,
    Game,
    Setting,
    finds_errors_first,
    gambles,
    settles_right_items,
)

RESULTS: Final = Path(__file__).with_name("coverage.json")
RUNS: Final = 10_000
"""Of each adversary and of each naive test."""
_HOPELESS: Final = math.log(0.01)

SETTINGS: Final = (
    Setting("yes/no, 8 items a check"),
    Setting("yes/no, 24 items", cap=24),
    Setting("yes/no, 64 items", cap=64),
    Setting("yes/no, no cap, noes unresolved", cap=None),
    Setting("one item a check", cap=1),
    Setting("pointed, 24 items", cap=24, form="pointed"),
    Setting("hidden cluster: twice as many wrong as allowed", wrong=(40,), cap=24, turns=60),
    Setting("settles right items only", between=settles_right_items),
    Setting("finds errors, then right items", wrong=(40,), cap=24, between=finds_errors_first),
    Setting(
        "finds errors, then right items, pointed",
        wrong=(40,),
        cap=24,
        form="pointed",
        between=finds_errors_first,
    ),
    Setting("rarer label denied", sizes=(2000,), wrong=(42,), allowed=41, cap=64),
    Setting("honest prior", cap=24, expected=21.0, trust=0.75, turns=16),
    Setting("gambles on sizes", cap=None, between=gambles, turns=6),
    Setting("two strata, 21 + 0 wrong", sizes=(500, 500), wrong=(21, 0)),
    Setting("two strata, 10 + 11 wrong", sizes=(500, 500), wrong=(10, 11)),
    Setting(
        "recall, two strata", sizes=(1800, 200), wrong=(11, 0), allowed=10, cap=24, recall=0.95
    ),
    Setting(
        "four claims, each given up",
        claims=4,
        checks=30,
        shares=tuple(SHARES[0] * SHARES[1] ** number for number in range(4)),
    ),
    Setting("power: 5 wrong, 20 allowed", wrong=(5,), cap=24),
)
AGAIN: Final = Setting("four claims, alpha again for each", claims=4, checks=30, shares=(1.0,) * 4)
"""Naive: not one of the adversaries, which are to be held."""


def cover(setting: Setting, runs: int, seed: int = 0) -> dict[str, float]:
    """The sums over all runs of an adversary."""
    rng = np.random.default_rng([seed, crc32(setting.name.encode())])
    found: dict[str, float] = dict.fromkeys(
        ("certified", "false", "rejected", "cut", "checks", "items"), 0
    )
    for number in range(setting.claims):
        if runs:
            runs = _check_claim(Game(setting, ALPHA * setting.shares[number], runs), rng, found)
    return found


def _check_claim(first: Game, rng: np.random.Generator, found: dict[str, float]) -> int:
    """Check until certified, or until that can no longer be false; how many runs were not."""
    setting, alpha = first.setting, first.evidence.alpha
    games, given_up = [first], 0
    while games:
        game = games.pop()
        log_against = game.log_against
        hopeless = setting.is_false and log_against < _HOPELESS
        if hopeless or game.checks >= min(setting.checks, setting.turns):
            if not game.rejected and game.checks < setting.checks:
                found["cut"] += game.runs * alpha * math.exp(log_against)
            given_up += _end(game, found)
            continue
        setting.between(game)
        after = list(game.check(rng))
        if not after:
            given_up += _end(game, found)
        for game in after:
            if game.is_true:
                if setting.is_false:
                    given_up += _end(game, found)
                    continue
            elif not game.rejected:
                if game.log_against < -math.log(alpha):
                    games.append(game)  # what is not rejected is not certified
                    continue
                game.rejected = True
                found["rejected"] += game.runs
            if game.is_certified:
                found["certified"] += game.runs
                found["false"] += 0 if game.is_true else game.runs
                _end(game, found)
            else:
                games.append(game)
    return given_up


def _end(game: Game, found: dict[str, float]) -> int:
    found["checks"] += game.runs * game.checks
    found["items"] += game.runs * sum(game.shown)
    return game.runs


def summary(setting: Setting, sums: dict[str, float], runs: int) -> dict[str, Any]:
    """What is written down of all runs of one adversary."""
    said = setting.between.__doc__ or ""
    return {
        "says": " ".join(said.split()),
        "items": list(setting.sizes),
        "wrong": list(setting.wrong),
        "allowed": setting.allowed,
        "runs": runs,
        "certified": int(sums["certified"]),
        "false": int(sums["false"]),
        "cut": round(sums["cut"], 4),
        **share_of(sums["false"] + sums["cut"], runs),
        "rejected": int(sums["rejected"]),
        "rejected_share": round((sums["rejected"] + sums["cut"]) / runs, 5),
        "checks": round(sums["checks"] / runs, 1),
        "items_shown": round(sums["items"] / runs, 1),
    }


def share_of(false: float, runs: int) -> dict[str, float]:
    """The share with its standard error, and the most that is allowed."""
    share = false / runs
    return {
        "share": round(share, 5),
        "standard_error": round(math.sqrt(share * (1 - share) / runs), 5),
        "limit": round(limit(runs), 5),
    }


def limit(runs: int) -> float:
    """The share of false certificates that is allowed: alpha and three standard errors."""
    return ALPHA + 3 * math.sqrt(ALPHA * (1 - ALPHA) / runs)


def measure(
    settings: Sequence[Setting] = SETTINGS, runs: int = RUNS, processes: int = 1, seed: int = 0
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every adversary by name, when it is done."""
    with ProcessPoolExecutor(processes) as pool:
        walk = pool.map if processes > 1 else map
        for setting, sums in zip(
            settings, walk(cover, settings, repeat(runs), repeat(seed)), strict=True
        ):
            found = summary(setting, sums, runs)
            print(
                f"{setting.name:48} false {found['share']:.4f} +- {found['standard_error']:.4f}  "
                f"rejected {found['rejected_share']:.4f}  checks {found['checks']:6.1f}",
                flush=True,
            )
            yield setting.name, found


def read(path: Path, runs: int, seed: int) -> dict[str, Any]:
    """What is on file of these runs; adversaries that are no more are left out."""
    found: dict[str, Any] = {"alpha": ALPHA, "runs": runs, "seed": seed}
    kept = json.loads(path.read_text()) if path.exists() else {}
    if any(kept.get(name) != value for name, value in found.items()):
        kept = {}
    names = [setting.name for setting in SETTINGS]
    known = kept.get("adversaries", {})
    adversaries = {name: known[name] for name in names if name in known}
    return found | {"naive": kept.get("naive", {}), "adversaries": adversaries}


def main() -> None:
    """Run all of it and write the result."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=RUNS, help="of each adversary")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--results", type=Path, default=RESULTS)
    options = parser.parse_args()
    if options.runs < 1 or options.processes < 1:
        parser.error("--runs and --processes are 1 or more.")
    found: dict[str, Any] = read(options.results, options.runs, options.seed)
    given = (options.runs, options.processes, options.seed)
    if not found["naive"]:
        found["naive"] = naive.measure(options.runs, options.seed)
        found["naive"] |= dict(measure([AGAIN], *given))
        options.results.write_text(json.dumps(found, indent=1) + "\n")
    for name, one in measure(
        [one for one in SETTINGS if one.name not in found["adversaries"]], *given
    ):
        found["adversaries"][name] = one
        options.results.write_text(json.dumps(found, indent=1) + "\n")
    worst = max(found["adversaries"].values(), key=lambda one: one["rejected_share"])
    print(f"worst {worst['rejected_share']:.2%} of {worst['runs']}; limit {worst['limit']:.2%}")


if __name__ == "__main__":
    main()
