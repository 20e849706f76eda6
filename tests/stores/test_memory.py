from __future__ import annotations

import subprocess
import sys


def test_a_store_in_memory_needs_no_database() -> None:
    code = (
        "import sys; from askless.stores.memory import MemoryStore; MemoryStore();"
        "print({'sqlite3', 'sqlalchemy', 'alembic'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
