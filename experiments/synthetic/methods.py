"""Who asks: each way of asking, as the number of questions it takes for one pool."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from askless.lab.simulate import simulate_planner
from askless.planners import make_planner
from experiments.synthetic.huffman import huffman_tree, labelling_number
from experiments.synthetic.problems import Problem

HUFFMAN: Final = "Huffman"
PAPERS: Final = "lookahead uncertainty/entropy"
"""The variant the paper calls IA in its table."""


@dataclass(frozen=True, slots=True)
class Asking:
    """A registered planner with its options."""

    planner: str
    options: Mapping[str, Any] = field(default_factory=dict)


def _lookahead(**options: Any) -> Asking:
    """The paper's planner with the parameters of its synthetic experiment."""
    return Asking(
        "lookahead",
        {
            "max_n": 8,
            "max_expansions": 8,
            "temperature": 10.0,
            "max_depth": 20,
            "reset_tree": False,
            "reduce_certainty_factor": 0.01,
            **options,
        },
    )


METHODS: Final[Mapping[str, Asking]] = {
    "one by one": Asking("one-by-one"),
    "lookahead random/entropy": _lookahead(al_method="random", cost="entropy"),
    "lookahead random/log-size": _lookahead(al_method="random", cost="log-size"),
    PAPERS: _lookahead(al_method="uncertainty", cost="entropy"),
    "lookahead uncertainty/log-size": _lookahead(al_method="uncertainty", cost="log-size"),
    "lookahead uncertainty/entropy, early stopping": _lookahead(
        al_method="uncertainty", cost="entropy", early_stopping=True
    ),
    "lookahead uncertainty/entropy, no cap": _lookahead(
        al_method="uncertainty", cost="entropy", max_n=None
    ),
    "nested": Asking("nested", {"max_n": 8, "same_guess": False}),
    "nested, no cap": Asking("nested", {"max_n": None, "same_guess": False}),
    "nested, no cap, same guess": Asking("nested", {"max_n": None, "same_guess": True}),
    "fill": Asking("fill", {"max_n": 8, "same_guess": False}),
    "fill, no cap": Asking("fill", {"max_n": None, "same_guess": False}),
    "auto": Asking("auto", {"max_n": 8, "same_guess": False}),
    "auto, same guess": Asking("auto", {"max_n": 8, "same_guess": True}),
    "auto, no cap": Asking("auto", {"max_n": None, "same_guess": False}),
    "auto, no cap, same guess": Asking("auto", {"max_n": None, "same_guess": True}),
}


def count_questions(method: str, problem: Problem, seed: int) -> int:
    """How many questions settle the right labels of `problem`.

    Parameters
    ----------
    method
        `HUFFMAN`, or a name in `METHODS`.
    problem
        The pool; its labels answer the questions.
    seed
        For planners that draw at random.
    """
    if method == HUFFMAN:
        return int(huffman_tree(problem.probs).depth[labelling_number(problem.labels)])
    asking = METHODS[method]
    planner = make_planner(asking.planner, seed=seed, **asking.options)
    run = simulate_planner(planner, problem.probs, problem.labels)
    if run.labels_right != len(problem.labels):
        raise AssertionError(f"{method} left a label open or wrong on seed {seed}.")
    return run.questions
