"""The tree of the choice as inline SVG that reads on white and dark pages, and the states of its explorer."""

import html
import itertools
from collections.abc import Iterable, Sequence

from rag_lessons.analysis import analyse
from rag_lessons.documents import Document
from rag_lessons.long_context import LongAnswer, LongContext
from rag_lessons.plots.decision import Fork, decision_path, path_in_words, size_in_words
from rag_lessons.plots.style import INCLUDED, MUTED, SKIPPED
from rag_lessons.strategies import STRATEGIES, Choice
from rag_lessons.strategy_context import StrategyContext

_STEP, _SHOWN = 46, 4


def decision_svg(path: Sequence[Fork], choice: Choice) -> str:
    """The questions one below the other, the strategies beside them; the way taken is thick and filled.

    >>> decision_svg([], Choice("hybrid", 9, 3, ""))[:32]
    '<svg xmlns="http://www.w3.org/20'
    """
    parts, fell_through = [], all(fork.yes is False for fork in path)
    for n, fork in enumerate(path):
        y = 8 + n * _STEP
        parts.append(_box(8, y, 270, fork.asks, fork.yes is not None))
        parts.append(_line(278, y + 13, 400, y + 13, "yes", fork.yes is True))
        parts.append(_box(400, y, 150, fork.leaf, fork.yes is True, leaf=True))
        parts.append(_line(143, y + 26, 143, y + _STEP, "no", fork.yes is False))
    bottom = 8 + len(path) * _STEP
    parts.append(_box(68, bottom, 150, STRATEGIES[3], fell_through, leaf=True))
    alt = html.escape(f"The tree of the choice. {path_in_words(path, choice)}", quote=True)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 560 {bottom + 34}" role="img" aria-label="{alt}" '
        'style="width:100%;max-width:560px" font-family="sans-serif" font-size="13" fill="currentColor">'
        f"{''.join(parts)}</svg>"
    )


def _box(x: int, y: int, width: int, text: str, on: bool, leaf: bool = False) -> str:
    fill = INCLUDED if on and leaf else "none"
    look = 'stroke="currentColor" stroke-width="3"' if on else f'stroke="{MUTED}" stroke-dasharray="4 3"'
    words = 'font-weight="bold"' + (' fill="#fff"' if leaf else "") if on else 'opacity=".75"'
    return (
        f'<rect x="{x}" y="{y}" width="{width}" height="26" fill="{fill}" {look}/>'
        f'<text x="{x + width / 2:.0f}" y="{y + 18}" text-anchor="middle" {words}>{html.escape(text)}</text>'
    )


def _line(x: int, y: int, to_x: int, to_y: int, text: str, on: bool) -> str:
    look = 'stroke="currentColor" stroke-width="3"' if on else f'stroke="{MUTED}" stroke-dasharray="4 3"'
    at = ((x + to_x) // 2 - 10, y - 4) if y == to_y else (x + 8, (y + to_y) // 2 + 5)
    weight = 'font-weight="bold"' if on else 'opacity=".75"'
    return f'<path d="M{x} {y}L{to_x} {to_y}" {look}/><text x="{at[0]}" y="{at[1]}" {weight}>{text}</text>'


def parts_html(answer: LongAnswer) -> str:
    """What an answer's strategy kept and left out, as a table of a few lines; map-reduce says what it read.

    >>> context = LongContext(8192)
    >>> context.add(Document("a.txt", "Gates rust."))
    >>> parts_html(context.ask("Do gates rust?"))[:6]
    '<table'
    """
    trace = answer.trace
    if isinstance(trace, StrategyContext):
        rows = [("kept", part.tokens, _short(part.label), "") for part in trace.kept[:_SHOWN]]
        out = trace.left_out[: 2 * _SHOWN - len(rows)]
        rows += [("left out", part.tokens, _short(part.label), part.reason) for part in out]
        more = len(trace.kept) + len(trace.left_out) - len(rows)
    else:
        rows = [("found", "", found.label, found.text[:90]) for found in trace.findings[:_SHOWN]]
        more = trace.parts - len(rows)
    bars = {"kept": f"solid {INCLUDED}", "found": f"solid {INCLUDED}", "left out": f"dashed {SKIPPED}"}
    lines = "".join(
        f'<tr><td style="border-left:6px {bars[what]};padding-left:6px">{what}</td>'
        f'<td style="text-align:right">{tokens}</td><td style="text-align:left">{html.escape(label)}</td>'
        f'<td style="text-align:left">{html.escape(reason)}</td></tr>'
        for what, tokens, label, reason in rows
    )
    last = f'<tr><td></td><td></td><td style="text-align:left">and {more} more</td><td></td></tr>' if more > 0 else ""
    head = '<tr><th></th><th>tokens</th><th style="text-align:left">part</th><th style="text-align:left"></th></tr>'
    look = "font-size:13px;width:100%;table-layout:auto"
    return f'<table style="{look}"><thead>{head}</thead><tbody>{lines}{last}</tbody></table>'


def _short(label: str) -> str:
    """A part's label without the document's, which the explorer names already."""
    return label.partition(", ")[2] or label


def choice_state(context: LongContext, doc_id: str, question: str) -> tuple[str, str]:
    """A document asked in a window: (the tree with its way, and what was kept; a caption with the confidence).

    context: holds the document.

    >>> context = LongContext(1000, reserve=256)
    >>> context.add(Document("a.txt", "Gates rust."))
    >>> choice_state(context, "a.txt", "Do gates rust?")[1][:28]
    '3 tokens for a room of 580: '
    """
    answer = context.ask(question, doc_id)
    found = analyse(context.index.documents[doc_id], context.counter)
    path, choice = decision_path(found, answer.plan.room, question, context.thresholds)
    confidence = answer.confidence
    caption = f"{size_in_words(choice)}; {choice.strategy}. Confidence {confidence.level}: {confidence.reason}."
    return f"{decision_svg(path, choice)}{parts_html(answer)}", caption


def strategy_states(
    documents: Iterable[Document], windows: Sequence[int], questions: Sequence[str], *, reserve: int = 256
) -> dict[tuple, tuple[str, str]]:
    """The states of the explorer: (window, document's id, question) -> (HTML, caption).

    windows, reserve: in tokens.

    >>> list(strategy_states([Document("a.txt", "Gates rust.")], [1000], ["Do gates rust?"]))
    [(1000, 'a.txt', 'Do gates rust?')]
    """
    documents, states = list(documents), {}
    for window in windows:
        context = LongContext(window, reserve=reserve)
        context.add(documents)
        for document, question in itertools.product(documents, questions):
            states[window, document.doc_id, question] = choice_state(context, document.doc_id, question)
    return states
