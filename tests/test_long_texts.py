"""Work grows with the text: of thousands of sections, and of text written to make patterns look far."""

import sys

import pytest
from texts import count_words

from rag_lessons import Document
from rag_lessons.analysis import analyse
from rag_lessons.strategies import _spread, full_document, smart_selection


def manual(count):
    """Every other section matches a question about gates."""
    return Document("a.md", "\n\n".join(f"# Part {n}\n\n{'gate' if n % 2 else 'tern'} {n} rests" for n in range(count)))


def lines_run(call):
    """How many lines of the package a call runs."""
    count, before = 0, sys.gettrace()

    def trace(frame, event, argument):
        nonlocal count
        if "rag_lessons" not in frame.f_code.co_filename:
            return None
        count += event == "line"
        return trace

    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("question", ["Which gate?", "walrus", ""])
def test_twice_the_sections_are_about_twice_the_work(question):
    work = [lines_run(lambda n=n: smart_selection(manual(n), question, 4 * n, count_words)) for n in (400, 800)]
    assert 1000 < work[1] < 2.5 * work[0]


def test_twice_the_documents_are_about_twice_the_work_though_none_fits():
    def select(count):
        documents = [Document(f"{n}.md", "gate") for n in range(count)]
        bars = Document("bars.md", "=" * 300 + "\ngate gate")
        return smart_selection([*documents, bars], "gate", 30 * count, len)

    assert lines_run(lambda: select(160)) < 2.8 * lines_run(lambda: select(80))


def test_seventeen_thousand_sections_are_counted_a_few_times():
    counted, document = 0, manual(17_000)

    def counter(text):
        nonlocal counted
        counted += len(text)
        return count_words(text)

    for strategy in (smart_selection, full_document):
        counted = 0
        found = strategy(document, "Which gate?", 50_000, counter)
        assert 40_000 < found.tokens <= 50_000 and found.truncated
        assert counted < 30 * len(document.text)
    assert len(analyse(document).sections) == 17_000


# These take no time; where they did again look at all for each, they would take minutes.


def test_a_spread_holds_every_place_once():
    assert sorted(_spread(200_000)) == list(range(200_000)) and _spread(5) == [0, 4, 2, 1, 3] and _spread(0) == []


@pytest.mark.parametrize("marks", ["\\( ", "\\[ ", "$$ ", "$x\n", "$x \\a "])
def test_mathematics_that_is_never_closed(marks):
    text = marks * 100_000
    assert ("mathematics" in analyse(Document("a.md", text)).reasons) is (marks in ("$$ ", "$x \\a "))
    assert "mathematics" not in analyse(Document("a.md", "$x" + "\\a " * 100_000)).reasons
