"""What a feature set needs and may not be installed. Torch may be broken, too, and takes seconds.

Tested in tests/features/test_torch_features.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec

from askless.errors import InvalidInput


def lacking(what: str, needs: Mapping[str, str], install: str | None = None) -> str | None:
    """What is not installed of all that is needed, as a sentence; None if everything is.

    Parameters
    ----------
    what
        Who needs it, as the sentence begins.
    needs
        By module, the package that brings it.
    install
        What to install; None for the packages themselves.
    """
    missing = [package for module, package in needs.items() if find_spec(module) is None]
    if not missing:
        return None
    return (
        f"{what} needs {' and '.join(missing)}, not installed here; "
        f"pip install {' '.join(missing) if install is None else repr(install)} adds it."
    )


def require_torch(wanted: str) -> None:
    """Load torch, or say in a sentence why it does not load.

    Parameters
    ----------
    wanted
        The feature set that needs it.
    """
    try:
        import torch  # noqa: F401
    except (ImportError, OSError) as error:  # OSError: a library of its own that is missing
        raise InvalidInput(
            f"The feature set {wanted!r} needs torch, which is installed here but does not load: "
            f"{error}. Install torch again, or name feature sets that do without it."
        ) from error
