"""Where items come from: a folder of pictures, a table, arrays; opened by `open_pool`.

Opening looks at every item once, for its checksum; pictures are decoded when they are shown.
Whatever cannot be an item is listed with the reason and stops nothing. Exact duplicates are
asked once. Laws: `askless.checks.pool_laws`.
"""

from askless.pools._hugging_face import is_dataset
from askless.pools._labels import OTHERS
from askless.pools.opening import open_pool
from askless.pools.pool import OpenedPool, changed_items
from askless.pools.reopened import Reopened, as_before

__all__ = [
    "OTHERS",
    "OpenedPool",
    "Reopened",
    "as_before",
    "changed_items",
    "is_dataset",
    "open_pool",
]
