"""Numbers that the user has, in a file or in a column: whose they are, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from askless.errors import InvalidInput
from askless.features import check_features, make_features, may_run_code
from askless.pools import as_before, open_pool
from tests.features.small_pools import SmallPool
from tests.web.services import pictures

TEXTS = ["one", "two", "one", "", "three"]  # a copy, and what cannot be shown
X = np.arange(15, dtype=np.float64).reshape(5, 3)
WANTED = X[[0, 1, 4]]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def jsonl(rows: list[dict[str, Any]], name: str = "t.jsonl") -> Path:
    Path(name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    return Path(name)


def numbered() -> Any:
    return open_pool(
        jsonl([{"id": f"n{at}", "text": text} for at, text in enumerate(TEXTS)]), text="text"
    )


def made(pool: Any, name: str, **options: Any) -> NDArray[Any]:
    check_features(pool, {name: options})
    return np.asarray(make_features(pool, {name: options})[name], np.float64)


def refusal(pool: Any, name: str, **options: Any) -> str:
    with pytest.raises(InvalidInput) as found:
        make_features(pool, {name: options})
    return str(found.value)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", ["f8", "f4", "f2", "i4", "u1"])
def test_rows_of_an_array_are_those_of_the_source(dtype: str, order: Any) -> None:
    np.save("emb.npy", np.asarray(X, dtype, order=order))
    assert (made(numbered(), "emb.npy") == WANTED).all()


def test_rows_with_ids_may_come_in_any_order_and_be_more() -> None:
    at = [4, 2, 0, 3, 1]
    np.savez("emb.npz", ids=[*(f"n{row}" for row in at), "nobody"], x=[*X[at], [9, 9, 9]])
    assert (made(numbered(), "emb.npz") == WANTED).all()
    np.savez("other.npz", key=[f"n{row}" for row in at], a=X[at], b=X)
    assert (made(numbered(), "other.npz", ids="key", column="a") == WANTED).all()


def test_a_copy_lends_its_row_to_its_item() -> None:
    np.savez("emb.npz", ids=["n1", "n2", "n4"], x=X[[1, 2, 4]])
    assert (made(numbered(), "emb.npz") == X[[2, 1, 4]]).all()


def test_a_folder_of_pictures_is_found_by_its_names() -> None:
    pool = open_pool(pictures(Path("p"), 3))
    np.savez("emb.npz", ids=list(reversed(pool.ids)), x=X[:3])
    assert (made(pool, "emb.npz") == X[[2, 1, 0]]).all()


def test_parquet_has_a_column_of_lists_or_columns_of_numbers() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    ids = [f"n{at}" for at in range(5)]
    parquet.write_table(pyarrow.table({"id": ids, "e": X.tolist()}), "lists.parquet")
    flat = {"id": ids, "a": X[:, 0], "b": X[:, 1], "c": X[:, 2], "note": ids}
    parquet.write_table(pyarrow.table(flat), "plain.parquet")
    parquet.write_table(pyarrow.table({"e": X.tolist()}), "rows.parquet")
    two = {"id": ids, "e": X.tolist(), "f": X.tolist()}
    parquet.write_table(pyarrow.table(two), "two.parquet")
    uneven = {"id": ids, "e": [[1.0]] * 4 + [[1.0, 2.0]]}
    parquet.write_table(pyarrow.table(uneven), "uneven.parquet")
    parquet.write_table(pyarrow.table({"id": ids, "e": [*X.tolist()[:4], None]}), "gap.parquet")
    for name in ("lists", "plain", "rows"):
        assert (made(numbered(), f"{name}.parquet") == WANTED).all()
    assert (made(numbered(), "two.parquet", column="f") == WANTED).all()
    assert "it has 'e', 'f'. Name one with the option column" in refusal(numbered(), "two.parquet")
    assert "rows of 1 and of 2" in refusal(numbered(), "uneven.parquet")
    assert "some are missing" in refusal(numbered(), "gap.parquet")
    for strange in ([["a"]] * 5, [[[1.0]]] * 5):
        parquet.write_table(pyarrow.table({"id": ids, "e": strange}), "strange.parquet")
        assert "strange.parquet cannot be read" in refusal(numbered(), "strange.parquet")
    Path("broken.parquet").write_bytes(b"PAR1 and no more")
    assert "broken.parquet cannot be read" in refusal(numbered(), "broken.parquet")


@pytest.mark.foreign
def test_lance_is_read_where_its_package_is() -> None:
    lance, pyarrow = pytest.importorskip("lance"), pytest.importorskip("pyarrow")
    ids = [f"n{at}" for at in range(5)]
    kind = pyarrow.list_(pyarrow.float32(), 3)
    column = pyarrow.array(X.astype("f4").tolist(), kind)
    lance.write_dataset(pyarrow.table({"id": ids, "e": column}), "emb.lance")
    assert (made(numbered(), "emb.lance") == WANTED).all()


def test_lance_without_its_package_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("askless.features._torch.find_spec", lambda name: None)
    Path("emb.lance").mkdir()
    assert "needs pylance, not installed here" in refusal(numbered(), "emb.lance")


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
def test_a_column_of_lists_is_a_feature_set(suffix: str) -> None:
    import pandas

    frame = pandas.DataFrame({"text": TEXTS, "e": X.tolist()})
    if suffix == "csv":
        frame.to_csv("t.csv", index=False)
    elif suffix == "jsonl":
        frame.to_json("t.jsonl", orient="records", lines=True)
    else:
        pytest.importorskip("pyarrow")
        frame.to_parquet("t.parquet")
    pool = open_pool(f"t.{suffix}", text="text")
    assert (made(pool, "column:e") == WANTED).all()
    assert "there is no 'f', it has 'text', 'e'" in refusal(pool, "column:f")
    assert "row 1 of the column 'text' has 'one'" in refusal(pool, "column:text")


def test_an_uneven_column_is_a_sentence() -> None:
    rows = [{"text": "a", "e": [1, 2]}, {"text": "b", "e": [1]}]
    assert "row 2 of the column 'e' has 1, not 2" in refusal(
        open_pool(jsonl(rows), text="text"), "column:e"
    )


def test_counts_and_ids_that_do_not_match_are_sentences() -> None:
    np.save("short.npy", X[:4])
    said = refusal(numbered(), "short.npy")
    assert "one row for each of the 5 rows of the source; got 4" in said
    assert "1 could not be read; give features with ids" in said
    np.savez("ids.npz", ids=["n0", "x", "y"], x=X[:3])
    said = refusal(numbered(), "ids.npz")
    assert "none for 2 of 3: 'n1', 'n4'. Its ids begin with 'n0', 'x', 'y'." in said
    np.savez("twice.npz", ids=["n0", "n1", "n1"], x=X[:3])
    assert "has two for 'n1'" in refusal(numbered(), "twice.npz")
    np.savez("uneven.npz", ids=["n0"], x=X)
    assert "got 1 ids and 5 rows" in refusal(numbered(), "uneven.npz")
    with pytest.raises(InvalidInput, match="got 4"):
        check_features(numbered(), ["short.npy"])


def test_what_is_no_matrix_of_numbers_is_a_sentence() -> None:
    Path("text.npy").write_text("1, 2, 3")
    np.save("words.npy", np.array(["a"] * 5))
    np.save("objects.npy", np.array([{}] * 5), allow_pickle=True)
    np.save("deep.npy", np.zeros((5, 2, 2)))
    np.save("nan.npy", np.where(X == 3, np.nan, X))
    np.save("large.npy", np.where(X == 3, 1e300, X))
    np.save("one.npy", np.float64(1))
    np.save("wide.npy", np.zeros((5, 20_000), np.uint8))
    whole = np.lib.format.header_data_from_array_1_0(np.zeros((5, 3)))
    with Path("forged.npy").open("wb") as file:
        np.lib.format.write_array_header_1_0(file, {**whole, "shape": (5, 10**12)})
    for name, words in {
        "text": "as numpy.save writes it",
        "words": "Features are numbers",
        "objects": "as numpy.save writes it",
        "deep": "shape (5, 2, 2)",
        "nan": "row 2 of nan.npy",
        "large": "row 2 of large.npy",
        "one": "just one",
        "wide": "at most 16,384 columns",
        "forged": "as numpy.save writes it",
        "none": "there is none at none.npy",
    }.items():
        assert words in refusal(numbered(), f"{name}.npy")
    np.savez("one_id.npz", ids="n0", x=X)
    assert "'ids' has the shape ()" in refusal(numbered(), "one_id.npz")
    np.save("hollow.npy", np.zeros((5, 0)))
    assert "rows of none" in refusal(numbered(), "hollow.npy")
    np.savez("two.npz", a=X, b=X)
    assert "Name one with the option column" in refusal(numbered(), "two.npz")
    assert "got column='c'" in refusal(numbered(), "two.npz", column="c")
    np.save("emb.npy", X)
    assert "Save both arrays as .npz" in refusal(numbered(), "emb.npy", ids="a")


def test_a_pool_of_no_source_has_no_rows_to_match() -> None:
    np.save("emb.npy", X)
    assert "has none" in refusal(SmallPool("texts", texts=["a"]), "emb.npy")


def test_a_file_made_again_is_read_again_and_runs_no_code(tmp_path: Path) -> None:
    np.save("emb.npy", X)
    pool = numbered()
    first = make_features(pool, ["emb.npy"], cache=tmp_path / "c")["emb.npy"]
    np.save("emb.npy", X + 1)
    second = make_features(pool, ["emb.npy"], cache=tmp_path / "c")["emb.npy"]
    assert (second - first == 1).all()
    assert may_run_code({"emb.npy": {}, "column:e": {}}) == []


def test_a_changed_column_is_read_again(tmp_path: Path) -> None:
    found = []
    for more in (0, 1):
        rows = [{"text": text, "e": [more, len(text)]} for text in TEXTS]
        pool = open_pool(jsonl(rows), text="text")
        found.append(make_features(pool, ["column:e"], cache=tmp_path / "c")["column:e"])
    assert (found[0][:, 0] == 0).all()
    assert (found[1][:, 0] == 1).all()


def test_an_item_that_is_gone_has_zeros() -> None:
    before = numbered()
    Path("t.jsonl").write_text(Path("t.jsonl").read_text().splitlines(keepends=True)[1])
    pool = as_before(open_pool("t.jsonl", text="text"), before.ids, before.checksums).pool
    np.save("emb.npy", X[1:2])
    assert (made(pool, "emb.npy") == [[0, 0, 0], X[1], [0, 0, 0]]).all()
