"""The app for a labelling, in a thread of the caller's process, to this machine alone.

The same page and the same service as ``askless label`` has; only the model is the caller's, so it
is fitted in a thread here and not in another process. What was in memory alone lies in a private
folder from then on, which is removed at the end.
Imported by `askless.labelling.labelling`; tested in tests/labelling/test_serving.py.
"""

from __future__ import annotations

import shutil
import tempfile
import threading
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from askless.app.adaptive_planning import AdaptivePlanning
from askless.app.given_model import GivenModel
from askless.app.names import Names
from askless.app.service import LabellingService
from askless.app.settings import SettingsFile
from askless.assemble import Method, OpenSession
from askless.assemble.method import WRONG_LABEL_S
from askless.errors import AsklessError, InvalidInput
from askless.pools import OpenedPool
from askless.trainer.in_thread import ThreadTrainer


@dataclass(eq=False, slots=True)
class Served:
    """An app that is being served.

    Parameters
    ----------
    service
        Where the labelling is done.
    link
        What to open in a browser.
    """

    service: LabellingService
    link: str
    _method: Method
    _stopping: threading.Event
    _thread: threading.Thread
    _trainer: ThreadTrainer | None

    def stop(self) -> OpenSession:
        """End it; the session goes on as it was before."""
        self._stopping.set()
        self._thread.join()
        opened = self.service.release()
        if self._trainer is not None:
            self._trainer.close()
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


def serve_labelling(
    pool: OpenedPool,
    names: Names,
    annotator: str,
    notices: Sequence[str],
    opened: OpenSession,
    folder: Path,
    *,
    port: int | None,
    browser: bool,
) -> Served:
    """Serve it; returns once the page can be opened.

    Parameters
    ----------
    pool, names, annotator, notices
        As for `askless.labelling.labelling.Labelling`.
    opened, folder
        Its session, and where that is.
    port, browser
        As for `askless.web.server.serve`.
    """
    method = opened.method
    settings = SettingsFile(folder)
    settings.change(positive=names.positive, negative=names.negative, confirmed=True)
    planning = AdaptivePlanning(
        annotator, wrong_label_s=WRONG_LABEL_S, informed=pool.probs is not None
    )
    service = LabellingService(pool, opened, settings, annotator, planning, notices)
    trainer = None if opened.trainer is None else ThreadTrainer(opened.trainer)
    if trainer is not None:
        service.preparation = GivenModel(trainer)
        with service.lock:
            service.session.use(trainer=trainer)
    stopping, thread, link = _start(service, port, browser)
    return Served(service, link, method, stopping, thread, trainer)


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
