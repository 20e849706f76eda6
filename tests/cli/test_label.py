"""`askless label`: what it refuses, what it prints; the app itself is tested in tests/web."""

import json
import sys
from contextlib import closing
from pathlib import Path

import pytest

from askless.app.opening import open_service, session_folder
from askless.app.terms import Terms
from askless.assemble import read_session
from askless.cli import main
from askless.exports import EXPORTERS
from askless.files.user_cache import cache_size
from askless.folder.reading import cache_key
from askless.folder.verifying import verify_session
from tests.web.services import client_of, get, key, label_all, pictures, post, service_on


@pytest.fixture(autouse=True)
def _ends_soon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DISPLAY", raising=False)


def _begin_and_answer(source: str, options: dict[str, str]) -> None:
    with closing(open_service(source, session_folder(source), options, learn=False)) as service:
        service.session.unsure(0, annotator="me")


def _refusal(capsys: pytest.CaptureFixture[str], *args: str | Path) -> str:
    assert main([str(arg) for arg in args]) == 2
    said = capsys.readouterr()
    assert "Traceback" not in said.err
    assert len(said.err.splitlines()) == 1
    return said.err


def test_a_source_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert "There is no nowhere" in _refusal(capsys, "label", "nowhere")
    assert not Path("nowhere.askless").exists()


