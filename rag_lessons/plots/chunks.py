"""Figures on chunks: a document as a ribbon of them, and their sizes."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from math import log10
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import ScalarFormatter

from rag_lessons.chunking import Span
from rag_lessons.plots.style import (
    EVIDENCE,
    HATCH,
    INCLUDED,
    LINE,
    MUTED,
    OTHER,
    SKIPPED,
    describe,
    new_figure,
    no_data,
    title,
)

SHADES = (INCLUDED, "#56B4E9")


class Ribbon(NamedTuple):
    """One document as one method cuts it: spans, and for each whether it is over the method's cap."""

    name: str
    spans: Sequence[Span]
    over: Sequence[bool]


def is_whole(piece: Span, spans: Sequence[Span]) -> bool:
    """Whether one of the spans holds all of a piece.

    >>> is_whole((3, 9), [(0, 5), (5, 12)]), is_whole((6, 9), [(0, 5), (5, 12)])
    (False, True)
    """
    return any(start <= piece[0] and piece[1] <= end for start, end in spans)


def shared(spans: Sequence[Span]) -> list[Span]:
    """The stretches that two neighbouring chunks both hold.

    >>> shared([(0, 6), (4, 9), (9, 12)])
    [(4, 6)]
    """
    return [(start, min(end, stop)) for (_, end), (start, stop) in pairwise(spans) if start < end]


def chunk_ribbons(ribbons: Sequence[Ribbon], length: int, evidence: Sequence[Span] = (), heading: str = "") -> Figure:
    """The same document cut in several ways, one ribbon above another; a chunk over its cap is hatched.

    length: of the document, in characters. evidence: spans; a piece that no chunk holds whole gets
    an open diamond.

    >>> chunk_ribbons([], 0).get_label()
    'Nothing to draw: no ribbon was given.'
    """
    if not ribbons or not length:
        figure, axes = new_figure(8, 1.5)
        no_data(axes)
        return describe(figure, "Nothing to draw: no ribbon was given.")
    figure, axes = new_figure(9.2, 1.2 + 0.62 * len(ribbons))
    said = [_ribbon(axes, y, ribbon, evidence) for y, ribbon in enumerate(ribbons)]
    axes.set_yticks(range(len(ribbons)), [ribbon.name for ribbon in ribbons])
    axes.set_ylim(len(ribbons) - 0.55, -0.75)
    axes.set_xlim(0, length)
    axes.set_xlabel("characters from the start of the document")
    axes.tick_params(left=False)
    axes.spines["left"].set_visible(False)
    if heading:
        title(axes, heading)
    handles = [
        Patch(facecolor=SHADES[0], label="chunks, in two shades"),
        Patch(facecolor=SKIPPED, hatch=HATCH, edgecolor="white", label="over the cap"),
    ]
    if any(shared(ribbon.spans) for ribbon in ribbons):
        handles.append(Patch(facecolor=OTHER, label="in two chunks"))
    if evidence:
        handles += [_diamond(True, "evidence, whole"), _diamond(False, "evidence, split")]
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles), fontsize=9, frameon=False)
    return describe(figure, f"A document of {length} characters as ribbons of chunks. " + " ".join(said))


def _ribbon(axes: Axes, y: int, ribbon: Ribbon, evidence: Sequence[Span]) -> str:
    for i, ((start, end), over) in enumerate(zip(ribbon.spans, ribbon.over, strict=True)):
        look = {"color": SKIPPED, "hatch": HATCH} if over else {"color": SHADES[i % 2]}
        axes.barh(y, end - start, left=start, height=0.5, linewidth=0.8, **(look | {"edgecolor": "white"}))
    for start, end in shared(ribbon.spans):
        axes.barh(y + 0.21, end - start, left=start, height=0.08, color=OTHER)
    split = 0
    for piece in evidence:
        whole = is_whole(piece, ribbon.spans)
        split += not whole
        fill = EVIDENCE if whole else "white"
        axes.plot(sum(piece) / 2, y - 0.38, "D", color=EVIDENCE, markersize=6, markerfacecolor=fill)
    said = f"{ribbon.name}: {len(ribbon.spans)} in all, {sum(ribbon.over)} over the cap"
    return said + (f", {split} of {len(evidence)} pieces of evidence split." if evidence else ".")


