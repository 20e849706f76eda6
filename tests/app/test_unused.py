"""A session in which nobody has said anything begins anew when it is started otherwise."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from askless.app.opening import open_service
from askless.app.terms import Terms
from askless.core.question import Question
from askless.errors import InvalidInput


@pytest.fixture
def table(tmp_path: Path) -> Path:
    made = tmp_path / "t.csv"
    made.write_text("by,review,stars\na,good soup,1\nb,bad soup,0\nc,no soup,0\n")
    return made


def test_naming_the_right_column_begins_anew_and_keeps_what_was_typed(table: Path) -> None:
    folder = table.with_name("s")
    with closing(open_service(table, folder, {}, learn=False)) as service:
        service.name("praise", None)
        service.define("The guest was content.")
        service.pin(1, pinned=True)
        assert service.ask("tab") is not None
        (hint,) = service.notices
        assert f"askless label {table} --text review" in hint
    for _ in range(2):  # the second time it goes on
        with closing(open_service(table, folder, {"text": "review"}, learn=False)) as service:
            assert (service.pool.kind, service.pool.text(0)) == ("texts", "good soup")
            assert service.session.history.definitions == ["The guest was content."]
            assert (service.names.many(True), service.settings.current.confirmed) == (
                "praise",
                True,
            )
            assert service.settings.current.pinned == ()


def test_labels_and_probabilities_of_the_source_are_no_answers_of_people(table: Path) -> None:
    folder = table.with_name("s")
    options = {"text": "review", "label": "stars"}
    open_service(table, folder, options, learn=False).close()
    with closing(open_service(table, folder, {"prob": "stars"}, learn=False)) as service:
        assert service.pool.probs is not None
        assert service.session.state.n_settled == 3


@pytest.mark.parametrize("said", ["answer", "unsure"])
def test_whatever_was_said_is_kept(table: Path, said: str) -> None:
    folder = table.with_name("s")
    with closing(open_service(table, folder, {}, Terms(annotator="ann"), learn=False)) as service:
        if said == "answer":
            service.session.tell(None, Question((0,), (True,)).yes(), "k", "ann")
        else:
            service.session.unsure(0, annotator="ann", key="k")
    with pytest.raises(InvalidInput, match="begun with no options; got --text review"):
        open_service(table, folder, {"text": "review"}, learn=False)
    with closing(open_service(table, folder, {}, learn=False)) as service:
        assert service.pool.kind == "rows"


def test_nothing_is_removed_if_the_source_cannot_be_opened_so(table: Path) -> None:
    folder = table.with_name("s")
    open_service(table, folder, {}, learn=False).close()
    with pytest.raises(InvalidInput, match="There is no column 'words'"):
        open_service(table, folder, {"text": "words"}, learn=False)
    with closing(open_service(table, folder, {}, learn=False)) as service:
        assert service.pool.kind == "rows"
