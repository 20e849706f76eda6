"""Steps that change several items at once, for the machine of machine.py."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import rule

from askless.errors import Refused
from tests.session.machine import WINDOWS, Deeds


class Steps(Deeds):
    """Deeds, and steps among them: which answers they gave up, and what was unsure before."""

    @rule(data=st.data(), window=st.sampled_from(WINDOWS), unsure=st.booleans())
    def revise_several(self, data: st.DataObject, window: tuple[str, str], unsure: bool) -> None:
        """Mark several items unsure, or have them asked again, in one step."""
        chosen = st.lists(st.integers(0, self.n - 1), min_size=1, max_size=4, unique=True)
        items, revise, history = data.draw(chosen), self.session.revise, self.session.history
        before, earlier = self.session.state, {item: history.unsure.get(item) for item in items}
        try:
            if unsure:
                number = revise.mark_unsure(items, "why", window[0], None, window[1])
            else:
                number = revise.ask_again(items, window[0], None, window[1])
        except Refused:
            assert self.session.state is before
            return
        again = history.answers.get(number + 2)
        replaced = {}
        if not unsure:
            labels = self.session.state.labels()
            assert history.disputes or (labels[items] == -1).all()
            step = next(e for e in self.store.read() if e.number == number)
            replaced = {old: self.standing[old] for old in step.payload.get("answers", ())}
        for old in replaced:
            self._gone(old)
        if again is not None and again.revision == number:
            self.corrected[number + 2] = replaced
            self.standing[number + 2] = again.answer
        for item in items:
            self.done = {k: deed for k, deed in self.done.items() if deed[:2] != ("unsure", item)}
            (self.unsure.add if unsure else self.unsure.discard)(item)
        self.done[number] = ("step", number, window)
        self.steps[number] = (unsure, earlier, replaced)

    def _take_back(self, what: str, which: int) -> None:
        if what == "step":
            self._undo_step(which)
        else:
            super()._take_back(what, which)

    def _undo_step(self, number: int) -> None:
        unsure, earlier, replaced = self.steps.pop(number)
        again = self.session.history.answers.get(number + 2)
        if again is not None and again.revision == number:
            self.standing.pop(number + 2, None)
        for old, answer in replaced.items():
            self.standing[old] = answer
            given = self.session.history.answers[old]
            tab = self.session.history.asked[given.question_id].tab
            if given.revision is None:
                self.done[old] = ("answer", old, (given.annotator, tab))
        for item, said in earlier.items():
            now = self.session.history.unsure.get(item)
            if said is not None and now == said:
                self.unsure.add(item)
                if said.number not in self.steps:
                    self.done[said.number] = ("unsure", item, (said.annotator, said.tab))
            elif unsure and now is None:
                self.unsure.discard(item)
