"""Torch, loaded when a feature set needs it: it takes seconds, and it may be broken.

Tested in tests/features/test_torch_features.py.
"""

from __future__ import annotations

from askless.errors import InvalidInput


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
