"""What the tests of the stages share: counters, random texts, and what every chunker promises."""

import warnings

import regex
from hypothesis import strategies as st

from rag_lessons.chunking import OversizeWarning
from rag_lessons.context import labelled_layout
from rag_lessons.documents import Document
from rag_lessons.index import Recipe, build_index
from rag_lessons.reduction import Reduction
from rag_lessons.tokens import estimate_tokens


def count_words(text):
    return len(text.split())


def count_bytes(text):
    return len(text.encode("utf-8"))


COUNTERS = {"words": count_words, "characters": len, "bytes": count_bytes, "estimate": estimate_tokens}
counters = st.sampled_from(sorted(COUNTERS)).map(COUNTERS.get)

PROSE = [
    *["The", "valve", "sticks.", "Tides turn!", "Who knows?", "Dr. Ode", "7.25 bar", "e.g. rust,", "a", "(b)"],
    *["nai\u0308ve", "re\u0301sume\u0301.", "\u6f6e\u6c50\u8868\u3002", "\u6e2f", "\U0001f469\u200d\U0001f527"],
    *[
        "\U0001f6a2\U0001f6a2",
        "\U0001f3f3\ufe0f\u200d\U0001f308",
        "\uc870\uc218 \ud45c",
        "x" * 25,
        "wait...",
        '"Stop."',
    ],
    *["RAG", "fail", "budget", "context window", "chunk", "https://example.org/a.b?c=1", "\u00a0", "<|stop|>"],
]
LINES = [
    *["# Pumps", "## Seals", "### Rings", "```sh", "```", "~~~", "~~~~", "# no heading?", "| a | b |", "|---|---|"],
    *["| 1 | 2 |", "- item", "1. first", "> said", "    indented", "---", "[a]: /b", "\tkey = 1", "Title", "==="],
]
GAPS = [" ", " ", " ", "  ", "\n", "\n\n", "\n \t\n", "\n\n\n", "\t"]


@st.composite
def texts(draw, pieces=(*PROSE, *LINES), size=24):
    """Prose and bits of Markdown in any order, some of them blank or without a single space."""
    chosen = draw(st.lists(st.tuples(st.sampled_from(pieces), st.sampled_from(GAPS)), max_size=size))
    return draw(st.sampled_from(["", " ", "\n \n"])) + "".join(piece + gap for piece, gap in chosen)


def silently(call, *arguments, **named):
    """Call something that may warn of a visible character over the size."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OversizeWarning)
        return call(*arguments, **named)


def pieces_of(text, spans):
    return [text[start:end] for start, end, *_ in spans]


def assert_spans(text, spans, begin=0):
    """Spans rise, none is blank, none cuts a visible character, and together they hold every one once."""
    starts, ends = [span[0] for span in spans], [span[1] for span in spans]
    assert starts == sorted(set(starts)) and ends == sorted(set(ends))
    assert all(piece.strip() for piece in pieces_of(text, spans))
    assert all(end <= start for end, start in zip(ends, starts[1:], strict=False))
    assert "".join("".join(pieces_of(text, spans)).split()) == "".join(text[begin:].split())
    assert_whole_graphemes(text, spans)


def assert_whole_graphemes(text, spans):
    edges = {match.start() for match in regex.finditer(r"\X", text)} | {len(text)}
    assert {edge for span in spans for edge in span[:2]} <= edges


def index_of(texts, chunk=None):
    """An index of some texts with no summaries; each is one chunk unless `chunk` cuts it."""
    recipe = Recipe(
        "plain",
        chunk or (lambda document: [(0, len(document.text))] if document.text.strip() else []),
        lambda text, position: "",
        lambda summaries: Reduction((), "", True, 0),
    )
    return build_index([Document(f"d{n}.md", text) for n, text in enumerate(texts)], recipe)


def render_with(index):
    return lambda pieces: labelled_layout(index, pieces)
