"""The command line that cuts one file: which options give which status and output."""

import json

import pytest
from test_cli import BAD_BUDGETS, no_budget_from_outside, run  # noqa: F401

from rag_lessons.cli import VARIABLE
from rag_lessons.cli_cut import BLIND, SEEING
from rag_lessons.tokens import estimate_tokens

TEXT = "Gates rust in salt air. Terns nest early. Boats sink at night. Nets tear."
ways = pytest.mark.parametrize("way", [*BLIND, *SEEING])


@pytest.fixture
def file(tmp_path):
    (tmp_path / "a.md").write_text(TEXT, encoding="utf-8")
    return tmp_path / "a.md"


@ways
def test_the_kept_text_is_printed_and_the_json_says_the_same(run, file, way):  # noqa: F811
    asked = ["--cut", way, "--file", file, "--budget", 9, "--question", "When do terns nest?"]
    status, out, err = run(*asked)
    kept = json.loads(run(*asked, "--json")[1])
    assert (status, out) == (0, kept["text"] + "\n")
    assert err == f"{kept['tokens']} of {estimate_tokens(TEXT)} tokens are kept\n"
    assert set(kept) == {"text", "spans", "tokens", "truncated", "note"}
    assert kept["truncated"] and 0 < kept["tokens"] <= 9
    assert kept["text"] == "\n".join(TEXT[start:end] for start, end in kept["spans"])
    assert ("Terns nest early." in out) == (way in SEEING)


@ways
def test_a_file_that_fits_is_printed_whole(run, file, way):  # noqa: F811
    assert run("--cut", way, "--file", file, "--question", "terns") == (0, TEXT + "\n", "")


@ways
@pytest.mark.parametrize("budget", BAD_BUDGETS, ids=lambda budget: ascii(budget[:10]))
def test_a_bad_budget_is_bad_usage(run, file, way, budget, monkeypatch):  # noqa: F811
    asked = ["--cut", way, "--file", file, "--question", "terns"]
    status, out, err = run(*asked, f"--budget={budget}")
    assert (status, out) == (2, "") and "argument --budget: budget must be a whole number" in err
    monkeypatch.setenv(VARIABLE, budget)
    assert run(*asked)[0] == 2


def test_the_budget_may_come_from_the_environment(run, file, monkeypatch):  # noqa: F811
    monkeypatch.setenv(VARIABLE, "3")
    assert run("--cut", "tail", "--file", file)[1] == "Nets tear.\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--cut", "sliding", "--file", "FILE"], "--cut sliding needs --question"),
        (["--cut", "best", "--file", "FILE", "--question", "  "], "--cut best needs --question"),
        (["--cut", "windows", "--file", "FILE", "--question", ""], "--cut windows needs --question"),
        (["--cut", "head"], "--cut needs --file"),
        (["--cut", "head", "--file", ""], "--cut needs --file"),
        (["--file", "FILE"], "--file needs --cut"),
        (["--cut", "half", "--file", "FILE"], "invalid choice: 'half'"),
        (["--cut", "head", "--file", "FILE", "--folder", "pydoc"], "leave --folder and --policy out"),
        (["--cut", "head", "--file", "FILE", "--policy", "sentences"], "leave --folder and --policy out"),
    ],
)
def test_bad_usage(run, file, arguments, message):  # noqa: F811
    status, out, err = run(*(file if argument == "FILE" else argument for argument in arguments))
    assert (status, out) == (2, "") and message in err


@pytest.mark.parametrize("json_too", [[], ["--json"]], ids=["text", "json"])
def test_a_file_that_cannot_be_read_is_a_failure(run, tmp_path, json_too):  # noqa: F811
    (tmp_path / "latin.txt").write_bytes(b"caf\xe9")
    (tmp_path / "photo.txt").write_bytes(b"BM\0\0")
    for name, message in (("no.md", "no.md"), ("latin.txt", "not UTF-8: byte 0xe9"), ("photo.txt", "a binary file")):
        status, out, err = run("--cut", "head", "--file", tmp_path / name, *json_too)
        assert (status, out) == (1, "") and err.startswith("rag_lessons: ") and message in err and name in err


def test_what_was_changed_and_what_did_not_match_is_said_beside_the_text(run, tmp_path):  # noqa: F811
    (tmp_path / "a.txt").write_bytes("\ufeffGates rust.\r\nTerns nest.".encode("utf-16-le"))
    status, out, err = run("--cut", "best", "--file", tmp_path / "a.txt", "--budget", 4, "--question", "zebra")
    assert (status, out) == (0, "Gates rust.\n") and "decoded from UTF-16" in err
    assert "Note: nothing in the text matches the question; the head is kept" in err
