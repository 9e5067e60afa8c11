"""Chunk text and build an index, turn by turn with the peers in one process; print JSON.

Runs under the peers' environment with the repository's root on PYTHONPATH; `run.py` starts it.
"""

import contextlib
import io
import json

from chonkie import FastChunker
from langchain_text_splitters import RecursiveCharacterTextSplitter
from llama_index.core import Document, DocumentSummaryIndex, MockEmbedding
from llama_index.core.llms import MockLLM
from llama_index.core.node_parser import SentenceSplitter
from turns import compare, interleave, label

from rag_lessons import load_pydoc_topics, prepare_index
from rag_lessons.chunking import chunk_paragraphs

CAP = 420
DOCUMENTS = load_pydoc_topics()
TEXTS = [document.text for document in DOCUMENTS]
MEGABYTES = sum(len(text.encode("utf-8")) for text in TEXTS) / 1e6


def check_chunks() -> None:
    """Raise AssertionError unless our chunks are within the cap and hold every visible character once."""
    for text in TEXTS:
        spans, at = chunk_paragraphs(text, CAP), 0
        for start, end in spans:
            assert at <= start < end <= start + CAP and not text[at:start].strip(), (start, end)
            at = end
        assert not text[at:].strip(), at


def chunking() -> list[dict]:
    """Chunk the topics; FastChunker and LangChain also make an object and a copy of each text."""
    check_chunks()
    fast = FastChunker(chunk_size=CAP)
    recursive = RecursiveCharacterTextSplitter(chunk_size=CAP, chunk_overlap=0, add_start_index=True)
    seconds = interleave(
        {
            "ours": lambda: [chunk_paragraphs(text, CAP) for text in TEXTS],
            "with texts": lambda: [[(s, e, text[s:e]) for s, e in chunk_paragraphs(text, CAP)] for text in TEXTS],
            "chonkie": lambda: [fast.chunk(text) for text in TEXTS],
            "langchain": lambda: recursive.create_documents(TEXTS),
        },
        rounds=15,
        repeats=5,
    )
    peers = {
        "chonkie": (label("FastChunker", "chonkie"), 2.0),
        "langchain": (label("RecursiveCharacterTextSplitter", "langchain-text-splitters"), 6.0),
    }
    rows = compare("chunking, spans", seconds, peers)
    return rows + compare("chunking, each chunk's text copied", seconds | {"ours": seconds["with texts"]}, peers)


def building() -> list[dict]:
    """Build the index; the peer once as it comes (1,024 tokens a chunk) and once with chunks like ours."""
    documents = [Document(text=document.text, doc_id=document.doc_id) for document in DOCUMENTS]
    alike = SentenceSplitter(chunk_size=CAP, chunk_overlap=0, tokenizer=list, include_metadata=False)

    def build(splitter: SentenceSplitter) -> None:
        with contextlib.redirect_stdout(io.StringIO()):  # it prints each document's id
            DocumentSummaryIndex.from_documents(
                documents,
                transformations=[splitter],
                llm=MockLLM(max_tokens=60),
                embed_model=MockEmbedding(embed_dim=384),
            )

    seconds = interleave(
        {
            "ours": lambda: prepare_index(DOCUMENTS),
            "as it comes": lambda: build(SentenceSplitter()),
            "alike": lambda: build(alike),
        },
        rounds=5,
    )
    peers = {
        "as it comes": (label("DocumentSummaryIndex, its own chunk size", "llama-index-core"), 10.0),
        "alike": (label(f"DocumentSummaryIndex, {CAP} characters a chunk", "llama-index-core"), 10.0),
    }
    return compare("building the index", seconds, peers)


if __name__ == "__main__":
    print(json.dumps({"megabytes": MEGABYTES, "rows": chunking() + building()}))
