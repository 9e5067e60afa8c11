"""Cut one long document to the window that matters, turn by turn with a loop over its sentences; print JSON.

Usage: python truncating.py SENTENCES ... Runs under the peers' environment with the repository's root
on PYTHONPATH; `run.py` starts it.
"""

import json
import sys
from statistics import median

import numpy as np
from corpus import made_up_texts
from sklearn.feature_extraction.text import TfidfVectorizer
from turns import compare, interleave, label

from rag_lessons import load_pydoc_topics
from rag_lessons.sentences import sentence_spans
from rag_lessons.truncation import best_window, sliding_window

BUDGET = 500  # tokens
SENTENCE = 160  # characters, a little more than a made-up one has
COMPARED = 1_000  # sentences of real text
QUESTION = "How does a with statement call __exit__ when an exception is raised?"
RATIO, MILLISECONDS, FLAT = 20.0, 5.0, 1.2


def first_sentences(text: str, number: int) -> str:
    """A text up to the end of its sentence of that number."""
    return text[: sentence_spans(text)[number - 1][1]]


def one_by_one(text: str, question: str) -> int:
    """The place of the sentence nearest to a question, each one embedded by itself."""
    sentences = [text[start:end] for start, end in sentence_spans(text)]
    model = TfidfVectorizer().fit(sentences)
    asked = model.transform([question])
    return int(np.argmax([model.transform([sentence]).multiply(asked).sum() for sentence in sentences]))


def compared() -> tuple[list[dict], dict]:
    """The window of a long text against the loop, with the splitting on both sides; and its milliseconds without."""
    text = first_sentences("\n\n".join(topic.text for topic in load_pydoc_topics()), COMPARED)
    seconds = interleave(
        {
            "ours": lambda: sliding_window(text, QUESTION, BUDGET),
            "peer": lambda: one_by_one(text, QUESTION),
            "split": lambda: sentence_spans(text),
        },
        rounds=9,
    )
    peers = {"peer": (label("TfidfVectorizer, sentence by sentence", "scikit-learn"), RATIO)}
    rows = compare(f"cutting {COMPARED:,} sentences to {BUDGET} tokens", seconds, peers)
    spent = median(1000 * (all_ - split) for all_, split in zip(seconds["ours"], seconds["split"], strict=True))
    return rows, {"median": spent, "goal": MILLISECONDS, "met": spent <= MILLISECONDS}


def growth(sizes: list[int]) -> list[dict]:
    """Processor seconds a sentence of the exact window, by sentences in the document."""
    text = first_sentences(next(made_up_texts(1, max(sizes) * SENTENCE)), max(sizes))
    start, end = sentence_spans(text[:100_000])[100]
    question = f"What of {' '.join(text[start:end].split()[:6])}?"
    found = []
    for size in sizes:
        part = first_sentences(text, size)
        rounds = max(3, 15_000 // size)
        times = interleave({"best": lambda part=part: best_window(part, question, BUDGET)}, rounds)["best"]
        pace = median(times) / size
        flat = pace <= FLAT * found[0]["pace"] if found else None
        found.append({"sentences": size, "pace": pace, "goal": FLAT if found else None, "met": flat})
    return found


if __name__ == "__main__":
    rows, milliseconds = compared()
    print(json.dumps({"rows": rows, "milliseconds": milliseconds, "growth": growth(list(map(int, sys.argv[1:])))}))
