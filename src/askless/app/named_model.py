"""The model that a person named for the app: checked when the app starts, prepared in a child.

A session keeps the names of feature sets and of a predictor, with their options, in its settings,
and goes on with them. It does not decide whether code is run: what may run some is named each time.
Imported by `askless.app.opening`; tested in tests/cli/test_features.py and test_models.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from askless import features, predictors
from askless.app.preparation import Preparation
from askless.app.service import LabellingService
from askless.app.settings import AppSettings
from askless.app.terms import Terms
from askless.assemble.preparing import check_predictor
from askless.errors import InvalidInput
from askless.files import make_folder
from askless.folder.files import ITEMS
from askless.folder.items import write_items
from askless.seams import Pool
from askless.trainer.background import BackgroundTrainer


def check_model(terms: Terms, pool: Pool, folder: Path, was: AppSettings) -> None:
    """Refuse now what would only be told on the page, and what the folder alone asks to be run.

    Parameters
    ----------
    terms
        What the person asked for.
    pool
        The items.
    folder
        The session's.
    was
        What the session keeps.
    """
    if terms.features is not None:
        if terms.features:
            features.check_features(pool, terms.features)
    elif strange := features.may_run_code(was.features or {}):
        raise _code_in(folder, f"learns from {', '.join(strange)}", "--features")
    for name, options in (terms.predictor or {}).items():
        check_predictor(pool, name, predictors.check_predictor_options(name, options))
    if terms.predictor is None:
        for name, options in (was.predictor or {}).items():
            if predictors.may_run_code(name):
                raise _code_in(folder, f"has the predictor {name}", "--predictor")
            predictors.check_predictor_options(name, options)


def prepare_model(
    service: LabellingService, source: str | Path, folder: Path, options: Mapping[str, Any]
) -> None:
    """Have the model of a session prepared in the background, and used when it is ready.

    Parameters
    ----------
    service
        Serves the session.
    source, folder, options
        As for `askless.app.opening.open_service`.
    """

    def ready(trainer: BackgroundTrainer) -> None:
        with service.lock:
            service.session.use(trainer=trainer)

    settings = service.settings.current
    job = {
        "source": str(source),
        "options": dict(options),
        "items": str(_items_file(service, folder)),
        "cache": str(service.cache / "features"),
        "features": settings.features,
        "predictor": settings.predictor,
    }
    model = service.cache / "models" / f"{service.id}.npz"
    service.preparation = Preparation(folder, len(service.pool), job, ready, model=model)
    service.at_close(service.preparation.close)
    service.preparation.start()


def _code_in(folder: Path, does: str, option: str) -> InvalidInput:
    return InvalidInput(
        f"A session does not decide whether code is run; that in {folder} {does}, where there may "
        f"be some. If you trust it, name it again with {option} and its options; or name another, "
        f"or {option} default."
    )


def _items_file(service: LabellingService, folder: Path) -> Path:
    """Where the process that makes features finds the names of all items."""
    if len(service.session.history.source.sizes) == 1:
        return folder / ITEMS
    make_folder(service.cache / "features")
    path = service.cache / "features" / ITEMS
    write_items(path, service.pool)
    return path
