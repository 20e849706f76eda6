"""What a session takes on disk: in its folder, and in the user's cache.

    python -m benchmarks.disk [--texts 4000] [--pictures 2000] [--answers 120] [--json FILE]

A table of made-up messages and a folder of the demo's pictures, each opened as the app opens it,
its model prepared, and so many answers given. Bytes an item are those of the session's folder.
Half precision is compared with single: the code length, in bits, of the labels of the demo, each
predicted before it is learnt, with features and kernel columns of either. A few minutes.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from askless.app.opening import open_service
from askless.app.preparation import Preparation
from askless.assemble.loading import load_pool
from askless.features import make_features
from askless.files.user_cache import CACHE, cache_size, clear_cache, folder_size
from askless.predictors.kernel import Kernel
from askless.predictors.kernel_basis import kernel_basis

_WORDS = ("free", "call", "now", "prize", "meet", "six", "see", "later", "money", "home", "win")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.disk")
    parser.add_argument("--texts", type=int, default=4000)
    parser.add_argument("--pictures", type=int, default=2000)
    parser.add_argument("--answers", type=int, default=120)
    parser.add_argument("--json", metavar="FILE", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ[CACHE] = str(folder / "cache")
        table = _write_texts(folder / "texts.csv", options.texts)
        pictures = _write_pictures(folder / "pictures", options.pictures)
        found = {
            "texts": _measure(table, folder / "t", options.answers),
            "pictures": _measure(pictures, folder / "p", options.answers),
            "bits": _bits(),
        }
    print(json.dumps(found, indent=2))
    if options.json is not None:
        options.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


def _measure(source: Path, folder: Path, answers: int) -> dict[str, Any]:
    service = open_service(source, folder)
    n, preparation = len(service.pool), service.preparation
    assert isinstance(preparation, Preparation)
    while preparation.share is not None and not preparation.failure:
        time.sleep(0.5)
    asked, count = service.ask("t"), 0
    while asked is not None and count < answers:
        _, asked = service.tell("t", asked.id, asked.question, "yes", [], f"key {count}")
        count += 1
        while preparation.trainer is not None and not preparation.trainer.free:
            time.sleep(0.05)
    service.close()
    found = {
        "items": n,
        "answers": count,
        "settled": service.session.state.n_settled,
        "session_bytes": folder_size(folder),
        "bytes_an_item": round(folder_size(folder) / n),
        "cache_bytes": cache_size()[1],
    }
    clear_cache()
    return found


def _bits() -> dict[str, float]:
    """Code length of 1,024 labels of the demo, by precision."""
    known = load_pool("demo", label="footwear")
    assert known.things is not None
    sets = make_features(known.things, ["scattering", "pixels"])
    basis = kernel_basis(sets)
    order = np.random.default_rng(0).permutation(len(known))[:1024]
    found = {}
    for name, kind in (("single", np.float32), ("half", np.float16)):
        columns, labels = basis.columns.astype(kind), np.full(len(known), -1, np.int8)
        kernel = Kernel(blocks=basis.blocks)
        for start in range(0, len(order), 64):
            some = order[start : start + 64]
            labels[some] = np.asarray(known.labels)[some]
            kernel.fit(columns, labels)
        found[name] = round(kernel.one_by_one_bits, 2)
    return found


def _write_texts(path: Path, n: int) -> Path:
    rng = np.random.default_rng(0)
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = ([f"{row} {' '.join(rng.choice(_WORDS, 12))}"] for row in range(n))
        csv.writer(file).writerows([["text"], *rows])
    return path


def _write_pictures(folder: Path, n: int) -> Path:
    folder.mkdir()
    known = load_pool("demo", label="footwear")
    assert known.things is not None
    for item in range(min(n, len(known))):
        Image.fromarray(known.things.picture(item)).save(folder / f"{item:05d}.png")
    return folder


if __name__ == "__main__":
    main()
