"""Count tokens exactly as OpenAI's models do, and say where each stands; needs the extra `models`.

The vocabularies are part of the package splintr-rs, so nothing is fetched at run time. It was chosen
among five because it gives the ids of tiktoken on all that was tried, takes linear time on text
without spaces, has one wheel a system for every Python, and is released often.
"""

import numpy as np

from rag_lessons.chunking import Span
from rag_lessons.documents import check_text

VOCABULARIES = ("o200k_base", "cl100k_base")


class Tokenizer:
    """A `TokenCounter` that counts a vocabulary's tokens; special tokens are plain text to it.

    name: "o200k_base" (GPT-4o and later) or "cl100k_base" (GPT-4). Raises ValueError for another, and
    ImportError, with the way to get it, where the extra is missing.

    >>> Tokenizer("o200k_base")("The pump fails at low pressure.")
    7
    """

    def __init__(self, name: str = "o200k_base") -> None:
        if name not in VOCABULARIES:
            raise ValueError(f"name must be one of {', '.join(VOCABULARIES)}; got {name!r}")
        try:
            from splintr import Tokenizer as Encoder
        except ImportError:
            raise ImportError(
                "exact token counts need the package of the extra models: pip install splintr-rs; "
                "rag_lessons.tokens.estimate_tokens needs nothing"
            ) from None
        self.__name__, self._encoder = name, Encoder.from_pretrained(name)

    def __call__(self, text: str) -> int:
        """Return the tokens of a text."""
        return len(self.encode(text))

    def encode(self, text: str) -> list[int]:
        """Return the ids of a text's tokens."""
        return list(self._encoder.encode_ordinary(check_text("text", text)))

    def offsets(self, text: str) -> list[Span]:
        """Return the span of each token in characters; together they are the whole text.

        A character may take several tokens: it belongs to the last of them, and the others are empty.

        >>> Tokenizer("o200k_base").offsets("Gates rust.")
        [(0, 1), (1, 5), (5, 10), (10, 11)]
        """
        sizes = [len(self._encoder.decode_bytes([token])) for token in self.encode(text)]
        raw = np.frombuffer(text.encode("utf-8"), np.uint8)
        # A byte 10...... goes on with a character, so one ends where the next byte is no such.
        ends = np.append((raw[1:] & 0xC0) != 0x80, True) if len(raw) else np.zeros(0, bool)
        complete = np.concatenate([[0], np.cumsum(ends)])[np.cumsum([0, *sizes])].tolist()
        return list(zip(complete, complete[1:], strict=False))
