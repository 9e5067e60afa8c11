"""The command line with a model: the packaged one, one on a server, and none that answers."""

import json
import socket

import pytest
from model_server import answer, refusal, serve
from models import need_models

from rag_lessons import vector_cache
from rag_lessons.cli import VARIABLE, main
from rag_lessons.local import NAME, local_model

need_models()

ASKED = ("--question", "Why can RAG fail when the context budget is too small?")


@pytest.fixture(autouse=True)
def nothing_from_outside(monkeypatch, tmp_path):
    for name in (VARIABLE, "OPENAI_BASE_URL", "OPENAI_API_KEY", "OPENAI_MODEL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(vector_cache, "user_cache_path", lambda name: tmp_path)
    monkeypatch.setattr("rag_lessons.calling.time.sleep", lambda seconds: None)
    monkeypatch.setattr("openai._base_client.BaseClient._calculate_retry_timeout", lambda *a, **k: 0.0)


@pytest.fixture
def run(capsys):
    def run(*arguments):
        try:
            status = main(list(arguments))
        except SystemExit as error:
            status = error.code
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return status, out, err

    return run


def test_the_packaged_model_answers_below_the_trace(run):
    status, out, _ = run(*ASKED, "--model", "local")
    assert status == 0
    assert "Preset: default with all-MiniLM-L6-v2" in out and f"\nModel {NAME}: " in out
    assert "\n  evidence: 0." in out.partition("\nModel ")[2]


def test_the_same_model_on_a_server_gives_the_long_prompt(run):
    with local_model() as model:
        status, out, err = run(*ASKED, "--model", NAME, "--base-url", model.server.url, "--json")
    found = json.loads(out)["model"]
    assert (status, found["name"], found["error"]) == (0, NAME, "")
    assert found["tokens_in"] > 200 and found["answer"] and 0.5 < found["evidence"] <= 1


def test_citations_are_checked_and_printed(run):
    with serve(answer("It drops [large_rag_notes.md-chunk-004] and [none-of-these].")) as (url, asked):
        status, out, _ = run(*ASKED, "--model", "m", "--base-url", url)
    assert status == 0 and "=== large_rag_notes.md-chunk-004 ===" in asked[0]["messages"][0]["content"]
    assert "\n  cites: large_rag_notes.md-chunk-004\n  names no chunk of the context: none-of-these\n" in out


def test_without_evidence_no_server_is_asked(run):
    with serve(answer("Leonardo.")) as (url, asked):
        status, out, _ = run("--question", "Who painted the Mona Lisa?", "--model", "m", "--base-url", url)
    assert status == 0 and not asked and "\nModel m: No answer: the evidence in the context scores 0." in out


def test_a_server_that_refuses_ends_with_status_1_after_the_trace(run):
    with serve(refusal(404, "no such model"), models=("other",)) as (url, _):
        status, out, err = run(*ASKED, "--model", "m", "--base-url", url)
    assert status == 1 and out.startswith("Question: ")
    assert f"rag_lessons: ModelError: {url} has no model 'm' (no such model); it has other" in err


def test_where_nothing_listens_the_address_is_named(run):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    status, _, err = run(*ASKED, "--model", "m", "--base-url", url)
    assert status == 1 and f"no answer from {url}" in err and "is a server running there" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--base-url", "http://127.0.0.1:9/v1"], "--base-url needs --model"),
        (["--model", "local", "--base-url", "http://127.0.0.1:9/v1"], "--base-url needs --model"),
        (["--model", ""], "--model must be 'local' or the name of a model on a server"),
        (["--model", "local", "--cut", "head", "--file", "x"], "--cut prints what is kept, and asks no model"),
    ],
)
def test_half_a_model_is_bad_usage(run, arguments, message):
    status, _, err = run(*ASKED, *arguments)
    assert status == 2 and message in err


def test_a_model_without_server_or_key_is_an_error(run):
    status, _, err = run(*ASKED, "--model", "m")
    assert status == 1 and "no server and no key: set OPENAI_API_KEY" in err


def test_without_the_extra_the_error_says_how_to_get_it(run, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "openai", None)
    status, _, err = run(*ASKED, "--model", "m", "--base-url", "http://127.0.0.1:9/v1")
    assert status == 1 and "run: python run.py setup --models" in err
