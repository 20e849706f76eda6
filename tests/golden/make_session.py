"""Makes a session of today's format, with something of everything, to be kept for good.

    python -m tests.golden.make_session NAME

Run it once for a new format, or when events say more than they did, and commit what it writes;
what is there already is never made again. The first was ``session-format-1``; in
``session-format-1-corrected`` probabilities are corrected and deeds know their window; in
``session-format-2`` events say how questions are chosen.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np

from askless.assemble import Method, open_session
from askless.core.probability import Probs
from askless.core.question import Question
from askless.seams import Pool
from askless.session.session import Session
from tests.session.making import ReadyTrainer

N = 24
HERE = Path(__file__).parent


class ListedPool(SimpleNamespace):
    """As much of a pool as a folder looks at."""

    def __len__(self) -> int:
        return N


def main(name: str) -> None:
    """Make it, unless it is there."""
    folder = HERE / name
    if folder.exists():
        raise SystemExit(f"{folder} is there already.")
    pool = ListedPool(
        ids=[f"pictures/{item}.png" for item in range(N)],
        checksums=[f"{item:064x}" for item in range(N)],
        copies={2: ("pictures/copy of 2.png",)},
        probs=np.linspace(0.05, 0.95, N),
    )
    method = Method(planner="lookahead", max_n=4, test_sample=2, audit_every=6, seed=3)
    about = {"positive": "shoes", "negative": "clothes"}
    with open_session(cast(Pool, pool), method, folder, about=about) as working:
        fill(working.session)
        working.plan(method.replace(planner="nested", seconds=(2.0, 0.5, 1.0)))
        told = what_is_known(working.session)
    folder.with_suffix(".json").write_text(json.dumps(told, indent=1) + "\n")


def fill(session: Session) -> None:
    """Let something of everything happen."""
    truth = [item >= N // 2 for item in range(N)]
    session.define("Shoes and boots.", "ann")
    for k in range(14):
        if k == 8:
            session.use(trainer=ReadyTrainer(Probs(np.linspace(0.1, 0.9, N))))
        asked = session.ask("ann", "window")
        assert asked is not None
        wrong = [
            i for i, g in zip(asked.question.items, asked.question.guess, strict=True)
            if truth[i] != g
        ]  # fmt: skip
        answer = asked.question.no() if wrong else asked.question.yes()
        session.tell(asked.id, answer, f"key {k}", "ann", seconds=2.5 + k)
    session.unsure(0, "blurred", "ann", "aside")
    session.unsure(23, "a boot?", "bob", tab="2")
    session.undo("bob", "2", key="undone", here=True)
    session.define("Only shoes.", "ann")
    session.tell(None, Question((21, 22), (True, True)).pointed((22,)), "late", "bob", tab="2")
    session.retract(min(session.history.answers), "bob", "retracted")
    session.correct(21, False, "bob", "corrected", tab="2")
    session.undo("bob", "2", "not corrected", here=True)
    session.correct(21, False, "bob", "corrected again")
    session.tell(None, Question((20,), (True,)).yes(), "said", "ann")
    session.tell(None, Question((20,), (True,)).no(), "contradicted", "bob")
    session.exported({"file": "labels.csv"}, "ann")


def what_is_known(session: Session) -> dict[str, Any]:
    """All that must come out of the events, whoever reads them."""
    return {
        "labels": [
            [
                e.label,
                e.how,
                list(e.answers),
                list(e.annotators),
                e.note,
                e.in_test_sample,
                e.definition,
            ]
            for e in session.labels()
        ],
        "disputes": [list(dispute.answers) for dispute in session.history.disputes],
        "agreement": [
            session.history.audits.agreement.hits,
            session.history.audits.agreement.trials,
        ],
        "definitions": session.history.definitions,
        "checkpoint": session.history.checkpoint,
        "answers": dict(session.history.tally.kinds()),
    }


if __name__ == "__main__":
    main(*sys.argv[1:])
