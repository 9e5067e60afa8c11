"""Figures on where in a document relevance lies, and how much of it a cut keeps."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

from rag_lessons.chunking import Span
from rag_lessons.plots.style import EVIDENCE, HATCH, INCLUDED, SKIPPED, describe, new_figure, no_data, title
from rag_lessons.runs import relevance, share_kept
from rag_lessons.sentences import sentence_spans


class Panel(NamedTuple):
    """One curve: relevance at each position, the spans of positions that are kept, where evidence stands.

    Position i reaches from i to i + 1; a span may begin and end between positions. The spans of
    `kept` are in order and apart from each other.
    """

    title: str
    relevance: Sequence[float]
    kept: Sequence[tuple[float, float]]
    evidence: Sequence[tuple[float, float]] = ()


def made_curve() -> np.ndarray:
    """A made relevance by position, shape (100,): strong from 0 to 20 and from 80 on, a peak at 40.

    >>> int(made_curve().argmax()), made_curve()[[0, 30, 40, 99]].round(2).tolist()
    (40, [0.9, 0.1, 1.0, 0.86])
    """
    place = np.arange(100)
    shape = [(0, 0.9), (20, 0.5), (21, 0.1), (35, 0.1), (40, 1.0), (45, 0.1), (79, 0.1), (80, 0.46), (99, 0.86)]
    return np.interp(place, *zip(*shape, strict=True))


def relevance_panels(panels: Sequence[Panel], *, xlabel: str = "position", columns: int = 2, bars: int = 100) -> Figure:
    """A panel a cut: relevance by position, what is kept solid, what is left out hatched, with the share kept.

    A strip under the curve shows both also where relevance is 0. xlabel: what a position is. columns:
    panels side by side. bars: the most in a panel; where there are more positions, neighbours are added up.

    >>> relevance_panels([Panel("head", [3.0, 1.0], [(0, 1)])]).get_label()
    'Relevance by position. head: 0 to 1 is kept, 75 % of the relevance.'
    """
    panels = [panel for panel in panels if len(panel.relevance)]
    if not panels:
        figure, axes = new_figure(8, 1.5)
        no_data(axes)
        return describe(figure, "Nothing to draw: no relevance was given.")
    columns = min(columns, len(panels))
    rows = -(-len(panels) // columns)
    figure, found = new_figure(9.4, 0.7 + 1.95 * rows, rows, columns, squeeze=False)
    figure.get_layout_engine().set(wspace=0.06)  # or one panel's 100 runs into the next one's 0
    said = [_draw(axes, panel, bars) for axes, panel in zip(found.flat, panels, strict=False)]
    for axes in found.flat[len(panels) :]:
        axes.set_axis_off()
    for axes in found[-1]:
        axes.set_xlabel(xlabel)
    for axes in found[:, 0]:
        axes.set_ylabel("relevance")
    handles = [
        Patch(facecolor=INCLUDED, label="kept"),
        Patch(facecolor=SKIPPED, hatch=HATCH, edgecolor="white", label="left out"),
    ]
    if any(panel.evidence for panel in panels):
        handles.append(Line2D([], [], color=EVIDENCE, marker="D", linestyle="", label="evidence"))
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles), fontsize=9, frameon=False)
    return describe(figure, "Relevance by position. " + " ".join(said))


def document_panel(
    name: str, text: str, question: str, kept: Sequence[Span] | None = None, evidence: Sequence[Span] = ()
) -> Panel:
    """The panel of a document: a position a sentence, with what each is worth for a question.

    kept, evidence: spans of the text, in characters. kept: all of the text if None.

    >>> document_panel("a", "Gates rust. Terns nest.", "Do terns nest?", [(12, 23)]).kept
    [(1.0, 2.0)]
    """
    spans = sentence_spans(text)
    edges = [edge for span in spans for edge in span]
    places = [n for i in range(len(spans)) for n in (i, i + 1)]

    def positions(found: Sequence[Span]) -> list[tuple[float, float]]:
        return [(float(start), float(end)) for start, end in np.interp(found, edges, places)] if len(found) else []

    whole = [(0, len(text))] if spans else []
    kept = whole if kept is None else kept
    return Panel(name, relevance(text, spans, question), positions(kept), positions(evidence))


def position_share(panel: Panel) -> float:
    """How much of a panel's relevance lies in what is kept, 0 to 1.

    >>> position_share(Panel("", [3.0, 1.0], [(0.5, 2)]))
    0.625
    """
    spans = [(i, i + 1) for i in range(len(panel.relevance))]
    return share_kept(spans, panel.relevance, panel.kept)


def left_out(panel: Panel) -> list[tuple[float, float]]:
    """The spans of positions that a panel does not keep, in order.

    >>> left_out(Panel("", [1.0, 2.0, 3.0], [(1, 2)]))
    [(0.0, 1), (2, 3.0)]
    """
    bounds = [0.0, *(place for span in panel.kept for place in span), float(len(panel.relevance))]
    return [span for span in zip(bounds[::2], bounds[1::2], strict=True) if span[0] < span[1]]


def pooled(panel: Panel, bars: int) -> tuple[list[float], int]:
    """What the bars of a panel stand for, `bars` at most, and how many neighbouring positions each adds up.

    >>> pooled(Panel("", [1.0, 2.0, 3.0], []), 2)
    ([3.0, 3.0], 2)
    """
    count = len(panel.relevance)
    width = max(1, -(-count // bars))
    return [float(sum(panel.relevance[i : i + width])) for i in range(0, count, width)], width


def _draw(axes, panel: Panel, bars: int) -> str:
    count, out = len(panel.relevance), left_out(panel)
    values, width = pooled(panel, bars)
    top = max(values) or 1.0
    looks = (
        (out, {"facecolor": SKIPPED, "hatch": HATCH, "edgecolor": "white", "linewidth": 0}),
        (panel.kept, {"facecolor": INCLUDED, "edgecolor": "none"}),
    )
    for spans, look in looks:
        for start, end in spans:
            edges = [start, *(n for n in range(0, count, width) if start < n < end), end]
            axes.stairs([values[int(edge) // width] for edge in edges[:-1]], edges, fill=True, **look)
            axes.add_patch(Rectangle((start, -0.14 * top), end - start, 0.1 * top, **look))
    axes.set_xlim(0, count)
    axes.set_ylim(-0.14 * top, 1.3 * top)
    axes.set_yticks([])
    for start, end in panel.evidence:
        axes.plot((start + end) / 2, 1.17 * top, "D", color=EVIDENCE, markersize=7, clip_on=False)
    title(axes, panel.title)
    share = f"{100 * position_share(panel):.0f} %"
    if out:
        axes.set_title(f"keeps {share}", loc="right", fontsize=9)
    where = " and ".join(f"{start:.0f} to {end:.0f}" for start, end in panel.kept) or "nothing"
    return f"{panel.title}: {where} is kept, {share} of the relevance."
