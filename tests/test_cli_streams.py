"""The command line's loop, and its streams: other encodings, closed ones, one that is interrupted."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from rag_lessons import cli

ROOT = Path(__file__).resolve().parent.parent
PROMPT = "Question (q to leave): "


@pytest.fixture
def loop(monkeypatch, capsys):
    """Type some text into the loop; returns its status, stdout and stderr."""
    monkeypatch.delenv(cli.VARIABLE, raising=False)

    def loop(typed, *arguments):
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed) if isinstance(typed, str) else typed)
        status = cli.main(arguments)
        return status, *capsys.readouterr()

    return loop


@pytest.mark.parametrize("end", ["q\n", "quit\n", "EXIT\n", "  Q  \n", ""], ids=ascii)
def test_the_loop_asks_until_it_is_left(loop, end):
    status, out, err = loop(f"What is a context window?\nHow does RAG fail?\n{end}", "--budget", "80")
    assert (status, err) == (0, PROMPT * 3 + "\n")
    assert out.count("\nAnswer: ") == 2 and out.startswith("Question: What is a context window?\n")


def test_nothing_is_asked_after_the_end(loop):
    assert loop("q\nWhat is RAG?\n") == (0, "", PROMPT + "\n")


def test_an_empty_line_asks_again(loop):
    status, out, err = loop("\n  \t\nWhat is RAG?\n")
    assert (status, out.count("Question: "), err) == (0, 1, PROMPT * 4 + "\n")


def test_a_closed_stdin_is_the_end_of_input(loop):
    assert loop(None) == (0, "", PROMPT + "\n")


def test_a_last_line_without_a_line_end_is_asked(loop):
    assert "Question: What is RAG?" in loop("What is RAG?")[1]


def test_the_loop_prints_one_line_of_json_a_question(loop):
    _, out, _ = loop("What is RAG?\nzebra\n", "--json")
    assert [json.loads(line)["question"] for line in out.splitlines()] == ["What is RAG?", "zebra"]


def test_a_line_that_is_not_utf8_does_not_end_the_loop(loop):
    for errors in ("strict", "surrogateescape"):  # Python's choice depends on the locale
        stdin = io.TextIOWrapper(io.BytesIO(b"caf\xe9?\nWhat is RAG?\n"), encoding="utf-8", errors=errors)
        status, out, err = loop(stdin, "--json")
        assert status == 0 and json.loads(out)["question"] == "What is RAG?"
        assert err.count("rag_lessons: question holds half a character") == 1


@pytest.mark.parametrize("arguments", [(), ("--question", "What is RAG?")])
def test_an_interrupt_leaves_with_130(loop, monkeypatch, arguments):
    def interrupted(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "ask", interrupted)
    status, out, err = loop("What is RAG?\nWhat is RAG?\n", *arguments)
    assert (status, out) == (130, "") and err == (PROMPT * (not arguments) + "\n")


def start(*arguments, before="", **named):
    """The command line in a process of its own, after some code."""
    code = f"import runpy, sys\n{before}\nrunpy.run_module('rag_lessons', run_name='__main__')"
    variables = {key: value for key, value in os.environ.items() if key != cli.VARIABLE} | named
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        cwd=ROOT,
        env=variables | {"PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_a_terminal_of_another_encoding_shows_escapes(tmp_path, encoding):
    (tmp_path / "\u6f6e.txt").write_text("Caf\u00e9 \u6f6e opens at noon.", encoding="utf-8")
    (tmp_path / "\u6c34.txt").write_bytes(b"\0")
    process = start(
        "--folder", str(tmp_path), "--question", "When does \u6f6e open?", PYTHONIOENCODING=encoding, PYTHONUTF8="0"
    )
    out, err = process.communicate(timeout=60)
    accent = "\\xe9" if encoding == "ascii" else "\u00e9"
    assert process.returncode == 0, err
    assert f"Caf{accent} \\u6f6e opens at noon." in out.decode(encoding)
    assert "skipped \\u6c34.txt: a binary file" in err.decode(encoding) and b"Traceback" not in err


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has another error for a pipe without a reader")
@pytest.mark.parametrize("arguments", [("--question", "What is RAG?"), ("--json", "--question", "What is RAG?")])
def test_a_reader_that_left_is_no_failure(arguments):
    process = start(*arguments, PYTHONUNBUFFERED="")  # so that the end of Python has something left to write
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(timeout=60) == 0
    process.stderr.close()


def test_closed_streams_take_nothing_and_lend_nothing(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"\0")
    for closed in ("stdout", "stderr"):
        process = start(
            "--json", "--question", "x", "--folder", str(tmp_path), before=f"sys.{closed} = None", PYTHONWARNINGS=""
        )
        out, err = process.communicate(timeout=60)
        assert process.returncode == 0
        assert json.loads(out)["included"] == [] if closed == "stderr" else out == b""
        assert err == b"" if closed == "stderr" else b"1 skipped" in err and b"Traceback" not in err
