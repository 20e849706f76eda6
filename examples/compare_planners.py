"""Simulate a pool whose labels are known, and compare the planners on it.

Run it with ``python examples/compare_planners.py``. A pool of your own is an ``.npz`` file
with the arrays ``probs`` and ``positive``: ``load_pool("mine.npz")``.
"""

from askless import Method, load_pool, open_session, planner_names, simulate

pool = load_pool("demo")
print(f"{len(pool)} items")
for name in planner_names():
    for max_n in (4, 8, 16):
        method = Method(planner=name, max_n=max_n, recalibrate=False)
        with open_session(pool, method) as opened:
            run = simulate(opened.session, pool.labels)
        print(f"{name:12} max_n {max_n:2}: {run.questions:5} questions, {run.items_shown:5} shown")
