"""Train a fixed predictor as the paper did: ``python -m experiments.pretrained.train NAME ...``.

A NAME is ``cifar10`` or ``svhn`` (or other images of `experiments.originals`), fetched when first
needed, or an ``.npz`` with ``images`` and ``labels`` from 0 to 9. The first ``--pool`` images are
those to be labelled; a ResNet18 without max-pooling learns on all others whether the label is
above 4: 24 epochs in batches of 6000, Adam at rate 0.01, no augmentation. What it then says of
the pool, ``probs`` beside ``positive``, goes to ``NAME.npz`` in ``--out``, ready for
``python -m experiments.pretrained``, and how right it is to ``trained.jsonl`` there. Minutes on a
GPU, hours without one.

The paper's batches are 8 and 12 to an epoch. Where there are fewer images, so should a batch have:
``trained.jsonl`` beside this file is of 5,000 of the first 6,000, with ``--pool 1000 --batch 500``;
one batch of 5,000 an epoch is 24 steps, and they teach nothing.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from askless.core.bounds import code_length_bits
from askless.resnet import resnet18_classifier
from experiments.originals import IMAGES, original

POOL: Final = 6000
EPOCHS: Final = 24
BATCH: Final = 6000
RATE: Final = 0.01


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(prog="python -m experiments.pretrained.train")
    parser.add_argument("names", metavar="NAME", nargs="+", help=f"{', '.join(IMAGES)}, or a file")
    parser.add_argument("--out", metavar="FOLDER", type=Path, default=Path("predictions"))
    parser.add_argument("--pool", type=int, default=POOL, help="images to be labelled, from 0")
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    parser.add_argument("--batch", type=int, default=BATCH)
    parser.add_argument("--width", type=int, default=64, help="channels of the first stage")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if strange := [name for name in options.names if not _is_images(name)]:
        parser.error(
            f"NAME is one of {', '.join(IMAGES)}, or an .npz file; got {', '.join(strange)}."
        )
    options.out.mkdir(parents=True, exist_ok=True)
    for name in options.names:
        images, labels = _read(name)
        began = time.monotonic()
        probs = train(
            images,
            labels > 4,
            options.pool,
            epochs=options.epochs,
            batch=options.batch,
            width=options.width,
            seed=options.seed,
        )
        positive = labels[: options.pool] > 4
        path = options.out / f"{Path(name).stem}.npz"
        np.savez(path, probs=probs, positive=positive)
        found = about(probs, positive) | {
            "learnt_from": len(labels) - options.pool,
            "epochs": options.epochs,
            "batch": options.batch,
            "width": options.width,
            "seed": options.seed,
            "seconds": round(time.monotonic() - began),
        }
        with (options.out / "trained.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps({"file": path.name} | found) + "\n")
        print(f"{path}: {json.dumps(found)}")


def about(probs: NDArray[np.float64], positive: NDArray[np.bool_]) -> dict[str, Any]:
    """How right the probabilities of a pool are: accuracy, and the code length of its labels."""
    return {
        "items": len(probs),
        "accuracy": round(float(np.mean((probs > 0.5) == positive)), 4),
        "bits": round(code_length_bits(np.clip(probs, 1e-7, 1 - 1e-7), positive)),
    }


def train(
    images: NDArray[np.uint8],
    positive: NDArray[np.bool_],
    pool: int,
    *,
    epochs: int = EPOCHS,
    batch: int = BATCH,
    width: int = 64,
    seed: int = 0,
) -> NDArray[np.float64]:
    """P(positive) of the first `pool` images, learnt from all others.

    Parameters
    ----------
    images
        Shape (n, height, width) or (n, height, width, channels).
    positive
        Their labels; the first `pool` are not looked at.
    pool
        How many images are to be labelled.
    epochs, batch
        How often all others are passed through, and how many at once.
    width
        Channels of the network's first stage; 64 in the paper.
    seed
        Fixes the first weights and the batches.
    """
    if not 0 < pool < len(images) - 1:
        raise ValueError(f"There are {len(images)} images; a pool of {pool} leaves too few.")
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    pictures = images.reshape(*images.shape[:3], -1)
    shown = pictures[pool:].astype(np.float32)
    mean, deviation = shown.mean(axis=(0, 1, 2)), shown.std(axis=(0, 1, 2))
    target = torch.from_numpy(positive[pool:].astype(np.float32))
    channels = max(3, pictures.shape[3])  # grey pictures fill three, as in the paper
    network = resnet18_classifier(channels, width, seed).to(device)
    optimiser = torch.optim.Adam(network.parameters(), lr=RATE)
    rng = np.random.default_rng(seed)
    for epoch in range(epochs):
        began, total = time.monotonic(), 0.0
        network.train()
        for rows in np.array_split(rng.permutation(len(shown)), -(-len(shown) // batch)):
            batch_there = _there((shown[rows] - mean) / deviation, channels, device)
            with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
                logits = network(batch_there)[:, 0]
            wanted = target[rows].to(device)
            loss = functional.binary_cross_entropy_with_logits(logits.float(), wanted)
            optimiser.zero_grad(set_to_none=True)
            torch.autograd.backward(loss)
            optimiser.step()
            total += float(loss.detach()) * len(rows) / len(shown)
        print(f"epoch {epoch + 1}: loss {total:.4f}, {time.monotonic() - began:.1f} s", flush=True)
    return _predicted(network, (pictures[:pool] - mean) / deviation, channels, device)


def _predicted(
    network: nn.Module, pictures: NDArray[Any], channels: int, device: torch.device
) -> NDArray[np.float64]:
    network.eval()
    logits = []
    with torch.inference_mode():
        for start in range(0, len(pictures), 500):
            part = _there(pictures[start : start + 500], channels, device)
            logits.append(network(part)[:, 0].double().cpu().numpy())
    probs: NDArray[np.float64] = 0.5 * (1.0 + np.tanh(0.5 * np.concatenate(logits)))
    return probs


def _there(pictures: NDArray[Any], channels: int, device: torch.device) -> Tensor:
    there = torch.from_numpy(pictures.astype(np.float32, copy=False)).to(device)
    return there.permute(0, 3, 1, 2).expand(-1, channels, -1, -1)


def _is_images(name: str) -> bool:
    return name in IMAGES or name.endswith(".npz")


def _read(name: str) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    if not name.endswith(".npz"):
        return original(name)
    with np.load(name, allow_pickle=False) as file:
        return file["images"], file["labels"].astype(np.int64)


if __name__ == "__main__":
    main()
