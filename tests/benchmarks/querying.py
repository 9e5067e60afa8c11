"""Ask and search at one size, turn by turn with bm25s and with a scan over all summaries; print JSON.

Usage: python querying.py CHUNKS. Runs under the peers' environment with the repository's root on
PYTHONPATH; `run.py` starts it.
"""

import json
import random
import sys
import time
from collections.abc import Callable, Sequence
from statistics import fmean, median, quantiles

import bm25s
from corpus import made_up_texts
from turns import compare, interleave, label

from rag_lessons import Document, ask, prepare_index
from rag_lessons.index import HierarchicalIndex
from rag_lessons.presets import BOOSTS, article_words, default_settings
from rag_lessons.scoring import KeyTermCosine

DOCUMENT = 30_000  # characters
CHUNK = 328  # characters of this text in a chunk of at most 420, measured
WORDS = 6  # of a sentence, in a question
BUDGET = 500  # tokens
ASKED = 200
ROUNDS, BATCH = 15, 500  # of searches
GOALS = {"ask": {10_000: 3.0}, "bm25s": {100_000: 2.0}, "scan": {100_000: 100.0}}  # milliseconds, ratios

Search = Callable[[str], Sequence[int]]  # question -> places in index.chunks, best first


def draw_questions(index: HierarchicalIndex, number: int, seed: int = 2) -> list[tuple[str, int]]:
    """Some words of a sentence each, in another order, with the place of the chunk they are from."""
    draw = random.Random(seed)
    found = []
    for _ in range(number):
        place = draw.randrange(len(index.chunks))
        words = draw.choice(index.text(index.chunks[place]).split(". ")).rstrip(".").split()
        found.append((f"What of {' '.join(draw.sample(words, min(WORDS, len(words))))}?", place))
    return found


def flat_search(texts: Sequence[str], k: int) -> Search:
    """Search flat with bm25s, in the quickest way that its guide shows."""
    tokenizer = bm25s.tokenization.Tokenizer()
    peer = bm25s.BM25(backend="numba")
    peer.index(tokenizer.tokenize(texts, return_as="tuple", show_progress=False), show_progress=False)

    def search(question: str) -> Sequence[int]:
        tokens = tokenizer.tokenize([question], update_vocab=False, show_progress=False)
        return peer.retrieve(tokens, k=k, show_progress=False).documents[0]

    return search


def in_turn(search: Callable[[str], object], questions: Sequence[str], batch: int) -> Callable[[], object]:
    """A contestant that answers the next `batch` questions at every turn."""
    left = iter(questions)
    return lambda: [search(next(left)) for _ in range(batch)]


def time_ask(index: HierarchicalIndex, questions: Sequence[str], goal: float | None) -> dict:
    """Milliseconds of an `ask`, all its stages together: median, and from 10 to 90 %; the first is not counted."""
    times = []
    for question in questions:
        started = time.perf_counter()
        ask(question, index, BUDGET)
        times.append(1000 * (time.perf_counter() - started))
    low, *_, high = quantiles(times[1:], n=10)
    middle = median(times[1:])
    return {"median": middle, "low": low, "high": high, "goal": goal, "met": None if goal is None else middle <= goal}


def main(chunks: int) -> None:
    """Measure one size. found: share of questions whose own chunk is among the k that ours, and flat BM25, return."""
    texts = made_up_texts(chunks * CHUNK, DOCUMENT)
    index = prepare_index(Document(f"{number:05d}.txt", text) for number, text in enumerate(texts))
    route = default_settings().route
    asked = draw_questions(index, BATCH * (ROUNDS + 1))
    questions = [question for question, _ in asked]

    def routed(question: str) -> Sequence[int]:
        return route.search(question, index)[0]

    goals = {name: by_size.get(chunks) for name, by_size in GOALS.items()}
    asking = time_ask(index, questions[: ASKED + 1], goals["ask"])
    flat = flat_search([index.text(chunk) for chunk in index.chunks], route.k)
    scan = KeyTermCosine(article_words, BOOSTS).fit([chunk.summary for chunk in index.chunks])
    seconds = interleave(
        {
            "ours": in_turn(routed, questions, BATCH),
            "bm25s": in_turn(flat, questions, BATCH),
            "scan": in_turn(scan.scores, questions, 1),
        },
        ROUNDS,
    )
    seconds["scan"] = [BATCH * turn for turn in seconds["scan"]]  # one question a turn is slow enough
    peers = {
        "bm25s": (label("flat BM25, numba backend", "bm25s"), goals["bm25s"]),
        "scan": ("the article's scan over all summaries", goals["scan"]),
    }
    print(
        json.dumps({
            "chunks": len(index.chunks),
            "documents": len(index.documents),
            "k": route.k,
            "ask": asking,
            "found": [fmean(place in search(question) for question, place in asked) for search in (routed, flat)],
            "rows": compare(f"searching {chunks:,} chunks", seconds, peers),
        })
    )


if __name__ == "__main__":
    main(int(sys.argv[1]))
