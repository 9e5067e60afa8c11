"""Two sets of settings for the same pipeline: `article`, the published pattern, and `default`.

The article's preset follows its definition to the letter, hand-picked word lists included, so
that it can be measured. Its parts are of use nowhere else.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from rag_lessons.chunking import Span
from rag_lessons.context import Layout, article_layout, labelled_layout
from rag_lessons.documents import Document
from rag_lessons.embedding import Embedder
from rag_lessons.index import HierarchicalIndex, Recipe, default_recipe
from rag_lessons.passages import Passages
from rag_lessons.reduction import reduce_summaries
from rag_lessons.routing import HardRoute, Route, SoftRoute
from rag_lessons.scoring import KeyTermCosine
from rag_lessons.summarizing import KeyTermSummarizer
from rag_lessons.tokens import TokenCounter, estimate_tokens, quarter_length

KEY_TERMS = (
    "answer budget chunk chunks context embedding embeddings fail failure failures model prompt rag retrieval "
    "retrieves summary summaries window"
).split()
STRONG_TERMS = ("budget", "fail", "failure", "failures")
BOOSTS = ((KEY_TERMS, 0.15), (STRONG_TERMS, 0.35))  # a strong term gets both
_STOP_WORDS = frozenset(
    "a an and are as be because but by can for from if in is it of on or that the this to use with".split()
)
_CHUNK_CHARACTERS = 420


@dataclass(frozen=True, slots=True)
class Settings:
    """Which part does each stage's work.

    name: for the trace. prepare: documents -> the documents to index. recipe: how the index is
    built. route: question and index -> `Route`. passages: how sentences are scored, where the
    policy packs sentences. layout: how pieces are written down. counter: what a token is.
    joiners: whether what stands between blocks is counted. policy: see `pack`. copies: let a text
    in that is in already.
    """

    name: str
    prepare: Callable[[Sequence[Document]], Sequence[Document]]
    recipe: Recipe
    route: Callable[[str, HierarchicalIndex], Route]
    passages: Passages
    layout: Layout
    counter: TokenCounter
    joiners: bool
    policy: str
    copies: bool


def check_settings(settings: object) -> Settings:
    """Return settings, or raise TypeError with the way to get them.

    >>> check_settings(default_settings()).name
    'default'
    """
    if not isinstance(settings, Settings):
        raise TypeError(f"settings must be made by article_settings() or default_settings(); got {settings!r:.60}")
    return settings


def default_settings(embedder: Embedder | None = None) -> Settings:
    """The settings that the series arrives at: soft route, sentences packed by score.

    embedder: compare meaning as well as words, in the route and in the packing.

    >>> default_settings().policy
    'sentences'
    """
    return Settings(
        f"default with {embedder.name}" if embedder else "default",
        tuple,
        default_recipe(),
        SoftRoute(embedder=embedder),
        Passages(embedder=embedder, power=2.0 if embedder else 1.5),  # beside meaning, words are for what is rare
        labelled_layout,
        estimate_tokens,
        True,
        "sentences",
        False,
    )


def article_settings() -> Settings:
    """The published pattern: search summaries, answer from raw chunks, pack them first-fit.

    >>> article_settings().route.name
    'hard, documents 2, chunks in each 2, with neighbours'
    """
    summarizer = KeyTermSummarizer(KEY_TERMS, article_words, article_sentences)
    recipe = Recipe(
        "article",
        lambda document: article_chunks(document.text),
        lambda text, position: f"Chunk {position} summary: {summarizer(text, 2).text}",
        partial(reduce_summaries, summarize=summarizer, budget=90, counter=quarter_length, shrink=False),
    )
    route = HardRoute(KeyTermCosine(article_words, BOOSTS))
    return Settings(
        "article", number_documents, recipe, route, Passages(), article_layout, quarter_length, False, "first-fit", True
    )


PRESETS: dict[str, Callable[[], Settings]] = {"default": default_settings, "article": article_settings}


def article_words(text: str) -> list[str]:
    """Runs of a-z and 0-9 in the lower-cased text, two or more, without a few stop words.

    >>> article_words("Why can RAG fail?")
    ['why', 'rag', 'fail']
    """
    return [word for word in re.findall(r"[a-z0-9]{2,}", text.lower()) if word not in _STOP_WORDS]


def article_sentences(text: str) -> list[str]:
    """Sentences that end at a full stop, an exclamation or a question mark before white space.

    >>> article_sentences("See e.g. this. Done!")
    ['See e.g.', 'this.', 'Done!']
    """
    return re.split(r"(?<=[.!?])\s+", text)


def article_chunks(text: str) -> list[Span]:
    """Paragraphs grouped while their lengths sum to 420 characters at most, joiners not counted.

    A longer paragraph stands alone, whatever its length.

    >>> article_chunks("One.\\n\\nTwo.")
    [(0, 10)]
    """
    groups: list[Span] = []
    size = 0
    for match in re.finditer(r"\S(?:.*?\S)??(?=\s*\n\s*\n|\s*\Z)", text, re.DOTALL):
        length = match.end() - match.start()
        if groups and size + length <= _CHUNK_CHARACTERS:
            groups[-1] = (groups[-1][0], match.end())
            size += length
        else:
            groups.append(match.span())
            size = length
    return groups


def number_documents(documents: Sequence[Document]) -> list[Document]:
    """The Markdown files among some documents, renamed doc-001-<stem> and so on in order.

    >>> [d.doc_id for d in number_documents([Document("b.md", ""), Document("a.md", "")])]
    ['doc-001-a', 'doc-002-b']
    """
    kept = sorted((d for d in documents if d.doc_id.lower().endswith(".md")), key=lambda d: d.doc_id)
    width = max(3, len(str(len(kept))))  # so that the ids sort as the files do
    return [
        Document(f"doc-{n:0{width}d}-{d.doc_id.rsplit('/', 1)[-1][:-3]}", d.text, d.source)
        for n, d in enumerate(kept, start=1)
    ]
