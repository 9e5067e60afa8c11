"""What the client says of servers that answer, refuse, fail, dawdle and talk nonsense.

The refusals are shaped as the services word theirs: OpenAI, Ollama, vLLM and llama.cpp.
"""

import socket

import pytest
from model_server import Reply, answer, refusal, serve, streamed
from models import need_models

from rag_lessons.chat import OpenAIChat
from rag_lessons.endpoint import ContextExceeded, Endpoint, ModelError

need_models()


@pytest.fixture(autouse=True)
def no_variables(monkeypatch):
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY", "OPENAI_MODEL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("openai._base_client.BaseClient._calculate_retry_timeout", lambda *a, **k: 0.0)


def ask(url, prompt="Why?", **settings):
    chat = OpenAIChat("m", url, **{"retries": 0, **settings})
    try:
        return chat(prompt)
    finally:
        chat.close()


def test_an_answer_and_what_was_asked():
    with serve(answer("Because.")) as (url, asked):
        assert ask(url, system="Be brief.", max_tokens=7) == "Because."
        assert ask(url, temperature=None, max_tokens=None, key="secret") == "Because."
    first, second = asked
    assert first["messages"] == [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Why?"}]
    assert (first["model"], first["temperature"], first["max_tokens"]) == ("m", 0, 7)
    assert first["_path"] == "/v1/chat/completions" and first["_key"] == "Bearer none"
    assert "temperature" not in second and "max_tokens" not in second and len(second["messages"]) == 1
    assert second["_key"] == "Bearer secret"


def test_address_key_and_model_come_from_the_usual_variables(monkeypatch):
    with serve(answer("Because.")) as (url, asked):
        for name, value in (("OPENAI_BASE_URL", url), ("OPENAI_API_KEY", "of-mine"), ("OPENAI_MODEL", "m-2")):
            monkeypatch.setenv(name, value)
        chat = OpenAIChat()
        assert chat("Why?") == "Because." and chat.name == "m-2"
        chat.close()
    assert asked[0]["model"] == "m-2" and asked[0]["_key"] == "Bearer of-mine"


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (refusal(401, "Incorrect API key provided", type="invalid_request_error", code="invalid_api_key"),
         "does not accept the key .Incorrect API key provided.; set OPENAI_API_KEY, or give key="),
        (refusal(429, "Rate limit reached", [("retry-after", "20")], code="rate_limit_exceeded"),
         "takes no more for now .Rate limit reached.; wait 20 s, or send fewer calls at once"),
        (refusal(429, "You exceeded your current quota", code="insufficient_quota"), "wait a little"),
        (refusal(500, "The server had an error"), "failed with status 500 .The server had .*; look into its log"),
        (Reply(b"<html>Bad gateway</html>", 502, [("Content-Type", "text/html")]), "failed with status 502 .<html>Bad"),
        (Reply(b"", 503), "failed with status 503 .no reason given"),
        (refusal(400, "Unsupported parameter: 'max_tokens'"), "refused the request with status 400 .*max_tokens=None"),
        (Reply({"error": "input is required"}, 400), "status 400 .input is required"),
        (refusal(404, 'model "m" not found, try pulling it first'),
         r"has no model 'm' .model \"m\" not found, try pulling it first.; it has a, b$"),
    ],
)  # fmt: skip
def test_a_refusal_says_what_to_do(reply, message):
    with serve(reply, models=("b", "a")) as (url, _), pytest.raises(ModelError, match=message) as raised:
        ask(url, key="very-secret")
    assert str(raised.value).startswith(url) and "very-secret" not in str(raised.value)


@pytest.mark.parametrize(
    ("reply", "sizes"),
    [
        (refusal(400, "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 "
                 "tokens. Please reduce the length.", code="context_length_exceeded"), (9001, 8192)),
        (refusal(400, "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens "
                 "(4900 in the messages, 100 in the completion)."), (5000, 4096)),
        (refusal(400, "request (6031 tokens) exceeds the available context size (4096 tokens), try increasing it",
                 type="exceed_context_size_error", n_prompt_tokens=6031, n_ctx=4096), (6031, 4096)),
        (refusal(400, "Too long.", code="context_length_exceeded"), (None, None)),
    ],
)  # fmt: skip
def test_too_long_a_prompt_tells_both_sizes(reply, sizes):
    with serve(reply) as (url, _), pytest.raises(ContextExceeded) as raised:
        ask(url)
    assert (raised.value.prompt_tokens, raised.value.window) == sizes
    told = "takes {} tokens, and the model's context holds {}".format(*sizes) if sizes[0] else "is too long (Too long.)"
    assert f"the prompt {told}; give it a smaller budget" in str(raised.value)


