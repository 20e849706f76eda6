"""Simulate a pool whose labels are known, and compare the planners on it.

Run it with ``python examples/compare_planners.py``. A pool of your own is an ``.npz`` file
with the arrays ``probs`` and ``positive``: ``load_pool("mine.npz")``.
"""

from askless import load_pool, make_planner, planner_names, simulate

pool = load_pool("demo")
print(f"{len(pool)} items")
for name in planner_names():
    for max_n in (4, 8, 16):
        run = simulate(make_planner(name, max_n=max_n), pool.probs, pool.labels)
        print(f"{name:12} max_n {max_n:2}: {run.questions:5} questions, {run.items_shown:5} shown")
