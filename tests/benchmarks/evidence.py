"""The default pipeline as a function for an evidence yardstick: question in, raw spans out."""

from rag_lessons import Document, ask, prepare_index
from rag_lessons.context import merge_spans

_indexes: dict[int, tuple] = {}


def pack(question: str, documents: dict[str, str], budget_tokens: int) -> list[tuple[str, int, int]]:
    """Return the (doc_id, start, end) spans that the default pipeline puts into the prompt."""
    if id(documents) not in _indexes:
        index = prepare_index(Document(doc_id, text) for doc_id, text in documents.items())
        _indexes[id(documents)] = (documents, index)  # the dict is kept, so that its id stays its own
    index = _indexes[id(documents)][1]
    spans: dict[str, list[tuple[int, int]]] = {}
    for included in ask(question, index, budget_tokens).selection.included:
        spans.setdefault(included.candidate.chunk.doc_id, []).extend(included.spans)
    return [
        (doc_id, start, end) for doc_id, found in spans.items() for start, end in merge_spans(documents[doc_id], found)
    ]
