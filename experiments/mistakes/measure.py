"""What a ranking finds: wrong labels among the first of a list, and the estimate along a review."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.app.label_table import HOW
from askless.app.mistakes import Evidence, Ranking, rank, read_evidence
from askless.app.review import up_for_review, worth_at
from askless.core.annotation_cost import DEFAULT_COST
from askless.history.history import History
from askless.lab.annotators import parse_habits
from askless.lab.habits import Look
from askless.predictors.held_out import HeldOut, held_out_probs
from experiments.mistakes.runs import PRICE_S, Cell, labelled_session

SHARES: Final = (0.01, 0.02, 0.03, 0.04, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0)
BATCH: Final = 30
PAGE: Final = 60
"""Labels on a page of the app's review."""
_BATCHES: Final = 20


def measure(cell: Cell) -> dict[str, Any]:
    """One session in figures."""
    pool, kept = labelled_session(cell)
    evidence = read_evidence(kept.history, kept.probs)
    labels = evidence.labels
    wrong = (labels == 1) != pool.labels
    columns = pool.columns[:, : pool.blocks[0][1] - 1]  # as in the app: the first kernel, no bias
    held_out = held_out_probs(columns, labels, evidence.answer)
    assert held_out is not None  # everything is labelled
    ranking = rank(evidence, held_out)
    against = np.where(labels == 1, 1 - held_out.probs, held_out.probs)
    fitted = np.where(labels == 1, 1 - kept.probs.values, kept.probs.values)
    orders = {
        "ranking": ranking.items,
        "model alone": np.argsort(-against, kind="stable"),
        "when asked": rank(evidence).items,
        "fitted model": np.argsort(-fitted, kind="stable"),
    }
    misses = kept.history.audits.errors()
    return {
        "name": cell.name,
        "pool": cell.pool.stem,
        "habits": cell.habits,
        "channel": cell.channel,
        "max_n": cell.max_n,
        "seed": cell.seed,
        "price_s": cell.price_s,
        "items": len(labels),
        "answers": len(kept.history.answers),
        "seconds": round(_seconds(kept.history), 1),
        "audits": len(kept.history.audits.answers),
        "planted": misses[0],
        "overlooked": misses[1],
        "wrong": int(wrong.sum()),
        "how": {
            name: int(wrong[evidence.how == at].sum())
            for at, name in enumerate(HOW)
            if np.any(evidence.how == at)
        },
        "noise": held_out.noise,
        "expected": _left(ranking),
        "found": {
            name: [round(_share(order, wrong, share), 4) for share in SHARES]
            for name, order in orders.items()
        },
        "review": review(evidence, held_out, pool.labels),
        "to_the_end": review_to_the_end(evidence, held_out, pool.labels, cell),
    }


def review(
    evidence: Evidence, held_out: HeldOut, truth: NDArray[np.bool_]
) -> list[dict[str, float]]:
    """Somebody who sees what is right looks at `BATCH` labels at a time, as the app lists them."""
    steps: list[dict[str, float]] = []
    labels, corrected = evidence.labels.copy(), dict(evidence.corrected)
    reviewed: list[int] = []
    for _ in range(_BATCHES):
        now = replace(evidence, labels=labels, corrected=corrected)
        ranking = rank(now, held_out, reviewed)
        batch = ranking.items[:BATCH]
        still = int(np.sum((labels == 1) != truth))
        wrong = [item for item in batch.tolist() if bool(labels[item]) != bool(truth[item])]
        steps.append(
            {
                "looked": len(reviewed),
                "left": still,
                **_left(ranking),
                "next_expected": round(float(ranking.chances[:BATCH].sum()), 2),
                "next_wrong": len(wrong),
            }
        )
        labels[wrong] = truth[wrong]
        corrected |= {item: HOW[evidence.how[item]] == "group" for item in wrong}
        reviewed.extend(batch.tolist())
    return steps


def review_to_the_end(
    evidence: Evidence, held_out: HeldOut, truth: NDArray[np.bool_], cell: Cell
) -> dict[str, float]:
    """Somebody who slips looks at what the app lists, page by page, until it says to stop.

    On a page as in any group, each wrong label is overlooked with the chance that the person has.
    A page takes as long as a question with so many items, pointed at where they are wrong.
    """
    (habit,) = parse_habits(cell.habits)
    rng = np.random.default_rng(cell.seed)
    labels, corrected = evidence.labels.copy(), dict(evidence.corrected)
    reviewed: list[int] = []
    seconds = 0.0
    while True:
        now = replace(evidence, labels=labels, corrected=corrected)
        listed = up_for_review(now, held_out, reviewed, DEFAULT_COST.item_s, worth_at(PRICE_S))
        page = listed.items[:PAGE]
        if not len(page):
            break
        wrong = page[(labels[page] == 1) != truth[page]]
        overlooked = habit.overlook_chance(Look(len(page), "label", 0.0, 0.5))
        seen = wrong[rng.random(len(wrong)) >= overlooked]
        labels[seen] = truth[seen]
        corrected |= {item: HOW[evidence.how[item]] == "group" for item in seen.tolist()}
        reviewed.extend(page.tolist())
        seconds += DEFAULT_COST.total(1, len(page), len(seen))
    left = int(np.sum((labels == 1) != truth))
    return {
        "looked": len(reviewed),
        "seconds": round(seconds, 1),
        "left": left,
        **_left(listed.ranking),
    }


def _seconds(history: History) -> float:
    """What all answers took, those to audits too, at the usual pace."""
    given = [*history.answers.values(), *history.audits.answers.values()]
    return sum(DEFAULT_COST.seconds(one.answer) for one in given)


def _left(ranking: Ranking) -> dict[str, float]:
    found = {"expected": ranking.left, "low": ranking.low, "high": ranking.high}
    return {name: round(value, 1) for name, value in found.items()}


def _share(order: NDArray[np.intp], wrong: NDArray[np.bool_], share: float) -> float:
    """How much of what is wrong lies in the first `share` of the list."""
    return float(wrong[order[: int(share * len(wrong))]].sum() / max(1, wrong.sum()))
