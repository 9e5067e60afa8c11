"""Retrieval-augmented generation when the context window is small, one stage a file."""

from rag_lessons.corpora import data_folder, load_pydoc_topics
from rag_lessons.documents import Document, load_documents
from rag_lessons.long_context import LongContext
from rag_lessons.pipeline import ask, prepare_index
from rag_lessons.presets import PRESETS, article_settings, default_settings
from rag_lessons.trace import Trace

__all__ = [
    "PRESETS",
    "Document",
    "LongContext",
    "Trace",
    "article_settings",
    "ask",
    "data_folder",
    "default_settings",
    "load_documents",
    "load_pydoc_topics",
    "prepare_index",
]
