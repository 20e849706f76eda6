"""The bundled demo pool: 2000 garments of Fashion-MNIST.

``pictures.npz`` holds the images and, as ``footwear``, which of them are a sandal, sneaker or
boot: 615. That is for tests; whoever labels the pool is not told.

``pool.npz`` is for the demo in a terminal, which asks whether each is a top: a T-shirt,
pullover, coat or shirt, but not a dress. It holds ``probs``, a logistic regression's P(it is a
top), and ``positive``, whether it is. 776 are; the regression, fitted on other images,
has 1894 right. Item i is training image i of the original.

Made by ``experiments/demo_pool/make.py``; licence in ``NOTICE.txt``.
Tested in tests/pools/test_demo.py.
"""

from __future__ import annotations

from pathlib import Path

PATH = Path(__file__).parent / "pool.npz"
PICTURES = Path(__file__).parent / "pictures.npz"
ITEMS = "garments of Fashion-MNIST"
"""What the items are."""
ONE, MANY = "a top", "tops"
"""What one item whose label is True is called, and several, in a terminal."""
POSITIVE, NEGATIVE = "footwear", "other clothing"
"""What the two labels of the pictures are called."""
DEFINITION = "Shoes, sandals, sneakers and boots are footwear; bags and clothes are not."
"""What the positive label of the pictures means."""
