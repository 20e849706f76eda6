"""A session in a folder: begun, killed, taken up, read, verified and exported."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from askless.assemble import Method, open_session, read_session
from askless.cli import main
from askless.core.probability import Probs
from askless.errors import Damaged, InvalidInput, StoreInUse
from askless.folder import files as folders
from askless.folder.verifying import verify_session
from askless.seams import Checkpoint
from askless.stores.sqlite import SqliteStore
from askless.trainer.checkpoint import write_checkpoint

N = 30
METHOD = Method(planner="lookahead", max_n=4, recalibrate=False)


def probs() -> Probs:
    return Probs(np.linspace(0.02, 0.98, N))


def truth() -> list[bool]:
    labels = [i >= N // 2 for i in range(N)]
    labels[3] = not labels[3]
    return labels


def work(folder: Path, answers: int) -> None:
    """Answer some questions truthfully and leave without a word, as a killed process does."""
    with open_session(probs(), METHOD, folder) as working:
        session = working.session
        for _ in range(answers):
            asked = session.ask("ann")
            if asked is None:
                return
            session.queue.plan_ahead(asked.id)
            question = asked.question
            pairs = zip(question.items, question.guess, strict=True)
            right = all(truth()[i] == guess for i, guess in pairs)
            session.tell(asked.id, question.yes() if right else question.no(), f"k{asked.id}")


def test_a_session_is_taken_up_where_it_was(tmp_path: Path) -> None:
    folder = tmp_path / "s"
    settled: list[int] = []
    while not settled or settled[-1] != N:
        work(folder, 5)
        settled.append(read_session(folder).history.state.n_settled)
    assert settled == sorted(settled)
    record = read_session(folder).history
    assert [record.state.label(i) for i in range(N)] == truth()


def test_one_works_while_others_read(tmp_path: Path) -> None:
    folder = tmp_path / "s"
    with open_session(probs(), folder=folder) as working:
        assert working.session.ask("ann") is not None
        assert read_session(folder).events == 3
        assert verify_session(folder).sound
        with pytest.raises(StoreInUse):
            open_session(folder=folder)


def test_a_folder_without_a_session_and_other_probabilities_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="no session in"):
        open_session(folder=tmp_path / "none")
    with pytest.raises(InvalidInput, match="no session in"):
        read_session(tmp_path / "none")
    work(tmp_path / "s", 1)
    with pytest.raises(InvalidInput, match="other probabilities"):
        open_session(Probs(np.full(N, 0.5)), folder=tmp_path / "s")


def test_status_tells_people_and_scripts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    work(tmp_path / "s", 3)
    assert main(["status", str(tmp_path / "s")]) == 0
    shown = capsys.readouterr().out
    assert "answers left" in shown
    assert main(["status", str(tmp_path / "s"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["items"] == N
    assert sum(told["answers"].values()) == 3
    assert told["settled"] + told["open"] + told["unsure"] == N
    assert main(["status", str(tmp_path / "none")]) == 2
    assert "no session" in capsys.readouterr().err


def test_status_tells_of_random_draws_first_and_of_no_forecast(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with open_session(Probs(np.full(N, 0.3)), Method(test_sample=3), tmp_path / "s"):
        pass
    assert main(["status", str(tmp_path / "s")]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "random draws left 3 random items, asked alone, before a forecast" in shown
    assert "answers left" not in shown
    assert main(["status", str(tmp_path / "s"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["draws_left"], told["questions_left"], told["seconds_left"]) == (3, None, None)


def test_status_calls_labels_as_the_app_does_and_says_how_to_write_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "s"
    work(folder, 100)
    assert main(["status", str(folder)]) == 0
    shown = capsys.readouterr().out
    assert f"True, and {truth().count(False)} False" in shown
    assert f"export {folder} labels.csv" in shown
    (folder / "app.json").write_text('{"positive": "a [cat]|[cats]", "negative": "dogs"}')
    assert main(["status", str(folder)]) == 0
    assert "[cats], and " in capsys.readouterr().out
    (folder / "app.json").write_text("{")
    assert main(["status", str(folder)]) == 0
    assert "True, and " in capsys.readouterr().out


def test_export_may_stop_early_and_gives_open_items_no_label(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    work(tmp_path / "s", 4)
    out = tmp_path / "labels.jsonl"
    assert main(["export", str(tmp_path / "s"), str(out), "--json"]) == 0
    counts = json.loads(capsys.readouterr().out)
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert sum(row["certain"] for row in rows) == counts["certain"] > 0
    assert all((row["label"], row["how"]) == (None, "") for row in rows if not row["certain"])
    right = ["positive" if label else "negative" for label in truth()]
    assert all(row["label"] == right[k] for k, row in enumerate(rows) if row["certain"])
    assert main(["export", str(tmp_path / "s"), str(tmp_path / "labels.doc")]) == 2


@pytest.mark.parametrize("name", ["items.jsonl", "events.sqlite", "events.sqlite-wal", "probs.npy"])
def test_labels_are_never_written_over_a_session(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in ("s", "another"):
        work(tmp_path / folder, 2)
        out = tmp_path / folder / name
        before = out.read_bytes() if out.exists() else b""
        assert main(["export", str(tmp_path / "s"), str(out), "--as", "jsonl"]) == 2
        assert "never written over a session's own files" in capsys.readouterr().err
        assert (out.read_bytes() if out.exists() else b"") == before
    monkeypatch.chdir(tmp_path / "s")
    assert main(["export", ".", name, "--as", "jsonl"]) == 2
    assert main(["export", ".", "labels.jsonl"]) == 0
    assert verify_session(tmp_path / "s").sound


def test_verify_checks_the_events_also_when_the_probabilities_are_lost(tmp_path: Path) -> None:
    folder = tmp_path / "s"
    work(folder, 6)
    whole = verify_session(folder)
    (folder / "probs.npy").unlink()
    found = verify_session(folder)
    assert (found.events, found.answers, found.labels) == (whole.events, 6, whole.labels)
    assert "probs.npy" in found.findings[0]
    path = folder / "events.sqlite"
    data = bytearray(path.read_bytes())
    data[data.rindex(b'"answer":"') + 2] ^= 1
    path.write_bytes(bytes(data))
    first, second = verify_session(folder).findings
    assert "not as it was written" in first
    assert "probs.npy" in second


def test_verify_finds_a_flipped_bit_and_leaves_it_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    work(tmp_path / "s", 6)
    assert main(["verify", str(tmp_path / "s")]) == 0
    assert "all sound" in capsys.readouterr().out
    path = tmp_path / "s" / "events.sqlite"
    data = bytearray(path.read_bytes())
    at = data.rindex(b'"answer":"')
    data[at + 2] ^= 1
    path.write_bytes(bytes(data))
    assert main(["verify", str(tmp_path / "s"), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert not found["sound"]
    assert "not as it was written" in found["findings"][0]
    assert path.read_bytes() == bytes(data)


DAMAGE = ("a flipped bit", "an empty file", "no probabilities")


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize(
    ("command", "statuses"), [("status", (0, 2, 2)), ("export", (1, 2, 2)), ("verify", (1, 1, 1))]
)
def test_scripts_get_one_json_object_whatever_is_damaged(
    damage: str,
    command: str,
    statuses: tuple[int, int, int],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    work(tmp_path / "s", 6)
    path = tmp_path / "s" / "events.sqlite"
    data = bytearray(path.read_bytes())
    data[data.rindex(b'"answer":"') + 2] ^= 1
    if damage == "a flipped bit":
        path.write_bytes(bytes(data))
    elif damage == "an empty file":
        path.write_bytes(b"")
    else:
        (tmp_path / "s" / "probs.npy").unlink()
    out = [str(tmp_path / "labels.csv")] if command == "export" else []
    status = main([command, str(tmp_path / "s"), *out, "--json"])
    assert status == statuses[DAMAGE.index(damage)]
    found = json.loads(capsys.readouterr().out)
    told = found.get("error") or found.get("damage") or found.get("findings")
    assert ("probs.npy" if damage == "no probabilities" else "events.sqlite") in str(told)
    if damage == "a flipped bit" and command == "export":
        assert found["error"].startswith("Only what stands before the damage")
        assert found["items"] == N


def test_answers_that_are_gone_are_missed_wherever_the_session_is_opened(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "s"
    work(folder, 3)
    for path in folder.glob("events.sqlite*"):
        path.unlink()
    left = sorted(path.name for path in folder.iterdir())
    gone = "answers of the session in .* events.sqlite, and that is gone.*askless forget"
    for probabilities in (None, probs()):  # also who would begin one
        with pytest.raises(Damaged, match=gone):
            open_session(probabilities, folder=folder)
    with pytest.raises(Damaged, match=gone):
        read_session(folder)
    (finding,) = verify_session(folder).findings
    assert "Put back a copy of events.sqlite" in finding
    assert main(["status", str(folder)]) == 2
    assert "that is gone" in capsys.readouterr().err
    assert sorted(path.name for path in folder.iterdir()) == left
    assert main(["forget", str(folder), "--answers", "--yes"]) == 0
    work(folder, 1)


def test_verify_says_how_much_a_file_held_that_is_empty_now(tmp_path: Path) -> None:
    work(tmp_path / "s", 6)
    events = verify_session(tmp_path / "s").events
    (tmp_path / "s" / "events.sqlite").write_bytes(b"")
    (finding,) = verify_session(tmp_path / "s").findings
    assert f"it is empty or gone, and held {events} events" in finding


def test_verify_finds_probabilities_that_were_swapped(tmp_path: Path) -> None:
    work(tmp_path / "s", 2)
    other = open_session(Probs(np.full(N, 0.4)), folder=tmp_path / "third")
    other.close()
    (tmp_path / "third" / "probs.npy").replace(tmp_path / "s" / "probs.npy")
    found = verify_session(tmp_path / "s")
    assert "not the file the session was opened with" in found.findings[0]
    with pytest.raises(Damaged, match="not the file"):
        open_session(folder=tmp_path / "s")
    (tmp_path / "s" / "probs.npy").unlink()
    with pytest.raises(Damaged, match="missing or damaged"):
        read_session(tmp_path / "s")


def test_a_default_that_is_spelt_out_is_the_same_planner(tmp_path: Path) -> None:
    spelt_out = Method(max_n=8, objective="questions", same_guess=True, seconds=(1, 0.3, 1))
    open_session(probs(), Method(max_n=8), tmp_path / "s").close()
    open_session(probs(), spelt_out, tmp_path / "s").close()
    with pytest.raises(InvalidInput, match="begun, with objective questions; got objective labels"):
        open_session(probs(), spelt_out.replace(objective="labels"), tmp_path / "s")


def test_a_session_keeps_the_planner_it_was_begun_with(tmp_path: Path) -> None:
    work(tmp_path / "s", 1)
    with pytest.raises(InvalidInput, match="begun, with planner lookahead; got planner nested"):
        open_session(probs(), Method(planner="nested"), tmp_path / "s")
    with pytest.raises(InvalidInput, match=r"begun, with max_n 4; got max_n 5\."):
        open_session(probs(), METHOD.replace(max_n=5), tmp_path / "s")
    open_session(folder=tmp_path / "s").close()


def test_the_newest_probabilities_of_the_trainer_are_used_and_exported(tmp_path: Path) -> None:
    folder = tmp_path / "s"
    work(folder, 1)
    (folder / folders.TRAINING).mkdir()
    trained = Probs(np.full(N, 0.25))
    write_checkpoint(folder / folders.TRAINING, Checkpoint(1, trained, 1))
    assert np.array_equal(read_session(folder).probs.values, trained.values)
    with open_session(folder=folder) as working:
        assert np.array_equal(working.session.probs.values, trained.values)
        working.session.ask("bob")
    with closing(SqliteStore(folder / "events.sqlite", write=False)) as store:
        *_, asked = store.read()
    assert asked.payload["probs_version"] == 1


def test_a_simulated_session_is_taken_up_after_a_stop(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pool, folder = tmp_path / "pool.npz", tmp_path / "s"
    np.savez(pool, probs=probs().values, positive=np.array(truth()))
    work(folder, 4)
    planner = ["--planner", "lookahead", "--max-n", "4", "--no-recalibrate"]
    command = ["simulate", str(pool), "--session", str(folder), "--json", *planner]
    assert main(command) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["labels_right"] == N
    assert told["questions"] == len(read_session(folder).history.answers) > 4
    assert verify_session(folder).sound
    assert main(command) == 0
    assert json.loads(capsys.readouterr().out)["questions"] == told["questions"]


def test_verify_tells_of_a_damaged_checkpoint(tmp_path: Path) -> None:
    folder = tmp_path / "session"
    probs = Probs(np.full(12, 0.4))
    open_session(probs, Method(planner="nested"), folder).close()
    (folder / folders.TRAINING).mkdir()
    write_checkpoint(folder / folders.TRAINING, Checkpoint(1, probs, 1))
    assert verify_session(folder).sound
    (kept,) = [path for path in (folder / folders.TRAINING).iterdir() if path.is_file()]
    content = bytearray(kept.read_bytes())
    content[len(content) // 2] ^= 1
    kept.write_bytes(bytes(content))
    (finding,) = verify_session(folder).findings
    assert kept.name in finding


def test_verify_tells_of_a_checkpoint_of_another_session(tmp_path: Path) -> None:
    folder = tmp_path / "s"
    work(folder, 1)
    training = folder / folders.TRAINING
    training.mkdir()
    write_checkpoint(training, Checkpoint(1, Probs(np.full(N, 0.25)), 1))
    with open_session(folder=folder) as working:
        working.session.ask("bob")
    assert verify_session(folder).sound
    write_checkpoint(training, Checkpoint(1, Probs(np.full(N, 0.75)), 1))
    (finding,) = verify_session(folder).findings
    assert "is not the one that questions were planned with" in finding
