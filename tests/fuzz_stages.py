"""What must hold for any input from the text to its summaries, and how long a call may take.

Each stage of the fuzz run raises where something does not hold. Index, search and packing are
`fuzz_asking.py`'s work.
"""

import math
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import regex
from cutting import BLIND, COUNTS, MARKERS, SEEING, assert_cut, cut_by
from fuzz_inputs import ENCODINGS, Case
from texts import assert_spans, assert_whole_graphemes

from rag_lessons import Document, load_documents
from rag_lessons.chunking import chunk_paragraphs, chunk_sentences, paragraph_spans
from rag_lessons.cutting import ENDS
from rag_lessons.documents import TAGS
from rag_lessons.markdown import chunk_markdown, front_matter, headings
from rag_lessons.presets import article_sentences, article_words
from rag_lessons.reduction import reduce_summaries
from rag_lessons.sentences import fold, sentence_spans, trim
from rag_lessons.summarizing import CentroidSummarizer, KeyTermSummarizer, cut_to_budget
from rag_lessons.windows import chunk_tokens

ALWAYS, EACH = 1.0, 0.0001  # seconds of processor time that a call may take, and more for each character


class TooSlow(Exception):
    """A call took more processor time than the size of its input allows."""


class Run:
    """One input on its way: its documents, a folder for files, and a watch on how long calls take."""

    def __init__(self, case: Case, folder: Path) -> None:
        self.case, self.folder = case, folder
        self.documents: tuple[Document, ...] = ()

    def call(self, size: int, function: Callable, *arguments: Any, **named: Any) -> Any:
        """Call a function on `size` characters; raises TooSlow where that took longer than it may."""
        started = time.process_time()
        result = function(*arguments, **named)
        spent, allowed = time.process_time() - started, ALWAYS + EACH * size
        name = getattr(function, "__name__", str(function))
        if spent > allowed:
            raise TooSlow(f"{name} took {spent:.1f} s for {size} characters; {allowed:.1f} s is the limit")
        return result


def load(run: Run, choose: random.Random) -> None:
    """Every file is loaded as it was written, or reported."""
    for name, text, encoding in run.case.files:
        path = run.folder / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(ENCODINGS[encoding](text))
    (run.folder / "in").mkdir(exist_ok=True)
    run.documents, report = run.call(run.case.size, load_documents, run.folder / "in")
    assert load_documents(run.folder / "in") == (run.documents, report)
    names = sorted(name for name, *_ in run.case.files if not name.endswith(".rst"))
    assert sorted([*report.loaded, *(name for name, _ in report.skipped)]) == names
    found = {document.doc_id: document.text for document in run.documents}
    for name, text, encoding in run.case.files:
        if name in names and encoding.startswith("UTF") and "cut" not in encoding and "\0" not in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\ufeff", "")
            text = TAGS.sub(lambda match: match[1] or "", text)
            assert found[name] == text, f"{name} was not loaded as it was written"


def chunks(run: Run, choose: random.Random) -> None:
    """Spans hold every visible character once, none over the target, none cut."""
    target = choose.choice([1, 2, 3, 10, 60, 420, 2000])
    for text in (document.text for document in run.documents):
        for find in (paragraph_spans, sentence_spans):
            assert_spans(text, run.call(len(text), find, text))
        run.call(len(text), headings, text)
        for cut in (chunk_paragraphs, chunk_sentences, chunk_markdown):
            spans = run.call(len(text), cut, text, target)
            assert_spans(text, spans, front_matter(text)[1] if cut is chunk_markdown else 0)
            for start, end, *_ in spans:
                assert end - start <= target or regex.fullmatch(r"\X", text[start:end]), "a chunk over the target"


def windows(run: Run, choose: random.Random) -> None:
    """Windows cost at most their size, overlap by at most the overlap and move on."""
    size, counter = choose.choice([1, 2, 3, 10, 100]), choose.choice(COUNTS)
    overlap = choose.randrange(size)
    for text in (document.text for document in run.documents):
        spans = run.call(len(text), chunk_tokens, text, size, overlap, counter)
        assert_whole_graphemes(text, spans)
        for start, end in spans:
            assert counter(text[start:end]) <= size or regex.fullmatch(r"\X", text[start:end]), "a window over its size"
        for (before, last), (start, end) in zip(spans, spans[1:], strict=False):
            assert before < start and last < end and not text[last:start].strip(), "a window that does not move on"
            assert start >= last or counter(text[start:last]) <= overlap, "windows that share too much"
        edges = (spans[0][0], spans[-1][1]) if spans else (0, 0)
        assert text[slice(*edges)] == text[slice(*trim(text, 0, len(text)))]  # a space with an accent stays


def summaries(run: Run, choose: random.Random) -> None:
    """Summaries are sentences of the text, in order, and fit when they are cut; a reduction ends and fits."""
    count, budget, counter = choose.randint(1, 5), choose.choice([0, 1, 5, 40, 300]), choose.choice(COUNTS)
    key_terms = KeyTermSummarizer({"rust", "budget"}, article_words, article_sentences)
    found = []
    for text in (document.text for document in run.documents):
        for summarizer in (CentroidSummarizer(), key_terms):
            summary = run.call(len(text), summarizer, text, count)
            assert bool(summary.text) == bool(text.strip()) and len(summary.spans) <= count
            cut = run.call(len(text), cut_to_budget, summary, budget, counter)
            assert not cut.text or (counter(cut.text) <= budget and summary.text.startswith(cut.text))
            kept = "".join(text[start:end] for start, end in summary.spans)
            assert summary.text == fold(summary.text), "a summary on two lines"
            assert not kept or "".join(summary.text.split()) == "".join(kept.split()), "a summary of other words"
        found += [text[start:end] for start, end in paragraph_spans(text)][:300]
    size = sum(map(len, found))
    result = run.call(size, reduce_summaries, found, CentroidSummarizer(), budget=budget, counter=counter)
    assert result.rounds <= math.ceil(math.log2(max(1, len(found)))) + 2
    assert not result.summary or counter(result.summary) <= budget
    assert result.reached == (not found or bool(result.summary))


def truncation(run: Run, choose: random.Random) -> None:
    """Every cut is whole characters of its text within the budget; at most so many windows."""
    for text in (document.text for document in run.documents):
        budget, counter, ends = choose.choice([0, 1, 3, 20, 200]), choose.choice(COUNTS), choose.choice(ENDS)
        marker, count = choose.choice(MARKERS), choose.randint(1, 3)
        for name in (*BLIND, *SEEING):
            named = {"ends": ends, "marker": marker} | ({"count": count} if name == "windows" else {})
            kept = run.call(len(text), cut_by, name, text, run.case.question, budget, counter, **named)
            assert_cut(text, kept, budget, counter, marker)
            assert name != "windows" or len(kept.spans) <= count
