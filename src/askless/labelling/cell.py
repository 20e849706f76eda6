"""The widget: the app's question in a cell of a notebook, with no server and no port.

    w = askless.widget(df, text="review", positive="praise", negative="complaints")
    w               # answer there, by keys, clicks or touch
    w.labels()      # in the next cell

The cell runs the page's own scripts (`askless.labelling.widget_module`); its requests are messages
of the widget, answered by the app's own routes in this process (`askless.web.in_process`).
Needs the extra ``notebook``. Tested in tests/labelling/test_cell.py, and in a real JupyterLab in
tests/browser/test_widget.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Protocol

import anywidget
import traitlets

from askless.errors import Refused
from askless.labelling.widget_module import widget_module
from askless.session.progress import Progress
from askless.web.in_process import InProcess, Reply
from askless.web.problems import problem

_ID: Final = 100
"""So many characters name a request at most."""


class LabelsSoFar(Protocol):
    """What a cell needs of `askless.labelling.labelling.Labelling`."""

    @property
    def progress(self) -> Progress:
        """How far it is."""
        ...

    def labels(self) -> Any:
        """The labels."""
        ...

    def close(self) -> None:
        """Let go of everything."""
        ...


class Widget(anywidget.AnyWidget):
    """A labelling in a cell; made by `askless.widget` and `Labelling.widget`.

    Parameters
    ----------
    labelling
        What is asked about.
    app
        The app for it.
    height
        How high it may be, in CSS pixels.
    """

    _esm = traitlets.Unicode("").tag(sync=True)
    height = traitlets.Int().tag(sync=True)

    def __init__(self, labelling: LabelsSoFar, app: InProcess, height: int) -> None:
        super().__init__(_esm=widget_module(), height=height)
        self.labelling = labelling
        self._app = app
        self._following = False
        self.ends_labelling = False
        """Whether nobody else has the labelling: then it ends with the widget."""
        self.on_msg(self._hear)

    @property
    def progress(self) -> Progress:
        """How far it is, and how many answers may still come."""
        return self.labelling.progress

    def labels(self) -> Any:
        """The labels so far, in the caller's kind of table (`Labelling.labels`)."""
        return self.labelling.labels()

    def close(self) -> None:
        """Take it out of its cells; the labels can still be read."""
        super().close()
        if self.ends_labelling:
            self.labelling.close()

    def __repr__(self) -> str:
        return f"<Widget of {repr(self.labelling)[1:]}"

    # --- private ------------------------------------------------------------------------------

    def _hear(self, _: Any, message: Any, buffers: Sequence[Any] = ()) -> None:
        """A message from a cell; whatever is no request is not answered."""
        if not isinstance(message, dict):
            return
        if message.get("follow") is True:
            self._follow()
            return
        name, method, address, body = (
            message.get(part) for part in ("id", "method", "address", "body")
        )
        if not (isinstance(name, str) and 0 < len(name) <= _ID):
            return
        if not (isinstance(method, str) and isinstance(address, str)) or not (
            body is None or isinstance(body, str)
        ):
            self._say(name, _reply(400, "A request has a method, an address and a text or null."))
            return
        try:
            self._app.request(method, address, body, lambda reply: self._say(name, reply))
        except Refused as ended:
            self._say(name, _reply(503, str(ended)))

    def _follow(self) -> None:
        if self._following:
            return
        self._following = True
        try:
            self._app.follow(lambda event, data: self.send({"event": event, "data": data}))
        except Refused:
            self.send({"event": "ended", "data": {}})

    def _say(self, name: str, reply: Reply) -> None:
        message = {"id": name, "status": reply.status, "type": reply.media_type}
        self.send(message, buffers=[reply.content])


def _reply(status: int, sentence: str) -> Reply:
    made = problem(status, sentence)
    return Reply(status, str(made.media_type), bytes(made.body))
