"""Embed texts with a model on any server that speaks OpenAI's protocol; needs the extra `models`."""

from collections.abc import Sequence

import numpy as np

from rag_lessons.documents import check_text
from rag_lessons.endpoint import Endpoint, ModelError, explained

_BATCH = 64  # texts in one request; servers take some hundreds at most


class OpenAIEmbedder:
    """An `Embedder` whose vectors come from a server.

    model: its name there. base_url, key, timeout, retries: as in `Endpoint`. Its own name holds both, so that a
    cache on disk does not mix the vectors of two servers.

    Raises ImportError, with the way to get it, where the extra is missing; TypeError or ValueError for a bad setting.
    """

    def __init__(
        self, model: str, base_url: str | None = None, key: str | None = None, timeout: float = 120.0, retries: int = 2
    ) -> None:
        self.server = Endpoint(model, base_url, key, timeout, retries)
        self.name = f"{model} at {self.server.url}"

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        """Return one vector a text, shape (n, d), float32, each brought to length 1.

        Raises ModelError, which says what to do, where the server gives none, or something else.
        """
        texts = [check_text("text", text) for text in texts]
        rows = [row for i in range(0, len(texts), _BATCH) for row in self._batch(texts[i : i + _BATCH])]
        if not rows:
            return np.zeros((0, 0), np.float32)
        if len({len(row) for row in rows}) > 1:
            raise ModelError(f"{self.name} returned vectors of different sizes: {sorted({len(row) for row in rows})}")
        vectors = np.array(rows, np.float32)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not (np.isfinite(lengths) & (lengths > 0)).all():
            raise ModelError(f"{self.name} returned a vector of length 0, or with a number that is not finite")
        return vectors / lengths

    def close(self) -> None:
        """Close the connections."""
        self.server.close()

    def _batch(self, texts: list[str]) -> list[list[float]]:
        with explained(self.server):
            # Plain numbers: some servers do not know the client's usual packed form.
            reply = self.server.client.embeddings.create(model=self.server.model, input=texts, encoding_format="float")
        data = getattr(reply, "data", None) or []
        if sorted(getattr(row, "index", None) or 0 for row in data) != list(range(len(texts))):
            raise ModelError(f"{self.name} returned {len(data)} vectors for {len(texts)} texts: {reply!s:.200}")
        return [row.embedding for row in sorted(data, key=lambda row: row.index)]
