"""Certificates in files: written beside labels, computed again, and found out if forged."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from askless.assemble import open_session
from askless.cli import main
from askless.errors import InvalidInput
from askless.exports import certificate_path
from askless.folder.certificates import certificate_at, certificate_bytes, read_certificate
from askless.folder.verifying import verify_session
from tests.faults.crafted_events import WRONG, payload_field
from tests.folder.test_folder import work
from tests.folder.test_verifying import check

Said = pytest.CaptureFixture[str]


@pytest.fixture
def session(tmp_path: Path) -> Path:
    work(tmp_path / "s", 2)
    check(tmp_path / "s", 2)
    return tmp_path / "s"


@pytest.fixture
def shown(session: Path) -> Path:
    found = certificate_at(session)
    assert found is not None
    path = session.parent / "labels.certificate.json"
    path.write_bytes(certificate_bytes(found))
    return path


def test_an_export_of_accepted_labels_has_its_certificate_beside_it(
    session: Path, capsys: Said
) -> None:
    out = session.parent / "my.labels.csv"
    assert main(["export", str(session), str(out), "--accepted"]) == 0
    beside = session.parent / "my.labels.certificate.json"
    assert f"Their certificate is in {beside}." in capsys.readouterr().out
    written = read_certificate(beside)
    assert written == certificate_at(session, written["events"])
    assert main(["verify", str(session), "--certificate", str(beside)]) == 0
    assert "is this session's: computed again." in capsys.readouterr().out


def test_an_export_says_what_is_proved_and_that_it_is_less_than_was_promised(
    session: Path, capsys: Said
) -> None:
    assert main(["export", str(session), str(session.parent / "labels.csv"), "--accepted"]) == 0
    said = capsys.readouterr().out
    found = certificate_at(
        session, read_certificate(session.parent / "labels.certificate.json")["events"]
    )
    assert found is not None
    assert found["says"] in said
    assert "That is less than was promised" in said


def test_no_certificate_of_an_earlier_export_stays_beside_labels_of_which_nothing_is_proved(
    session: Path, capsys: Said
) -> None:
    again = ["export", str(session), str(session.parent / "labels.csv"), "--accepted"]
    assert main(again) == 0
    beside = session.parent / "labels.certificate.json"
    assert beside.exists()
    with open_session(folder=session) as working:
        working.session.define("Otherwise.")
    assert main([*again, "--overwrite"]) == 0
    assert not beside.exists()


def test_certain_labels_alone_need_no_certificate(session: Path) -> None:
    assert main(["export", str(session), str(session.parent / "labels.csv")]) == 0
    assert not list(session.parent.glob("*.certificate.json"))


def test_a_certificate_that_is_there_is_replaced_only_if_that_is_asked_for(
    session: Path, shown: Path, capsys: Said
) -> None:
    out, before = session.parent / "labels.csv", shown.read_bytes()
    shown.write_bytes(b"mine")
    assert main(["export", str(session), str(out), "--accepted"]) == 2
    assert "labels.certificate.json is there already" in capsys.readouterr().err
    assert not out.exists()
    assert main(["export", str(session), str(out), "--accepted", "--overwrite"]) == 0
    assert shown.read_bytes() == before


@pytest.mark.parametrize(
    ("name", "beside"),
    [
        ("labels.csv", "labels.certificate.json"),
        ("labels.full.csv", "labels.certificate.json"),
        ("a.b.PARQUET", "a.b.certificate.json"),
        ("plain", "plain.certificate.json"),
        (".csv", ".csv.certificate.json"),
    ],
)
def test_a_certificate_is_called_like_its_labels(name: str, beside: str) -> None:
    assert certificate_path(Path("x") / name) == Path("x") / beside


def test_a_session_that_went_on_still_has_the_certificate_of_then(
    session: Path, shown: Path
) -> None:
    check(session, 1)
    found = verify_session(session, shown)
    assert found.sound
    assert found.certificate is not None
    assert found.certificate["events"] > read_certificate(shown)["events"]
    assert found.certificate["claims"] == 2


def test_verify_computes_the_certificate_from_the_events_and_prints_it(
    session: Path, capsys: Said
) -> None:
    main(["verify", str(session)])
    assert "were drawn uniformly at random without replacement" in capsys.readouterr().out
    main(["verify", str(session), "--json"])
    assert json.loads(capsys.readouterr().out)["certificate"] == certificate_at(session)


FORGED: list[tuple[str, Any]] = [
    ("left_at_most", 0),
    ("holds", True),
    ("seed", "0" * 32),
    ("events_sha256", "0" * 64),
    ("claim_sha256", "0" * 64),
    ("confidence", 0.9999),
    ("settled", 10**400),
    ("checks", None),
    ("more", "than there is"),
    ("says", "No label is wrong."),
]


@pytest.mark.parametrize(("field", "value"), FORGED, ids=[field for field, _ in FORGED])
def test_a_number_that_somebody_has_changed_is_found(
    field: str, value: Any, session: Path, shown: Path, capsys: Said
) -> None:
    whole = json.loads(shown.read_text())
    whole["certificate"][field] = value
    shown.write_text(json.dumps(whole))
    assert main(["verify", str(session), "--certificate", str(shown)]) == 1
    said = capsys.readouterr().out
    assert f"The certificate says {field} " in said
    assert "NOT sound" in said


@pytest.mark.parametrize(
    ("change", "sound"),
    [
        (lambda says: says.replace("At most", "Not more than"), True),
        (lambda says: says.replace("95", "99"), False),
        (lambda says: "No label is wrong.", False),
        (lambda says: f"{says} In truth at most 1.", False),
        (lambda says: [says], False),
    ],
    ids=["reworded", "surer", "without figures", "one more", "no text"],
)
def test_a_sentence_of_another_version_has_the_same_figures(
    change: Callable[[str], object], sound: bool, session: Path, shown: Path
) -> None:
    whole = json.loads(shown.read_text())
    whole["certificate"]["says"] = change(whole["certificate"]["says"])
    shown.write_text(json.dumps(whole))
    assert not verify_session(session, shown).sound, "this version writes it word for word"
    whole["certificate"]["askless"] = "99.0"
    shown.write_text(json.dumps(whole))
    assert verify_session(session, shown).sound == sound


@pytest.mark.parametrize("events", [0, -5, 3, 10**30])
def test_a_certificate_of_another_moment_is_found(events: int, session: Path, shown: Path) -> None:
    whole = json.loads(shown.read_text())
    whole["certificate"]["events"] = events
    shown.write_text(json.dumps(whole))
    (finding,) = verify_session(session, shown).findings
    assert "nothing was proved in this session" in finding


def test_a_certificate_of_another_session_is_found(session: Path, shown: Path) -> None:
    other = session.parent / "other"
    work(other, 2)
    check(other, 1)
    assert verify_session(other, shown).findings


BAD: dict[str, Callable[[], bytes]] = {
    "empty": lambda: b"",
    "no JSON": lambda: b"{",
    "deep": lambda: b"[" * 100_000,
    "a list": lambda: b'{"certificate": [1]}',
    "a number": lambda: b"7",
    "a later format": lambda: b'{"certificate": {"format": 99, "events": 3}}',
    "no whole number": lambda: b'{"certificate": {"format": 1, "events": true}}',
    "large": lambda: b" " * (1 << 21),
    "not UTF-8": lambda: b'{"certificate": "\xff"}',
}


@pytest.mark.parametrize("what", BAD)
def test_what_is_no_certificate_is_refused_in_a_sentence(
    what: str, session: Path, capsys: Said
) -> None:
    path = session.parent / "c.json"
    path.write_bytes(BAD[what]())
    with pytest.raises(InvalidInput, match="A certificate is a JSON file of format 1"):
        read_certificate(path)
    assert main(["verify", str(session), "--certificate", str(path)]) == 2
    assert main(["verify", str(session), "--certificate", str(path.with_name("none"))]) == 2


def test_folders_and_zip_files_have_the_certificate_inside(tmp_path: Path) -> None:
    from askless.exports import export
    from askless.exports.contents import ExportOptions
    from tests.exports.test_accepted import CLAIMED
    from tests.exports.test_picture_folder import IDS, Pictures

    for name in ("folders", "huggingface"):
        contents = Pictures(IDS, ExportOptions(accepted=True), CLAIMED)
        contents.certificate = b"{}"
        export(contents, tmp_path / name, name)
        assert (tmp_path / name / "certificate.json").read_bytes() == b"{}"
        export(contents, tmp_path / f"{name}.zip", name)
        with zipfile.ZipFile(tmp_path / f"{name}.zip") as packed:
            assert packed.read("certificate.json") == b"{}"


_FIELDS = [
    "promise", "guesses", "checksum", "seed", "alpha", "expected", "form", "strata", "trust",
    "doubts",
]  # fmt: skip


@pytest.mark.parametrize("field", _FIELDS)
def test_a_session_whose_claim_says_anything_ends_in_a_sentence(
    field: str, session: Path, capsys: Said
) -> None:
    """As whoever crafts a folder can: the checksums of the events fit."""
    for name in ("a huge number", "null", "an object", "a text of control characters"):
        crafted = session.parent / f"{field} {name}"
        shutil.copytree(session, crafted)
        payload_field("claimed", field, WRONG[name])(crafted)
        out = crafted / "labels.csv"
        codes = [
            main(["verify", str(crafted)]),
            main(["export", str(crafted), str(out), "--accepted"]),
        ]
        said = capsys.readouterr()
        assert "Traceback" not in said.err, name
        assert set(codes) <= {0, 1, 2}, name
        taken = codes[0] == 0  # a number that may be, such as an expected one, is another claim's
        assert taken or not (crafted / "labels.certificate.json").exists(), name


def test_promises_of_huge_numbers_in_a_claim_are_refused_or_mean_nothing(
    session: Path, capsys: Said
) -> None:
    for number, promise in enumerate(
        [
            {"kind": "count", "value": 10**18, "confidence": 0.95},
            {"kind": "count", "value": 1e308, "confidence": 0.95},
            {"kind": "all", "value": 5e-324, "confidence": 0.95},
            {"kind": "all", "value": 0.5, "confidence": 1 - 2**-53},
            {"kind": "recall", "value": 5e-324, "confidence": 0.95},
        ]
    ):
        crafted = session.parent / str(number)
        shutil.copytree(session, crafted)
        payload_field("claimed", "promise", json.dumps(promise))(crafted)
        main(["verify", str(crafted), "--json"])
        said = capsys.readouterr()
        assert "Traceback" not in said.err
        found = json.loads(said.out)
        certificate = found["certificate"]
        assert certificate is None or certificate["left_at_most"] <= certificate["accepted"]
