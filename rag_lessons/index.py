"""Hold documents, chunks and their summaries in two levels, with the way back to the raw text.

A `HierarchicalIndex` maps a document to its summary and chunks, and a chunk to its summary and
its span of the raw text. Scorers are fitted on first use and forgotten when the index changes.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from tqdm.auto import tqdm

from rag_lessons.chunking import chunk_paragraphs
from rag_lessons.documents import Document, check_documents
from rag_lessons.markdown import chunk_markdown
from rag_lessons.reduction import Reduction, reduce_summaries
from rag_lessons.scoring import FittedScorer, Scorer
from rag_lessons.summarizing import CentroidSummarizer
from rag_lessons.tokens import check_count


class ChunkRecord(NamedTuple):
    """A chunk: where it stands in its document (1 is the first), its span, its summary.

    path: the headings above it. lead: lines that its own first line needs (see `markdown.py`).
    """

    chunk_id: str
    doc_id: str
    position: int
    start: int
    end: int
    summary: str
    path: tuple[str, ...] = ()
    lead: str = ""


@dataclass(frozen=True, slots=True)
class DocumentRecord:
    """A document's entry: its summary, and which of the index's chunks are its own."""

    doc_id: str
    source: str
    summary: str
    chunks: tuple[ChunkRecord, ...]


def chunk_document(document: Document, target: int = 420) -> Sequence[tuple]:
    """Chunk Markdown files by section and every other text by paragraph.

    >>> chunk_document(Document("a.txt", "One.\\n\\nTwo."), target=5)
    [(0, 4), (6, 10)]
    """
    markdown = document.doc_id.lower().endswith((".md", ".markdown"))
    return (chunk_markdown if markdown else chunk_paragraphs)(document.text, target)


@dataclass(frozen=True, slots=True)
class Recipe:
    """How an index is built: three functions, and a name for the trace.

    chunk: document -> spans, or `MarkdownChunk`s. summarize_chunk: (text, position) -> summary.
    summarize_document: summaries of its chunks -> `Reduction`.
    """

    name: str
    chunk: Callable[[Document], Sequence[tuple]]
    summarize_chunk: Callable[[str, int], str]
    summarize_document: Callable[[Sequence[str]], Reduction]


def default_recipe(target: int = 420, sentences: int = 2) -> Recipe:
    """Chunks of at most `target` characters; centroid summaries of two sentences, of six for a document.

    sentences: how many a chunk's summary keeps. A step of the reduction reads up to 8,000
    characters, so that most documents take one.

    >>> default_recipe().name
    'default, 420 characters'
    """
    check_count("target", target, least=1, unit="characters")
    check_count("sentences", sentences, least=1, unit="sentences")
    summarizer = CentroidSummarizer()
    return Recipe(
        f"default, {target} characters" + ("" if sentences == 2 else f", summaries of {sentences}"),
        lambda document: chunk_document(document, target),
        lambda text, position: summarizer(text, sentences).text,
        lambda summaries: reduce_summaries(summaries, summarizer, budget=8000, sentences=6, counter=len),
    )


class HierarchicalIndex:
    """Documents in order of their ids, each with its summary, chunks and raw text.

    Make one with `build_index`; change it with `update` and `remove`.
    """

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self.documents: dict[str, Document] = {}
        self.records: dict[str, DocumentRecord] = {}
        self._forget()

    def _forget(self) -> None:
        self._chunks: tuple[ChunkRecord, ...] | None = None
        self._first: dict[str, int] = {}
        self._fitted: dict[Hashable, Any] = {}

    def update(self, document: Document) -> DocumentRecord:
        """Add a document, or put it in the place of the one with its id, chunks and all."""
        check_documents([document])
        chunks = []
        for position, (start, end, *rest) in enumerate(self.recipe.chunk(document), start=1):
            summary = self.recipe.summarize_chunk(document.text[start:end], position)
            chunk_id = f"{document.doc_id}-chunk-{position:03d}"
            chunks.append(ChunkRecord(chunk_id, document.doc_id, position, start, end, summary, *rest))
        summary = self.recipe.summarize_document([chunk.summary for chunk in chunks]).summary
        record = DocumentRecord(document.doc_id, document.source, summary, tuple(chunks))
        self.documents[document.doc_id], self.records[document.doc_id] = document, record
        self._forget()
        return record

    def remove(self, doc_id: str) -> None:
        """Take a document out. Raises KeyError, with the ids there are, for an unknown one."""
        if doc_id not in self.records:
            raise KeyError(f"no document {doc_id!r}; there are {sorted(self.records)[:10]}")
        del self.documents[doc_id], self.records[doc_id]
        self._forget()

    def only(self, doc_ids: Iterable[str]) -> "HierarchicalIndex":
        """A smaller index of some of the documents; nothing is built again. Raises KeyError for an unknown id."""
        part = HierarchicalIndex(self.recipe)
        for doc_id in doc_ids:
            if doc_id not in self.records:
                raise KeyError(f"no document {doc_id!r}; there are {sorted(self.records)[:10]}")
            part.documents[doc_id], part.records[doc_id] = self.documents[doc_id], self.records[doc_id]
        return part

    @property
    def chunks(self) -> tuple[ChunkRecord, ...]:
        """All chunks, in order of document id and position."""
        if self._chunks is None:
            found: list[ChunkRecord] = []
            for doc_id in sorted(self.records):
                self._first[doc_id] = len(found)
                found += self.records[doc_id].chunks
            self._chunks = tuple(found)
        return self._chunks

    def place(self, doc_id: str) -> range:
        """Where a document's chunks stand in `chunks`."""
        first = self._first[doc_id] if self.chunks else 0
        return range(first, first + len(self.records[doc_id].chunks))

    def text(self, chunk: ChunkRecord) -> str:
        """The raw text of a chunk, sliced from its document."""
        return self.documents[chunk.doc_id].text[chunk.start : chunk.end]

    def neighbour(self, chunk: ChunkRecord, step: int) -> ChunkRecord | None:
        """The chunk `step` places after (or, below 0, before) one in its document, if any."""
        chunks, i = self.records[chunk.doc_id].chunks, chunk.position - 1 + step
        return chunks[i] if 0 <= i < len(chunks) else None

    def scorer(self, scorer: Scorer, field: str) -> FittedScorer:
        """A scorer fitted on one field of the index, kept until the index changes; equal scorers share it.

        field: "document summary" (in order of id), "chunk summary" or "chunk text" (as `chunks`).
        """
        return self.keep((scorer, field), lambda: scorer.fit(self._field(field)))

    def keep(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """What `make` returns, made once and kept under a key until the index changes."""
        kept = self._fitted  # if the index changes meanwhile, this one is forgotten
        if key not in kept:
            kept[key] = make()
        return kept[key]

    def _field(self, field: str) -> Iterable[str]:
        if field == "document summary":
            return (self.records[doc_id].summary for doc_id in sorted(self.records))
        if field == "chunk summary":
            return (chunk.summary for chunk in self.chunks)
        if field == "chunk text":
            return (" ".join([*chunk.path, chunk.lead, self.text(chunk)]) for chunk in self.chunks)
        raise ValueError(f"field must be 'document summary', 'chunk summary' or 'chunk text'; got {field!r}")


def build_index(
    documents: Iterable[Document], recipe: Recipe | None = None, *, progress: bool = False
) -> HierarchicalIndex:
    """Build an index, in time linear in the text.

    recipe: how; `default_recipe()` if None. progress: show a bar on stderr.

    Raises ValueError for two documents with one id, TypeError for what is no document.

    >>> build_index([Document("a.txt", "Gates rust.")]).chunks[0].chunk_id
    'a.txt-chunk-001'
    """
    index = HierarchicalIndex(recipe or default_recipe())
    for document in tqdm(check_documents(documents), desc="index", unit="doc", disable=not progress):
        if document.doc_id in index.records:
            raise ValueError(f"two documents have the id {document.doc_id!r}; give each its own")
        index.update(document)
    return index
