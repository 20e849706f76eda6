"""The bill of materials of a release: what the wheel installs, and the files of others in it.

    python tools/sbom.py ENVIRONMENT OUT

ENVIRONMENT is a virtual environment with the wheel and nothing else in it; OUT becomes a CycloneDX
document in JSON. `cyclonedx-py` lists the packages; what is added here are the files of others
that lie in askless itself (src/askless/web/static/vendor), with their checksums. Where on this
machine the wheel came from is left out.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

VENDOR = Path(__file__).parents[1] / "src" / "askless" / "web" / "static" / "vendor"
_ROW = re.compile(r"^\| `([\w-]+)/` \| (\w+)[^|]*\| ([\d.]+) \| (\w[\w.-]*)", re.MULTILINE)


def main() -> None:
    """Write it."""
    environment, out = Path(sys.argv[1]), Path(sys.argv[2])
    bill = add_vendored(_packages(environment))
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(bill, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    print(f"{out}: {len(bill['components'])} components")


def add_vendored(bill: dict[str, Any]) -> dict[str, Any]:
    """The bill with the files of others, and without paths of this machine."""
    for component in bill["components"]:
        refers = component.get("externalReferences", [])
        component["externalReferences"] = [
            one for one in refers if not one["url"].startswith("file:")
        ]
    return {**bill, "components": [*bill["components"], *vendored()]}


def vendored() -> list[dict[str, Any]]:
    """The files of others, one component a folder."""
    rows = _ROW.findall((VENDOR / "README.md").read_text(encoding="utf-8"))
    return [
        {
            "type": "library",
            "bom-ref": f"vendored-{folder}",
            "name": name,
            "version": version,
            "licenses": [{"license": {"id": licence}}],
            "components": [
                {
                    "type": "file",
                    "name": path.name,
                    "hashes": [
                        {
                            "alg": "SHA-256",
                            "content": hashlib.sha256(path.read_bytes()).hexdigest(),
                        }
                    ],
                }
                for path in sorted((VENDOR / folder).iterdir())
            ],
        }
        for folder, name, version, licence in rows
    ]


def _packages(environment: Path) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        listed = Path(folder) / "bill.json"
        command = [sys.executable, "-m", "cyclonedx_py", "environment", str(environment)]
        subprocess.run([*command, "--output-file", str(listed)], check=True)
        found = json.loads(listed.read_text(encoding="utf-8"))
    found["components"] = [
        one for one in found["components"] if one["name"] not in ("pip", "setuptools")
    ]
    return dict(found)


if __name__ == "__main__":
    main()
