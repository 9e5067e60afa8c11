"""Figures on summaries: which sentences score, and whether a chunk is still found through its summary."""

import textwrap
from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

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
)

LOOKS = ((INCLUDED, "o", "-"), (SKIPPED, "s", "--"), (EVIDENCE, "D", "-."), (OTHER, "^", ":"))
WIDTH = 112
LEFT_OUT = "#374151"  # darker than MUTED: it stands on grey


def shaded_sentences(sentences: Sequence[str], scores: Sequence[float], kept: int, heading: str = "") -> Figure:
    """The sentences of a text, one under the other, with a bar a sentence as long as its score.

    kept: how many of the best are marked as kept; ties go to the earlier.

    >>> shaded_sentences(["Gates rust.", "Birds nest."], [1.2, 0.8], 1).get_label()
    '1 of 2 sentences is kept. Kept, score 1.20: Gates rust. Left out, score 0.80: Birds nest.'
    """
    if not sentences:
        figure, axes = new_figure(8, 1.5)
        no_data(axes)
        return describe(figure, "Nothing to draw: the text has no sentences.")
    best = set(sorted(range(len(sentences)), key=lambda i: (-scores[i], i))[:kept])
    lines = [textwrap.wrap(" ".join(sentence.split()), WIDTH) for sentence in sentences]
    rows = sum(len(found) for found in lines) + 0.5 * len(lines)
    figure, axes = new_figure(9.4, 0.9 + 0.24 * rows)
    most = max(*scores, 1e-9)
    y = 0.0
    for i, (found, score) in enumerate(zip(lines, scores, strict=True)):
        inside = i in best
        look = {"color": INCLUDED} if inside else {"facecolor": SKIPPED, "hatch": HATCH, "edgecolor": "white"}
        axes.barh(y + (len(found) - 1) / 2, score / most, height=min(len(found), 1.2) * 0.75, **look)
        axes.text(-0.04, y + (len(found) - 1) / 2, f"{score:.2f}", ha="right", va="center", fontsize=9)
        box = (1.12, y - 0.6)
        shade = 0.05 + 0.2 * max(score, 0.0) / most
        axes.add_patch(Rectangle(box, 6.4, len(found) + 0.2, color=INCLUDED if inside else MUTED, alpha=shade, lw=0))
        axes.text(1.2, y, "\u2714" if inside else "\u2013", va="center", fontsize=9, fontweight="bold")
        for n, line in enumerate(found):
            color = LINE if inside else LEFT_OUT
            axes.text(1.4, y + n, line.replace("$", r"\$"), va="center", fontsize=8.5, color=color)
        y += len(found) + 0.5
    axes.set_xlim(-0.35, 7.55)
    axes.set_ylim(y - 0.5, -1.0)
    axes.set_axis_off()
    title(axes, heading)
    left_out = Patch(facecolor=SKIPPED, hatch=HATCH, edgecolor="white", label="\u2013 left out")
    handles = [Patch(facecolor=INCLUDED, label="\u2714 kept"), left_out]
    figure.legend(handles=handles, loc="outside lower center", ncols=2, fontsize=9, frameon=False)
    said = [
        f"{'Kept' if i in best else 'Left out'}, score {score:.2f}: {' '.join(sentence.split())}"
        for i, (sentence, score) in enumerate(zip(sentences, scores, strict=True))
    ]
    verb = "is" if len(best) == 1 else "are"
    return describe(figure, f"{len(best)} of {len(sentences)} sentences {verb} kept. " + " ".join(said))


