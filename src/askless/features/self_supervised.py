"""Features that a network learns from the pool itself, without labels: SimCLR (Chen et al. 2020).

The network is trained to map two random views of a picture (`askless.features._views`) to nearby
points z_i and z_i', far from the views of other pictures. With unit vectors and temperature T

    loss = -log( exp(z_i . z_i' / T) / sum over the 2 B - 1 others of exp(z_i . z / T) )

A ResNet18 for small pictures is trained by AdamW with one cycle of the learning rate. The
features are its activations before the last two layers, averaged over 16 views of a picture, scaled
to unit length and centred. Best for things that no pretrained network has seen, such as digits.

Cost: a minute or two for 6,000 pictures on a large GPU, hours without one: there it first measures
a few steps, and refuses with the expected time if that is above `most_hours`. Work is saved every
minute. Needs the extra ``torch``.
Tested in tests/features/test_torch_features.py.
"""

from __future__ import annotations

import io
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.errors import InvalidInput
from askless.features._torch import lacking, require_torch
from askless.features._views import look
from askless.features.cache import FeatureCache, PartialWork, Rows
from askless.features.extractor import Count, FeatureExtractor, Seed
from askless.features.reduction import unit_rows
from askless.features.thumbnails import thumbnails
from askless.resnet import WIDTH, resnet18
from askless.seams import Pool

if TYPE_CHECKING:
    from torch import Tensor, nn

_TEMPERATURE: Final = 0.2
_RATE: Final = 2e-3
_WARMING: Final = 0.1  # the share of all steps in which the learning rate rises
_BATCH: Final = 1024
_MOST_STEPS: Final = 12_000
_KEEP_S: Final = 60.0  # so often work is kept: 130 MB each time
_TELL: Final = 200  # how many times progress is told
_OUTPUT: Final = 128
_AT_ONCE: Final = 1000
_LOOKS: Final = 16  # at each picture, in the end
_GPUS: Final = ("/dev/nvidiactl", "/dev/kfd", "/dev/dxg")  # what drivers show, of all makes


@dataclass(kw_only=True)
class SelfSupervised(FeatureExtractor):
    """A ResNet18 that learns to know pictures again.

    Parameters
    ----------
    epochs
        How many times every picture is looked at, twice each; fewer in very large pools.
    most_hours
        Refuse if it would take longer on this machine.
    seed
        Fixes the start and the looks, up to rounding.
    """

    epochs: Count = 400
    most_hours: float = 1.0
    seed: Seed = 0

    kind = "images"
    version = 1
    cost_ms = 20.0

    def lacks(self) -> str | None:
        """Torch, perhaps."""
        return lacking("The feature set 'self-supervised'", {"torch": "torch"}, "askless[torch]")

    def quick(self) -> bool:
        """On a GPU."""
        if not any(Path(device).exists() for device in _GPUS):
            return False  # without loading torch, which takes seconds
        try:
            require_torch("self-supervised")
        except InvalidInput:
            return False
        import torch

        return torch.cuda.is_available()

    def about(self) -> Mapping[str, Any]:
        """Epochs and seed."""
        return {"epochs": self.epochs, "seed": self.seed}

    def extract(self, pool: Pool, work: PartialWork, cache: FeatureCache) -> Rows:
        """The feature set, in one block."""
        require_torch("self-supervised")
        small = np.array(thumbnails(pool, cache, work.part("", 0.0, 0.02).tell))
        if len(small) < 2:
            return [np.zeros((len(small), 0), np.float32)]
        learner = _Learner(small, self.epochs, self.seed)
        learner.restore(work)
        self._refuse_if_long(learner)
        learner.run(work.part("", 0.02, 1.0))
        unit = unit_rows(learner.describe())
        return [unit - unit.mean(0)]  # likeness of direction becomes nearness

    def _refuse_if_long(self, learner: _Learner) -> None:
        """Say how long it would take rather than begin what nobody waits for."""
        hours = learner.expected_s() / 3600
        if hours > self.most_hours:
            raise InvalidInput(
                f"Self-supervised features of these {len(learner.pictures)} pictures would take "
                f"about {hours:.1f} hours on this machine, more than the {self.most_hours:g} "
                "allowed; use a GPU, raise most_hours, or take other features."
            )


