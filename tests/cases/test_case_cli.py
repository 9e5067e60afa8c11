"""Cases of the command line: any stdout, strict budgets, and nothing but JSON where JSON was asked for.

The rule behind CL-03 is in tests/test_cli.py: `test_a_budget_that_is_no_whole_number_is_bad_usage`.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ids import case

from rag_lessons.cli import VARIABLE, main
from rag_lessons.presets import PRESETS

ROOT = Path(__file__).resolve().parents[2]


def command(*arguments, **variables):
    """The command line in a process of its own, its streams piped."""
    kept = {name: value for name, value in os.environ.items() if name != VARIABLE}
    return subprocess.run(
        [sys.executable, "-m", "rag_lessons", *map(str, arguments)],
        cwd=ROOT,
        env=kept | variables,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
    )


@pytest.fixture
def arrows(tmp_path):
    """A folder with a text that few encodings hold."""
    (tmp_path / "j.md").write_text("\u2192 \u6f22\u5b57 \u2713", encoding="utf-8")
    return tmp_path


@case("CL-01")
@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_any_stdout_takes_the_help_and_every_trace(arrows, encoding):
    asked = ["--question", "\u6f22\u5b57 \u2192?", "--folder", arrows]
    calls = [["--help"], ["--folder", arrows], asked, [*asked, "--json"], [*asked, "--preset", "article"]]
    for call in calls:
        done = command(*call, PYTHONIOENCODING=encoding, PYTHONUTF8="0")
        assert done.returncode == 0 and b"Traceback" not in done.stderr, done.stderr
        out = done.stdout.decode(encoding)
        if call[0] == "--question" and "article" not in call:
            text = json.loads(out)["included"][0]["text"] if "--json" in call else out
            assert "\u6f22\u5b57" in text or "\\u6f22\\u5b57" in text


@pytest.fixture
def run(capsys, monkeypatch):
    """The command line in this process; returns its status, stdout and stderr."""
    monkeypatch.delenv(VARIABLE, raising=False)

    def run(*arguments):
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as error:
            status = error.code
        return status, *capsys.readouterr()

    return run


@case("CL-03")
@pytest.mark.parametrize("preset", PRESETS)
def test_a_bad_budget_is_one_line_and_0_is_an_empty_context(run, preset, arrows):
    asked = ["--folder", arrows, "--question", "\u6f22\u5b57", "--preset", preset]
    for bad in ("-5", "abc", "1e3", "nan", "inf", "-inf", "1.0", "+5", "0x10", "5 ", "\u0665", ""):
        for form in (["--budget", bad], [f"--budget={bad}"]):
            status, out, err = run(*asked, *form)
            last = err.splitlines()[-1]
            assert (status, out) == (2, "") and "Traceback" not in err
            assert "error: argument --budget: " in last
            assert "must be a whole number" in last or "expected one argument" in last
    status, out, err = run(*asked, "--budget", "0", "--json")
    trace = json.loads(out)
    assert (status, err, trace["budget"], trace["included"], trace["tokens"]) == (0, "", 0, [], 0)
    assert_cuts_take_the_same_budgets(run, arrows / "j.md")
    done = command(*asked, "--budget", "-5")
    assert (done.returncode, done.stdout) == (2, b"") and b"Traceback" not in done.stderr


def assert_cuts_take_the_same_budgets(run, file):
    for way in ("head", "tail", "middle", "sliding", "best", "windows"):
        asked = ["--cut", way, "--file", file, "--question", "\u6f22\u5b57"]
        for bad in ("-5", "abc", "1e3", "nan", "inf", "1.0", "+5", "\u0665", ""):
            status, out, err = run(*asked, f"--budget={bad}")
            assert (status, out) == (2, "") and "Traceback" not in err
            assert "error: argument --budget: budget must be a whole number" in err.splitlines()[-1]
        status, out, err = run(*asked, "--budget", "0", "--json")
        kept = json.loads(out)
        assert (status, err, kept["text"], kept["tokens"], kept["truncated"]) == (0, "", "", 0, True)


@case("CL-05")
@pytest.mark.parametrize("preset", PRESETS)
def test_json_is_all_there_is_on_stdout(tmp_path, preset):
    (tmp_path / "bad.txt").write_bytes(bytes.fromhex("636166e9"))
    (tmp_path / "ok.md").write_bytes(b"x")
    (tmp_path / "wide.md").write_bytes(("\U0001f469\u200d" * 400 + "x").encode())  # over the size of a chunk: a warning
    (tmp_path / "marked.md").write_bytes("x \U000e0041".encode())
    (tmp_path / "empty.md").write_bytes(b"")
    done = command("--folder", tmp_path, "--question", "x", "--preset", preset, "--json")
    assert done.returncode == 0
    trace = json.loads(done.stdout, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert trace["question"] == "x" and done.stdout.count(b"\n") == 1
    assert b"bad.txt: not UTF-8" in done.stderr and b"1 invisible characters removed" in done.stderr


BUDGETS = st.text("0123456789+-_. eExnaif\u0665\u00b2", max_size=8) | st.integers(-9, 10**20).map(str)


@given(BUDGETS)
def test_a_budget_is_digits_or_an_error(budget):
    def run():
        try:
            return main(["--question", "", "--folder", str(ROOT / "data" / "notes"), f"--budget={budget}"])
        except SystemExit as error:
            return error.code

    is_whole = budget.isascii() and budget.isdigit() and len(budget) <= 18
    assert run() == (0 if is_whole else 2)
