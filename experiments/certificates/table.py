"""The tables, made from the results and kept in the README.

``reach.json`` is not among them: what reach is measured by writes its own.
Tested in tests/experiments/test_coverage.py.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).parent
README: Final = FOLDER / "README.md"
BENCHMARKS: Final = FOLDER.parents[1] / "benchmarks" / "results"
BEGIN: Final = "<!-- {}: written by python -m experiments.certificates -->"
END: Final = "<!-- end of {} -->"
NAMES: Final = {
    "mnist": "MNIST",
    "fashion_mnist": "Fashion-MNIST",
    "sms_spam": "SMS spam",
    "htru2": "HTRU2",
}


def read(name: str, folder: Path = FOLDER) -> Any:
    """The results in a file."""
    return json.loads((folder / f"{name}.json").read_text())


def tables() -> dict[str, str]:
    """Every table by name, in Markdown."""
    coverage, baselines = read("coverage"), read("baselines")
    return {
        "coverage": _coverage(coverage),
        "naive": _naive(coverage),
        "session": _session(read("through_session")),
        "baselines": f"{_baselines(baselines)}\n\n{_recall(baselines)}",
        "speed": _speed(read("certificates", BENCHMARKS), read("checks", BENCHMARKS)),
    }


def put_in_readme(readme: Path = README) -> None:
    """Replace the tables in the README with those the results give."""
    text = readme.read_text(encoding="utf-8")
    for name, table in tables().items():
        begin, end = BEGIN.format(name), END.format(name)
        before, _, rest = text.partition(begin)
        _, _, after = rest.partition(end)
        text = f"{before}{begin}\n{table}\n{end}{after}"
    readme.write_text(text, encoding="utf-8")


def _coverage(found: dict[str, Any]) -> str:
    lines = _head(
        "adversary", "items", "wrong / allowed", "runs", "false", "of it bound", "ever rejected"
    )
    for name, one in found["adversaries"].items():
        counts = [" + ".join(map(str, one[key])) for key in ("items", "wrong")]
        share = f"{_percent(one['share'])} ± {_percent(one['standard_error'])}"
        wrong = f"{counts[1]} / {one['allowed']}"
        rejected = _percent(one["rejected_share"])
        bound = _percent(one["cut"] / one["runs"])
        lines.append(_line(name, counts[0], wrong, f"{one['runs']:,}", share, bound, rejected))
    return "\n".join(lines)


def _naive(found: dict[str, Any]) -> str:
    lines = _head("test", "runs", "false")
    for name, one in found["naive"].items():
        share = f"{_percent(one['share'])} ± {_percent(one['standard_error'])}"
        lines.append(_line(name, f"{one['runs']:,}", share))
    return "\n".join(lines)


def _session(found: dict[str, Any]) -> str:
    lines = _head("adversary", "runs", "false", "checks", "events")
    for name, one in found["settings"].items():
        counts = (one["runs"], one["false"], one["checks"], one["events"])
        lines.append(_line(name, *map(str, counts)))
    share = f"**{found['false']}**, {_percent(found['share'])}"
    lines.append(_line("**all**", f"**{found['runs']:,}**", share, "", ""))
    return "\n".join(lines)


def _baselines(found: dict[str, Any]) -> str:
    shares = list(next(iter(found["pools"].values()))["shares"])
    lines = _head("labels one by one", *(f"{100 * float(share):g} %" for share in shares))
    for pool, one in found["pools"].items():
        for way, words in (("fixed_audit", "fixed-n audit"), ("pac_labels", "PAC Labels")):
            row = [_labels(one["shares"][share][way]) for share in shares]
            lines.append(_line(f"{NAMES[pool]}: {words}", *row))
    return "\n".join(lines)


def _recall(found: dict[str, Any]) -> str:
    recalls = list(found["pools"]["sms_spam"]["recall"])
    words = [f"recall {100 * float(recall):g} %" for recall in recalls]
    lines = _head("hypergeometric stop, items read", *words)
    for pool, one in found["pools"].items():
        if "recall" in one:
            row = [_labels(one["recall"][recall]) for recall in recalls]
            lines.append(_line(NAMES[pool], *row))
    return "\n".join(lines)


def _speed(evidence: list[dict[str, Any]], session: list[dict[str, Any]]) -> str:
    lines = _head("a check with its look, CPU ms", "items", "first", "median", "slowest later")
    for one in evidence:
        kind = f"evidence alone, {one['form']}, {_strata(one['strata'])}"
        keys = ("first_check_cpu_ms", "check_cpu_ms", "slowest_check_cpu_ms")
        lines.append(_line(kind, f"{one['items']:,}", *(f"{one[key]:.2f}" for key in keys)))
    for one in session:
        parts = [one[f"{verb}_cpu_ms"] for verb in ("ask", "tell", "standing")]
        row = [f"{sum(part[at] for part in parts):.2f}" for at in range(3)]
        kind = f"through a session, {_strata(1 + one['strata'])}"
        lines.append(_line(kind, f"{one['items']:,}", *row))
    return "\n".join(lines)


def _strata(count: int) -> str:
    return "one stratum" if count == 1 else "two strata"


def _labels(one: dict[str, Any]) -> str:
    if one["labels"] is None:
        return "-"
    reached = f" ({100 * one['recall']:.0f} %)" if "recall" in one else ""
    return f"{one['labels']:,}{reached}"


def _percent(share: float) -> str:
    return f"{100 * share:.2f} %"


def _head(*names: str) -> list[str]:
    return [_line(*names), _line("---", *["--:"] * (len(names) - 1))]


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"
