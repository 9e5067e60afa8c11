"""A cut as a piece of HTML for an explorer: the relevance of a document, and the text that is left of it."""

import html
from collections.abc import Sequence

from rag_lessons.chunking import Span
from rag_lessons.cuts import Truncation
from rag_lessons.plots.relevance import Panel, left_out, pooled, position_share
from rag_lessons.plots.style import EVIDENCE, INCLUDED, SKIPPED
from rag_lessons.runs import share_kept

WIDE, HIGH = 440, 150  # of the curve; 24 above it for the evidence, 16 below it for the strip
BARS = 80
_HATCH = (
    '<defs><pattern id="rl-cut" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    f'<rect width="8" height="8" fill="{SKIPPED}"/><rect width="2" height="8" fill="#fff"/></pattern></defs>'
)
KEY = "Blue: kept. Orange, hatched: left out. &#9670;: evidence."


def cut_html(panel: Panel, text: str, cut: Truncation, evidence: Sequence[Span] = ()) -> str:
    """The curve of a panel, and beside it the text that a cut keeps, with the evidence in it marked.

    panel: of the same text and cut. evidence: spans of the text, in characters.

    >>> found = cut_html(Panel("", [1.0], [(0, 1)]), "a < b", Truncation("a < b", ((0, 5),), 3, False))
    >>> "a &lt; b" in found
    True
    """
    return (
        f'<p style="margin:0 0 6px"><b>{html.escape(panel.title)}</b></p>'
        '<div style="display:flex;flex-wrap:wrap;gap:12px">'
        f'<div style="flex:1 1 280px;min-width:0">{curve_svg(panel)}'
        f'<p style="margin:4px 0;font-size:12px">{KEY}</p></div>'
        '<div tabindex="0" role="region" aria-label="The text that is kept" style="flex:1 1 280px;min-width:0;'
        "box-sizing:border-box;height:230px;overflow:auto;border:1px solid currentColor;padding:6px 8px;font-size:13px;"
        f'white-space:pre-wrap;overflow-wrap:anywhere">{_kept(text, cut.spans, evidence)}</div></div>'
    )


def curve_svg(panel: Panel) -> str:
    """The bars of a panel with the strip below them, as inline SVG.

    >>> curve_svg(Panel("", [2.0, 1.0], [(0, 1)])).count("<path")
    2
    """
    if not len(panel.relevance):
        return "<p>no data</p>"
    values, width = pooled(panel, BARS)
    tallest, scale = max(values) or 1.0, WIDE / len(panel.relevance)

    def path(spans: Sequence[tuple[float, float]]) -> str:
        parts = []
        for start, end in spans:
            parts.append(f"M{start * scale:.1f} {HIGH + 28}V{HIGH + 40}H{end * scale:.1f}V{HIGH + 28}z")
            for n in range(int(start) // width, len(values)):
                left, right = max(start, n * width), min(end, (n + 1) * width)
                if left < right and values[n]:
                    top = HIGH + 24 - HIGH * values[n] / tallest
                    parts.append(f"M{left * scale:.1f} {HIGH + 24}V{top:.1f}H{right * scale:.1f}V{HIGH + 24}z")
        return "".join(parts)

    fills = ((INCLUDED, path(panel.kept)), ("url(#rl-cut)", path(left_out(panel))))
    shapes = "".join(f'<path d="{d}" fill="{fill}"/>' for fill, d in fills if d)
    marks = "".join(
        f'<text x="{(start + end) / 2 * scale:.1f}" y="16" text-anchor="middle" font-size="18" fill="{EVIDENCE}">'
        "&#9670;</text>"
        for start, end in panel.evidence
    )
    return (
        f'<svg viewBox="-8 0 {WIDE + 16} {HIGH + 60}" width="100%" role="img" fill="currentColor" '
        f'aria-label="Relevance by sentence, what is kept solid and what is left out hatched" font-size="12">'
        f'{_HATCH}{shapes}{marks}<text x="0" y="{HIGH + 56}">first sentence</text>'
        f'<text x="{WIDE}" y="{HIGH + 56}" text-anchor="end">last sentence</text></svg>'
    )


def cut_caption(name: str, panel: Panel, cut: Truncation, evidence: Sequence[Span]) -> str:
    """A cut in one line: what it costs, and how much relevance and evidence it keeps.

    >>> cut_caption("head", Panel("", [1.0], [(0, 1)]), Truncation("Eels.", ((0, 5),), 2, False), [(0, 5)])
    'head: 2 tokens, 100 % of the relevance, 100 % of the evidence.'
    """
    shares = position_share(panel), share_kept(evidence, [1.0] * len(evidence), cut.spans)
    worth, found = (f"{100 * share:.0f} %" for share in shares)
    return f"{name}: {cut.tokens} tokens, {worth} of the relevance, {found} of the evidence."


def _kept(text: str, spans: Sequence[Span], evidence: Sequence[Span]) -> str:
    """The kept text, escaped, with a note for each gap and the evidence underlined."""
    parts, at = [], 0
    for start, end in [*spans, (len(text), len(text))]:
        if text[at:start].strip():
            parts.append(f'<div style="opacity:.75;font-style:italic">({start - at:,} characters left out)</div>')
        marks = sorted({start, end, *(edge for span in evidence for edge in span if start < edge < end)})
        for left, right in zip(marks, marks[1:], strict=False):
            piece = html.escape(text[left:right])
            inside = any(s <= left and right <= e for s, e in evidence)
            look = f'<u style="text-decoration-color:{EVIDENCE};text-decoration-thickness:3px">&#9670; {piece}</u>'
            parts.append(look if inside else piece)
        at = end
    return "".join(parts)