@pytest.mark.parametrize(
    "reply",
    [
        Reply(b"Hello, I am a web page.", headers=[("Content-Type", "text/html")]),
        Reply(b"{not json"),
        Reply([]),
        Reply({"choices": []}),
        Reply({"choices": [{"index": 0, "finish_reason": "stop"}]}),
        Reply({"choices": [{"index": 0, "message": {"role": "assistant", "content": None}}]}),
        Reply({"detail": "ok"}),
    ],
)
def test_nonsense_is_no_answer(reply):
    with serve(reply) as (url, _), pytest.raises(ModelError, match="replied with something that is no answer"):
        ask(url)


def test_models_are_listed_up_to_ten():
    names = [f"m-{n:02d}" for n in range(13)]
    for models, message in ((names, "it has m-00, .*, m-09 and 3 more$"), ((), "it has none: load one first$")):
        with serve(refusal(404, "no such model"), models=models) as (url, _):
            with pytest.raises(ModelError, match=message):
                ask(url)
            server = Endpoint("m", url)
            assert server.models() == sorted(models)
            server.close()


def test_a_slow_server_is_given_up():
    with serve(Reply({}, wait=5)) as (url, asked):
        with pytest.raises(ModelError, match=r"did not answer within 0.2 s; give timeout= more seconds"):
            ask(url, timeout=0.2)
        assert len(asked) == 1


def test_a_busy_server_is_asked_again():
    with serve(refusal(503, "loading"), refusal(429, "busy"), answer("Because.")) as (url, asked):
        assert ask(url, retries=2) == "Because."
        assert len(asked) == 3


def test_where_nothing_listens_the_address_is_named():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    with pytest.raises(ModelError, match=f"no answer from {url} .*is a server running there"):
        ask(url)


def test_an_answer_that_breaks_off_is_none():
    whole = answer("A long answer.")
    whole.cut = 40
    with serve(whole) as (url, _), pytest.raises(ModelError, match=f"{url} .*"):
        ask(url)


def test_a_stream_comes_in_pieces():
    with serve(streamed("Be", "cause", ".")) as (url, asked):
        chat = OpenAIChat("m", url)
        assert list(chat.stream("Why?")) == ["Be", "cause", "."] and asked[0]["stream"] is True
        chat.close()


def test_a_stream_that_breaks_off_says_how_far_it_came():
    cut = streamed("Be", "cause", end=False)
    cut_in_a_line = streamed("Be", "cause")
    cut_in_a_line.cut = -90
    for reply in (cut, cut_in_a_line):
        with serve(reply) as (url, _):
            chat, seen = OpenAIChat("m", url, retries=0), []
            with pytest.raises(ModelError, match="broke off|no answer"):
                seen.extend(chat.stream("Why?")) if reply is cut else [seen.append(p) for p in chat.stream("Why?")]
            chat.close()
    with serve(refusal(400, "context length is 10 tokens, and the prompt has 20")) as (url, _):
        chat = OpenAIChat("m", url, retries=0)
        with pytest.raises(ContextExceeded, match="takes 20 tokens"):
            next(chat.stream("Why?"))
        chat.close()


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"model": ""}, ValueError, "no model is named: give model=, or set OPENAI_MODEL"),
        ({"model": "  "}, ValueError, "model must be the name of a model"),
        ({"base_url": "localhost:1"}, ValueError, "base_url must begin with http:// or https://; got 'localhost:1'"),
        ({"base_url": None}, ValueError, "no server and no key: set OPENAI_API_KEY"),
        ({"temperature": 3}, ValueError, "temperature"),
        ({"max_tokens": 0}, ValueError, "max_tokens must be a whole number of tokens, 1 or more; got 0"),
        ({"timeout": -1}, ValueError, "timeout"),
        ({"retries": 0.5}, TypeError, "retries"),
        ({"system": 7}, TypeError, "system must be a string; got 7"),
    ],
)
def test_bad_settings_are_named(settings, error, message):
    with pytest.raises(error, match=message):
        OpenAIChat(**{"model": "m", "base_url": "http://127.0.0.1:9/v1", **settings})


def test_only_text_is_sent():
    chat = OpenAIChat("m", "http://127.0.0.1:9/v1")
    with pytest.raises(TypeError, match="prompt must be a string; got None"):
        chat(None)
    chat.close()


def test_without_the_extra_the_error_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "openai", None)
    with pytest.raises(ImportError, match="run: python run.py setup --models"):
        OpenAIChat("m", "http://127.0.0.1:9/v1")
