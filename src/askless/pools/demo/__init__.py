"""The bundled demo pool: 2000 garments of Fashion-MNIST, and is each of them a top?

``pool.npz`` holds ``probs``, a logistic regression's P(it is a top), and ``positive``,
whether it is: a T-shirt, pullover, coat or shirt, but not a dress. 776 are; the
regression, fitted on other images, has 1894 right. Item i is training image i of the original.
Made by ``experiments/demo_pool/make.py``; licence in ``NOTICE.txt``.
"""

from __future__ import annotations

from pathlib import Path

PATH = Path(__file__).parent / "pool.npz"
ITEMS = "garments of Fashion-MNIST"
"""What the items are."""
ONE, MANY = "a top", "tops"
"""What one item whose label is True is called, and several."""
