"""The default pipeline as functions for an evidence yardstick, without and with embeddings: question in, spans out.

The yardstick's token is four characters, so the budget is counted in those: labels and gaps too.
"""

from collections.abc import Callable
from functools import cache

from rag_lessons import Document, ask, default_settings, prepare_index
from rag_lessons.budgeting import ContextBudget
from rag_lessons.context import merge_spans
from rag_lessons.minilm import MiniLM
from rag_lessons.presets import Settings
from rag_lessons.tokens import quarter_length
from rag_lessons.vector_cache import CachedEmbedder

Place = tuple[str, int, int]


def packer(settings: Settings, suffix: str = "") -> Callable[[str, dict[str, str], int], list[Place]]:
    """Make the function that the yardstick calls; it builds one index a set of documents.

    suffix: put behind the documents' ids, for settings that read some kinds of files only.
    """
    indexes: dict[int, tuple] = {}

    def pack(question: str, documents: dict[str, str], budget_tokens: int) -> list[Place]:
        """Return the (doc_id, start, end) spans that the pipeline puts into the prompt."""
        if id(documents) not in indexes:
            index = prepare_index((Document(d + suffix, text, source=d) for d, text in documents.items()), settings)
            indexes[id(documents)] = (documents, index)  # the dict is kept, so that its id stays its own
        index = indexes[id(documents)][1]
        trace = ask(question, index, ContextBudget(budget_tokens, quarter_length, settings.joiners), settings)
        spans: dict[str, list[tuple[int, int]]] = {}
        for included in trace.selection.included:
            spans.setdefault(index.documents[included.candidate.chunk.doc_id].source, []).extend(included.spans)
        return [(doc_id, *span) for doc_id, found in spans.items() for span in merge_spans(documents[doc_id], found)]

    return pack


pack = packer(default_settings())


@cache
def _with_embeddings() -> Callable[[str, dict[str, str], int], list[Place]]:
    return packer(default_settings(CachedEmbedder(MiniLM())))


def pack_embeddings(question: str, documents: dict[str, str], budget_tokens: int) -> list[Place]:
    """As `pack`, by words and by meaning; needs the extra `models`."""
    return _with_embeddings()(question, documents, budget_tokens)
