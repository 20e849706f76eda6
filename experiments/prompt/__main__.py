"""What first guesses by two sentences save: a pool of messages labelled with them and without.

    python -m experiments.prompt MESSAGES.csv [--seeds 2] [--column FILE]
    python -m experiments.prompt MESSAGES.csv --max-n none --sets tf-idf --guesses none voter-0.9

MESSAGES.csv has the columns ``label`` (1 for spam) and ``text``; its first rows are taken. The
encoder of the extra ``text``, MiniLM, compares each text with two sentences, which were written
down once and not tuned. These probabilities stand for the column that a language model would give.
The pool is then labelled by a truthful annotator, at most eight items to a question, with features
of words alone and with those of the encoder beside them, each with the first guesses and without.
``voter-0.9`` in place of ``sentences`` is a voter who is right nine times in ten, drawn by the
seed: how good must a column be? Results are added to ``results.jsonl``; ``--column`` writes the
table with the column ``p_spam``.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from askless.assemble import Method, load_pool, open_simulation
from askless.core.bounds import code_length_bits
from askless.features import first_guesses, make_features
from askless.lab.known_pool import KnownPool, known_pool

PROMPT: Final = "an advertisement, a prize or a paid service from a company"
NEGATIVE: Final = "a personal message between friends or family"
RESULTS: Final = Path(__file__).with_name("results.jsonl")
CACHE: Final = Path(__file__).parents[2] / "build" / "prompt"
SETS: Final = ("tf-idf", "tf-idf,sentences")


def guesses(known: KnownPool) -> Any:
    """P(spam) of every text by the two sentences."""
    assert known.things is not None
    sets = {"sentences": {"prompt": PROMPT, "negative_prompt": NEGATIVE}}
    return first_guesses(
        known.things, sets, make_features(known.things, sets, cache=CACHE / "features")
    )


def main() -> None:
    """Read the command line, simulate, and add to the results."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("messages", type=Path)
    parser.add_argument("--items", type=int, default=2000)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--max-n", type=lambda n: None if n == "none" else int(n), default=8)
    parser.add_argument("--sets", nargs="+", default=SETS)
    parser.add_argument("--guesses", nargs="+", default=("none", "sentences"))
    parser.add_argument("--column", type=Path)
    asked = parser.parse_args()
    known = load_pool(_first(asked.messages, asked.items), text="text", label="label", true="1")
    assert known.things is not None
    if asked.column is not None:
        _write_column(asked.column, known, guesses(known))
    for sets, source, seed in itertools.product(asked.sets, asked.guesses, range(asked.seeds)):
        row = {"pool": asked.messages.stem, "items": len(known), "sets": sets}
        row |= {"max_n": asked.max_n, "guesses": source, "seed": seed}
        row |= _run(known, sets, _probs(known, source, seed), asked.max_n, seed)
        print(row, flush=True)
        with RESULTS.open("a") as file:
            file.write(json.dumps(row) + "\n")


def _probs(known: KnownPool, source: str, seed: int) -> Any:
    """The first guesses by the name of their source; None for none."""
    if source == "none":
        return None
    if source == "sentences":
        return guesses(known)
    right = float(source.removeprefix("voter-"))
    told = np.random.default_rng(seed).random(len(known)) < right
    return np.where(known.labels == told, right, 1 - right)


def _run(known: KnownPool, sets: str, probs: Any, max_n: int | None, seed: int) -> dict[str, Any]:
    """What it takes to label the pool, and how good the first guesses are."""
    assert known.things is not None
    pool = known_pool(replace(known.things, probs=probs))  # type: ignore[type-var]
    method = Method(
        features={name: {} for name in sets.split(",")}, seed=seed, test_sample=1, max_n=max_n
    )
    with open_simulation(pool, method, cache=CACHE / "features") as simulation:
        found = simulation.report(simulation.run(None))
    bits = None if probs is None else round(code_length_bits(probs, known.labels))
    right = None if probs is None else float(np.mean((probs > 0.5) == known.labels))
    return {
        "questions": found["questions"],
        "prequential_bits": found["prequential_bits"],
        "guessed_right": None if right is None else round(right, 4),
        "guess_bits": bits,
    }


def _first(path: Path, items: int) -> Path:
    """A table of the first rows alone."""
    CACHE.mkdir(parents=True, exist_ok=True)
    part = CACHE / f"first-{items}.csv"
    with path.open(newline="", encoding="utf-8") as whole, part.open("w", newline="") as file:
        rows = csv.DictReader(whole)
        table = csv.DictWriter(file, ["label", "text"], extrasaction="ignore")
        table.writeheader()
        table.writerows(itertools.islice(rows, items))
    return part


def _write_column(path: Path, known: KnownPool, probs: Any) -> None:
    assert known.things is not None
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["text", "label", "p_spam"])
        for item in range(len(known)):
            label = int(known.labels[item])
            table.writerow([known.things.text(item), label, round(float(probs[item]), 4)])


if __name__ == "__main__":
    main()
