"""Put a real model where a `ChatModel` goes: one on any server that speaks OpenAI's protocol; needs the extra `models`.

Each call is a conversation of its own: a system message, the prompt, the answer. Nothing is remembered.
"""

import os
from collections.abc import Iterator

from rag_lessons.documents import check_text
from rag_lessons.endpoint import Endpoint, ModelError, explained
from rag_lessons.tokens import check_count, check_weight

MODEL = "OPENAI_MODEL"


class OpenAIChat:
    """A `ChatModel`: prompt -> answer.

    model: its name on the server; the variable OPENAI_MODEL if None. base_url, key, timeout, retries: as in
    `Endpoint`. system: what the model is told before the prompt; nothing if None. temperature: 0 for its
    likeliest words. max_tokens: of an answer. None leaves a setting out, for servers that do not know it.

    Raises ImportError, with the way to get it, where the extra is missing; TypeError or ValueError for a bad setting.
    """

    def __init__(
        self,
        model: str | None = None,
        base_url: str | None = None,
        key: str | None = None,
        *,
        system: str | None = None,
        temperature: float | None = 0.0,
        max_tokens: int | None = 400,
        timeout: float = 120.0,
        retries: int = 2,
    ) -> None:
        model = model or os.environ.get(MODEL)
        if not model:
            raise ValueError(f"no model is named: give model=, or set {MODEL}")
        if temperature is not None:
            check_weight("temperature", temperature, most=2)
        if max_tokens is not None:
            check_count("max_tokens", max_tokens, least=1)
        self.system = None if system is None else check_text("system", system)
        self.name, self.server = model, Endpoint(model, base_url, key, timeout, retries)
        settings = {"temperature": temperature, "max_tokens": max_tokens}
        self._settings = {name: value for name, value in settings.items() if value is not None}

    def __call__(self, prompt: str) -> str:
        """Return the answer to a prompt. Raises ModelError, which says what to do, where there is none."""
        request = self._request(prompt)
        with explained(self.server):
            reply = self.server.client.chat.completions.create(**request)
        choices = getattr(reply, "choices", None)
        text = getattr(getattr(choices[0], "message", None), "content", None) if choices else None
        if not isinstance(text, str):
            raise ModelError(f"{self.server.url} replied with something that is no answer: {reply!s:.200}")
        return text

    def stream(self, prompt: str) -> Iterator[str]:
        """Yield the answer piece by piece, as it comes. Raises ModelError, also in mid-answer, where it breaks off."""
        request, ended, length = self._request(prompt), False, 0
        with explained(self.server), self.server.client.chat.completions.create(**request, stream=True) as pieces:
            for piece in pieces:
                choice = piece.choices[0] if piece.choices else None
                if choice and choice.delta and choice.delta.content:
                    length += len(choice.delta.content)
                    yield choice.delta.content
                ended = ended or bool(choice and choice.finish_reason)
        if not ended:
            raise ModelError(f"{self.server.url} broke off after {length} characters of its answer; ask again")

    def close(self) -> None:
        """Close the connections."""
        self.server.close()

    def _request(self, prompt: str) -> dict:
        messages = [{"role": "user", "content": check_text("prompt", prompt)}]
        if self.system is not None:
            messages.insert(0, {"role": "system", "content": self.system})
        return {"model": self.server.model, "messages": messages, **self._settings}
