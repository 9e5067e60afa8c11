"""The text of a chunk with the sentences that its summary keeps marked, as HTML for an explorer."""

import html
from collections.abc import Sequence

from rag_lessons.plots.style import INCLUDED, MUTED


def mark_kept(sentences: Sequence[str], summary: str) -> list[bool]:
    """Which of a text's sentences a summary kept; it must hold them unchanged and in their order.

    Raises ValueError for a summary that holds anything else.

    >>> mark_kept(["Gates rust.", "Birds nest.", "Eels swim."], "Gates rust. Eels swim.")
    [True, False, True]
    """
    marks, rest = [], " ".join(summary.split())
    for sentence in (" ".join(sentence.split()) for sentence in sentences):
        inside = rest == sentence or rest.startswith(sentence + " ")
        marks.append(inside)
        rest = rest[len(sentence) :].lstrip() if inside else rest
    if rest:
        raise ValueError(f"the summary holds {rest[:60]!r}, which is none of the sentences left to look at")
    return marks


def kept_html(sentences: Sequence[str], kept: Sequence[bool], question: str) -> str:
    """A question, and below it the sentences of a text: kept ones ticked, barred and bold, others dashed.

    >>> "&lt;b&gt;" in kept_html(["A <b>"], [True], "Why?")
    True
    """
    rows = []
    for sentence, inside in zip(sentences, kept, strict=True):
        bar = f"4px solid {INCLUDED}" if inside else f"4px dashed {MUTED}"
        look = "font-weight:600" if inside else "opacity:.75"
        sign = "&#10004; kept" if inside else "&ndash; left out"
        rows.append(
            f'<div style="display:flex;gap:10px;border-left:{bar};padding:2px 0 2px 8px;margin:3px 0">'
            f'<span style="flex:0 0 66px;font-size:12px">{sign}</span>'
            f'<span style="{look};color:currentColor">{html.escape(sentence)}</span></div>'
        )
    return f'<p style="margin:0 0 6px"><b>Question:</b> {html.escape(question)}</p>{"".join(rows)}'