@pytest.mark.parametrize("source", ["", " ", "circle", "x" * 5000])
def test_what_can_be_no_source_is_refused_in_a_sentence(
    source: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("circle").symlink_to("circle")
    assert "is the name of none" in _refusal(capsys, "label", source)


def test_a_source_with_nothing_beside_it_needs_a_name_for_its_session(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert "name a folder for it with --session" in _refusal(capsys, "label", "/")


def test_an_empty_folder_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    Path("empty").mkdir()
    assert "nothing to label" in _refusal(capsys, "label", "empty")
    assert not Path("empty.askless").exists()


def test_other_columns_than_the_session_began_with_are_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("t.csv").write_text("review,stars\ngood,1\nbad,0\n")
    _begin_and_answer("t.csv", {})
    said = _refusal(capsys, "label", "t.csv", "--text", "stars")
    assert "None of the items of the session" in said
    assert "begun with no options; got --text stars" in said
    service = open_service("t.csv", session_folder("t.csv"), {}, learn=False)
    assert not service.notices
    service.close()


def test_whole_rows_are_told_from_a_column_of_words() -> None:
    Path("t.csv").write_text("review,stars,by\ngood,1,a\nbad,0,b\n")
    for options, hinted in (({}, True), ({"text": "review"}, False)):
        folder = session_folder(f"{hinted}.csv")
        with closing(open_service("t.csv", folder, options, learn=False)) as service:
            assert any("--text" in line for line in service.notices) is hinted


def test_rows_are_copies_only_if_all_that_is_shown_is_the_same() -> None:
    Path("t.csv").write_text("said,before\nok,1\nno,2\nok,3\nok,1\n")
    for show, copies in ((["before"], {0: ("4",)}), ([], {0: ("3", "4")})):
        options = {"text": "said", "show": show}
        with closing(open_service("t.csv", Path(f"{len(show)}"), options, learn=False)) as service:
            assert dict(service.pool.copies) == copies


def test_other_columns_shown_than_the_session_began_with_are_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("t.csv").write_text("said,before\nok,1\nok,3\n")
    _begin_and_answer("t.csv", {"text": "said"})
    said = _refusal(capsys, "label", "t.csv", "--show", "before")
    assert "begun with --text said; got --text said --show before" in said


def test_options_of_before_need_not_be_said_again() -> None:
    Path("t.csv").write_text("review,stars,note\ngood,1,x\nbad,0,y\n")
    open_service("t.csv", session_folder("t.csv"), {"text": "review"}, learn=False).close()
    service = open_service("t.csv", session_folder("t.csv"), {"label": "stars"}, learn=False)
    assert service.pool.text(0) == "good"
    assert service.session.state.n_settled == 2
    service.close()


def test_probabilities_that_come_too_late_are_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("t.csv").write_text("text,prob\ngood,0.9\nbad,0.2\n")
    _begin_and_answer("t.csv", {})
    said = _refusal(capsys, "label", "t.csv", "--prob", "prob")
    assert "keeps the probabilities it was begun with" in said
    assert "Leave --prob out" in said


def test_a_source_named_in_place_of_its_session_gets_a_hint(
    capsys: pytest.CaptureFixture[str],
) -> None:
    pictures(Path("p"), 2)
    assert "begin one with askless label" in _refusal(capsys, "status", "p")
    open_service("p", session_folder("p"), {}, learn=False).close()
    assert "labels it is p.askless" in _refusal(capsys, "verify", "p")


def test_a_session_that_forgot_its_source_asks_for_it(capsys: pytest.CaptureFixture[str]) -> None:
    pictures(Path("p"), 2)
    open_service("p", session_folder("p"), {}, learn=False).close()
    assert main(["forget", "p.askless", "--yes"]) == 0
    capsys.readouterr()
    said = _refusal(capsys, "label", "p.askless")
    assert "name them too: askless label SOURCE --session p.askless" in said


def test_a_session_that_was_moved_with_its_source_is_taken_up(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("old").mkdir()
    pictures(Path("old/p"), 2)
    open_service("old/p", session_folder("old/p"), {}, learn=False).close()
    Path("old").rename("new")
    opened: list[str] = []
    monkeypatch.setattr(
        "askless.cli.serving.serve_session", lambda source, *_, **__: opened.append(source)
    )
    assert main(["label", "new/p.askless"]) == 0
    assert opened == [str(Path("new/p").resolve())]
    Path("new/p").rename("new/q")
    said = _refusal(capsys, "label", "new/p.askless")
    assert "which is gone; say where" in said
    assert "askless label SOURCE --session new/p.askless" in said


def test_a_new_name_for_the_label_is_told() -> None:
    pictures(Path("p"), 2)
    for name, told in (("cats", 0), ("cats", 0), ("dogs", 1)):
        service = open_service("p", session_folder("p"), {}, Terms(name), learn=False)
        assert len(service.notices) == told
        service.close()


def test_a_name_said_again_leaves_the_other_as_it_was() -> None:
    pictures(Path("p"), 2)
    for terms in (Terms("a cat|cats", "dogs"), Terms("a cat|cats"), Terms()):
        service = open_service("p", session_folder("p"), {}, terms, learn=False)
        assert service.names.many(False) == "dogs"
        service.close()


@pytest.mark.parametrize("negative", ["cat", " Cat ", "CAT|cats", "a cat|CAT", "\uff43at"])
def test_two_labels_with_one_name_are_refused(
    capsys: pytest.CaptureFixture[str], negative: str
) -> None:
    pictures(Path("p"), 2)
    args = ("label", "p", "--positive", "a cat|cat", "--negative", negative)
    assert "need different names" in _refusal(capsys, *args)
    assert not Path("p.askless").exists()


def test_a_name_that_the_other_label_has_already_is_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    pictures(Path("p"), 2)
    open_service("p", session_folder("p"), {}, Terms("cats", "dogs"), learn=False).close()
    assert "need different names" in _refusal(capsys, "label", "p", "--positive", "Dogs")


@pytest.mark.parametrize("host", ["300.1.1.1", "192.0.2.1"])
def test_an_address_that_is_not_of_this_machine_is_refused(
    capsys: pytest.CaptureFixture[str], host: str
) -> None:
    pictures(Path("p"), 2)
    said = _refusal(capsys, "label", "p", "--host", host)
    assert f"{host} is none" in said
    assert "Leave --host out" in said
    assert "ASKLESS_SECRET" not in said
    assert not Path("p.askless").exists()


def test_an_unknown_format_is_refused_with_all_of_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    pictures(Path("p"), 2)
    open_service("p", session_folder("p"), {}, learn=False).close()
    said = _refusal(capsys, "export", "p.askless", "labels", "--as", "zip")
    assert ", ".join(EXPORTERS.names()) in said


def test_another_address_needs_a_secret(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ASKLESS_SECRET", raising=False)
    pictures(Path("p"), 2)
    assert "ASKLESS_SECRET" in _refusal(capsys, "label", "p", "--host", "0.0.0.0")
    assert not Path("p.askless").exists()


def test_a_name_without_letters_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    pictures(Path("p"), 2)
    assert "called by a name" in _refusal(capsys, "label", "p", "--positive", " | ")


def test_a_definition_that_is_too_long_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    pictures(Path("p"), 2)
    Path("long.txt").write_text("x" * 30_000)
    assert "20,000 characters" in _refusal(capsys, "label", "p", "--definition", "long.txt")


def test_a_definition_longer_than_any_name_of_a_file_is_taken_as_words(
    capsys: pytest.CaptureFixture[str],
) -> None:
    pictures(Path("p"), 2)
    words = "A whole cat, or most of one. " * 20
    told = _refusal(capsys, "label", "p", "--definition", words, "--positive", "|")
    assert "called by a name" in told  # what is wrong is the name


def test_a_name_of_a_file_does_not_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    Path("p").mkdir()
    Path("p", "a\x1b]0;mine\x07\x9b2J.png").touch()
    told = _refusal(capsys, "label", "p")
    assert r"a\x1b]0;mine\x07\x9b2J.png: The file is empty." in told


def test_a_folder_where_no_session_can_be_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    pictures(Path("p"), 2)
    Path("file").touch()
    assert "--session" in _refusal(capsys, "label", "p", "--session", "file/deeper")


def test_doctor_finds_what_it_needs_here(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["well"]
    by_name = {finding["what"]: finding for finding in found["findings"]}
    assert by_name["numpy"]["found"]
    assert all(finding["get"] for finding in found["findings"] if not finding["found"])
    assert main(["doctor"]) == 0
    assert "askless 0" in capsys.readouterr().out


def test_doctor_says_how_to_get_what_is_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert main(["doctor", "--json"]) == 1
    findings = json.loads(capsys.readouterr().out)["findings"]
    by_name = {finding["what"]: finding for finding in findings}
    assert by_name["torch"]["get"] == f"{sys.executable} -m pip install 'askless[torch]'"
    assert by_name["numpy"]["get"] == f"{sys.executable} -m pip install askless"


def _used_session() -> Path:
    """A session with thumbnails and a note, labelled to the end."""
    service = service_on(pictures(Path("p").resolve(), 8))
    client = client_of(service)
    client.get("/api/items/0/picture")
    post(client, "/api/unsure", tab="t", item=3, note="my neighbour Paul", key=key())
    post(client, "/api/pin", item=1, pinned=True)
    label_all(client)
    assert list((service.cache / "tiles").iterdir())
    service.close()
    return service.settings.folder


def test_forget_erases_thumbnails_features_and_notes_and_keeps_the_labels(
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = _used_session()
    labels = read_session(folder).history.state.labels().tolist()
    key = cache_key(folder)
    assert cache_size(key)[0] == 1
    assert main(["forget", str(folder), "--yes"]) == 0
    assert "and 1 note of" in capsys.readouterr().out
    assert cache_size(key) == (0, 0)
    left = sorted(path.name for path in folder.iterdir())
    kept = ["events.sqlite", "events.sqlite-head", "items.jsonl", "probs.npy"]
    assert left == kept
    for path in folder.iterdir():
        assert b"Paul" not in path.read_bytes()
    assert verify_session(folder).sound
    assert read_session(folder).history.state.labels().tolist() == labels
    service = service_on(Path("p").resolve())  # and it can be taken up again
    assert get(client_of(service), "/api/progress")["settled"] == 7
    service.close()


def test_forget_with_answers_leaves_nothing() -> None:
    folder = _used_session()
    assert main(["forget", str(folder), "--answers", "--yes"]) == 0
    assert not folder.exists()


def test_a_session_whose_answers_are_gone_is_not_begun_again_unasked(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("askless.web.server.serve", lambda *_, **__: None)
    folder = _used_session()
    for path in folder.glob("events.sqlite*"):
        path.unlink()
    for name in ("p", str(folder)):  # the source, and its session
        assert "that is gone" in _refusal(capsys, "label", name)
    assert not list(folder.glob("events.sqlite*"))
    assert main(["forget", str(folder), "--answers", "--yes"]) == 0
    assert not folder.exists()


def test_forget_leaves_what_is_not_its_own() -> None:
    folder = _used_session()
    (folder / "thesis.txt").write_text("mine")
    assert main(["forget", str(folder), "--answers", "--yes"]) == 0
    assert [path.name for path in folder.iterdir()] == ["thesis.txt"]


def test_a_folder_in_use_for_something_else_gets_no_session(
    capsys: pytest.CaptureFixture[str],
) -> None:
    pictures(Path("p"), 2)
    Path("docs").mkdir()
    Path("docs/thesis.txt").touch()
    assert "holds something else (thesis.txt)" in _refusal(
        capsys, "label", "p", "--session", "docs"
    )
    assert [path.name for path in Path("docs").iterdir()] == ["thesis.txt"]
    Path("code/.git").mkdir(parents=True)
    assert "holds something else (.git)" in _refusal(capsys, "label", "p", "--session", "code")


def test_forget_wants_a_yes(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = _used_session()
    monkeypatch.setattr("typer.confirm", lambda *_, **__: False)
    assert main(["forget", str(folder)]) == 2
    assert "Nothing was erased" in capsys.readouterr().err
    assert cache_size(cache_key(folder))[0] == 1


def test_forget_is_refused_where_there_is_no_session_or_somebody_is_at_work(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("mine").mkdir()
    Path("mine/photo").touch()
    assert "no session" in _refusal(capsys, "forget", "mine", "--yes", "--answers")
    assert Path("mine/photo").exists()
    service = service_on(pictures(Path("p").resolve(), 4))
    folder = service.settings.folder
    for more in ((), ("--answers",)):
        _refusal(capsys, "forget", folder, "--yes", *more)
    assert (folder / "app.json").exists()
    service.close()


def test_forget_that_was_cut_short_is_finished_by_asking_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = _used_session()
    replaced = []

    def fail(source: str, target: str) -> None:
        replaced.append((source, target))
        raise OSError("cut short")

    with monkeypatch.context() as patch:
        patch.setattr("askless.folder.forgetting.os.replace", fail)
        assert main(["forget", str(folder), "--yes"]) == 1
    assert replaced
    assert main(["forget", str(folder), "--yes"]) == 0
    assert verify_session(folder).sound
    assert not [path for path in folder.iterdir() if b"Paul" in path.read_bytes()]
