"""Figures on routes: the way of one question through an index, and recall by number of candidates."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

from rag_lessons.plots.route_view import ROW, WIDTH, RouteView, place_boxes
from rag_lessons.plots.style import (
    EVIDENCE,
    HATCH,
    INCLUDED,
    LINE,
    MUTED,
    OTHER,
    PALE,
    SKIPPED,
    describe,
    new_figure,
    no_data,
    title,
)  # fmt: skip

NEAR = "#cfe3f1"  # a pale INCLUDED: came along with a hit
# Fill, edge and ink of a box by its state.
LOOKS = {"taken": (INCLUDED, INCLUDED, "white"), "beside": (NEAR, INCLUDED, LINE), "left out": ("white", SKIPPED, LINE)}


def route_picture(views: Sequence[RouteView]) -> Figure:
    """A panel a route: documents, chunks inside them, raw candidates; taken solid, left out hollow.

    >>> route_picture([]).get_label()
    'Nothing to draw: no route was given.'
    """
    if not views:
        figure, axes = new_figure(8, 1.5)
        no_data(axes)
        return describe(figure, "Nothing to draw: no route was given.")
    heights = [place_boxes(view)[2] for view in views]
    figure, panels = new_figure(
        9.4,
        0.5 + sum(h / 85 + 0.55 for h in heights),
        len(views),
        1,
        squeeze=False,
        height_ratios=[h + 20 for h in heights],
    )
    for axes, view in zip(panels[:, 0], views, strict=True):
        _draw(axes, view)
    handles = [
        Patch(facecolor=INCLUDED, label="taken"),
        Patch(facecolor=NEAR, edgecolor=INCLUDED, label="neighbour, or a hint"),
        Patch(facecolor="white", edgecolor=SKIPPED, linestyle="--", hatch=HATCH, label="left out"),
        Line2D([], [], color=EVIDENCE, marker="D", linestyle="", label="holds evidence"),
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=4, fontsize=9, frameon=False)
    said = [
        f"Route {view.name}: documents {', '.join(f'{box.name} ({box.state})' for box in view.documents) or 'none'}; "
        f"{view.verdict}."
        for view in views
    ]
    return describe(figure, " ".join(said))


def _draw(axes, view: RouteView) -> None:
    boxes, lines, height = place_boxes(view)
    title(axes, f"{view.name}\n{view.verdict}")
    axes.set_xlim(-2, WIDTH + 2)
    axes.set_ylim(height, 0)
    axes.set_axis_off()
    for x0, y0, x1, y1 in lines:
        axes.plot([x0, x1], [y0, y1], color=MUTED, linewidth=0.8, zorder=0)
    for x, head in view.heads:
        axes.text(x, 10, head, fontsize=8.5, color=MUTED, va="center")
    for box in boxes:
        away, middle, right = box.state == "left out", box.y + ROW / 2, box.x + box.width
        face, edge, ink = LOOKS[box.state]
        line = {"linestyle": "--", "hatch": HATCH} if away else {}
        axes.add_patch(
            Rectangle((box.x, box.y), box.width, ROW, facecolor=face, edgecolor=edge, label=box.state, **line)
        )
        back = {"facecolor": face, "edgecolor": "none", "pad": 0.8} if away else None
        axes.text(box.x + 4, middle, box.name, fontsize=8, color=ink, va="center", bbox=back)
        if box.note:
            axes.text(right - 16, middle, box.note, fontsize=8, color=ink, va="center", ha="right", bbox=back)
        if box.gold:
            axes.plot(right - 8, middle, "D", color=EVIDENCE, markeredgecolor="white", markersize=6)


def recall_by_candidates(curves: Mapping[str, Sequence[float]], numbers: Sequence[int]) -> Figure:
    """A line a route: share of the evidence among its first n candidates, 0 to 1.

    curves: name -> one share for each number of candidates.

    >>> recall_by_candidates({"flat": [0.5, 0.75]}, [4, 8]).get_label()
    'Share of the evidence among the candidates. flat: 50 % at 4, 75 % at 8.'
    """
    figure, axes = new_figure(8, 3.4)
    curves = {name: shares for name, shares in curves.items() if len(shares)}
    if not curves or not numbers:
        no_data(axes)
        return describe(figure, "Nothing to draw: no curve was given.")
    looks = [(INCLUDED, "o", "-"), (MUTED, "v", "--"), (SKIPPED, "s", "-."), (OTHER, "^", ":"), (EVIDENCE, "D", "-")]
    for i, (name, shares) in enumerate(curves.items()):
        color, marker, line = looks[i % len(looks)]
        axes.plot(numbers, 100 * np.array(shares), color=color, marker=marker, linestyle=line, label=name)
    axes.set_ylim(0, 103)
    axes.set_xlim(0, None)
    axes.set_xticks(list(numbers))
    axes.set_xlabel("number of candidates")
    axes.set_ylabel("evidence found, %")
    axes.grid(axis="y", color=PALE)
    title(axes, "Evidence among the candidates")
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=9, frameon=False)
    ends = [
        f"{name}: {100 * s[0]:.0f} % at {numbers[0]}, {100 * s[-1]:.0f} % at {numbers[-1]}."
        for name, s in curves.items()
    ]
    return describe(figure, "Share of the evidence among the candidates. " + " ".join(ends))
