"""The files for a container: what they say is checked, and what they start is started.

No image is built here. The command of compose.yaml is run as it stands, with a folder of this test
for /data, and the health check of the Dockerfile is asked about it.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.browser.serving import free_port
from tests.web.served import Served
from tests.web.services import pictures

ROOT = Path(__file__).parents[1]
SECRET = "a secret of enough letters"
ADDRESS = "https://label.example.org/askless"


def _instructions() -> list[tuple[str, str]]:
    """The Dockerfile's, each with its words."""
    text = (ROOT / "Dockerfile").read_text()
    lines = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ").splitlines()
    return [(line.split()[0], line.partition(" ")[2].strip()) for line in lines if line.strip()]


def _service() -> dict[str, Any]:
    composed = yaml.safe_load((ROOT / "compose.yaml").read_text())
    (service,) = composed["services"].values()
    return dict(service)


def test_the_container_runs_as_nobody_with_a_health_check_and_volumes() -> None:
    words = dict(_instructions())
    assert words["USER"] == "10001"
    assert json.loads(words["VOLUME"]) == ["/data", "/state"]
    assert words["HEALTHCHECK"].count("/healthz") == 1
    stages = [word for name, word in _instructions() if name == "FROM"]
    python = re.search(r"requires-python = \">=([\d.]+)\"", (ROOT / "pyproject.toml").read_text())
    assert python is not None
    for stage in stages:
        found = re.match(r"python:3\.(\d+)-slim", stage)
        assert found is not None
        assert int(found[1]) >= int(python[1].partition(".")[2])


def test_the_container_can_write_to_its_volumes_alone() -> None:
    service = _service()
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["tmpfs"] == ["/tmp"]
    assert [volume.partition(":")[2] for volume in service["volumes"]] == ["/data", "/state"]
    assert all(port.startswith("127.0.0.1:") for port in service["ports"])


def test_everything_the_image_copies_is_let_through() -> None:
    copied = [word.split()[:-1] for name, word in _instructions() if name == "COPY"]
    names = {name for words in copied for name in words if not name.startswith(("--", "/"))}
    through = {
        line.removeprefix("!")
        for line in (ROOT / ".dockerignore").read_text().splitlines()
        if line.startswith("!")
    }
    assert names == through
    assert all((ROOT / name).exists() for name in names)


def test_the_command_of_the_container_starts_and_is_healthy(tmp_path: Path) -> None:
    pictures(tmp_path / "photos", 4)
    given = {"ASKLESS_SOURCE": "photos", "ASKLESS_ADDRESS": ADDRESS}
    command = [
        re.sub(r"\$\{(\w+):\?[^}]*\}", lambda found: given[found[1]], str(word))
        for word in _service()["command"]
    ]
    port = free_port()
    command = [
        word.replace("/data", str(tmp_path))
        .replace("8765", str(port))
        .replace("0.0.0.0", "127.0.0.1")
        for word in command
    ]
    check = json.loads(dict(_instructions())["HEALTHCHECK"].partition("CMD ")[2])
    check = [sys.executable, *(word.replace("8765", str(port)) for word in check[1:])]
    assert subprocess.run(check, capture_output=True).returncode != 0
    with Served(*command, cwd=tmp_path, ASKLESS_SECRET=SECRET) as served:
        assert served.link.startswith(f"{ADDRESS}/?token=a%20secret")
        assert subprocess.run(check, capture_output=True).returncode == 0


@pytest.mark.hadolint
def test_hadolint_finds_nothing_in_the_dockerfile() -> None:
    found = Path(sys.executable).with_name("hadolint")
    command = str(found) if found.exists() else shutil.which("hadolint")
    assert command is not None
    done = subprocess.run(
        [command, str(ROOT / "Dockerfile")], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.returncode) == ("", 0), done.stderr
