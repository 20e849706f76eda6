"""The app for a labelling, in threads of the caller's process: for a browser here, or for a cell.

The same service as ``askless label`` has; only the model is the caller's, so it is fitted in a
thread here and not in another process. What was in memory alone lies in a private
folder from then on, which is removed at the end.
Imported by `askless.labelling.labelling`; tested in tests/labelling/test_serving.py.
"""

from __future__ import annotations

import importlib.util
import shutil
import tempfile
import threading
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from askless.app.adaptive_planning import AdaptivePlanning
from askless.app.given_model import GivenModel
from askless.app.names import Names
from askless.app.service import LabellingService
from askless.app.settings import SettingsFile
from askless.assemble import OpenSession
from askless.assemble.method import WRONG_LABEL_S
from askless.errors import AsklessError, InvalidInput, NotInstalled
from askless.pools import OpenedPool
from askless.trainer.in_thread import ThreadTrainer

if TYPE_CHECKING:
    from askless.labelling.cell import Widget
    from askless.web.in_process import InProcess


HEIGHT_PX: Final = 600
"""How high a cell is, where the notebook shows as much at once."""
LEAST_PX: Final = 420
MOST_PX: Final = 4000


class InApp:
    """A labelling that is in the app: its service, and how people come to it.

    Parameters
    ----------
    pool, names, annotator, notices
        As for `askless.labelling.labelling.Labelling`.
    opened, folder
        Its session, and where that is.
    """

    def __init__(
        self,
        pool: OpenedPool,
        names: Names,
        annotator: str,
        notices: Sequence[str],
        opened: OpenSession,
        folder: Path,
    ) -> None:
        self._method = opened.method
        settings = SettingsFile(folder)
        settings.change(positive=names.positive, negative=names.negative, confirmed=True)
        planning = AdaptivePlanning(
            annotator, wrong_label_s=WRONG_LABEL_S, informed=pool.probs is not None
        )
        self.service = LabellingService(pool, opened, settings, annotator, planning, notices)
        self.trainer = None if opened.trainer is None else ThreadTrainer(opened.trainer)
        if self.trainer is not None:
            self.service.preparation = GivenModel(self.trainer)
            with self.service.lock:
                self.service.session.use(trainer=self.trainer)
        self._link: str | None = None
        self._in_process: InProcess | None = None
        self._ends: list[Callable[[], object]] = []

    def serve(self, port: int | None, browser: bool) -> str:
        """Serve the page; its link, once it can be opened. The same one if it is served already."""
        if self._link is None:
            stopping, thread, self._link = _start(self.service, port, browser)
            self._ends += [thread.join, stopping.set]
        return self._link

    def in_process(self) -> InProcess:
        """The app for whoever is in this process already; the same one every time."""
        from askless.web.in_process import InProcess

        if self._in_process is None:
            self._in_process = InProcess(self.service)
            self._ends.append(self._in_process.close)
        return self._in_process

    def stop(self) -> OpenSession:
        """End it; the session goes on as it was before."""
        while self._ends:
            self._ends.pop()()
        opened = self.service.release()
        if self.trainer is not None:
            self.trainer.close()
            assert opened.trainer is not None  # what the thread handed everything on to
            opened.session.use(trainer=opened.trainer)
        opened.plan(self._method)
        return opened


def private_folder(owner: object) -> tuple[Path, Callable[[], object]]:
    """A folder that only this user can enter; and how to remove it before its owner is gone."""
    folder = Path(tempfile.mkdtemp(prefix="askless-"))
    return folder, weakref.finalize(owner, shutil.rmtree, folder, ignore_errors=True)


def check_port(port: object) -> None:
    """Refuse what is no port."""
    if port is not None and (type(port) is not int or not 0 <= port < 65536):
        raise InvalidInput(f"port is a whole number from 0 to 65535; got {port!r:.60}.")


def check_widget(height: object) -> None:
    """Refuse a height that is none; and everything where there is no anywidget.

    Raises
    ------
    NotInstalled
        It is not there.
    InvalidInput
        It is no such height.
    """
    if importlib.util.find_spec("anywidget") is None:
        raise NotInstalled(
            "The widget needs the package anywidget, which is not installed; install "
            "askless[notebook], or call serve() for the app in a browser."
        )
    if height is not None and (type(height) is not int or not LEAST_PX <= height <= MOST_PX):
        raise InvalidInput(
            f"height is a whole number of pixels from {LEAST_PX} to {MOST_PX}; got {height!r:.60}."
        )


def make_widget(labelling: Any, height: int | None, enter: Callable[[], InApp]) -> Widget:
    """A cell for a labelling; `enter` has it in the app, once that is known to be possible."""
    check_widget(height)
    from askless.labelling.cell import Widget

    return Widget(labelling, enter().in_process(), HEIGHT_PX if height is None else height)


def _start(
    service: LabellingService, port: int | None, browser: bool
) -> tuple[threading.Event, threading.Thread, str]:
    from askless.web.server import serve

    stopping, ready, found = threading.Event(), threading.Event(), list[str]()
    failed = list[BaseException]()

    def announce(link: str) -> None:
        found.append(link)
        ready.set()

    def work() -> None:
        try:
            serve(service, port=port, announce=announce, browser=browser, stop=stopping)
        except BaseException as error:
            failed.append(error)
        finally:
            ready.set()

    thread = threading.Thread(target=work, name="askless-serving", daemon=True)
    thread.start()
    ready.wait()
    if not found:
        thread.join()
        why = failed[0] if failed else "it ended at once"
        raise (
            why
            if isinstance(why, AsklessError)
            else AsklessError(f"The app could not be served: {why}.")
        )
    return stopping, thread, found[0]
