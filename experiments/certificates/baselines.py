"""What other ways to a guarantee take, on the same pools with the same predictor.

    ASKLESS_DATA=FOLDER python -m experiments.certificates.baselines     # writes baselines.json

All three ask about one item at a time. Each labels a random sample, freezes what the predictor has
learnt from it (`experiments.certificates.frozen`), and then needs more labels:

- **fixed-n audit**: so many random items of the rest are looked at, once, and the bound of Clopper
  and Pearson (1934) on the share of wrong ones is to allow what is promised. It takes the smallest
  audit that succeeds in at least half of all draws; half of the time it would fail, and all of it
  would be lost.
- **PAC Labels** (Candes, Ilyas and Zrnic 2025): a random calibration sample gives the largest
  uncertainty up to which the predictions may be kept; everything above is labelled by hand. The
  bound is that of Clopper and Pearson, tighter for labels than the published ones.
- **hypergeometric stop**, for recall (Callaghan and Mueller-Hansen 2020, Systematic Reviews 9):
  items are read in the order of their probability, then at random, until a hypergeometric test
  rejects that too many are missed; looked at after every ten.

Everything is in their favour: the sizes of all samples, and when the random reading begins, are
those that are best in hindsight, on the mean of the seeds. ``null``: not within half of the pool.
Tested in tests/experiments/test_baselines.py.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from scipy.stats import beta, hypergeom

from experiments.certificates.frozen import POOLS, Frozen, frozen

RESULTS: Final = Path(__file__).with_name("baselines.json")
SHARES: Final = (0.05, 0.02, 0.01, 0.005)
RECALLS: Final = (0.8, 0.9, 0.95)
RECALL_POOLS: Final = ("sms_spam",)
SEEDS: Final = 3
CALIBRATION: Final = (64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048)
_DRAWS: Final = 20
_BEGINNINGS: Final = 12
_STEP: Final = 10
_ALPHA: Final = 0.05


@cache
def upper(wrong: int, n: int, alpha: float = _ALPHA) -> float:
    """Clopper and Pearson's upper bound on a share of which `wrong` of `n` were seen."""
    return 1.0 if wrong >= n else float(beta.ppf(1 - alpha, wrong + 1, n - wrong))


@cache
def may_be_seen(n: int, share: float) -> int:
    """The most wrong ones among `n` whose upper bound is still that share; -1 for none."""
    seen = -1
    while upper(seen + 1, n) <= share:
        seen += 1
    return seen


def fixed_audit(rest: int, wrong: int, allowed: int) -> int | None:
    """Items of the smallest audit that succeeds in half of the draws; None for none.

    Parameters
    ----------
    rest, wrong
        Predictions, and how many of them are wrong.
    allowed
        How many may be among those that are not looked at.
    """
    if wrong > 2 * allowed:
        return None  # about half of it would have to be looked at
    low, seen = 1, 0
    while seen <= wrong:
        high = rest
        while low < high:
            size = (low + high) // 2
            if upper(seen, size) * (rest - size) <= allowed:
                high = size
            else:
                low = size + 1
        if hypergeom.cdf(seen, rest, wrong, low) >= 0.5:
            return low
        # In an audit of that size no fewer than these are seen half of the time.
        seen = max(seen + 1, int(hypergeom.median(rest, wrong, low)))
    return None


def pac_labels(
    doubt: np.ndarray, wrong: np.ndarray, allowed: int, size: int, rng: np.random.Generator
) -> int | None:
    """Labels for calibration and above the threshold; None if nothing can be kept.

    Parameters
    ----------
    doubt, wrong
        Of each prediction: how unsure it is, and whether it is wrong.
    allowed
        How many of those that are kept may be.
    size
        Of the calibration sample.
    rng
        Draws it.
    """
    n = len(doubt)
    may_see = may_be_seen(size, allowed / n)
    if may_see < 0:
        return None
    sample = rng.choice(n, size, replace=False)
    errors = np.sort(doubt[sample[wrong[sample]]])
    limit = errors[may_see] if len(errors) > may_see else np.inf
    by_hand = doubt >= limit
    by_hand[sample] = True
    return int(by_hand.sum())


