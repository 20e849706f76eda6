"""The files of a session on disk: one folder with everything that is needed to go on.

    FOLDER/events.sqlite    every event (and SQLite's files beside it)
    FOLDER/probs.npy        the probabilities it was opened with, and a checksum
    FOLDER/items.jsonl      what the pool calls its items, if there is a pool, and a checksum
    FOLDER/training/        checkpoints of the background trainer, if there is one

What can be made again from the items (features, small pictures, models) is in the user's cache
(`askless.files.user_cache`).

The events say how questions are chosen, so the folder alone is enough to go on with a session.
`askless.assemble.open_session` opens it for work, one process at a time;
`askless.assemble.read_session` and `askless.folder.verifying.verify_session` change nothing and
may be used while somebody works.
Tested in tests/folder.
"""
