"""The paper's predictor: a ResNet18 that keeps training while questions are asked.

Also known as warm-started deep active learning. Not to be confused with a network on pretrained
features: this one starts from random weights.

Every `fit` continues from the weights it has: `epochs` steps of Adam over all labels at once
(full batch; the paper's appendix: 4 steps, rate 0.01, a fresh Adam each time) on

    mean cross-entropy of the labels + (w / labels) sum over refuted guesses -log(1 - P(all right))

The second term is the paper's "fitting to incorrect examples" (Sec. 4.1; `clause_loss`). A refuted
guess counts as much as w labels, one in the paper. Refuted guesses go
through the network together with the labels, so that they share its batch norm. The network is
`askless.resnet` with the stem for photographs but no max-pooling, since the pictures are small
(Sec. 4 and the appendix).

x holds pictures, one a row: pixels in the order height, width, channel. They are centred and
scaled by the mean and deviation of each channel over the pool; grey ones fill all three
channels. `shape` says how a row becomes a picture.

Two things are not in the paper. After a few steps the running means of batch norm lag far behind
the weights, so with `pool_norm` they are measured on a random part of the pool. And the bare
network is overconfident, so with `calibrate` its logits are recalibrated online: a fixed-share
mixture of 12 temperatures and two rates of label noise (`askless.predictors._mixture`), weighted by
how well new labels were predicted before they were learnt. The result is shrunk by the rule of
succession, (m p + 1) / (m + 2): m labels cannot support an error rate below 1 / (m + 2). Neither
changes the order of the items. Without a label every probability is one half.

Cost: four passes over the labels and one over the pool a fit. For 28 x 28 pictures that is
0.7 Gflop a label and step: a fraction of a second on a fast GPU with 5,000 labels, minutes on two
cores. Above `most_labels` a random part is used. The same calls give the same probabilities on the
same device.
Not for small pools without a GPU: `kernel` learns more from fewer labels in milliseconds.
Needs torch (the ``torch`` extra).
Tested in tests/predictors/test_network.py and test_clause_loss.py.
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
from askless.predictors._mixture import FixedShareMixture, tempered_probs
from askless.predictors._picture_scale import PictureScale, measure_scale
from askless.predictors._row_blocks import row_blocks

if TYPE_CHECKING:
    import torch
    from torch import Tensor, nn

Floats = NDArray[np.float64]

_TEMPERATURES: Final = np.exp(np.linspace(np.log(0.05), np.log(1.5), 12))
_NOISE: Final = np.array([0.0005, 0.01])
_MIXTURE_SIZE: Final = len(_TEMPERATURES) * len(_NOISE)
_SHARE: Final = 0.005  # the logits change with every fit, so much is forgotten
_MIXTURE: Final = "tones"  # the name of the mixture's weights in stored checkpoints
_WEIGHT: Final = "weight/"  # before the name of each array of the network
_MOST_LOGIT: Final = 30.0
_LEAST_SURPRISAL: Final = 1e-6  # so that log(1 - P) is finite
_NORM_ROWS: Final = 1_000  # pictures batch norm is measured on


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
        How many labels a refuted guess counts as; 0 ignores refuted guesses.
    pool_norm
        Whether batch norm is measured on the pool after a fit, or keeps its running means.
    calibrate
        Whether probabilities are recalibrated by how well labels were predicted so far.
    width
        Channels of the first stage; 64 for ResNet18.
    most_labels
        Known labels used at most; each fit takes a random part of more.
    device
        Where torch computes: ``cpu``, ``cuda``, ...; None for a GPU if there is one.
    seed
        Fixes the initial weights and which labels are taken.
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
        self._mixture = _mixture()
        self._scale: PictureScale | None = None
        self._network: nn.Sequential | None = None

    def fit(
        self, x: NDArray[Any], labels: NDArray[np.int8], clauses: Sequence[Clause] = ()
    ) -> None:
        """Continue training with all labels and refuted guesses there are now."""
        known = np.flatnonzero(labels >= 0)
        if len(known) and x.shape[1]:
            if self._scale is None:
                self._scale = measure_scale(x, self.shape)
            self._scale.require(x)
            if self._network is None:
                self._network = self._make_network(self._scale)
            else:
                self._update_mixture(x, labels)
            self._train(x, self._sample(known), labels, clauses if self.wrong_guesses else ())
            if self.pool_norm:
                self._measure_norms(x)
        self._known = np.where(labels >= 0, labels, -1).astype(np.int8)

    def predict(self, x: NDArray[Any]) -> Floats:
        """One pass over the pictures, block by block."""
        labels = self._known[self._known >= 0]
        if self._network is None or not len(labels):
            trues = int(np.count_nonzero(labels))
            return np.full(len(x), (trues + 1) / (len(labels) + 2))
        assert self._scale is not None
        self._scale.require(x)
        logits = self._logits(x, np.arange(len(x)))
        if self.calibrate:
            probs = _experts(logits).reshape(len(x), -1) @ self._mixture.weights.ravel()
            return np.asarray((len(labels) * probs + 1.0) / (len(labels) + 2.0))
        return _sigmoid(logits)

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """The network's weights, the labels known, and the weights of the temperatures."""
        found: dict[str, NDArray[Any]] = {"known": self._known.copy()}
        found[_MIXTURE] = self._mixture.weights.flatten()
        if self._network is not None and self._scale is not None:
            found |= {"mean": self._scale.mean, "deviation": self._scale.deviation}
            found["shape"] = np.array(self._scale.shape)
            for name, value in self._network.state_dict().items():
                found[_WEIGHT + name] = value.detach().cpu().contiguous().numpy().copy()
        return found

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Become the network with these arrays."""
        scale, network = self._parts_of(arrays)
        self._known = np.array(arrays["known"], dtype=np.int8)
        self._mixture = _mixture(arrays[_MIXTURE])
        self._scale, self._network = scale, network

    # --- training ----------------------------------------------------------------------------

    def _make_network(self, scale: PictureScale) -> nn.Sequential:
        from askless.resnet import resnet18_classifier

        return resnet18_classifier(scale.channels_shown, self.width, self.seed).to(self._device())

    def _update_mixture(self, x: NDArray[Any], labels: NDArray[np.int8]) -> None:
        """Weigh the temperatures by the network's predictions of labels it has not learnt yet."""
        before = self._known if len(self._known) == len(labels) else np.full(len(labels), -1)
        new = np.flatnonzero((labels >= 0) & (before < 0))
        if self.calibrate and len(new):
            logits = self._logits(x, new)
            likelihoods = _experts(np.where(labels[new] == 1, logits, -logits))
            self._mixture, _ = self._mixture.update(likelihoods)

    def _sample(self, known: NDArray[np.intp]) -> NDArray[np.intp]:
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
        with _deterministic():
            for _ in range(self.epochs):
                with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
                    logits = self._network(pictures)[:, 0]
                logits = logits.float()
                loss = functional.binary_cross_entropy_with_logits(logits[: len(target)], target)
                if clauses:
                    refuted = clause_loss(logits[at], sign, which, len(clauses))
                    loss = loss + self.wrong_guesses * refuted / len(known)
                optimiser.zero_grad(set_to_none=True)
                torch.autograd.backward(loss)
                optimiser.step()

    def _measure_norms(self, x: NDArray[Any]) -> None:
        """Give batch norm the means and variances of a random part of the pool."""
        import torch
        from torch import nn

        assert self._network is not None
        norms = [part for part in self._network.modules() if isinstance(part, nn.BatchNorm2d)]
        rows = np.random.default_rng(self.seed).permutation(len(x))[:_NORM_ROWS]
        self._network.train()
        for norm in norms:
            norm.momentum = 1.0  # the next batch replaces what was measured before
        with torch.inference_mode(), _deterministic():
            self._network(self._pictures(x, np.sort(np.resize(rows, max(2, len(rows))))))
        for norm in norms:
            norm.momentum = 0.1

    # --- pictures in, logits out -------------------------------------------------------------

    def _logits(self, x: NDArray[Any], rows: NDArray[np.intp]) -> Floats:
        import torch

        assert self._network is not None
        self._network.eval()
        logits = np.empty(len(rows))
        with torch.inference_mode(), _deterministic():
            for part in row_blocks(len(rows), x.shape[1]):
                pictures = self._pictures(x, rows[part])
                logits[part] = self._network(pictures)[:, 0].cpu().numpy()
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

    def _parts_of(
        self, arrays: Mapping[str, NDArray[Any]]
    ) -> tuple[PictureScale | None, nn.Sequential | None]:
        """The scale and the network that `arrays` hold; nothing is changed here."""
        import torch

        bare = {"known", _MIXTURE}
        names = {name for name in arrays if not name.startswith(_WEIGHT)}
        whole = bare | {"mean", "deviation", "shape"}
        sound = np.shape(arrays.get(_MIXTURE, ())) == (_MIXTURE_SIZE,)
        if sound and names == bare == set(arrays):
            return None, None
        if not sound or names != whole or np.shape(arrays["shape"]) != (3,):
            raise InvalidInput(
                f"The predictor 'network' restores from its own arrays; got {sorted(names)}."
            )
        height, width, channels = (int(size) for size in arrays["shape"])
        mean, deviation = (np.array(arrays[name], np.float64) for name in ("mean", "deviation"))
        scale = PictureScale((height, width, channels), mean, deviation)
        network = self._make_network(scale)
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


