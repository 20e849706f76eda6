"""What docs/theory.md says is what the code computes, as far as no other test checks it."""

from __future__ import annotations

import importlib
import json
import math
import re
from pathlib import Path

import numpy as np
import pytest

from askless.core.bounds import capped_bound_questions
from askless.core.clause import Clause
from askless.core.entropy import binary_entropy_bits
from askless.core.probability import chance, weigh
from askless.predictors._mixture import FixedShareMixture

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "theory.md").read_text()


def test_every_part_of_the_code_that_the_page_names_exists() -> None:
    named = re.findall(r"\{py:(mod|func|class)\}`([\w.]+)`", PAGE)
    assert len(named) > 3
    for kind, name in named:
        module, _, attribute = (name, "", "") if kind == "mod" else name.rpartition(".")
        found = importlib.import_module(module)
        assert not attribute or hasattr(found, attribute), name


def test_figures_quoted_for_nested_procedures_are_those_on_file() -> None:
    results = json.loads((ROOT / "experiments" / "theory" / "results.json").read_text())
    error, best = np.array(results["error"]), np.array(results["nested, no cap"])
    greedy = np.array(results["nested, no cap, greedy splits"])
    assert f"at most {best.max():.3f} times the entropy" in PAGE
    assert f"up to $e = 0.3$ it is {best[error <= 0.3].max():.3f}" in " ".join(PAGE.split())
    assert f"{100 * (greedy / best - 1).max():.2f} % more questions" in " ".join(PAGE.split())


@pytest.mark.parametrize("max_n", [8, 16])
def test_price_of_a_yes_in_bits_is_the_exchange_rate_of_the_capped_bound(max_n: int) -> None:
    """The bound depends on the pool through R / M and H: move each a little and compare."""
    wrong = np.full(2000, 0.01)
    bits, right = float(binary_entropy_bits(wrong).sum()), float((1 - wrong).sum())
    base = capped_bound_questions(wrong, max_n)
    p = right / max_n / base  # the share of yes answers at the bound
    assert p / float(binary_entropy_bits(p)) == pytest.approx(right / (max_n * bits), rel=1e-6)
    step = 1e-6
    # Another error changes both H and R; adding certain items changes R alone.
    more_yes = capped_bound_questions(np.append(wrong, np.zeros(max_n)), max_n) - base
    other = wrong + step
    more_bits = float(binary_entropy_bits(other).sum()) - bits
    fewer_yes = (right - float((1 - other).sum())) / max_n
    by_error = capped_bound_questions(other, max_n) - base
    per_bit = (by_error + fewer_yes * more_yes) / more_bits
    assert per_bit == pytest.approx(1 / -math.log2(1 - p), rel=2e-3)
    assert more_yes / per_bit == pytest.approx(math.log2(p / (1 - p)), rel=2e-2)


@pytest.mark.parametrize("sizes", [(1, 2), (2, 2), (3, 1), (2, 3)])
def test_chance_of_the_first_items_of_an_atom_is_the_formula_with_f_and_g(
    sizes: tuple[int, int],
) -> None:
    """Two clauses that share an atom, each with an atom of its own."""
    shared, own = sizes
    n = shared + 2 * own
    probs = np.linspace(0.55, 0.95, n)
    atom, left, right = range(shared), range(shared, shared + own), range(shared + own, n)
    clauses = [
        Clause((*atom, *part), (True,) * (shared + own), number)
        for number, part in enumerate((left, right))
    ]
    hit_left, hit_right = (1 - float(np.prod(probs[list(part)])) for part in (left, right))
    everything = hit_left * hit_right
    rest = 1 - everything  # the atom is in both clauses, so whatever others miss, it can hit
    q = float(np.prod(probs[:shared]))
    z = everything + (1 - q) * rest
    assert weigh(probs, clauses).chance == pytest.approx(z)
    for k in range(1, shared + 1):
        q_k = float(np.prod(probs[:k]))
        expected = q_k * (everything + (1 - q / q_k) * rest) / z
        found = chance(probs, tuple(range(k)), (True,) * k, clauses)
        assert found == pytest.approx(expected)


@pytest.mark.parametrize("switches", [(), (40,), (20, 60)])
def test_mixture_loses_to_a_sequence_of_experts_at_most_what_the_page_says(
    switches: tuple[int, ...],
) -> None:
    """The experts take turns at being right; the sequence to beat follows them."""
    n, experts, share = 80, 6, 0.01
    likelihoods = np.full((n, experts, 1, 1), 0.2)
    followed = np.searchsorted(np.array(switches), np.arange(n), side="right")
    likelihoods[np.arange(n), followed] = 0.9
    even = FixedShareMixture(np.full((experts, 1, 1), 1 / experts), share)
    mixture, _ = even.update(likelihoods)
    sequence_bits = -n * math.log2(0.9)
    stay, switch = 1 - share + share / experts, share / experts
    s = len(switches)
    regret = math.log2(experts) - s * math.log2(switch) - (n - 1 - s) * math.log2(stay)
    assert sequence_bits < mixture.bits <= sequence_bits + regret


def test_price_of_choosing_among_all_experts_is_about_a_dozen_bits() -> None:
    count = 13 * 26
    start = math.log2(count)
    forgetting = -6000 * math.log2(1 - 0.0005 + 0.0005 / count)
    assert f"${start:.1f} + {forgetting:.1f}$ bits" in " ".join(PAGE.split())
