"""A document's chunks as a piece of HTML for an explorer: the ribbon, and what a few cuts cut."""

import html
from collections.abc import Sequence

from rag_lessons.chunking import Span
from rag_lessons.plots.chunks import SHADES, Ribbon, is_whole, shared
from rag_lessons.plots.style import EVIDENCE, OTHER, SKIPPED
from rag_lessons.sentences import fold

WIDTH = 1000
KEY = "◆ evidence in one chunk, ◇ split; hatched: over the cap; pink edge: in two chunks"


def ribbon_html(text: str, ribbon: Ribbon, evidence: Sequence[Span] = (), cuts: int = 3) -> str:
    """A ribbon as inline SVG, and the words on both sides of some of its cuts.

    evidence: spans, marked by diamonds that are open where no chunk holds all of the piece.
    cuts: how many cuts to show at most, spread over the document.

    >>> ribbon_html("One. Two.", Ribbon("sentences", [(0, 4), (5, 9)], [False, False])).count("<path")
    2
    """
    if not ribbon.spans or not text:
        return "<p>no data</p>"
    scale = WIDTH / len(text)
    paths = [(SHADES[i], _boxes(ribbon, i, False, scale)) for i in (0, 1)]
    paths += [("url(#rl-over)", _boxes(ribbon, 0, True, scale) + _boxes(ribbon, 1, True, scale))]
    paths += [(OTHER, "".join(_box(span, 66, 8, scale) for span in shared(ribbon.spans)))]
    shapes = "".join(f'<path d="{d}" fill="{fill}" stroke="#fff"/>' for fill, d in paths if d)
    marks = "".join(_diamond(piece, ribbon.spans, scale) for piece in evidence)
    over = sum(ribbon.over)
    said = f"A document of {len(text)} characters in chunks, {len(ribbon.spans)} in all, {over} over the cap"
    return (
        f'<svg viewBox="0 0 {WIDTH} 84" width="100%" role="img" aria-label="{said}">'
        '<defs><pattern id="rl-over" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        f'<rect width="8" height="8" fill="{SKIPPED}"/><rect width="2" height="8" fill="#fff"/></pattern></defs>'
        f"{shapes}{marks}</svg><p>{KEY}</p>{_cuts(text, ribbon.spans, cuts)}"
    )


def _boxes(ribbon: Ribbon, shade: int, over: bool, scale: float) -> str:
    """The chunks of one shade, each drawn as far as to where the next begins."""
    stops = [start for start, _ in ribbon.spans[1:]] + [ribbon.spans[-1][1]]
    rows = enumerate(zip(ribbon.spans, stops, ribbon.over, strict=True))
    found = [(start, min(end, stop)) for i, ((start, end), stop, large) in rows if i % 2 == shade and large == over]
    return "".join(_box(span, 24, 50, scale) for span in found)


def _box(span: Span, top: int, height: int, scale: float) -> str:
    left, width = round(span[0] * scale, 1), round((span[1] - span[0]) * scale, 1)
    return f"M{left:g} {top}h{width:g}v{height}h-{width:g}z"


def _diamond(piece: Span, spans: Sequence[Span], scale: float) -> str:
    fill = EVIDENCE if is_whole(piece, spans) else "none"
    middle = round(sum(piece) / 2 * scale, 1)
    return f'<path d="M{middle:g} 4l7 7l-7 7l-7 -7z" fill="{fill}" stroke="{EVIDENCE}" stroke-width="2.5"/>'


def _cuts(text: str, spans: Sequence[Span], most: int) -> str:
    """The last words before and the first words after some cuts, spread over the document."""
    places = sorted({len(spans) * (i + 1) // (most + 1) for i in range(most)} - {0})
    if not places:
        return "<p>One chunk: there is no cut.</p>"
    rows = []
    for place in places:
        before, after = fold(text[: spans[place - 1][1]][-160:])[-42:], fold(text[spans[place][0] :][:160])[:42]
        rows.append(f"<li>… {html.escape(before)} <b>‖</b> {html.escape(after)} …</li>")
    return f"<h4>Some of the cuts (‖ the end of one chunk, the start of the next)</h4><ul>{''.join(rows)}</ul>"
