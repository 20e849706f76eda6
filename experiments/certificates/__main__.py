"""Draw and tabulate what is on file: ``python -m experiments.certificates``.

Nothing is measured here; what measures each file is in the README. Drawing needs matplotlib (the
``experiments`` extra).
"""

from __future__ import annotations

from experiments.certificates import figures, table

if __name__ == "__main__":
    figures.draw_all(table.read("coverage"))
    table.put_in_readme()