def retrieval_curves(panels: Mapping[str, tuple[Mapping[str, Sequence[tuple[float, float]]], float]]) -> Figure:
    """A panel a measure, a line a way to summarize: how well chunks are found against what is left of them.

    panels: heading -> (name -> (share of the tokens, mean reciprocal rank) for 1, 2, 3 ... sentences,
    and what the whole chunks reach).

    >>> retrieval_curves({"Questions": ({"first": [(0.2, 0.3), (0.4, 0.5)]}, 0.8)}).get_label()
    'Questions: whole chunks reach 0.80. first goes from 0.30 at 20 % of the tokens to 0.50 at 40 %.'
    """
    panels = {
        heading: ({name: points for name, points in curves.items() if points}, ceiling)
        for heading, (curves, ceiling) in panels.items()
    }
    if not any(curves for curves, _ in panels.values()):
        figure, axes = new_figure(8, 1.5)
        no_data(axes)
        return describe(figure, "Nothing to draw: no measure was given.")
    figure, grid = new_figure(9.2, 3.9, 1, len(panels), squeeze=False)
    said = []
    for axes, (heading, (curves, ceiling)) in zip(grid[0], panels.items(), strict=True):
        for (name, points), (color, marker, line) in zip(curves.items(), LOOKS, strict=False):
            axes.plot(*zip(*points, strict=True), color=color, marker=marker, linestyle=line, label=name)
        axes.axhline(ceiling, color=LINE, linewidth=1)
        axes.text(0.02, ceiling, "whole chunks", va="bottom", fontsize=8)
        axes.set_xlim(0, 1)
        axes.set_ylim(0, max(ceiling * 1.15, 0.01))
        axes.set_xlabel("tokens left, share of the chunks' tokens")
        axes.grid(color=PALE)
        title(axes, heading)
        said.append(f"{heading}: whole chunks reach {ceiling:.2f}.")
        for name, points in curves.items():
            (low, first), (high, last) = points[0], points[-1]
            ends = f"from {first:.2f} at {100 * low:.0f} % of the tokens to {last:.2f} at {100 * high:.0f} %"
            said.append(f"{name} goes {ends}.")
    grid[0][0].set_ylabel("mean reciprocal rank")
    handles, labels = grid[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), fontsize=9, frameon=False)
    return describe(figure, " ".join(said))


def rank_panels(ranks: Mapping[str, Mapping[str, Sequence[int]]]) -> Figure:
    """A panel a chunk, a line a summarizer: the rank at which it is found, by sentences kept.

    ranks: chunk -> summarizer -> a rank for 1, 2, 3 ... sentences, 0 where it is not found.

    >>> rank_panels({"pumps 1": {"first": [0, 2, 1]}}).get_label()
    'Rank by sentences kept, from 1 on. pumps 1: first not found, 2, 1.'
    """
    if not ranks:
        figure, axes = new_figure(8, 1.5)
        no_data(axes)
        return describe(figure, "Nothing to draw: no chunk was given.")
    figure, grid = new_figure(9.6, 3.4, 1, len(ranks), sharey=True, squeeze=False)
    lowest = max((n for lines in ranks.values() for line in lines.values() for n in line), default=1)
    lost = 2 * max(lowest, 2)
    for axes, (heading, lines) in zip(grid[0], ranks.items(), strict=True):
        for (name, found), (color, marker, line) in zip(lines.items(), LOOKS, strict=False):
            look = {"color": color, "marker": marker, "linestyle": line, "label": name, "alpha": 0.85}
            axes.plot(range(1, len(found) + 1), [n or lost for n in found], **look)
        axes.set_yscale("log")
        axes.set_ylim(lost * 1.4, 0.8)
        ticks = [n for n in (1, 2, 5, 10, 20, 50, 100, 200, 500) if n <= lowest]
        axes.set_yticks([*ticks, lost], [*map(str, ticks), "not found"])
        axes.minorticks_off()
        axes.set_xticks(range(1, max(map(len, lines.values()), default=1) + 1))
        axes.axhline(lost, color=PALE, linewidth=6, zorder=0)
        axes.set_xlabel("sentences kept")
        title(axes, heading)
    grid[0][0].set_ylabel("rank of the chunk")
    handles, labels = grid[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=max(1, len(labels)), fontsize=9, frameon=False)
    said = []
    for heading, lines in ranks.items():
        each = (f"{name} {', '.join(str(n or 'not found') for n in found)}" for name, found in lines.items())
        said.append(f"{heading}: {'; '.join(each)}.")
    return describe(figure, "Rank by sentences kept, from 1 on. " + " ".join(said))
