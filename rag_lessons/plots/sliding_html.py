"""The states of an explorer that moves windows over a document: a budget, a question, a cut."""

import itertools
from collections.abc import Callable, Mapping, Sequence

from rag_lessons.chunking import Span
from rag_lessons.cuts import Truncation
from rag_lessons.plots.relevance import document_panel
from rag_lessons.plots.relevance_html import cut_caption, cut_html

Asked = tuple[str, str, Sequence[Span]]  # a document's name, its text, where its evidence stands


def window_states(
    asked: Mapping[str, Asked], budgets: Sequence[int], cuts: Mapping[str, Callable[[str, str, int], Truncation]]
) -> dict[tuple, tuple[str, str]]:
    """The states of the window explorer: (budget, question, cut) -> (HTML, caption).

    asked: question -> the name of a document, its text, spans of its evidence. budgets: in tokens.
    cuts: name -> a function of text, question and budget, as in `truncation.py`.

    >>> from rag_lessons.truncation import best_window
    >>> window_states({"Eels?": ("a", "Eels hide. Terns nest.", [])}, [3], {"best": best_window})[3, "Eels?", "best"][1]
    'best: 3 tokens.'
    """
    states = {}
    for budget, question, name in itertools.product(budgets, asked, cuts):
        title, text, evidence = asked[question]
        cut = cuts[name](text, question, budget)
        panel = document_panel(title, text, question, cut.spans, evidence)
        said = cut_caption(name, panel, cut, evidence) if evidence else f"{name}: {cut.tokens} tokens."
        caption = f"{said} {cut.note[:1].upper()}{cut.note[1:]}." if cut.note else said
        states[budget, question, name] = cut_html(panel, text, cut, evidence), caption
    return states
