"""The columns say of every item what looking at it says."""

from __future__ import annotations

from hypothesis import settings
from hypothesis.stateful import invariant

from askless.app.label_table import HOW, read_table
from tests.session.step_machine import Steps


class TableMachine(Steps):
    """Whatever happens to a session."""

    @invariant()
    def every_row_is_what_the_item_itself_says(self) -> None:
        session = self.session
        table = read_table(session.history, session.probs)
        history = session.history
        for known in session.labels():
            item = known.item
            none = -2 if known.how == "unsure" else -1
            assert table.labels[item] == (none if known.label is None else int(known.label))
            assert HOW[table.how[item]] == known.how
            assert table.definition[item] == (-1 if known.definition is None else known.definition)
            last = max(known.answers, default=-1)
            if known.how == "unsure":
                last = history.unsure[item].number
            assert table.number[item] == last
            assert {who for who in ("ann", "bob") if table.by(who)[item]} == set(known.annotators)


TableMachine.TestCase.settings = settings(max_examples=30, stateful_step_count=30, deadline=None)
TestTableMachine = TableMachine.TestCase
