"""The page's own files: what can be told of them without a browser."""

import hashlib
import re

from askless.web.app import STATIC


def test_files_of_others_are_as_published() -> None:
    vendor = STATIC / "vendor"
    stated = re.findall(r"\| `(\S+)` \| `([0-9a-f]{64})` \|", (vendor / "README.md").read_text())
    found = {
        str(path.relative_to(vendor)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in vendor.glob("*/*")
    }
    assert dict(stated) == found


def test_every_event_that_is_told_has_a_listener_and_is_listed() -> None:
    scripts = "".join(path.read_text() for path in (STATIC / "js").rglob("*.js"))
    told = set(re.findall(r"\btell\(\"(\w+)\"", scripts))
    told |= set(re.findall(r"\bupdate\(\"(\w+)\"", scripts))
    listened = set(re.findall(r"\bhear\(\"(\w+)\"", scripts))
    listed = re.search(r"What there is to hear of:\n(.*?)\*/", scripts, re.DOTALL)
    assert listed is not None
    names = re.findall(r"^ \*   ([a-z, ]+?)  ", listed[1], re.MULTILINE)
    assert {name for line in names for name in line.split(", ")} == told
    assert listened <= told


def test_every_script_that_is_imported_is_there() -> None:
    for path in (STATIC / "js").rglob("*.js"):
        for name in re.findall(r'from "(\.[^"]+)"', path.read_text()):
            assert (path.parent / name).is_file(), f"{path.name} imports {name}"
