"""Routes as HTML: an SVG that reads on white and on dark pages, and the states of the explorer."""

import html
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace

from rag_lessons.chunking import Span
from rag_lessons.index import HierarchicalIndex
from rag_lessons.plots.route_view import ROW, WIDTH, Box, RouteView, place_boxes, route_view
from rag_lessons.plots.routes import LOOKS
from rag_lessons.plots.style import EVIDENCE, MUTED, SKIPPED
from rag_lessons.routing import HardRoute, SoftRoute

# What is left out shows the page behind it, white or dark, through a thin hatching.
_LOOKS = LOOKS | {"left out": ("url(#rl-left-out)", SKIPPED, "currentColor")}
_HATCH = (
    '<defs><pattern id="rl-left-out" width="9" height="9" patternUnits="userSpaceOnUse" '
    f'patternTransform="rotate(45)"><rect width="1.5" height="9" fill="{SKIPPED}" opacity=".45"/></pattern></defs>'
)
_KEYS = (
    Box("taken", "", "taken", False, x=0, width=60),
    Box("neighbour, or a hint", "", "beside", False, x=70, width=130),
    Box("left out", "", "left out", False, x=210, width=70),
    Box("holds evidence", "", "beside", True, x=290, width=120),
)


def route_svg(view: RouteView) -> str:
    """Draw a route as inline SVG, all text escaped.

    >>> route_svg(RouteView("hard", (), (), (), (), "lost at the documents"))[:32]
    '<svg xmlns="http://www.w3.org/20'
    """
    boxes, lines, height = place_boxes(view)
    parts = [f'<line x1="{x0:g}" y1="{y0:g}" x2="{x1:g}" y2="{y1:g}" stroke="{MUTED}"/>' for x0, y0, x1, y1 in lines]
    parts += [f'<text x="{x}" y="14" fill="currentColor" opacity=".75">{head}</text>' for x, head in view.heads]
    parts += [_box(box) for box in boxes]
    parts += [_box(replace(key, y=height + 12)) for key in _KEYS]
    alt = html.escape(f"Route {view.name}; {view.verdict}", quote=True)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-2 0 {WIDTH + 4} {height + ROW + 16}" role="img" '
        f'aria-label="{alt}" style="width:100%;max-width:{WIDTH + 4}px" font-family="sans-serif" font-size="11">'
        f"{_HATCH}{''.join(parts)}</svg>"
    )


def _box(box: Box) -> str:
    fill, stroke, ink = _LOOKS[box.state]
    dash = ' stroke-dasharray="4 3"' if box.state == "left out" else ""
    right, middle, base = box.x + box.width, box.y + ROW / 2, box.y + 14
    said = html.escape(f"{box.name}: {box.state}" + (", holds evidence" if box.gold else ""))
    text = f'<text x="{box.x + 4:g}" y="{base:g}" fill="{ink}">{html.escape(box.name)}</text>'
    if box.note:
        text += f'<text x="{right - 17:g}" y="{base:g}" fill="{ink}" text-anchor="end">{html.escape(box.note)}</text>'
    if box.gold:
        text += f'<path d="M{right - 8:g} {middle - 6:g}l6 6-6 6-6-6z" fill="{EVIDENCE}" stroke="#fff"/>'
    return (
        f'<g><title>{said}</title><rect x="{box.x:g}" y="{box.y:g}" width="{box.width:g}" height="{ROW}" '
        f'fill="{fill}" stroke="{stroke}"{dash}/>{text}</g>'
    )


def route_states(
    index: HierarchicalIndex,
    questions: Mapping[str, Sequence[tuple[str, Span]]],
    k_documents: Sequence[int] = (1, 2, 3, 4, 5),
    k_chunks: Sequence[int] = (1, 2, 3, 4),
) -> dict[tuple, tuple[str, str]]:
    """The states of the route explorer: (question, route, documents, chunks, neighbours) -> (HTML, caption).

    questions: text -> its evidence. The soft route gets as many candidates as the hard one has at
    the same setting, so that the two can be compared.

    >>> from rag_lessons.index import Document, build_index
    >>> index = build_index([Document("a.txt", "Gates rust.")])
    >>> len(route_states(index, {"Do gates rust?": []}, [1], [1]))
    4
    """
    states = {}
    for question, documents, chunks, near in itertools.product(questions, k_documents, k_chunks, ("on", "off")):
        hard = HardRoute(k_documents=documents, k_chunks=chunks, neighbours=near == "on")
        count = len(hard(question, index).candidates)
        soft = SoftRoute(k=count, neighbours=SoftRoute().neighbours if near == "on" else 0)
        for name, route in (("hard", hard), ("soft", soft)):
            view = route_view(question, index, route, questions[question])
            states[question, name, documents, chunks, near] = (
                route_svg(view),
                f"{route.name}. {_sentence(view.verdict)}",
            )
    return states


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
