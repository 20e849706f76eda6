"""The loop as one object: ask and tell, or run; the labels at any time; the app on request.

    labelling = askless.label(df, text="review", positive="praise", negative="complaints")
    labelling.run(lambda question: ...)
    df.join(labelling.labels())

It holds a session (`askless.session.session.Session`) and hands everything on to it. Made by
`askless.label`; tested in tests/labelling/test_labelling.py.
"""

from __future__ import annotations

import secrets
import threading
import warnings
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from askless.app.exporting import contents_of, names_of_both
from askless.app.names import Names
from askless.assemble import Method, OpenSession
from askless.core.question import Answer
from askless.errors import InvalidInput, Refused
from askless.exports.contents import Contents, ExportOptions
from askless.labelling.answering import answer_of, asker_of
from askless.labelling.caller_table import CallerIds, labels_like
from askless.labelling.question import ShownQuestion, UnsureAbout, several
from askless.pools import OpenedPool
from askless.session.progress import Progress
from askless.session.session import Session

if TYPE_CHECKING:
    from askless.labelling.cell import Widget
    from askless.labelling.serving import InApp

_ACCEPTED: Final = ExportOptions(accepted=True)


class Labelling(AbstractContextManager["Labelling"]):
    """One source on its way to labels; made by `askless.label`.

    Parameters
    ----------
    data
        What the caller gave.
    pool
        Its items.
    opened
        The session.
    names
        What the labels are called.
    annotator
        Who answers.
    folder
        Where it is kept; None for memory alone.
    notices
        What the caller ought to know.
    """

    def __init__(
        self,
        data: Any,
        pool: OpenedPool,
        opened: OpenSession,
        names: Names,
        annotator: str,
        folder: Path | None = None,
        notices: Iterable[str] = (),
    ) -> None:
        self._data = data
        self.pool = pool
        self.names = names
        self.annotator = annotator
        self.folder = folder
        self.notices = tuple(notices)
        self._opened = opened
        self._where = folder
        self._remove: Callable[[], object] | None = None
        self._called = CallerIds(pool)
        self._lock: Any = threading.RLock()
        self._in_app: InApp | None = None
        self._failure: str | None = None
        self._asked: ShownQuestion | None = None

    # --- reading ------------------------------------------------------------------------------

    @property
    def session(self) -> Session:
        """The session behind it, for everything that is not here."""
        return self._opened.session if self._in_app is None else self._in_app.service.session

    @property
    def method(self) -> Method:
        """How questions are chosen."""
        return self._opened.method

    @property
    def done(self) -> bool:
        """Whether nothing is left to ask, or what was promised holds."""
        with self._lock:
            standing = self.session.standing()
            return self.session.state.done or (standing is not None and standing.enough)

    @property
    def progress(self) -> Progress:
        """How far it is, and how many answers may still come."""
        with self._lock:
            self.session.refresh()
            return self.session.progress()

    def labels(self) -> Any:
        """The labels so far: what the answers entail, and what is believed of the rest.

        Returns a table of the kind that was given, one row for each of its rows and, of pandas, on
        its index; for any other source a mapping of columns, which every library makes a table of.
        Columns as in the exports: ``label`` by name, None where nothing is known; ``certain``,
        which an accepted one is not (`enough`); ``how`` it was settled; ``probability`` of the
        positive label.
        """
        return labels_like(self._data, self._contents())

    def to_dataset(self) -> Any:
        """The source with the labels so far, as a `datasets.Dataset` of Hugging Face.

        A dataset that was given keeps its columns and features; the columns of `labels` stand
        behind them, ``label`` as a `ClassLabel`. Needs the package ``datasets``.
        """
        from askless.labelling.dataset import to_dataset

        return to_dataset(self._data, self._contents())

    def export(
        self,
        path: str | Path,
        as_: str | None = None,
        *,
        guess_above: float | None = None,
        accepted: bool = True,
        overwrite: bool = False,
    ) -> list[str]:
        """Write the labels so far into a file for others, as ``askless export`` does.

        Parameters
        ----------
        path
            A new file, or a new folder.
        as_
            The format, such as ``csv``, ``label-studio`` or ``coco``; None to go by the suffix.
        guess_above
            Write the likelier label of open items too, as a guess, where it is likelier than this.
        accepted
            Whether accepted labels (`enough`) are written as labels.
        overwrite
            Whether a file that is there already is replaced.

        Returns what there is to say about the file, in sentences.
        """
        from askless.labelling.exporting import export_labels

        return export_labels(
            self._data, self._contents, path, as_, guess_above, accepted, overwrite
        )

    # --- asking and telling -------------------------------------------------------------------

    def ask(self) -> ShownQuestion | None:
        """The next question; the same one until it is answered. None when nothing is left."""
        with self._lock:
            self.session.refresh()
            asked = self.session.ask(self.annotator)
            self._asked = None
            if asked is not None:
                self._asked = ShownQuestion(asked, self.pool, self.names, self._called)
            return self._asked

    def tell(
        self,
        yes: bool | None = None,
        *,
        wrong: Iterable[Any] | None = None,
        unsure: Iterable[Any] | None = None,
    ) -> None:
        """Answer the question that was asked last.

        Parameters
        ----------
        yes
            True if all guesses are right, False if at least one is wrong.
        wrong
            The ids of the wrong ones; all others are right.
        unsure
            The ids of items that nobody can tell; the rest is answered by `yes` or `wrong`, or is
            asked again if neither is given.

        Raises
        ------
        Refused
            Nothing was asked.
        InvalidInput
            It says nothing, or two things, or names what is not in the question.
        """
        with self._lock:
            question = self._asked
            if question is None:
                raise Refused("An answer is to a question; call ask() first.")
            silent = yes is None and wrong is None and unsure is None
            if silent or (yes is not None and wrong is not None):
                raise InvalidInput(
                    "Tell one thing: yes=True, yes=False, or wrong=[ids]; and unsure=[ids] beside "
                    f"it or alone. Got yes={yes!r:.20}, wrong={wrong!r:.40}, unsure={unsure!r:.40}."
                )
            if unsure is not None:
                question = self._set_aside(question, several(unsure))
            if question is None or (yes is None and wrong is None):
                return
            said = yes if wrong is None else several(wrong)
            self._tell(question, answer_of(question, said))

    def undo(self) -> ShownQuestion | None:
        """Take back what was told last, and ask it again."""
        with self._lock:
            asked = self.session.undo(self.annotator)
            self._asked = None
            if asked is not None:
                self._asked = ShownQuestion(asked, self.pool, self.names, self._called)
            return self._asked

    def run(self, annotator: Any, *, max_questions: int | None = None) -> Progress:
        """Ask until nothing is left, or it is enough, and have a function answer.

        Parameters
        ----------
        annotator
            A function of a question (`ShownQuestion`), or an object with such a method, ``answer``.
            It returns True (all are right), False (at least one is wrong), a list of the ids of the
            wrong ones, or ``question.unsure(ids)``. If it raises, what was answered is kept.
        max_questions
            Stop after so many questions.
        """
        answer = asker_of(annotator)
        if max_questions is not None and (
            isinstance(max_questions, bool) or not isinstance(max_questions, int)
        ):
            raise InvalidInput(f"max_questions is a whole number; got {max_questions!r:.60}.")
        count = 0
        while count != max_questions and not self.done and (question := self.ask()) is not None:
            said = answer_of(question, answer(question))
            count += 1
            if isinstance(said, Answer):
                self._tell(question, said)
            else:
                self._set_aside(question, said.ids)
        return self.progress

    # --- the app, and the end -----------------------------------------------------------------

    def serve(self, *, port: int | None = None, browser: bool = False) -> str:
        """Serve the app for it, to this machine alone, in a thread; its link.

        Questions are fitted to the person as in the app, until `stop`. What is in memory alone is
        kept in a private folder from now on, until `close`.

        Parameters
        ----------
        port
            Where; None for a free one.
        browser
            Whether to open the page, if there is a display.
        """
        from askless.labelling.serving import check_port

        check_port(port)
        with self._lock:
            return self._enter_app().serve(port, browser)

    def widget(self, *, height: int | None = None) -> Widget:
        """The question in a cell of a notebook: the same page, with no server and no port.

        Needs the extra ``notebook``. Questions are fitted to the person as in the app, until
        `stop`. What is in memory alone is kept in a private folder from now on, until `close`.

        Parameters
        ----------
        height
            How high the cell may be, in CSS pixels; None for what is usual.
        """
        from askless.labelling.serving import make_widget

        with self._lock:
            return make_widget(self, height, self._enter_app)

    def stop(self) -> None:
        """End the app, in the browser and in cells; the labelling goes on."""
        if self._in_app is not None:
            ended, self._in_app = self._in_app, None
            self._opened, self._lock = ended.stop(), threading.RLock()

    def close(self) -> None:
        """Let go of everything; the labels can still be read."""
        self.stop()
        self._opened.close()
        if self._remove is not None:
            self._remove()

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        at = "in memory" if self.folder is None else f"in {self.folder}"
        return f"<Labelling of {len(self.pool):,} {self.pool.kind} {at}: {self.progress}>"

    def _repr_html_(self) -> str:
        notes = "".join(f"<p>{escape(notice)}</p>" for notice in self.notices)
        return f"<p>{escape(repr(self)[1:-1])}</p>{notes}"

    # --- private ------------------------------------------------------------------------------

    def _contents(self, options: ExportOptions = _ACCEPTED) -> Contents:
        with self._lock:
            self.session.refresh()
            names = names_of_both(self.names)
            return contents_of(self.pool, self.session, names, options, self._where)

    def _enter_app(self) -> InApp:
        """The app for it, which keeps it in a folder."""
        from askless.assemble.keeping import keep_session
        from askless.labelling.serving import InApp, private_folder

        if self._in_app is None:
            if self._where is None:
                self._where, self._remove = private_folder(self)
                self._opened = keep_session(self._opened, self.pool, self._where)
            self._in_app = InApp(
                self.pool, self.names, self.annotator, self.notices, self._opened, self._where
            )
            self._lock = self._in_app.service.lock
        return self._in_app

    def _tell(self, question: ShownQuestion, answer: Answer | UnsureAbout) -> None:
        if isinstance(answer, UnsureAbout):
            self._set_aside(question, answer.ids)
            return
        with self._lock:
            self.session.tell(question.asked.id, answer, secrets.token_hex(8), self.annotator)
            self._asked = None
            self._warn_of_failure()

    def _set_aside(self, question: ShownQuestion, ids: Iterable[Any]) -> ShownQuestion | None:
        """Mark items unsure; the question about the rest, None if there is none."""
        with self._lock:
            items = self._called.items(ids, question.items)
            if not items:
                raise InvalidInput("Name at least one item that nobody can tell; got none.")
            for item in items:
                self.session.unsure(item, annotator=self.annotator)
            self._asked = None
            rest = [item for item in question.items if item not in items]
            if not rest:
                return None
            asked = self.session.queue.ask_again(question.question.about(rest), self.annotator, "")
            if asked is None or asked.question.items != tuple(rest):
                return None
            self._asked = ShownQuestion(asked, self.pool, self.names, self._called)
            return self._asked

    def _warn_of_failure(self) -> None:
        """Say once that a model could not be fitted, as soon as that is known."""
        trainer = self._opened.trainer
        failure = None if trainer is None else trainer.status().last_failure
        if failure is not None and failure != self._failure:
            self._failure = failure
            warnings.warn(f"{failure} Questions go on without it.", UserWarning, stacklevel=4)
