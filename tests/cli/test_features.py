"""Feature sets and their options as they are typed, for `askless simulate` and `askless label`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from askless.app.opening import open_service, session_folder
from askless.app.terms import Terms
from askless.cli import main
from askless.cli.features import DEFAULT, parse_features
from askless.errors import InvalidInput, UnknownPart
from askless.features import FEATURES, default_features, typed_features
from tests.web.services import pictures, texts

PIXELS = ("--features", "pixels", "--feature-option", "pixels.columns=5")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def photos() -> Path:
    """Two subfolders of pictures, by label."""
    for label in ("red", "blue"):
        pictures(Path(label), 8)
    Path("photos").mkdir()
    Path("red").rename("photos/red")
    for path in sorted(Path("blue").iterdir()):
        path.write_bytes(path.read_bytes() + b"\n")  # no duplicate of the others
    Path("blue").rename("photos/blue")
    return Path("photos")


def refused(capsys: pytest.CaptureFixture[str], *args: str | Path) -> str:
    assert main([str(arg) for arg in args]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    return said


def test_nothing_asked_for_is_the_default() -> None:
    assert parse_features(None, None) is parse_features(None, []) is None


def test_names_come_with_the_options_that_were_typed() -> None:
    typed = ["backbone.network=timm/resnet18", "backbone.weights=a=b.pth", "patches.words = 8"]
    assert parse_features("backbone, pixels,patches", typed) == {
        "backbone": {"network": "timm/resnet18", "weights": str(Path("a=b.pth").resolve())},
        "pixels": {},
        "patches": {"words": 8},
    }


def test_spaces_around_names_and_values_do_not_count() -> None:
    typed = [" backbone.network = timm/resnet18 ", "backbone.weights= w.pth "]
    weights = str(Path("w.pth").resolve())
    assert parse_features(" backbone ", typed) == {
        "backbone": {"network": "timm/resnet18", "weights": weights}
    }


def test_the_default_can_be_asked_for() -> None:
    assert DEFAULT not in FEATURES.names()
    assert parse_features("default", None) == parse_features(" default ", []) == {}
    with pytest.raises(
        InvalidInput, match=r"--features default stands alone; got 'default,pixels'"
    ):
        parse_features("default,pixels", None)
    with pytest.raises(InvalidInput, match="Name pixels there too"):
        parse_features("default", ["pixels.columns=5"])


def test_what_was_asked_for_can_be_typed_again() -> None:
    place = "askless.features.self_supervised:SelfSupervised"
    asked: dict[str, dict[str, Any]] = {
        place: {"most_hours": 20.0, "seed": 5},
        "backbone": {"weights": "/a b/w.pth", "side": None},
        "pixels": {},
    }
    flag, names, *others = typed_features(asked)
    assert (flag, names) == ("--features", f"{place},backbone,pixels")
    assert set(others[::2]) == {"--feature-option"}
    assert parse_features(names, others[1::2]) == asked


def test_options_of_a_set_of_ones_own_are_read_too() -> None:
    place = "askless.features.self_supervised:SelfSupervised"
    assert parse_features(place, [f"{place}.most_hours=20"]) == {place: {"most_hours": 20.0}}


@pytest.mark.parametrize(
    ("features", "option", "sentence"),
    [
        ("pixels", "columns=5", "--feature-option is SET.OPTION=VALUE"),
        ("pixels", "pixels.columns", "--feature-option is SET.OPTION=VALUE"),
        ("pixels", "pixels.=5", "--feature-option is SET.OPTION=VALUE"),
        ("pixels", "", "--feature-option is SET.OPTION=VALUE"),
        ("pixels", "pixels.rows=5", "'pixels' has the options columns; got rows."),
        ("pixels", "pixels.columns=few", "is int; got 'few': it should be a valid integer"),
        ("pixels", "patches.words=5", "and --features pixels. Name patches there too"),
        (None, "patches.words=5", "and --features (none). Name patches there too"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    features: str | None, option: str, sentence: str
) -> None:
    with pytest.raises(InvalidInput) as found:
        parse_features(features, [option])
    assert sentence in str(found.value)


def test_unknown_sets_and_options_given_twice_are_refused() -> None:
    with pytest.raises(UnknownPart, match="no feature set named 'smell'"):
        parse_features("pixels", ["smell.strong=5"])
    with pytest.raises(InvalidInput, match=r"given once; got pixels\.columns twice"):
        parse_features("pixels", ["pixels.columns=5", "pixels.columns=5"])


# --- askless simulate -----------------------------------------------------------------------------


def test_a_simulation_learns_from_sets_made_with_their_options(
    photos: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    args = ["simulate", str(photos), "--true", "red", "--json"]
    reports: list[dict[str, Any]] = []
    for options in (PIXELS, ("--features", "pixels")):
        assert main([*args, *options, "--cache", "cache"]) == 0
        reports.append(json.loads(capsys.readouterr().out))
    assert [report["features"] for report in reports] == [["pixels"]] * 2
    assert [report["feature_options"] for report in reports] == [{"pixels.columns": 5}, {}]
    assert len(list(Path("cache").glob("pixels-*.npy"))) == 2


def test_a_simulation_can_ask_for_the_default(
    photos: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    args = ["simulate", str(photos), "--true", "red", "--json", "--cache", "cache"]
    found = []
    for options in (["--features", "default"], []):
        assert main([*args, *options]) == 0
        found.append(json.loads(capsys.readouterr().out)["features"])
    assert found[0] == found[1] == list(default_features("images"))


def test_a_simulated_session_goes_on_with_the_options_it_was_begun_with(
    photos: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    args = ("simulate", photos, "--true", "red", "--session", "s")
    assert main([str(arg) for arg in (*args, *PIXELS)]) == 0
    capsys.readouterr()
    said = refused(capsys, *args, "--features", "pixels")
    assert "features pixels=columns=5; got features pixels=none" in said
    assert main([str(arg) for arg in (*args, *PIXELS)]) == 0


def test_a_network_that_is_not_installed_is_refused_on_the_command_line(
    photos: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("askless.features._torch.find_spec", lambda name: None)
    Path("w.pth").touch()
    network = ("--feature-option", "backbone.network=timm/resnet18")
    args = ("simulate", str(photos), "--true", "red", "--features", "backbone", *network)
    assert "needs its weights from a file" in refused(capsys, *args)
    said = refused(capsys, *args, "--feature-option", "backbone.weights=w.pth")
    assert "needs torch and timm, not installed here; pip install torch timm adds it" in said


# --- askless label --------------------------------------------------------------------------------


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """In place of serving: what the session keeps and says of it when it is opened as asked."""
    seen: list[Any] = []

    def open_only(source: str, folder: Path, options: Any, terms: Terms, **_: object) -> None:
        service = open_service(source, folder, options, terms, learn=False)
        seen.append((service.settings.current.features, list(service.notices)))
        service.close()

    monkeypatch.setattr("askless.cli.serving.serve_session", open_only)
    return seen


def test_a_session_keeps_the_features_that_were_asked_for(served: list[Any]) -> None:
    pictures(Path("p"), 4)
    for options in (PIXELS, (), PIXELS):
        assert main(["label", "p", *options]) == 0
    assert served == [({"pixels": {"columns": 5}}, [])] * 3


def test_other_features_than_before_are_taken_and_told(served: list[Any]) -> None:
    pictures(Path("p"), 4)
    for options in ((), PIXELS, ("--features", "patches,pixels")):
        assert main(["label", "p", *options]) == 0
    kept, notices = zip(*served, strict=True)
    assert kept == (None, {"pixels": {"columns": 5}}, {"patches": {}, "pixels": {}})
    told = "The model now learns from {}; before, from {}. The answers stay."
    default, few = "the default for such items", "pixels (columns=5)"
    assert notices == ([], [told.format(few, default)], [told.format("patches, pixels", few)])


def test_there_is_a_way_back_to_the_default(served: list[Any]) -> None:
    pictures(Path("p"), 4)
    for options in (PIXELS, ("--features", "default"), ("--features", "default"), ()):
        assert main(["label", "p", *options]) == 0
    kept, notices = zip(*served, strict=True)
    assert kept == ({"pixels": {"columns": 5}}, None, None, None)
    told = (
        "The model now learns from the default for such items; before, from pixels (columns=5). "
        "The answers stay."
    )
    assert notices == ([], [told], [], [])


PLACE = "askless.features.pixels:Pixels"
OWN = ("--features", f"{PLACE},patches", "--feature-option", f"{PLACE}.columns=5")


def test_a_set_that_may_run_code_is_named_in_the_command_that_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pictures(Path("p"), 4)
    again: list[str] = []
    monkeypatch.setattr(
        "askless.cli.serving.serve_session", lambda *_, **more: again.append(more["again"])
    )
    for options in (OWN, PIXELS, (), ("--features", "default")):
        assert main(["label", "p", *options]) == 0
    assert again == [f"askless label p {' '.join(OWN)}", *["askless label p"] * 3]


def test_a_set_that_may_run_code_has_to_be_named_again(
    capsys: pytest.CaptureFixture[str], served: list[Any]
) -> None:
    pictures(Path("p"), 4)
    assert main(["label", "p", *OWN]) == 0
    said = refused(capsys, "label", "p")
    assert "name it again with --features and its options; or name another" in said
    assert " ".join(OWN) not in said  # no ready command to run what somebody else may have sent
    assert main(["label", "p", *OWN]) == 0
    assert main(["label", "p", "--features", "default"]) == 0
    assert main(["label", "p"]) == 0
    assert [kept for kept, _ in served[2:]] == [None, None]


def test_no_sentence_model_is_kept_and_taken_up_again(
    served: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("askless.features._torch.find_spec", lambda name: name)
    texts(Path("t.csv"), ["a", "b"])
    none = ("--features", "sentences", "--feature-option", "sentences.model=none")
    for options in (none, ()):
        assert main(["label", "t.csv", *options]) == 0
    assert served == [({"sentences": {"model": None}}, [])] * 2


def test_features_that_cannot_be_made_are_refused_before_a_session_is_begun(
    capsys: pytest.CaptureFixture[str], served: list[Any]
) -> None:
    pictures(Path("p"), 4)
    label = ("label", "p", "--features")
    assert "for pools of texts; got one of images" in refused(capsys, *label, "tf-idf")
    assert "no feature set named 'smell'" in refused(capsys, *label, "smell")
    side = ("backbone", "--feature-option", "backbone.side=8")
    assert "greater than or equal to 32" in refused(capsys, *label, *side)
    assert served == []
    assert not session_folder("p").exists()
