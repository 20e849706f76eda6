"""A real nginx in front of the app, over TLS, on loopback."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any, Final, Self

from tests.browser.serving import free_port

_PLACES: Final = (os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin")
NGINX: Final = shutil.which("nginx", path=os.pathsep.join(_PLACES))
_CERTIFICATE: Final = [
    "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
    "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost",
]  # fmt: skip


class Nginx:
    """nginx, which serves an app below a path, and pages of another site.

    Parameters
    ----------
    folder
        For its files; made if it is not there.
    path
        What the addresses of the app begin with.

    Attributes
    ----------
    address
        Where people reach the app.
    other_site
        Another site, which serves what lies in `pages`.
    """

    def __init__(self, folder: Path, path: str = "/askless") -> None:
        self._folder = folder
        self._path = path
        self.port = free_port()
        self._other = free_port()
        self.app_port = free_port()
        self.address = f"https://127.0.0.1:{self.port}{path}"
        self.other_site = f"https://localhost:{self._other}"
        self.pages = folder / "pages"
        self.pages.mkdir(parents=True)
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        certificate = ["-keyout", "key.pem", "-out", "cert.pem"]
        subprocess.run(
            [*_CERTIFICATE, *certificate], cwd=self._folder, check=True, capture_output=True
        )
        (self._folder / "nginx.conf").write_text(self._configuration())
        assert NGINX is not None
        command = [NGINX, "-p", str(self._folder), "-c", "nginx.conf", "-e", "error.log"]
        subprocess.run([*command, "-t"], check=True, capture_output=True)
        self._process = subprocess.Popen(command)
        while not (self._folder / "nginx.pid").exists():
            assert self._process.poll() is None, (self._folder / "error.log").read_text()
            time.sleep(0.05)
        return self

    def __exit__(self, *_: Any) -> None:
        assert self._process is not None
        self._process.terminate()
        self._process.wait(60)

    def _configuration(self) -> str:
        """The site of docs/deploying.md, with what nginx needs to run from a folder of its own."""
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        temporary = "\n".join(f"  {kind}_temp_path {self._folder}/{kind};" for kind in kinds)
        user = "user root;" if os.geteuid() == 0 else ""  # or it could not read its own pages
        return f"""
{user}
daemon off;
pid nginx.pid;
worker_processes 1;
events {{ worker_connections 256; }}
http {{
  access_log off;
{temporary}
  ssl_certificate {self._folder}/cert.pem;
  ssl_certificate_key {self._folder}/key.pem;
  server {{
    listen 127.0.0.1:{self.port} ssl;
    location {self._path}/ {{
      proxy_pass http://127.0.0.1:{self.app_port};
      proxy_set_header Host $http_host;
    }}
  }}
  server {{
    listen 127.0.0.1:{self._other} ssl;
    root {self.pages};
    default_type text/html;
  }}
}}
"""
