"""Embed texts as vectors, and score texts by the cosine of their vectors with a question's.

An embedder is any function from texts to vectors of length 1, near each other where the texts
mean the same. Two stand in `minilm.py` and `endpoint_embedder.py`; this file has what all share:
a check of what an embedder returns, and the scorers, which plug in wherever BM25 does. It holds
no model.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from rag_lessons.scoring import BM25, FittedScorer, Scorer
from rag_lessons.tokens import check_weight


class Embedder(Protocol):
    """Makes vectors of texts; hashable. `name` tells one model from another, in traces and in a cache."""

    name: str

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        """Return one vector a text, shape (n, d), float32, each of length 1."""


def embed(embedder: Embedder, texts: Iterable[str]) -> np.ndarray:
    """Return the vectors of some texts, checked; shape (n, d), float32. A blank text has a row of zeros.

    Equal texts are embedded once. Raises TypeError for what is no list of texts, ValueError, with the
    embedder's name, for vectors of another number, shape or length, or with a number that is not finite.

    >>> embed(Letters("ab"), ["a", " ", "b"]).tolist()
    [[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]]
    """
    texts = [texts] if isinstance(texts, str) else list(texts)
    for text in texts:
        if not isinstance(text, str):
            raise TypeError(f"every text must be a str; got {text!r:.60}")
    rows = {text: i for i, text in enumerate(dict.fromkeys(text for text in texts if text.strip()))}
    if not rows:
        return np.zeros((len(texts), 0), np.float32)
    found = np.asarray(embedder(list(rows)), np.float32)
    if found.ndim != 2 or len(found) != len(rows):
        raise ValueError(f"{embedder.name} must return {len(rows)} rows for {len(rows)} texts; got shape {found.shape}")
    lengths = np.linalg.norm(found, axis=1)
    if not (np.abs(lengths - 1) < 1e-3).all():  # also where a number is not finite
        i = int(np.argmin(np.abs(lengths - 1) < 1e-3))
        raise ValueError(
            f"{embedder.name} must return vectors of length 1; text {i}, {list(rows)[i]!r:.60}, has {lengths[i]:g}"
        )
    found = np.concatenate([found, np.zeros((1, found.shape[1]), np.float32)])
    return found[[rows.get(text, len(rows)) for text in texts]]


@dataclass(frozen=True)
class Letters:
    """Count letters: a stand-in for an embedder that shows what one does and that tests can work out by hand.

    letters: one dimension each. A text with none of them gets the same share of all.

    >>> Letters("ab")(["a", "bb"]).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """

    letters: str = "abcdefghijklmnopqrstuvwxyz"

    @property
    def name(self) -> str:
        """How the trace names it."""
        return f"letters {self.letters}"

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        """Return one row a text."""
        counts = np.array([[text.casefold().count(letter) for letter in self.letters] for text in texts], float)
        counts[counts.sum(axis=1) == 0] = 1
        return (counts / np.linalg.norm(counts, axis=1, keepdims=True)).astype(np.float32)


def shares(cosines: np.ndarray) -> np.ndarray:
    """Stretch cosines between the middle one and the best: 0 at the median or below, 1 at the best; shape kept.

    What a cosine of 0.4 is worth differs from model to model and from question to question; how far
    it stands out does not. Where no cosine is above 0, all are 0.

    >>> shares(np.array([0.1, 0.2, 0.3, 0.4, 0.6])).round(2).tolist()
    [0.0, 0.0, 0.0, 0.33, 1.0]
    """
    best = float(cosines.max(initial=0.0))
    if best <= 0:
        return np.zeros(len(cosines))
    low = min(float(np.median(cosines)), best / 2)  # a text that is alone, or one of many alike, still counts
    return np.clip((cosines - low) / (best - low), 0.0, 1.0)


@dataclass(frozen=True)
class EmbeddingScorer:
    """Score by meaning alone: the cosine of a text's vector with the question's, 0 where it is below 0.

    >>> EmbeddingScorer(Letters("ab")).fit(["aa", "ab"]).scores("a").round(2).tolist()
    [1.0, 0.71]
    """

    embedder: Embedder

    @property
    def name(self) -> str:
        """How the trace names it."""
        return self.embedder.name

    def fit(self, texts: Iterable[str]) -> "FittedVectors":
        """Embed the texts."""
        return FittedVectors(self.embedder, embed(self.embedder, texts))


@dataclass(frozen=True)
class FittedVectors:
    """The vectors of some texts, shape (n, d)."""

    embedder: Embedder
    vectors: np.ndarray

    def cosines(self, question: str) -> np.ndarray:
        """The cosine of each text with a question, shape (n,), float64; 0 for blank ones."""
        asked = embed(self.embedder, [question])[0]
        if not (asked.size and self.vectors.size):
            return np.zeros(len(self.vectors))
        if len(asked) != self.vectors.shape[1]:
            raise ValueError(
                f"{self.embedder.name} made vectors of {self.vectors.shape[1]} numbers and now of {len(asked)}; "
                "give each model a name of its own"
            )
        return (self.vectors @ asked).astype(float)

    def scores(self, question: str) -> np.ndarray:
        """One score a text, 0 or more."""
        return np.maximum(self.cosines(question), 0.0)


@dataclass(frozen=True)
class FusedScorer:
    """Score by words and by meaning: a scorer's score, plus a share of its best one by the cosine.

    weight: what the best cosine adds, as a share of the best lexical score, 0 or more. Where no word
    matches, the cosines decide alone.

    >>> FusedScorer(Letters("abc")).fit(["a cab", "cab", "b", "c"]).scores("cab").round(2).tolist()
    [1.31, 1.39, 0.11, 0.11]
    """

    embedder: Embedder
    scorer: Scorer = field(default_factory=BM25)
    weight: float = 1.0

    def __post_init__(self) -> None:
        check_weight("weight", self.weight)

    @property
    def name(self) -> str:
        """How the trace names it."""
        return f"{self.scorer.name} and {self.weight:g} of {self.embedder.name}"

    def fit(self, texts: Iterable[str]) -> "FittedFusion":
        """Read and embed the texts."""
        texts = list(texts)
        vectors = EmbeddingScorer(self.embedder).fit(texts)
        return FittedFusion(self.scorer.fit(texts), vectors, self.weight)


@dataclass(frozen=True)
class FittedFusion:
    """Two fitted scorers, and how much the cosines weigh."""

    words: FittedScorer
    meaning: FittedVectors
    weight: float

    def scores(self, question: str) -> np.ndarray:
        """One score a text, 0 or more."""
        return fuse(self.words.scores(question), shares(self.meaning.cosines(question)), self.weight)


def fuse(scores: np.ndarray, meaning: np.ndarray, weight: float) -> np.ndarray:
    """Add shares of meaning to scores, on the scale of the best score (of 1, where there is none).

    >>> fuse(np.array([2.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.5]), 0.5).tolist()
    [2.0, 1.0, 0.5]
    """
    scale = float(scores.max(initial=0.0)) or 1.0
    return scores + weight * scale * meaning
