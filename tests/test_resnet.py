"""One ResNet18 with two stems."""

from __future__ import annotations

from typing import Final, Literal

import pytest

from askless.resnet import resnet18, resnet18_classifier

pytestmark = pytest.mark.torch

STEMS: Final[tuple[Literal["7x7", "3x3"], ...]] = ("7x7", "3x3")


def test_stems_differ_in_the_first_convolution_alone() -> None:
    from torch import nn

    shapes = []
    for stem in STEMS:
        network = nn.Sequential(*resnet18(3, stem=stem))
        shapes.append([tuple(value.shape) for value in network.state_dict().values()])
    assert shapes[0][0] == (64, 3, 7, 7)
    assert shapes[1][0] == (64, 3, 3, 3)
    assert shapes[0][1:] == shapes[1][1:]


def test_features_are_eight_times_the_width_and_the_small_stem_keeps_every_pixel() -> None:
    import torch
    from torch import nn

    pictures = torch.zeros(2, 1, 16, 16)
    for stem, side in zip(STEMS, (8, 16), strict=True):
        layers = resnet18(1, stem=stem, width=4)
        assert layers[0](pictures).shape == (2, 4, side, side)
        assert nn.Sequential(*layers)(pictures).shape == (2, 32)


def test_classifier_names_its_weights_as_stored_checkpoints_do() -> None:
    names = set(resnet18_classifier(3, 4, seed=0).state_dict())
    assert {"0.weight", "3.around.0.weight", "5.carry.0.weight", "13.bias"} <= names
