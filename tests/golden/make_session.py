"""Makes a session of today's format, with something of everything, to be kept for good.

    python -m tests.golden.make_session NAME

Run it once for a new format, or when events say more than they did, and commit what it writes;
what is there already is never made again. The first was ``session-format-1``; in
``session-format-1-corrected`` probabilities are corrected and deeds know their window; in
``session-format-2`` events say how questions are chosen; in ``session-format-3`` several items are
revised in one step; in ``session-format-4`` the source has changed; in ``session-format-5`` guesses
are claimed and checked; in ``session-format-6`` labels are asked again.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np

from askless.assemble import Method, open_session
from askless.assemble.updating import store_update
from askless.certificates.policy import CheckUntilEnough, Freeze
from askless.certificates.standing import Standing, standing_of
from askless.core.probability import Probs
from askless.core.promise import Promise
from askless.core.question import Question
from askless.core.updated import Updated
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
    working = open_session(cast(Pool, pool), method, folder, about=about)
    fill(working.session)
    working.plan(method.replace(planner="nested", seconds=(2.0, 0.5, 1.0)))
    update = Updated(("pictures/new.png",), ("f" * 64,), (0.5,), gone=(1, 4, 9))
    working = store_update(working, folder, update)
    renamed = {"5": "pictures/fifth.png"}
    update = Updated(back=(4,), renamed=renamed, copies={"6": ["pictures/copy of 6.png"]})
    working = store_update(working, folder, update)
    check(working.session)
    reask(working.session)
    told = what_is_known(working.session)
    working.close()
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
    settled = [item for item in range(N) if session.state.label(item) is not None]
    session.revise.mark_unsure(settled[:3], "dark", "ann", "dark", "window")
    session.undo("ann", "window", "not dark", here=True)
    session.revise.mark_unsure(settled[2:5], "dark", "bob", "dark after all", "2")
    session.revise.ask_again(settled[4:7], "ann", "ask again", "window")
    session.correct(settled[7:9], False, "ann", "two corrected", tab="window")


def check(session: Session) -> None:
    """Make a claim that is void soon, and another that is checked, in parts where it must be."""
    guesses = np.arange(session.state.n) >= N // 2
    promise = Promise("count", 0, 0.8)
    session.use(policy=CheckUntilEnough(promise, size=2))
    session.freeze(promise, Freeze(guesses, (0.5, 0.5), strata=True, seed="5" * 32))
    ask_check(session)
    session.define("Shoes.", "bob")
    session.freeze(promise, Freeze(guesses, (1.0,), trust=0.5, seed="6" * 32))
    session.use(fit=lambda question, tab: question.about(question.items[:2]))
    session.use(policy=CheckUntilEnough(promise, size=3))
    for _ in range(3):
        ask_check(session)


def ask_check(session: Session) -> None:
    """Answer as if every guess were right until a check has been answered."""
    purpose = ""
    while purpose != "check":
        asked = session.ask("ann", "window")
        assert asked is not None
        purpose = asked.question.purpose
        session.tell(asked.id, asked.question.yes(), f"check {asked.id}", seconds=3.0)


def reask(session: Session) -> None:
    """Ask again about labels, one of which is then denied, one undone, and one left waiting."""
    session.reask.want("ann", 4, every=1, seed="7" * 32)
    for turn in range(4):
        asked = session.ask("ann", "window")
        assert asked is not None
        assert asked.is_reask
        answer = asked.question.no() if turn == 1 else asked.question.yes()
        session.tell(asked.id, answer, f"again {asked.id}", seconds=1.0)
    session.undo("ann", "window", "not again", here=True)


def _fields(standing: Standing) -> dict[str, Any]:
    """Without what the claim says already, and what is the machine's to the last digit."""
    left_out = {"guesses", "missing_nats"}
    return {name: value for name, value in asdict(standing).items() if name not in left_out}


def what_is_known(session: Session) -> dict[str, Any]:
    """All that must come out of the events, whoever reads them."""
    standing, consistency = standing_of(session.history), session.reask.consistency("ann")
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
        **({} if standing is None else {"standing": _fields(standing)}),
        **({} if consistency is None else {"consistency": asdict(consistency)}),
    }


if __name__ == "__main__":
    main(*sys.argv[1:])
