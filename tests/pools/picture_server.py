"""A real server of pictures on loopback, with what servers can do wrong."""

from __future__ import annotations

import io
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from PIL import Image


def png(red: int) -> bytes:
    """A small picture."""
    file = io.BytesIO()
    Image.new("RGB", (8, 6), (red, 0, 0)).save(file, "PNG")
    return file.getvalue()


class PictureServer:
    """What it was asked for, and where it is.

    Attributes
    ----------
    origin
        Its address.
    asked
        The paths of all requests.
    onwards
        Where ``/onwards`` leads.
    """

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.onwards = ""
        served = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                served.asked.append(self.path)
                self._answer()

            def _answer(self) -> None:
                name = self.path.partition("?")[0]
                if name == "/onwards":
                    self._head(302, Location=served.onwards)
                elif name == "/round":
                    self._head(302, Location="/round")
                elif name == "/large":
                    self._head(200, **{"Content-Length": str(10**12)})
                elif name == "/endless":
                    self._head(200)
                    for _ in range(2000):
                        self.wfile.write(b"x" * 2**16)
                elif name == "/slow":
                    for _ in range(600):  # a header that drips
                        self.wfile.write(b"H")
                        time.sleep(0.1)
                elif name == "/dripping":
                    self._head(200)
                    self.wfile.write(png(1))
                    for _ in range(600):
                        self.wfile.write(b"x")
                        time.sleep(0.1)
                elif name == "/words":
                    self.wfile.write(b"\x1b]0;owned\x07\x1b[31m\r\n\r\n")
                elif name == "/cut":
                    self._head(200, **{"Content-Length": "1000"})
                    self.wfile.write(b"\x89PNG")
                elif name == "/packed":
                    self._head(200, **{"Content-Encoding": "gzip"})
                elif name == "/page":
                    self._head(200)
                    self.wfile.write(b"<script>alert(1)</script>")
                elif name.endswith(".png"):
                    self._head(200)
                    self.wfile.write(png(int(name.rpartition("/")[2][:-4])))
                else:
                    self._head(404)

            def _head(self, status: int, **headers: str) -> None:
                self.send_response(status)
                for key, value in headers.items():
                    self.send_header(key, value)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_: object) -> None:
                """Whoever fetches hangs up early; that is their right."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self.port = self._server.server_address[1]
        self.origin = f"http://127.0.0.1:{self.port}"

    @contextmanager
    def running(self) -> Iterator[PictureServer]:
        """While it answers."""
        thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        thread.start()
        yield self
        self._server.shutdown()
        self._server.server_close()
        thread.join()
