"""A model that was ready before the app was: what the page says of it.

Has what `askless.app.preparation.Preparation` offers to be looked at, and prepares nothing.
Used by `askless.labelling.serving`; tested in tests/labelling/test_serving.py.
"""

from __future__ import annotations

from askless.app.neighbours import Columns
from askless.seams import Trainer, TrainerStatus


class GivenModel:
    """A trainer that somebody brought.

    Parameters
    ----------
    trainer
        The one at work.
    """

    columns: Columns | None = None
    share: float | None = None
    failure: str | None = None
    retry_in_s: float | None = None
    note: str = ""

    def __init__(self, trainer: Trainer) -> None:
        self.trainer = trainer

    def trainer_status(self) -> TrainerStatus:
        """That of the trainer."""
        return self.trainer.status()
