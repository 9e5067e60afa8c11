"""Reach a server that speaks OpenAI's protocol, and say what to do where it gives no answer; needs the extra `models`.

Ollama, LM Studio, llama.cpp, vLLM and the hosted services all speak it. Each words its errors in its own way;
`explained` turns them into a few that name the value and the remedy. A key is never part of a message.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager

from rag_lessons.documents import check_text
from rag_lessons.extras import MODELS, MissingExtra
from rag_lessons.tokens import check_count, check_weight

URL, KEY = "OPENAI_BASE_URL", "OPENAI_API_KEY"
_SHOWN = 10  # names of models in a message
_SIZES = re.compile(
    r"context (?:length|size|window)\D{0,20}(\d+).*?(?:resulted in|requested|contains|has)\D{0,20}(\d+)"
)


class ModelError(RuntimeError):
    """A model gave no answer; the message says why and what to do."""


class ContextExceeded(ModelError):
    """A prompt is longer than the model's context. prompt_tokens, window: in its tokens, None where it does not say."""

    def __init__(self, message: str, prompt_tokens: int | None, window: int | None) -> None:
        super().__init__(message)
        self.prompt_tokens, self.window = prompt_tokens, window


class Endpoint:
    """A server's address, key and patience, for `OpenAIChat` and `OpenAIEmbedder`.

    model: its name there. base_url: address up to and with /v1; the variable OPENAI_BASE_URL, or OpenAI's own, if
    None. key: the variable OPENAI_API_KEY if None; a server of one's own mostly needs none. timeout: seconds
    that one attempt may take. retries: further attempts where a server is busy, fails or does not answer.

    Raises ImportError, with the way to get it, where the extra is missing; TypeError or ValueError for a bad setting.
    """

    def __init__(
        self, model: str, base_url: str | None = None, key: str | None = None, timeout: float = 120.0, retries: int = 2
    ) -> None:
        self.model = check_text("model", model)
        if not model.strip():
            raise ValueError(f"model must be the name of a model on the server; got {model!r}")
        check_weight("timeout", timeout)
        check_count("retries", retries, unit="attempts")
        url = base_url or os.environ.get(URL)
        if url and not re.match("https?://", url):
            raise ValueError(f"base_url must begin with http:// or https://; got {url!r:.80}")
        key = key or os.environ.get(KEY)
        if not (url or key):
            raise ValueError(
                f"no server and no key: set {KEY} for OpenAI's own, or give the base_url of another, "
                "such as http://127.0.0.1:11434/v1"
            )
        try:
            from openai import OpenAI
        except ImportError:
            raise MissingExtra(MODELS) from None
        self.timeout = timeout
        self.client = OpenAI(base_url=url, api_key=key or "none", timeout=timeout, max_retries=retries)
        self.url = str(self.client.base_url).rstrip("/")

    def models(self) -> list[str]:
        """The names of the models that the server has. Raises ModelError where it does not say."""
        with explained(self):
            return sorted(model.id for model in self.client.models.list())

    def close(self) -> None:
        """Close the connections."""
        self.client.close()


@contextmanager
def explained(server: Endpoint) -> Iterator[None]:
    """Turn what the client raises into a `ModelError` that says what to do."""
    import openai

    try:
        yield
    except openai.APITimeoutError as error:
        raise ModelError(
            f"{server.url} did not answer within {server.timeout:g} s; give timeout= more seconds, or ask for less"
        ) from error
    except openai.APIConnectionError as error:
        why = str(error.__cause__ or error)
        raise ModelError(
            f"no answer from {server.url} ({why}); is a server running there? Start it, or give another base_url"
        ) from error
    except openai.APIStatusError as error:
        raise _refused(server, error) from error
    except (openai.APIError, ValueError) as error:  # a reply that is no JSON, or an error within a stream
        raise ModelError(f"{server.url} replied with something that is no answer: {error!s:.200}") from error
    except Exception as error:
        # What breaks off while a stream is read comes from the client's transport, under names of its own.
        if type(error).__module__.partition(".")[0] in {"httpx", "httpx2", "httpcore", "httpcore2"}:
            raise ModelError(f"{server.url} broke off in the middle of its answer ({error}); ask again") from error
        raise


def _refused(server: Endpoint, error) -> ModelError:
    """The error for a reply with an HTTP status of 400 or more."""
    status, said = error.status_code, _message(error)
    exceeded = _exceeded(server, error, said)
    if exceeded:
        return exceeded
    if status in (401, 403):
        return ModelError(f"{server.url} does not accept the key ({said}); set {KEY}, or give key=")
    if status == 404:
        return ModelError(f"{server.url} has no model {server.model!r} ({said}); {_models(server)}")
    if status == 429:
        wait = error.response.headers.get("retry-after")
        when = f"wait {wait} s" if wait else "wait a little"
        return ModelError(f"{server.url} takes no more for now ({said}); {when}, or send fewer calls at once")
    if status >= 500:
        return ModelError(f"{server.url} failed with status {status} ({said}); look into its log, or ask again later")
    return ModelError(
        f"{server.url} refused the request with status {status} ({said}); a setting that it does not know "
        "can be left out, such as temperature=None or max_tokens=None"
    )


def _message(error) -> str:
    """What the server said, in one line, wherever it put it."""
    body = error.body
    inner = body.get("error", body) if isinstance(body, dict) else body
    said = inner.get("message") if isinstance(inner, dict) else inner
    return " ".join(str(said or error.response.text or "no reason given").split())[:300]


def _exceeded(server: Endpoint, error, said: str) -> ContextExceeded | None:
    """The error for too long a prompt, if it is that, with both sizes as far as they are told."""
    body = error.body if isinstance(error.body, dict) else {}
    sizes = _SIZES.search(said)
    kinds = {str(body.get("type")), str(body.get("code")), str(getattr(error, "code", ""))}
    if not sizes and not kinds & {"exceed_context_size_error", "context_length_exceeded"}:
        return None
    window, prompt = body.get("n_ctx"), body.get("n_prompt_tokens")
    if window is None and sizes:
        window, prompt = int(sizes[1]), int(sizes[2])
    told = f"takes {prompt} tokens, and the model's context holds {window}" if window else f"is too long ({said})"
    return ContextExceeded(
        f"the prompt {told}; give it a smaller budget, or {server.url} a larger context", prompt, window
    )


def _models(server: Endpoint) -> str:
    """What models there are, in words."""
    try:
        found = sorted(model.id for model in server.client.models.list())
    except Exception as error:
        return f"it does not list those it has ({type(error).__name__}); a base_url mostly ends in /v1"
    more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return f"it has {', '.join(found[:_SHOWN])}{more}" if found else "it has none: load one first"
