"""What learns from the answers, made by what a method names: a predictor, its features, a trainer.

Imported by `askless.assemble.opening`; tested in tests/assemble/test_opening.py.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

from askless import predictors
from askless.assemble.method import Method
from askless.assemble.own_parts import NOTHING_OWN, OwnParts
from askless.assemble.preparing import DEFAULT_PREDICTOR, Prepared, prepare
from askless.errors import InvalidInput
from askless.features import may_run_code
from askless.folder import files as sources
from askless.seams import Pool, Trainer
from askless.trainer.inline import InlineTrainer


def make_trainer(
    trainer: Literal["inline", "background"] | Trainer | None,
    method: Method,
    items: Pool | None,
    folder: Path | None,
    cache: Path | None,
    progress: Callable[[float], None] | None,
    own: OwnParts,
    model: Path | None = None,
) -> tuple[Trainer | None, Prepared | None]:
    """The trainer, and what it was made of if it was made here.

    Parameters
    ----------
    trainer, cache, progress, own
        As for `askless.assemble.open_session`.
    method
        Names the predictor and the features.
    items
        What is learnt from; None if there are probabilities alone.
    folder
        The session's; None for memory alone.
    model
        File for what the predictor has learnt; None for nowhere.
    """
    if not isinstance(trainer, str):
        return trainer, None
    training = None if folder is None else folder / sources.TRAINING
    prepared = prepare_method(method, items, cache=cache, progress=progress, own=own)
    if prepared is None:
        return None, None
    made_by = {"predictor": prepared.predictor, "features": list(prepared.features)}
    if trainer == "inline":
        made = InlineTrainer(
            prepared.make(), prepared.x, folder=training, model=model, made_by=made_by
        )
        return made, prepared
    if prepared.own is not None:
        raise InvalidInput(
            "A trainer in the background makes its predictor by name, in another process; got one "
            f"of your own, {prepared.predictor}. Choose the trainer 'inline'."
        )
    if training is None or items is None:
        raise InvalidInput(
            "A trainer in the background needs a folder for its files; name one, or choose the "
            "trainer 'inline'."
        )
    from askless.trainer.background import BackgroundTrainer  # which simulations never load

    return (
        BackgroundTrainer(
            training,
            len(items),
            predictor=prepared.predictor,
            options=prepared.options,
            features=prepared.x_path,
            model=model,
        ),
        prepared,
    )


def prepare_method(
    method: Method,
    items: Pool | None,
    *,
    cache: Path | None = None,
    progress: Callable[[float], None] | None = None,
    own: OwnParts = NOTHING_OWN,
) -> Prepared | None:
    """What the method's predictor learns from; None if nothing learns."""
    if items is None:
        if method.predictor not in (None, "fixed") or method.features is not None:
            raise InvalidInput(
                "A pool of probabilities alone has nothing to learn from; leave predictor and "
                "features out, or name a pool with pictures, texts or rows."
            )
        return None
    if method.predictor == "fixed" and items.probs is not None and own.predictor is None:
        return None
    planner = method.make_planner() if own.planner is None else own.planner
    follows = planner.describe(len(items)).follows_priority
    return prepare(
        items,
        features=method.features,
        predictor=method.predictor or DEFAULT_PREDICTOR,
        options=method.predictor_options,
        schedule=method.learning_schedule if follows else "planner-order",
        cache=cache,
        progress=progress,
        own=own,
    )


def refuse_to_run_code(folder: Path, method: Method) -> None:
    """A folder does not decide whether code is run that does not come with askless."""
    foreign = may_run_code(method.features or {})
    if method.predictor is not None and predictors.may_run_code(method.predictor):
        foreign.append(method.predictor)
    if foreign:
        raise InvalidInput(
            f"A session does not decide whether code is run; that in {folder} learns with "
            f"{', '.join(foreign)}, where there may be some. If you trust it, name the method."
        )
