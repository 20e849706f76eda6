"""The paper's predictor: a ResNet18 trained on while questions are asked.

Every `fit` goes on from the weights it has: `epochs` steps of Adam over all labels at once
(no batches; the paper's appendix: 4 steps, rate 0.01, Adam begun anew each time) on

    mean cross-entropy of the labels + (w / labels) sum over refuted guesses -log(1 - P(all right))

The second term is the paper's "fitting to incorrect examples" (Sec. 4.1), a guess counting as
much as w labels, one in the paper; `askless.predictors._resnet` has both network and loss. Refuted
guesses go through the network together with the labels, so that they share its batch norm.

x holds pictures, a row each: pixels in the order height, width, channel, whole numbers or not. They
are centred and scaled by mean and deviation of each channel over the pool; grey ones are
shown in all three channels. `shape` says how a row becomes a picture.

Two things are not in the paper. After a few steps the running means of batch norm lag far behind
the weights, so unless `pool_norm` is off they are taken anew from a random part of the pool.
And the bare network is overconfident: unless `calibrate` is off its logits are spoken in tones
(`askless.predictors._tones`), weighed by how new labels had been foretold before they were
learnt: calibration without a hold-out. Without a label everything is one half.

Cost: four passes over the labels and one over the pool a fit. For 28 x 28 pictures that is
0.7 Gflop a label and step: a fraction of a second on a fast GPU with 5,000 labels, minutes on two
cores. More than `most_labels` are thinned out. Same calls give the same probabilities on the same
device.
Not for small pools without a GPU: `kernel` learns more from fewer labels in milliseconds.
Needs torch (the ``torch`` extra). Tested in tests/predictors/test_network.py.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.core.clause import Clause
from askless.errors import InvalidInput
from askless.predictors._picture_scale import PictureScale, measured
from askless.predictors._tones import COUNT, even_tones, reweighed, toned

if TYPE_CHECKING:
    import torch
    from torch import Tensor, nn

_WEIGHT: Final = "weight/"  # before the name of each array of the network
_MOST_LOGIT: Final = 30.0
_NORM_ROWS: Final = 1_000  # pictures batch norm is measured on
_BLOCK: Final = 2_000_000  # numbers of x looked at in one go


class Network:
    """A residual network on pictures.

    Parameters
    ----------
    shape
        Height and width of a picture, and its channels if it has several. None for a square
        one, grey or in three colours, if the columns allow it, and else one row of pixels.
    epochs
        Steps of a fit, each over all labels.
    rate
        Adam's learning rate.
    wrong_guesses
        As how many labels a refuted guess counts; 0 for not at all.
    pool_norm
        Whether batch norm is measured on the pool after a fit, or keeps its running means.
    calibrate
        Whether probabilities are corrected by how earlier labels were foretold.
    width
        Channels of the first stage; 64 for ResNet18.
    most_labels
        Known labels used at most; of more a random part is taken in each fit.
    device
        Where torch computes: ``cpu``, ``cuda``, ...; None for a GPU if there is one.
    seed
        Fixes the first weights and which labels are taken.
    """

    def __init__(
        self,
        *,
        shape: Sequence[int] | None = None,
        epochs: int = 4,
        rate: float = 0.01,
        wrong_guesses: float = 1.0,
        pool_norm: bool = True,
        calibrate: bool = True,
        width: int = 64,
        most_labels: int = 10_000,
        device: str | None = None,
        seed: int = 0,
    ) -> None:
        if importlib.util.find_spec("torch") is None:
            raise InvalidInput(
                "The predictor 'network' needs torch, which is not installed. "
                "Install askless[torch], or choose another predictor."
            )
        if shape is not None and (len(shape) not in (2, 3) or min(shape) < 1):
            raise InvalidInput(
                f"A picture's shape is [height, width] or [height, width, channels]; got {shape!r}."
            )
        if not (np.isfinite(wrong_guesses) and wrong_guesses >= 0):
            raise InvalidInput(
                f"A refuted guess counts as 0 labels or more; got wrong_guesses={wrong_guesses!r}."
            )
        if min(epochs, width, most_labels) < 1 or not (np.isfinite(rate) and rate > 0):
            raise InvalidInput(
                "Epochs, width and most_labels are 1 or more and the rate is positive; got "
                f"epochs={epochs!r}, width={width!r}, most_labels={most_labels!r}, rate={rate!r}."
            )
        self.shape = None if shape is None else tuple(int(size) for size in shape)
        self.epochs, self.rate, self.width = int(epochs), float(rate), int(width)
        self.wrong_guesses = float(wrong_guesses)
        self.pool_norm, self.calibrate = bool(pool_norm), bool(calibrate)
        self.most_labels, self.device, self.seed = int(most_labels), device, int(seed)
        self._known: NDArray[np.int8] = np.empty(0, np.int8)
        self._tones = even_tones()
        self._scale: PictureScale | None = None
        self._network: nn.Sequential | None = None

    def fit(
        self, x: NDArray[Any], labels: NDArray[np.int8], clauses: Sequence[Clause] = ()
    ) -> None:
        """Go on training with all labels and refuted guesses there are now."""
        known = np.flatnonzero(labels >= 0)
        if len(known) and x.shape[1]:
            if self._scale is None:
                self._scale = measured(x, self.shape)
            self._scale.require(x)
            if self._network is None:
                self._network = self._fresh(self._scale)
            else:
                self._foretell(x, labels)
            self._train(x, self._thinned(known), labels, clauses if self.wrong_guesses else ())
            if self.pool_norm:
                self._take_norms(x)
        self._known = np.where(labels >= 0, labels, -1).astype(np.int8)

    def predict(self, x: NDArray[Any]) -> NDArray[np.float64]:
        """One pass over the pictures, block by block."""
        labels = self._known[self._known >= 0]
        if self._network is None or not len(labels):
            trues = int(np.count_nonzero(labels))
            return np.full(len(x), (trues + 1) / (len(labels) + 2))
        assert self._scale is not None
        self._scale.require(x)
        logits = self._logits(x, np.arange(len(x)))
        if self.calibrate:
            return toned(self._tones, logits, len(labels))
        return np.asarray(0.5 * (1.0 + np.tanh(0.5 * logits)), dtype=np.float64)

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """The network's weights, the labels known, and the weights of the tones."""
        found: dict[str, NDArray[Any]] = {"known": self._known.copy(), "tones": self._tones.copy()}
        if self._network is not None and self._scale is not None:
            found |= {"mean": self._scale.mean, "deviation": self._scale.deviation}
            found["shape"] = np.array(self._scale.shape)
            for name, value in self._network.state_dict().items():
                found[_WEIGHT + name] = value.detach().cpu().contiguous().numpy().copy()
        return found

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Become the network whose arrays these are."""
        scale, network = self._restored(arrays)
        self._known = np.array(arrays["known"], dtype=np.int8)
        self._tones = np.array(arrays["tones"], dtype=np.float64)
        self._scale, self._network = scale, network

    # --- training ----------------------------------------------------------------------------

    def _fresh(self, scale: PictureScale) -> nn.Sequential:
        from askless.predictors._resnet import resnet18

        return resnet18(scale.channels_shown, self.width, self.seed).to(self._device())

    def _foretell(self, x: NDArray[Any], labels: NDArray[np.int8]) -> None:
        """Weigh the tones by what the network says of labels it has not been shown yet."""
        before = self._known if len(self._known) == len(labels) else np.full(len(labels), -1)
        new = np.flatnonzero((labels >= 0) & (before < 0))
        if self.calibrate and len(new):
            self._tones = reweighed(self._tones, self._logits(x, new), labels[new] == 1)

    def _thinned(self, known: NDArray[np.intp]) -> NDArray[np.intp]:
        if len(known) <= self.most_labels:
            return known
        rng = np.random.default_rng([self.seed, len(known)])
        return np.sort(rng.choice(known, self.most_labels, replace=False))

    def _train(
        self,
        x: NDArray[Any],
        known: NDArray[np.intp],
        labels: NDArray[np.int8],
        clauses: Sequence[Clause],
    ) -> None:
        import torch
        from torch.nn import functional

        from askless.predictors._resnet import wrong_guess_loss

        assert self._network is not None
        device = self._device()
        held = np.array([item for clause in clauses for item in clause.items], dtype=np.intp)
        rows = np.concatenate([known, np.setdiff1d(held, known)])
        # Batch norm wants two values at least; a picture shown twice has the same mean loss.
        shown = np.repeat(rows, 2) if len(rows) == 1 else rows
        pictures = self._pictures(x, shown)
        target = torch.from_numpy(labels[shown[: len(known)]].astype(np.float32)).to(device)
        signs = [1.0 if guess else -1.0 for clause in clauses for guess in clause.guess]
        sign = torch.tensor(signs, device=device)
        sizes = [len(clause) for clause in clauses]
        which = torch.from_numpy(np.repeat(np.arange(len(clauses)), sizes)).to(device)
        places = {int(item): place for place, item in enumerate(rows)}
        at = torch.tensor([places[item] for item in held.tolist()], dtype=torch.long, device=device)
        optimiser = torch.optim.Adam(
            self._network.parameters(), lr=self.rate, fused=device.type == "cuda"
        )
        self._network.train()
        with _repeatable():
            for _ in range(self.epochs):
                with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
                    logits = self._network(pictures)[:, 0]
                logits = logits.float()
                loss = functional.binary_cross_entropy_with_logits(logits[: len(target)], target)
                if clauses:
                    wrong = wrong_guess_loss(logits[at], sign, which, len(clauses))
                    loss = loss + self.wrong_guesses * wrong / len(known)
                optimiser.zero_grad(set_to_none=True)
                torch.autograd.backward(loss)
                optimiser.step()

    def _take_norms(self, x: NDArray[Any]) -> None:
        """Give batch norm the means and variances that a random part of the pool has."""
        import torch
        from torch import nn

        assert self._network is not None
        norms = [part for part in self._network.modules() if isinstance(part, nn.BatchNorm2d)]
        rows = np.random.default_rng(self.seed).permutation(len(x))[:_NORM_ROWS]
        self._network.train()
        for norm in norms:
            norm.momentum = 1.0  # the next batch replaces what was measured before
        with torch.inference_mode(), _repeatable():
            self._network(self._pictures(x, np.sort(np.resize(rows, max(2, len(rows))))))
        for norm in norms:
            norm.momentum = 0.1

    # --- pictures in, logits out -------------------------------------------------------------

    def _logits(self, x: NDArray[Any], rows: NDArray[np.intp]) -> NDArray[np.float64]:
        import torch

        assert self._network is not None
        self._network.eval()
        logits = np.empty(len(rows))
        step = max(1, _BLOCK // x.shape[1])
        with torch.inference_mode(), _repeatable():
            for start in range(0, len(rows), step):
                part = self._pictures(x, rows[start : start + step])
                logits[start : start + step] = self._network(part)[:, 0].cpu().numpy()
        if not np.isfinite(logits).all():
            raise InvalidInput(
                "The network's weights have run off to infinity. Make a new one, or restore an "
                "earlier checkpoint, with a smaller rate."
            )
        return np.clip(logits, -_MOST_LOGIT, _MOST_LOGIT)

    def _pictures(self, x: NDArray[Any], rows: NDArray[np.intp]) -> Tensor:
        import torch

        assert self._scale is not None
        there = torch.from_numpy(self._scale.standard(x, rows)).to(self._device())
        # Height, width, channel is what torch calls channels last: no copy is needed.
        return there.permute(0, 3, 1, 2).expand(-1, self._scale.channels_shown, -1, -1)

    def _device(self) -> torch.device:
        import torch

        if self.device is not None:
            return torch.device(self.device)
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")

    def _restored(
        self, arrays: Mapping[str, NDArray[Any]]
    ) -> tuple[PictureScale | None, nn.Sequential | None]:
        """The parts that `arrays` hold; nothing is changed here."""
        import torch

        bare = {"known", "tones"}
        names = {name for name in arrays if not name.startswith(_WEIGHT)}
        if names == bare == set(arrays) and np.shape(arrays["tones"]) == (COUNT,):
            return None, None
        if names != bare | {"mean", "deviation", "shape"} or np.shape(arrays["shape"]) != (3,):
            raise InvalidInput(
                f"The predictor 'network' restores from its own arrays; got {sorted(names)}."
            )
        height, width, channels = (int(size) for size in arrays["shape"])
        mean, deviation = (np.array(arrays[name], np.float64) for name in ("mean", "deviation"))
        scale = PictureScale((height, width, channels), mean, deviation)
        network = self._fresh(scale)
        weights = {name.removeprefix(_WEIGHT): arrays[name] for name in set(arrays) - names}
        own = {name: tuple(value.shape) for name, value in network.state_dict().items()}
        if {name: np.shape(value) for name, value in weights.items()} != own:
            raise InvalidInput(
                "These are the weights of another network: their names or shapes differ from "
                f"those of width {self.width}. Fit again from the answers."
            )
        network.load_state_dict(
            {name: torch.from_numpy(np.array(value)) for name, value in weights.items()}
        )
        return scale, network


@contextmanager
def _repeatable() -> Iterator[None]:
    """On a GPU, only ways of computing that give the same every time."""
    from torch.backends import cudnn

    before = cudnn.deterministic, cudnn.benchmark
    cudnn.deterministic, cudnn.benchmark = True, False
    try:
        yield
    finally:
        cudnn.deterministic, cudnn.benchmark = before
