"""How long sources take to open, and pictures to be shown.

    python -m benchmarks.pools [--rows 100000] [--pictures 10000] [--json FILE]

A CSV file of short texts, one of twenty columns of numbers, a folder of small JPEG and PNG
pictures, and one photograph of 12 million pixels. Seconds and milliseconds are processor time,
which a busy machine does not stretch; what the disk takes comes on top. Times are for this
machine; compare them within one run only.
"""

from __future__ import annotations

import argparse
import json
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image

from askless.pools import OpenedPool, open_pool


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pools")
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--pictures", type=int, default=10_000)
    parser.add_argument("--json", metavar="FILE", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = measure(Path(folder), options.rows, options.pictures)
    print(json.dumps(figures, indent=2))
    if options.json is not None:
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


def measure(folder: Path, rows: int, pictures: int) -> dict[str, float]:
    """Figures for sources of these sizes, made in `folder`."""
    rng = np.random.default_rng(0)
    texts, numbers, photos = folder / "texts.csv", folder / "numbers.csv", folder / "photos"
    lines = [f'"message {n}, with some more words in it",{n % 2}' for n in range(rows)]
    texts.write_text("\n".join(["text,y", *lines]))
    names = ",".join(f"c{column}" for column in range(20))
    np.savetxt(numbers, rng.normal(size=(rows, 20)), "%.6g", ",", header=names, comments="")
    photos.mkdir()
    for number in range(pictures):
        few = rng.integers(0, 255, (8, 8, 3)).astype(np.uint8)
        suffix = "jpg" if number % 2 else "png"
        Image.fromarray(few).resize((96, 96)).save(photos / f"{number:06d}.{suffix}")
    open_photos_s = _cpu_s(lambda: open_pool(photos))
    pool = open_pool(photos)
    shown = min(1000, len(pool))
    large = folder / "large"
    large.mkdir()
    noise = rng.integers(0, 255, (750, 1000, 3)).astype(np.uint8)
    Image.fromarray(noise).resize((4000, 3000)).save(large / "photo.jpg")
    one = open_pool(large)
    return {
        "rows": rows,
        "open_texts_cpu_s": _cpu_s(lambda: open_pool(texts, text="text", label="y")),
        "open_numbers_cpu_s": _cpu_s(lambda: open_pool(numbers)),
        "pictures": pictures,
        "open_pictures_cpu_s": open_photos_s,
        "small_picture_cpu_ms": 1e3 * _cpu_s(lambda: _show(pool, shown)) / shown,
        "tile_of_12_megapixels_cpu_ms": 1e3 * _cpu_s(lambda: one.picture(0, 320)),
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def _show(pool: OpenedPool, count: int) -> None:
    for item in range(count):
        pool.picture(item, 32)


def _cpu_s(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return round(time.process_time() - began, 4)


if __name__ == "__main__":
    main()
