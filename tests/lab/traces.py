"""A trace read back from its file."""

from __future__ import annotations

import json
from pathlib import Path

from askless.core.json_form import answer_from
from askless.lab.trace import Step, Trace


def read_trace(path: Path) -> Trace:
    header, *lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    steps = [
        Step(line["question"], answer_from(line), line["settled"], line["probs"]) for line in lines
    ]
    return Trace(header["items"], tuple(steps), header["about"])