def hypergeometric_stop(
    order: np.ndarray, begin: int, found: int, recall: float, rng: np.random.Generator
) -> tuple[int, float]:
    """Items read until the test stops, and the recall then.

    Parameters
    ----------
    order
        Whether each item is positive, the likeliest first.
    begin
        So many are read in this order; the others at random.
    found
        Positives known before.
    recall
        What is wanted.
    rng
        Draws the order of the others.
    """
    ranked = found + int(order[:begin].sum())
    rest = rng.permutation(order[begin:])
    seen = np.cumsum(rest)[_STEP - 1 :: _STEP]
    at = np.arange(_STEP, len(rest) + 1, _STEP)
    # If recall were below what is wanted, at least so many of the rest would be positive.
    missing = np.floor((ranked + seen) / recall - ranked + 1).astype(int)
    sure = missing > len(rest)
    p = hypergeom.cdf(seen, len(rest), np.minimum(missing, len(rest)), at)
    stops = np.flatnonzero(sure | (p < _ALPHA))
    everything = found + int(order.sum())
    if not len(stops):
        return len(order), 1.0
    stop = int(stops[0])
    return begin + int(at[stop]), (ranked + int(seen[stop])) / max(1, everything)


def measure_shares(runs: Sequence[Frozen], share: float) -> dict[str, Any]:
    """Labels that the fixed audit and PAC Labels take for a promise about all labels."""
    n = len(runs[0].labels)
    allowed = int(share * n + 1e-9)
    audits: dict[tuple[int, ...], float] = {}
    calibrated: dict[tuple[int, ...], float] = {}
    for at, first in enumerate(runs[0].sizes):
        rests = [(np.minimum(p, 1 - p), (p > 0.5) != y) for p, y in (run.rest(at) for run in runs)]
        costs = [fixed_audit(len(wrong), int(wrong.sum()), allowed) for _, wrong in rests]
        audits[(first,)] = _mean(costs, first)
        for size in CALIBRATION:
            if first + size <= n // 2:
                rng = np.random.default_rng([first, size])
                costs = [
                    pac_labels(*rest, allowed, size, rng) for rest in rests for _ in range(_DRAWS)
                ]
                calibrated[first, size] = _mean(costs, first)
    return {"fixed_audit": _best(audits, n), "pac_labels": _best(calibrated, n)}


def measure_recall(runs: Sequence[Frozen], recall: float) -> dict[str, Any]:
    """Items read until the hypergeometric stop, and the recall reached."""
    n = len(runs[0].labels)
    costs: dict[tuple[int, ...], float] = {}
    reached: dict[tuple[int, ...], list[float]] = {}
    for at, first in list(enumerate(runs[0].sizes))[1::2]:
        for share in range(_BEGINNINGS):
            begin = n * share // (2 * _BEGINNINGS)
            rng = np.random.default_rng([first, begin])
            stops = []
            for run in runs:
                probs, labels = run.rest(at)
                order = labels[np.argsort(-probs, kind="stable")]
                known = int(run.labels.sum() - labels.sum())
                stops += [hypergeometric_stop(order, begin, known, recall, rng) for _ in range(3)]
            costs[first, begin] = _mean([items for items, _ in stops], first)
            reached[first, begin] = [share for _, share in stops]
    best = _best(costs, n)
    if best["sizes"]:
        shares = reached[tuple(best["sizes"])]
        best["recall"] = round(float(np.mean(shares)), 4)
        best["missed"] = round(float(np.mean(np.array(shares) < recall)), 4)
    return best


def _mean(costs: Sequence[int | None], first: int) -> float:
    """Mean labels of all runs, those of the first sample too; infinite if one does not succeed."""
    known = [first + cost for cost in costs if cost is not None]
    return float(np.mean(known)) if len(known) == len(costs) else np.inf


def _best(costs: dict[tuple[int, ...], float], n: int) -> dict[str, Any]:
    sizes = min(costs, key=lambda key: costs[key])
    if costs[sizes] > n / 2:
        return {"labels": None, "sizes": None}
    return {"labels": round(costs[sizes]), "sizes": list(sizes)}


def main() -> None:
    """Measure every pool and write the result."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--pools", nargs="+", choices=POOLS, default=POOLS, help="the others stay")
    options = parser.parse_args()
    kept = json.loads(options.results.read_text())["pools"] if options.results.exists() else {}
    pools = {name: one for name, one in kept.items() if name not in options.pools}
    for name in options.pools:
        runs = [frozen(name, seed) for seed in range(options.seeds)]
        wrong = [[int(((p > 0.5) != y).sum()) for p, y in map(run.rest, range(12))] for run in runs]
        pools[name] = {
            "items": len(runs[0].labels),
            "positives": int(runs[0].labels.sum()),
            "labelled": list(runs[0].sizes),
            "wrong": np.mean(wrong, axis=0).round(1).tolist(),
            "shares": {f"{share:g}": measure_shares(runs, share) for share in SHARES},
        }
        if name in RECALL_POOLS:
            pools[name]["recall"] = {f"{r:g}": measure_recall(runs, r) for r in RECALLS}
        print(name, json.dumps(pools[name]), flush=True)
    pools = {name: pools[name] for name in POOLS if name in pools}
    found = {"seeds": options.seeds, "confidence": 1 - _ALPHA, "pools": pools}
    options.results.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
