import json
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

import askless
from askless.cli import app, main

COMMANDS = [command.callback.__name__ for command in app.registered_commands if command.callback]


def test_version_is_the_packages(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"askless {askless.__version__}\n"


def test_the_package_can_be_run_as_a_module() -> None:
    command = [sys.executable, "-m", "askless", "--version"]
    shown = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600)
    assert shown.stdout == f"askless {askless.__version__}\n"


@pytest.mark.parametrize("args", [[], ["--help"], ["-h"]])
def test_help_names_every_command(args: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(args) == 0
    shown = capsys.readouterr().out
    assert "demo " in shown
    assert "simulate " in shown


@pytest.mark.parametrize("command", ["demo", "simulate"])
def test_help_of_a_command_has_an_example_that_works(
    command: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("askless.cli.serving.PATIENCE_S", 0.3)
    assert main([command, "--help"]) == 0
    lines = capsys.readouterr().out.splitlines()
    examples = [line.split("Example: askless ")[1] for line in lines if "Example:" in line]
    assert examples[0].startswith(command)
    assert main(examples[0].split()) == 0


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_every_command_has_an_example(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, "--help"]) == 0
    assert f"Example: askless {command} " in capsys.readouterr().out.replace("\n", " ") + " "


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["lable"], "No such command 'lable'."),
        (["simulate"], "Missing argument 'POOL'."),
        (["simulate", "demo", "--colour"], "No such option: --colour"),
        (["simulate", "demo", "--seed", "x"], "--seed must be a whole number; got 'x'."),
        (["simulate", "demo", "--start", "-1"], "--start must be at least 0; got '-1'."),
        (["label", "p", "--port", "70000"], "--port must be at most 65535; got '70000'."),
    ],
)
def test_a_slip_of_the_keyboard_gets_one_sentence(
    args: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(args) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith(f"askless: {sentence}")
    assert shown.err.count("\n") == 1


def test_scripts_get_the_sentence_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    for args, status in ((["status", "--json"], 2), (["simulate", "nowhere.npz", "--json"], 2)):
        assert main(args) == status
        shown = capsys.readouterr()
        assert shown.err == f"askless: {json.loads(shown.out)['error']}\n"


def test_the_installed_command_gives_its_status_to_the_shell() -> None:
    script = Path(sys.executable).with_name("askless")
    done = subprocess.run([script, "simulate", "nowhere.npz"], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr == "askless: There is no file nowhere.npz; name an .npz file.\n"


def test_a_reader_that_leaves_early_is_no_cause_for_a_traceback() -> None:
    script = Path(sys.executable).with_name("askless")
    done = subprocess.run(
        f"'{script}' simulate demo --json | true", shell=True, capture_output=True, text=True
    )
    assert done.stderr == ""


def test_a_bug_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr(Console, "print", broken)
    with pytest.raises(RuntimeError, match="a bug"):
        main(["simulate", "demo", "--planner", "one-by-one"])


def test_ctrl_c_ends_quietly(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Console, "print", interrupted)
    assert main(["simulate", "demo", "--planner", "one-by-one"]) == 130
    assert capsys.readouterr().err == ""