def clause_loss(logits: Tensor, signs: Tensor, clause: Tensor, clauses: int) -> Tensor:
    """The sum of the losses of all refuted guesses: the cross-entropy of the answer no.

    With s_i = +1 for the guess True and -1 for False and z_i the logits, P = prod sigmoid(s_i z_i)
    is the probability that the whole guess is right. A no costs -log(1 - P) = -log(1 - exp(-a)),
    a = sum_i softplus(-s_i z_i), which stays finite, with a useful slope, when the network is quite
    sure of all of them. Also known as negated multiple-instance learning.

    Parameters
    ----------
    logits
        Of every item of every guess, one after the other.
    signs
        +1 where the guess is True, -1 where it is False.
    clause
        Which guess each belongs to, from 0.
    clauses
        How many guesses there are.
    """
    import torch
    from torch.nn import functional

    surprisals = functional.softplus(-signs * logits)
    # A product with a matrix of zeros and ones adds up in the same order every time.
    members = clause == torch.arange(clauses, device=clause.device)[:, None]
    total = members.to(surprisals.dtype) @ surprisals
    return -torch.log(-torch.expm1(-total - _LEAST_SURPRISAL)).sum()


@contextmanager
def _deterministic() -> Iterator[None]:
    """Only algorithms that give the same result every time, on a GPU too."""
    from torch.backends import cudnn

    before = cudnn.deterministic, cudnn.benchmark
    cudnn.deterministic, cudnn.benchmark = True, False
    try:
        yield
    finally:
        cudnn.deterministic, cudnn.benchmark = before


def _mixture(weights: NDArray[Any] | None = None) -> FixedShareMixture:
    """The experts with these weights, or with equal ones."""
    found = np.full(_MIXTURE_SIZE, 1 / _MIXTURE_SIZE) if weights is None else weights
    shape = (1, len(_TEMPERATURES), len(_NOISE))
    return FixedShareMixture(np.array(found, np.float64).reshape(shape), _SHARE)


def _experts(logits: Floats) -> Floats:
    """P(label) by label and expert."""
    return tempered_probs(_sigmoid, logits[:, None], _TEMPERATURES, _NOISE)


def _sigmoid(logits: Floats) -> Floats:
    return np.asarray(0.5 * (1.0 + np.tanh(0.5 * logits)))
