"""What a promise costs: ``python -m experiments.certificates.reach [options]``.

Every pool is labelled from one random label until its promise holds, with the default predictor and
planner and one setting for all, once a seed, and once to the last label. Pools and their features
are those of `experiments.scratch`: files in ``$ASKLESS_DATA`` or, where that is not set, the public
sets, fetched when first needed. Yes-no runs save questions, pointed ones seconds. Runs already on
file are kept, so a run that was stopped goes on where it was; ``--draw`` measures nothing and
writes the table in reach.md.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from askless.assemble import Method, open_session
from askless.core.annotation_cost import DEFAULT_COST
from askless.core.probability import Probs
from askless.core.promise import Promise
from askless.lab.simulate import simulate
from askless.lab.truthful import TruthfulAnnotator
from askless.predictors import make_predictor
from askless.trainer.inline import InlineTrainer
from experiments.originals import pool_file
from experiments.scratch.pools import load

RESULTS: Final = Path(__file__).with_name("reach.jsonl")
PAGE: Final = Path(__file__).with_name("reach.md")
_BEGIN, _END = "<!-- reach: begin -->", "<!-- reach: end -->"
SEEDS: Final = 5


@dataclass(frozen=True, slots=True)
class Cell:
    """A promise on a pool.

    Parameters
    ----------
    pool
        One of `experiments.originals.NAMES`.
    promise
        As a person writes it; empty for every label.
    cap
        The most items in a question; None for no cap.
    pointed
        Whether people point, and seconds are saved; else they say yes or no, and questions are.
    """

    pool: str
    promise: str
    cap: int | None
    pointed: bool = False

    @property
    def name(self) -> str:
        """All of it in one line."""
        channel = "pointed" if self.pointed else "yes-no"
        return f"{self.pool} {self.promise or 'all'} {self.cap or 'none'} {channel}"


MARKS: Final = {
    Cell("mnist", "1%", 8): 420,
    Cell("mnist", "1%", 24): 295,
    Cell("mnist", "1%", None): 280,
    Cell("mnist", "1%", 24, True): 590,
    Cell("mnist", "5%", 8): 105,
    Cell("mnist", "5%", None): 80,
    Cell("mnist", "5%", 24, True): 225,
    Cell("fashion_mnist", "5%", 24): 875,
    Cell("fashion_mnist", "5%", 24, True): 850,
    Cell("sms_spam", "1%", 24): 370,
    Cell("sms_spam", "1%", 24, True): 695,
    Cell("sms_spam", "recall:95%", 24): 360,
    Cell("htru2", "5%", 64): 110,
}
"""What each is to take at most: questions, or seconds where people point."""
BESIDE: Final = (
    Cell("mnist", "2%", 8),
    Cell("mnist", "0.5%", 8),
    Cell("fashion_mnist", "1%", 8),
    Cell("fashion_mnist", "1%", 24, True),
    Cell("sms_spam", "5%", 8),
    Cell("htru2", "1%", 64),
)
"""Others, to see that nothing takes longer than labelling everything."""


def measure(cell: Cell, seed: int) -> dict[str, Any]:
    """One run in figures."""
    pool = load(pool_file(cell.pool))
    began = time.perf_counter()
    method = Method(
        max_n=cell.cap,
        objective="seconds" if cell.pointed else "questions",
        channel="pointed" if cell.pointed else "yes-no",
        recalibrate=False,
        test_sample=1,
        seed=seed,
        promise=Promise.parse(cell.promise) if cell.promise else None,
    )
    at_random = method.learning_schedule == "random-rounds"
    kernel = make_predictor("kernel", blocks=pool.blocks, random_labels=at_random)
    given = Probs(np.full(len(pool.labels), 0.5))
    annotator = TruthfulAnnotator(pool.labels, pointing=cell.pointed)
    trainer = InlineTrainer(kernel, pool.columns)
    with open_session(given, method, trainer=trainer) as opened:
        opened.fix_draws(seed)
        run = simulate(opened.session, pool.labels, annotator=annotator)
        standing, claim = opened.session.standing(), opened.session.history.claims.current
        wrong = 0
        if claim is not None:
            wrong = int(np.count_nonzero((run.labels == -1) & (claim.guess != pool.labels)))
    checks = [step for step in run.trace.steps if step.answer.question.purpose == "check"]
    return {
        **asdict(cell),
        "seed": seed,
        "features": [name for name, _ in pool.blocks],
        "items": len(pool.labels),
        "questions": run.questions,
        "items_shown": run.items_shown,
        "seconds": round(sum(map(DEFAULT_COST.seconds, run.trace.answers)), 1),
        "settled": int(np.count_nonzero(run.labels >= 0)),
        "checks": len(checks),
        "checked_items": sum(len(step.answer) for step in checks),
        "claims": 0 if standing is None else standing.claims,
        "found": 0 if standing is None else standing.found,
        "allowed": None if standing is None else standing.allowed,
        "accepted_wrong": wrong,
        "run_s": round(time.perf_counter() - began, 1),
    }


def read_results(path: Path = RESULTS) -> dict[tuple[str, int], dict[str, Any]]:
    """The runs on file, by cell and seed."""
    if not path.exists():
        return {}
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        run = json.loads(line)
        cell = Cell(run["pool"], run["promise"], run["cap"], run["pointed"])
        found[cell.name, run["seed"]] = run
    return found


def table(results: dict[tuple[str, int], dict[str, Any]]) -> str:
    """The runs beside their marks and beside labelling everything, as Markdown."""
    runs = defaultdict(list)
    for (name, _), run in sorted(results.items()):
        runs[name].append(run)
    lines = [
        "| pool | promise | cap | saved | mean | mark | most | full | worst | wrong | seeds |",
        "|---|---|--:|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    marks = {cell.name: mark for cell, mark in MARKS.items()}
    for cell in [*MARKS, *BESIDE]:
        if cell.name not in runs:
            continue
        unit = "seconds" if cell.pointed else "questions"
        taken = [run[unit] for run in runs[cell.name]]
        full = [run[unit] for run in runs[Cell(cell.pool, "", cell.cap, cell.pointed).name]]
        beside = f"{np.mean(full):.0f}" if full else ""
        worst = f"{max(taken) / np.mean(full):.2f}" if full else ""
        wrong = ", ".join(
            f"{run['accepted_wrong']}/{run['items'] - run['settled']}" for run in runs[cell.name]
        )
        lines.append(
            f"| {cell.pool} | {cell.promise} | {cell.cap or 'none'} | {unit} "
            f"| {np.mean(taken):.0f} | {marks.get(cell.name, '')} | {max(taken):.0f} | {beside} "
            f"| {worst} | {wrong} | {len(taken)} |"
        )
    return "\n".join(lines)


def write_table(results: dict[tuple[str, int], dict[str, Any]]) -> None:
    """Put the table into reach.md, between its marks."""
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(_BEGIN)
    after = rest.split(_END)[1]
    PAGE.write_text(f"{before}{_BEGIN}\n{table(results)}\n{_END}{after}", encoding="utf-8")


def main() -> None:
    """Do what the command line says."""
    options = _parser().parse_args()
    done = read_results(options.out)
    if not options.draw:
        cells = [*MARKS, *BESIDE]
        full = dict.fromkeys(Cell(cell.pool, "", cell.cap, cell.pointed) for cell in cells)
        wanted = [
            (cell, seed)
            for seed in range(options.seeds)
            for cell in [*cells, *([] if options.no_full or seed > 1 else full)]
            if options.only in cell.name and (cell.name, seed) not in done
        ]
        for pool in dict.fromkeys(cell.pool for cell, _ in wanted):
            load(pool_file(pool))  # features and kernels are made once
        with ProcessPoolExecutor(options.jobs) as work:
            runs = [work.submit(measure, cell, seed) for cell, seed in wanted]
            for finished in as_completed(runs):
                run = finished.result()
                with options.out.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(run) + "\n")
                print(json.dumps(run), flush=True)
        done = read_results(options.out)
    print(table(done))
    if options.draw:
        write_table(done)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m experiments.certificates.reach")
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--jobs", type=int, default=1, help="how many runs at a time")
    parser.add_argument("--only", default="", help="cells whose name holds this")
    parser.add_argument("--no-full", action="store_true", help="leave out labelling everything")
    parser.add_argument("--out", metavar="FILE", type=Path, default=RESULTS)
    parser.add_argument("--draw", action="store_true", help="write the table in reach.md")
    return parser


if __name__ == "__main__":
    main()