def _diamond(whole: bool, label: str) -> Line2D:
    fill = EVIDENCE if whole else "white"
    return Line2D([], [], color=EVIDENCE, markerfacecolor=fill, marker="D", linestyle="", label=label)


def size_dots(
    panels: Mapping[str, tuple[Mapping[str, Sequence[int]], int, str]],
    neutral: Collection[tuple[str, str]] = (),
) -> Figure:
    """A dot a chunk, by size on a logarithmic scale, a row a method; what is over the line is a triangle.

    panels: unit -> (sizes of each method's chunks, where the line stands, what the line is).
    neutral: (unit, method) pairs for which the line is no cap: grey dots on both sides of it. A size
    of 0 has no place on the scale and stands at 1.

    >>> size_dots({"characters": ({"naive": [90, 500]}, 420, "target")}).get_label()
    'Sizes of chunks in characters, against a target of 420. naive: 2 chunks, largest 500, 1 over.'
    """
    rows = [name for sizes, _, _ in panels.values() for name in sizes if any(sizes[name])]
    if not rows:
        figure, axes = new_figure(8, 1.5)
        no_data(axes)
        return describe(figure, "Nothing to draw: no sizes were given.")
    figure, found = new_figure(9.2, 1.1 + 0.7 * len(set(rows)), 1, len(panels), sharey=True, squeeze=False)
    said = []
    for axes, (unit, (sizes, line, what)) in zip(found[0], panels.items(), strict=True):
        said.append(f"Sizes of chunks in {unit}, against a {what} of {line}.")
        for y, (name, values) in enumerate(sizes.items()):
            _swarm(axes, y, [max(1, value) for value in values], line, (unit, name) in neutral)
            most, over = max(values, default=0), sum(value > line for value in values)
            said.append(f"{name}: {len(values)} chunks, largest {most}, {over} over.")
        axes.axvline(line, color=LINE, linewidth=1.2)
        axes.set_xscale("log")
        axes.set_xticks([10, 100, line, 1000, 5000])
        axes.minorticks_off()
        axes.xaxis.set_major_formatter(ScalarFormatter())
        axes.set_xlabel(unit)
        axes.set_yticks(range(len(sizes)), list(sizes))
        axes.set_ylim(len(sizes) - 0.5, -0.5)
        axes.tick_params(left=False)
        title(axes, f"{what} {line} {unit}")
    return describe(figure, " ".join(said))


def _swarm(axes: Axes, y: int, values: Sequence[int], line: int, neutral: bool) -> None:
    """Dots of about the same size side by side, so that their number can be seen."""
    bins: Counter[int] = Counter()
    steps = [round(20 * log10(value)) for value in values]
    tallest = max(Counter(steps).values(), default=1)
    places: dict[bool, list[tuple[int, float]]] = {False: [], True: []}
    for value, step in sorted(zip(values, steps, strict=True)):
        side = (bins[step] + 1) // 2 * (-1 if bins[step] % 2 else 1)
        places[value > line].append((value, y + 0.8 * side / max(tallest, 20)))
        bins[step] += 1
    looks = {False: ("o", INCLUDED, 9, "none"), True: ("^", SKIPPED, 20, "#7a4f00")}
    if neutral:
        looks = dict.fromkeys(looks, ("o", MUTED, 9, "none"))
    for over, (marker, color, area, edge) in looks.items():
        x, heights = zip(*places[over], strict=True) if places[over] else ((), ())
        axes.scatter(x, heights, s=area, marker=marker, color=color, edgecolor=edge, linewidth=0.3)
