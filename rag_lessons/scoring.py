"""Score texts against a question: BM25 over numpy postings, cosine with key terms.

A scorer reads a list of texts once and then gives each a score for any question. Scores compare
terms (see `terms.py`), not meaning.
"""

import math
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np

from rag_lessons.terms import terms
from rag_lessons.tokens import check_count, check_weight


class FittedScorer(Protocol):
    """Scores a fixed list of texts."""

    def scores(self, question: str) -> np.ndarray:
        """Return one finite score a text, shape (n,), float64; 0 where nothing matches."""


class Scorer(Protocol):
    """Makes a `FittedScorer` for a list of texts; hashable, and its `name` goes into the trace."""

    name: str

    def fit(self, texts: Iterable[str]) -> FittedScorer:
        """Read the texts once."""


@dataclass(frozen=True)
class BM25:
    """Okapi BM25 (Robertson and Zaragoza, 2009) with an IDF that is never 0 or below.

    k1: how soon more of the same term stops counting. b: how much length counts, 0 to 1.

    >>> BM25().fit(["windy day", "sunny day"]).scores("windy").round(2).tolist()
    [0.69, 0.0]
    """

    k1: float = 1.2
    b: float = 0.75

    def __post_init__(self) -> None:
        check_weight("k1", self.k1)
        check_weight("b", self.b, most=1)

    @property
    def name(self) -> str:
        """How the trace names it."""
        return "bm25" if (self.k1, self.b) == (1.2, 0.75) else f"bm25, k1 {self.k1:g}, b {self.b:g}"

    def fit(self, texts: Iterable[str]) -> "Postings":
        """Count the terms of each text."""
        return Postings((terms(text) for text in texts), self.k1, self.b)


class _Numbers(dict):
    """Key -> its number, given out in the order in which keys are first asked for."""

    def __missing__(self, key: str) -> int:
        self[key] = number = len(self)
        return number


class Postings:
    """For each term, the texts that hold it and how much it weighs there, as numpy arrays."""

    def __init__(self, term_lists: Iterable[Sequence[str]], k1: float = 1.2, b: float = 0.75) -> None:
        vocabulary, ids, lengths = _Numbers(), array("i"), array("i")
        number = vocabulary.__getitem__
        for term_list in term_lists:
            lengths.append(len(term_list))
            ids.extend(map(number, term_list))
        self.vocabulary, self.size = dict(vocabulary), len(lengths)
        rows = np.repeat(np.arange(len(lengths)), lengths)
        places, counts = np.unique(np.array(ids, np.int64) * len(lengths) + rows, return_counts=True)
        numbers, rows = np.divmod(places, max(1, len(lengths)))
        self.rows = rows.astype(np.int32)
        self.edges = np.searchsorted(numbers, np.arange(len(vocabulary) + 1))
        tf = counts.astype(np.float32)
        length = np.array(lengths, np.float32)
        mean = max(float(length.mean()) if len(length) else 0.0, 1e-9)
        self.weights = tf * (k1 + 1) / (tf + k1 * (1 - b + b * length[self.rows] / mean))

    def idf(self, term: str) -> float:
        """How rare a term is: ln(1 + (n - df + 0.5) / (df + 0.5)), above 0; 0 for an unknown one."""
        i = self.vocabulary.get(term)
        if i is None:
            return 0.0
        df = int(self.edges[i + 1] - self.edges[i])
        return math.log(1 + (self.size - df + 0.5) / (df + 0.5))

    def scores(self, question: str) -> np.ndarray:
        """One score a text for a question in words, shape (n,); repeated words count once."""
        return self.score_terms(dict.fromkeys(_asked(question), 1.0))

    def score_terms(self, weights: dict[str, float]) -> np.ndarray:
        """One score a text for weighted terms, shape (n,), float64."""
        total = np.zeros(self.size)
        for term, weight in weights.items():
            i = self.vocabulary.get(term)
            if i is not None:
                span = slice(self.edges[i], self.edges[i + 1])
                total[self.rows[span]] += weight * self.idf(term) * self.weights[span]
        return total


@lru_cache(maxsize=16)
def _asked(question: str) -> tuple[str, ...]:
    """The terms of a question; where many texts are scored one by one, it is the same question each time."""
    return tuple(terms(question))


@dataclass(frozen=True)
class KeyTermCosine:
    """Cosine of word counts, raised for hand-picked key terms that question and text share.

    words: text -> list of words. boosts: (key terms, what each one shared adds) pairs.

    >>> scorer = KeyTermCosine(str.split, [(["fail"], 0.5)]).fit(["pumps fail", "pumps run"])
    >>> scorer.scores("why fail").round(2).tolist()
    [1.0, 0.0]
    """

    words: Callable[[str], list[str]]
    boosts: Iterable[tuple[Iterable[str], float]] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "boosts", tuple((frozenset(found), add) for found, add in self.boosts))

    @property
    def name(self) -> str:
        """How the trace names it."""
        return "cosine with key terms" if self.boosts else "cosine"

    def fit(self, texts: Iterable[str]) -> "FittedCosine":
        """Count the words of each text."""
        return FittedCosine(self, [Counter(self.words(text)) for text in texts])


@dataclass(frozen=True)
class FittedCosine:
    """The word counts of some texts, and the scorer that compares a question with them."""

    scorer: KeyTermCosine
    texts: Sequence[Counter]

    def scores(self, question: str) -> np.ndarray:
        """One score a text, shape (n,)."""
        asked = Counter(self.scorer.words(question))
        return np.array([self._score(asked, text) for text in self.texts], float)

    def _score(self, asked: Counter, text: Counter) -> float:
        shared = asked.keys() & text.keys()
        norms = math.sqrt(sum(n * n for n in asked.values())) * math.sqrt(sum(n * n for n in text.values()))
        score = sum(asked[word] * text[word] for word in shared) / norms if norms else 0.0
        for found, add in self.scorer.boosts:
            score += add * len(found & shared)
        return score


def rank(scores: np.ndarray, k: int | None = None) -> list[int]:
    """The places of the scores above 0, best first, ties in their order; at most `k` of them.

    Raises TypeError or ValueError where `k` is neither None nor a whole number, 0 or more.

    >>> rank(np.array([0.0, 2.0, 2.0, 3.0]), k=2)
    [3, 1]
    """
    return top(scores, k if k is None else check_count("k", k, unit="texts")).tolist()


def top(scores: np.ndarray, k: int | None = None) -> np.ndarray:
    """As `rank`, as an array.

    >>> top(np.array([0.0, 2.0, 2.0, 3.0]), k=2)
    array([3, 1])
    """
    places = _near_top(scores, k)
    return places[(-scores[places]).argsort(kind="stable")[:k]]


def top_set(scores: np.ndarray, k: int | None = None) -> np.ndarray:
    """The places of `top` in ascending order; mostly nothing has to be sorted.

    >>> top_set(np.array([0.0, 2.0, 2.0, 3.0]), k=2)
    array([1, 3])
    """
    places = _near_top(scores, k)
    return places if k is None or len(places) <= k else np.sort(top(scores, k))


def _near_top(scores: np.ndarray, k: int | None) -> np.ndarray:
    """The places of the scores above 0 that are no less than the k-th, in ascending order."""
    least = 0.0
    if k is not None and 0 < k < len(scores):
        least = np.partition(scores, len(scores) - k)[len(scores) - k]
    return (scores >= least if least > 0 else scores > 0).nonzero()[0]
