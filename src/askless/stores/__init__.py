"""Where events are kept: `memory` for as long as the process lives, `sqlite` on disk.

A new store is one file in this folder, and obeys the laws in `askless.checks.store_laws`.
Importing this module loads no store and no database.
Tested in tests/stores.
"""
