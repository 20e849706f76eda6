"""Every kind of source gives a pool that obeys every law of its seam, and a law can be broken."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from askless.checks import LawBroken, OpenPool, pool_laws
from askless.pools import OpenedPool, open_pool

pandas: Any = pytest.importorskip("pandas")

LETTERS = ["a", "b", "c", "c", "ä", "=SUM(A1)", "nul\0byte", "two\nlines"]
ROWS = {
    "words": ["red", "blue", "red", "", "red", "ten", "1", "2"],
    "size": [1, 2.5, None, 4, 1, float("nan"), 7, 8],
    "truth": ["yes", "no", "", "no", "no", "yes", "no", "yes"],
    "p": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, None],
}


def pictures(n: int, *shape: int) -> Any:
    return np.random.default_rng(0).integers(0, 255, (n, *shape)).astype(np.uint8)


def an_image_folder(tmp: Path) -> OpenPool:
    for name, pixels in zip("abcdef", pictures(6, 9, 7, 3), strict=True):
        (tmp / "in" / ("yes" if name < "c" else "no")).mkdir(parents=True, exist_ok=True)
        Image.fromarray(pixels).save(tmp / "in" / ("yes" if name < "c" else "no") / f"{name}.PNG")
    Image.fromarray(pictures(1, 9, 7, 3)[0]).save(tmp / "in" / "no" / "again.png")
    (tmp / "in" / "broken.jpg").write_bytes(b"\xff\xd8\xff broken")
    return lambda: open_pool(tmp / "in", label="folder")


def a_csv_of_texts(tmp: Path) -> OpenPool:
    pandas.DataFrame({"text": LETTERS, "n": 1}).to_csv(tmp / "t.csv", index=False)
    return lambda: open_pool(tmp / "t.csv", text="text")


def a_tsv_of_rows(tmp: Path) -> OpenPool:
    pandas.DataFrame(ROWS).to_csv(tmp / "t.tsv", index=False, sep="\t")
    return lambda: open_pool(tmp / "t.tsv", label="truth", prob="p")


def a_jsonl_of_paths(tmp: Path) -> OpenPool:
    for name, pixels in zip("abc", pictures(3, 9, 7), strict=True):
        Image.fromarray(pixels).save(tmp / f"{name}.png")
    names = ["a.png", "b.png", "a.png", "../x.png", "c.png", None, "http://x/y.png", "nul\0.png"]
    lines = [json.dumps({"path": name, "y": number % 2}) for number, name in enumerate(names)]
    (tmp / "t.jsonl").write_text("\n".join([*lines, "{not json"]))
    return lambda: open_pool(tmp / "t.jsonl", image="path", label="y")


def a_parquet_of_texts(tmp: Path) -> OpenPool:
    pytest.importorskip("pyarrow")
    pandas.DataFrame({"text": LETTERS, "n": 1}).to_parquet(tmp / "t.parquet")
    return lambda: open_pool(tmp / "t.parquet", id="n")


def an_npz_of_images(tmp: Path) -> OpenPool:
    images = pictures(5, 9, 7)
    images[3] = images[1]
    np.savez(tmp / "p.npz", images=images, positive=[1, 0, 1, 1, -1], probs=np.linspace(0, 1, 5))
    return lambda: open_pool(tmp / "p.npz")


def an_npz_of_rows(tmp: Path) -> OpenPool:
    x = np.array([[1.0, 2], [np.nan, 3], [1, 2]])
    np.savez(tmp / "p.npz", x=x, ids=["u", "v", "w"])
    return lambda: open_pool(tmp / "p.npz")


def a_pandas_table(tmp: Path) -> OpenPool:
    return lambda: open_pool(pandas.DataFrame(ROWS), label="truth")


def an_array_of_floats(tmp: Path) -> OpenPool:
    return lambda: open_pool(pictures(4, 3, 9, 7) / 255)


def the_demo(tmp: Path) -> OpenPool:
    return lambda: open_pool("demo")


SOURCES: list[Callable[[Path], OpenPool]] = [
    an_image_folder,
    a_csv_of_texts,
    a_tsv_of_rows,
    a_jsonl_of_paths,
    a_parquet_of_texts,
    an_npz_of_images,
    an_npz_of_rows,
    a_pandas_table,
    an_array_of_floats,
    the_demo,
]


@pytest.mark.parametrize("law", pool_laws(), ids=lambda law: law.__name__)
@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.__name__)
def test_pool_obeys(
    source: Callable[[Path], OpenPool], law: Callable[[OpenPool, int], None], tmp_path: Path
) -> None:
    open_again = source(tmp_path)
    for seed in range(3):
        law(open_again, seed)


def changed(**values: Any) -> OpenPool:
    def opened() -> OpenedPool:
        pool = open_pool(np.eye(4, dtype=np.uint8).reshape(4, 2, 2))
        for name, value in values.items():
            setattr(pool, name, value)
        return pool

    return opened


class Careless(OpenedPool):
    """Shows whatever it is asked for, from one sheet of paper."""

    sheet = np.zeros((9, 9, 3), np.uint8)

    def picture(self, item: int, side: int | None = None) -> Any:
        return self.sheet


def careless() -> OpenedPool:
    pool = open_pool(np.eye(4, dtype=np.uint8).reshape(4, 2, 2))
    return Careless(**{name: getattr(pool, name) for name in OpenedPool.__slots__})


def restless() -> Callable[[], OpenedPool]:
    names = iter("abcdefgh")
    return lambda: changed(ids=tuple(next(names) for _ in range(4)))()  # type: ignore[return-value]


BROKEN: list[tuple[str, OpenPool]] = [
    ("says_one_thing_about_every_item", changed(known=np.full(4, 2, np.int8))),
    ("says_one_thing_about_every_item", changed(checksums=("a", "b", "c", "d"))),
    ("says_one_thing_about_every_item", changed(probs=np.full(4, 1.5))),
    ("names_everything_once", changed(ids=("a", "a", "b", "c"))),
    ("names_everything_once", changed(copies={1: ("0",)})),
    ("names_everything_once", changed(ids=("a", "\ud800", "b", "c"))),
    ("asks_about_a_content_once", changed(checksums=("0" * 64,) * 4)),
    ("is_the_same_when_opened_again", restless()),
    ("shows_every_item_as_its_kind", careless),
    ("keeps_what_it_gave", careless),
    ("refuses_items_it_does_not_have", careless),
]


@pytest.mark.parametrize(("name", "open_broken"), BROKEN)
def test_a_broken_pool_is_found_out(name: str, open_broken: OpenPool) -> None:
    law = next(law for law in pool_laws() if law.__name__ == name)
    with pytest.raises(LawBroken):
        law(open_broken, 0)