class _Learner:
    """The network, its optimiser, and how far they have come."""

    def __init__(self, small: NDArray[np.uint8], epochs: int, seed: int) -> None:
        import torch
        from torch import nn

        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        pictures = torch.from_numpy(small).to(self.device).permute(0, 3, 1, 2)
        self.pictures, self.seed, self.step = pictures, seed, 0
        sample = pictures[:: max(1, len(pictures) // 10_000)].float() / 255
        self.centre = sample.mean((0, 2, 3), keepdim=True)
        self.spread = sample.std((0, 2, 3), keepdim=True) + 1e-3
        self.batch = min(_BATCH, len(pictures))
        self.a_round = len(pictures) // self.batch
        self.steps = min(epochs * self.a_round, max(_MOST_STEPS, self.a_round))
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            layers = resnet18(pictures.shape[1], stem="3x3", width=WIDTH)
            self.body: nn.Module = nn.Sequential(*layers).to(self.device)
            self.head = nn.Sequential(
                nn.Linear(8 * WIDTH, 8 * WIDTH),
                nn.BatchNorm1d(8 * WIDTH),
                nn.ReLU(inplace=True),
                nn.Linear(8 * WIDTH, _OUTPUT),
            ).to(self.device)
        self.body = self.body.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.whole: nn.Module = nn.Sequential(self.body, self.head)
        self.optimiser = torch.optim.AdamW(self.whole.parameters(), _RATE)

    def run(self, work: PartialWork) -> None:
        """Take all steps that are left, keeping work on the work now and then."""
        kept_s, every = time.monotonic(), max(1, self.steps // _TELL)
        while self.step < self.steps:
            self._learn(self._batch(), _rate(self.step / self.steps))
            self.step += 1
            if time.monotonic() - kept_s >= _KEEP_S:
                work.arrays("learner", lambda: [self._save()], fresh=True)
                kept_s = time.monotonic()
            if self.step % every == 0 or self.step == self.steps:
                work.tell(self.step / self.steps)

    def restore(self, work: PartialWork) -> None:
        """Go on from what is on the work, if anything sound is."""
        known = work.load("learner")
        if known is not None:
            self._load(known[0])

    def expected_s(self) -> float:
        """How long the steps that are left will take, measured on a few small ones."""
        if self.device != "cpu" or self.step == self.steps:
            return 0.0
        few = min(64, self.batch)
        kept = self._save()
        self._learn(self._batch()[:few], 0.0)
        began = time.perf_counter()
        self._learn(self._batch()[:few], 0.0)
        taken = time.perf_counter() - began
        self._load(kept)
        return taken * self.batch / few * (self.steps - self.step)

    def describe(self) -> NDArray[np.float32]:
        """What the network says of every picture before its head, in the mean of many looks."""
        import torch
        from torch.nn import functional

        chance = torch.Generator(self.device)
        chance.manual_seed(self.seed)
        found = []
        self.whole.eval()
        with torch.inference_mode(), self._quick():
            for start in range(0, len(self.pictures), _AT_ONCE):
                some = self.pictures[start : start + _AT_ONCE].float() / 255
                said = [self.body(self._even(look(some, chance))).float() for _ in range(_LOOKS)]
                mean = functional.normalize(torch.stack(said), dim=2).mean(0)
                found.append(mean.cpu().numpy())
        return np.concatenate(found)

    def _batch(self) -> Tensor:
        """The pictures of this step: a part of a fresh order each round."""
        import torch

        rng = np.random.default_rng([self.seed, self.step // self.a_round])
        order = rng.permutation(len(self.pictures))
        at = self.step % self.a_round * self.batch
        chosen = torch.from_numpy(np.sort(order[at : at + self.batch]))
        return self.pictures[chosen.to(self.device)]

    def _learn(self, pictures: Tensor, rate: float) -> None:
        import torch

        chance = torch.Generator(self.device)
        chance.manual_seed(1_000_003 * self.seed + self.step)
        some = pictures.float() / 255
        looks = torch.cat([look(some, chance), look(some, chance)])
        self.whole.train()
        with self._quick():
            said = self.whole(self._even(looks))
        loss = _contrast(said.float())
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        self.optimiser.step()

    def _even(self, pictures: Tensor) -> Tensor:
        import torch

        even = (pictures - self.centre) / self.spread
        return even.contiguous(memory_format=torch.channels_last)

    def _quick(self) -> Any:
        """Half precision on a GPU."""
        import torch

        return torch.autocast(self.device, torch.bfloat16, enabled=self.device != "cpu")

    def _save(self) -> NDArray[np.uint8]:
        """Everything needed to go on, as one array: kept whole or not at all."""
        import torch

        state = {"network": self.whole.state_dict(), "optimiser": self.optimiser.state_dict()}
        file = io.BytesIO()
        torch.save({**state, "step": self.step}, file)
        return np.frombuffer(file.getvalue(), np.uint8)

    def _load(self, kept: NDArray[np.uint8]) -> None:
        import torch

        state = torch.load(io.BytesIO(kept.tobytes()), map_location="cpu", weights_only=True)
        self.whole.load_state_dict(state["network"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.step = state["step"]


def _rate(share: float) -> float:
    """One cycle: up in a straight line, down along a cosine."""
    if share < _WARMING:
        return _RATE * (0.04 + 0.96 * share / _WARMING)
    return _RATE * (1 + math.cos(math.pi * (share - _WARMING) / (1 - _WARMING))) / 2


def _contrast(said: Tensor) -> Tensor:
    """The loss; the second half are the second looks at the pictures of the first."""
    import torch
    from torch.nn import functional

    unit = functional.normalize(said, dim=1)
    alike = unit @ unit.T / _TEMPERATURE
    alike.fill_diagonal_(-math.inf)
    n = len(said) // 2
    partners = torch.arange(2 * n, device=said.device).roll(n)
    return functional.cross_entropy(alike, partners)
