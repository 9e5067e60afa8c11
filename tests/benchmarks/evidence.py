"""The default pipeline as a function for an evidence yardstick: question in, raw spans out.

The yardstick's token is four characters, so the budget is counted in those: labels and gaps too.
"""

from collections.abc import Callable

from rag_lessons import Document, ask, default_settings, prepare_index
from rag_lessons.budgeting import ContextBudget
from rag_lessons.context import merge_spans
from rag_lessons.presets import Settings
from rag_lessons.tokens import quarter_length

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
