"""The reduction tree as inline SVG, for a view that swaps one for another."""

import html

from rag_lessons.plots.reduction import tree_layout
from rag_lessons.plots.style import EVIDENCE, INCLUDED, MUTED
from rag_lessons.reduction import Reduction

WIDTH, ROW, BAR, MARGIN = 640, 34, 18, 150


def tree_html(reduction: Reduction, alive: frozenset[int] = frozenset(), rows: int = 0) -> str:
    """A reduction's tree as SVG, with its last summary below.

    alive: places in the input that left something on top; they are filled and get a diamond.
    rows: levels to keep room for, so that several trees stand on the same ground.

    >>> tree_html(Reduction((), "", True, 0))
    '<p>no data</p>'
    """
    levels = reduction.levels
    if not levels:
        return "<p>no data</p>"
    places = tree_layout(levels)
    total = max(1, sum(node.tokens for node in levels[0]))
    ground = max(rows, len(levels)) * ROW
    marks = []
    for y, level in enumerate(levels):
        top = ground - (y + 1) * ROW + 8
        words = f"{len(level)} text{'s' * (len(level) > 1)}, {sum(node.tokens for node in level):,} tokens"
        marks.append(f'<text x="0" y="{top + 13}" font-size="12" fill="currentColor">{words}</text>')
        for x, node in enumerate(level):
            left, width = (MARGIN + value * WIDTH / total for value in places[y][x])
            width = max(2, width - MARGIN - 1.5)
            middle = left + width / 2
            for child in node.children:
                at = MARGIN + (places[y - 1][child][0] + places[y - 1][child][1] / 2) * WIDTH / total
                line = f"M{middle:.0f} {top + BAR}L{at:.0f} {top + ROW}"
                marks.append(f'<path d="{line}" stroke="currentColor" stroke-opacity=".5"/>')
            kept = y == 0 and x in alive
            fill = f'fill="{INCLUDED}"' if kept else f'fill="{MUTED}" fill-opacity=".3"'
            said = html.escape(node.text[:160] + ("…" if len(node.text) > 160 else ""))
            said = said if y else f"chunk {x + 1}: {said}"
            marks.append(
                f'<rect x="{left:.1f}" y="{top}" width="{width:.1f}" height="{BAR}" {fill} stroke="currentColor" '
                f'stroke-width="{1.8 if kept else 0.5}"><title>{said} ({node.tokens} tokens)</title></rect>'
            )
            if kept:
                marks.append(_diamond(middle, top + BAR + 3))
    sizes = ", ".join(str(len(level)) for level in levels)
    label = f"A tree of levels with {sizes} texts from the bottom up; {len(alive)} at the bottom marked as surviving."
    svg = (
        f'<svg viewBox="0 0 {MARGIN + WIDTH} {ground + 34}" width="100%" style="max-width:{MARGIN + WIDTH}px" '
        f'role="img" aria-label="{label}">{"".join(marks)}{_key(ground + 18)}</svg>'
    )
    return f"{svg}<p><b>On top:</b> {html.escape(reduction.summary) or '(nothing)'}</p>"


def _diamond(middle: float, top: int) -> str:
    return f'<path d="M{middle:.1f} {top}l5 5l-5 5l-5 -5z" fill="{EVIDENCE}" stroke="currentColor" stroke-width=".8"/>'


def _key(top: int) -> str:
    """What the boxes mean, in a row that begins `top` pixels down."""
    edge = f'y="{top}" width="26" height="12" stroke="currentColor"'
    text = f'y="{top + 10}" font-size="12" fill="currentColor"'
    return (
        f'<rect x="{MARGIN}" {edge} stroke-width="1.8" fill="{INCLUDED}"/>{_diamond(MARGIN + 38, top + 1)}'
        f'<text x="{MARGIN + 50}" {text}>chunk that survives</text>'
        f'<rect x="{MARGIN + 190}" {edge} stroke-width=".5" fill="{MUTED}" fill-opacity=".3"/>'
        f'<text x="{MARGIN + 223}" {text}>any other text; a box is as wide as it has tokens</text>'
    )
