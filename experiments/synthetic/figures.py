"""The figures, drawn from the results on file and nothing else.

``problems.png``   one pool of each problem: where its items lie, how sure the probs are
``questions.png``  box plots of the questions each method took, over all seeds
``huffman.png``    expected questions of Huffman's tree against the entropy: of every pool,
                   and at every node of one tree (the paper's Fig. 2)
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from experiments.synthetic.problems import PROBLEMS
from experiments.synthetic.results import Results

FOLDER: Final = Path(__file__).parent
DPI: Final = 100
COLOURS: Final = {"a": "#0072b2", "b": "#d55e00", "c": "#009e73"}


def draw_all(results: Results, folder: Path = FOLDER) -> None:
    """Draw every figure into `folder`."""
    _save(_problems(results), folder / "problems.png")
    _save(_questions(results), folder / "questions.png")
    _save(_huffman(results), folder / "huffman.png")


def _problems(results: Results) -> Figure:
    figure = Figure(figsize=(10, 3.6), layout="constrained")
    axes = figure.subplots(1, len(PROBLEMS))
    for axis, (name, title) in zip(axes, PROBLEMS.items(), strict=True):
        pool = results["pictures"][name]
        points, probs = np.array(pool["points"]), np.array(pool["probs"])
        labels = np.array(pool["labels"], dtype=bool)
        for label, marker in ((True, "o"), (False, "s")):
            shown = axis.scatter(
                *points[labels == label].T,
                c=probs[labels == label],
                marker=marker,
                cmap="coolwarm",
                vmin=0,
                vmax=1,
                s=70,
                edgecolors="black",
            )
            axis.scatter([], [], c="white", marker=marker, edgecolors="black", label=str(label))
        axis.set_title(f"({name}) {title}")
        axis.set_aspect("equal", adjustable="datalim")
    axes[0].legend(title="label", loc="upper left", fontsize=8)
    figure.colorbar(shown, ax=axes, label="P(label is True)", shrink=0.9)
    return figure


def _questions(results: Results) -> Figure:
    methods = list(results["problems"]["a"]["questions"])
    figure = Figure(figsize=(11, 1.6 + 0.34 * len(methods)), layout="constrained")
    axes = figure.subplots(1, len(PROBLEMS), sharey=True)
    for axis, (name, title) in zip(axes, PROBLEMS.items(), strict=True):
        problem = results["problems"][name]
        axis.boxplot(
            [problem["entropy_bits"], *problem["questions"].values()],
            orientation="horizontal",
            widths=0.6,
            showmeans=True,
            flierprops={"marker": ".", "markersize": 2, "alpha": 0.5},
            medianprops={"color": COLOURS[name]},
            meanprops={"marker": "D", "markersize": 4, "markerfacecolor": "black"},
        )
        axis.axvline(np.mean(problem["entropy_bits"]), color="grey", linewidth=0.8, linestyle=":")
        axis.set_title(f"({name}) {title}")
        axis.set_xlabel("questions")
        axis.set_xlim(left=0)
        axis.xaxis.set_major_locator(MaxNLocator(integer=True))
    # On a shared axis, one set of names: three would be drawn over one another.
    axes[0].set_yticks(range(1, len(methods) + 2), ["entropy H, bits", *methods])
    axes[0].invert_yaxis()
    return figure


def _huffman(results: Results) -> Figure:
    figure = Figure(figsize=(10, 4), layout="constrained")
    pools, nodes = figure.subplots(1, 2)
    for name in PROBLEMS:
        problem = results["problems"][name]
        pools.plot(
            problem["entropy_bits"],
            problem["huffman_expected_questions"],
            ".",
            color=COLOURS[name],
            markersize=3,
            alpha=0.5,
            label=f"({name})",
        )
    pools.set_title(f"whole pools, {results['seeds']} of each problem")
    tree = results["tree"]
    nodes.plot(
        tree["entropy_bits"],
        tree["cost_questions"],
        ".",
        color=COLOURS["a"],
        markersize=4,
        alpha=0.6,
    )
    nodes.set_title("every node of one tree, problem (a)")
    for axis in (pools, nodes):
        _bounds(axis)
    pools.legend(markerscale=3)
    return figure


def _bounds(axis: Axes) -> None:
    ends = np.array([0, axis.get_xlim()[1]])
    axis.plot(ends, ends, color="black", linewidth=0.8)
    axis.plot(ends, ends + 1, color="black", linewidth=0.8, linestyle=":")
    axis.set_xlabel("entropy H, bits")
    axis.set_ylabel("expected questions")
    axis.set_xlim(0, ends[1])
    axis.set_ylim(bottom=0)


def _save(figure: Figure, path: Path) -> None:
    # Without the version of the drawing program the same results give the same bytes.
    figure.savefig(path, dpi=DPI, metadata={"Software": None})
