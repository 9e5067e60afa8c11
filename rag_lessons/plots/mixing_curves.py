"""Curves on mixes of summaries and full text: coverage against detail, and evidence by share."""

from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from rag_lessons.plots.measuring import nothing_to_draw
from rag_lessons.plots.style import INCLUDED, LINE, MUTED, OTHER, PALE, SKIPPED, describe, new_figure, title

_LINES = ((SKIPPED, "s", "--"), (OTHER, "^", "-."), (INCLUDED, "o", "-"), (MUTED, "v", ":"))


def coverage_detail(
    curves: Mapping[str, Sequence[tuple[float, float, float]]], points: Mapping[str, tuple[float, float]]
) -> Figure:
    """Coverage against detail: documents seen to the right, evidence seen upwards, a line a budget over the shares.

    curves: name -> (share, mean number of documents, evidence from 0 to 1). points: the same names ->
    (documents, evidence) of a pipeline without shares, a star each.

    >>> coverage_detail({"500": [(0, 3, 0.6), (1, 1, 0.7)]}, {}).get_label()
    'Documents seen against evidence seen. 500: share 0: 3.0 documents, 60 %; share 1: 1.0 documents, 70 %.'
    """
    curves = {name: found for name, found in curves.items() if found}
    if not curves:
        return nothing_to_draw()
    figure, axes = new_figure(8.4, 4.4)
    said = []
    for (name, found), (color, marker, line) in zip(curves.items(), _LINES, strict=False):
        shares, documents, evidence = zip(*found, strict=True)
        heights = [100 * height for height in evidence]
        axes.plot(documents, heights, color=color, marker=marker, linestyle=line, linewidth=1.8, label=name)
        for n, (share, x, y) in enumerate(zip(shares, documents, heights, strict=True)):
            offset = (4, -13 if n % 2 else 6)  # by turns, since neighbours may be close
            axes.annotate(f"{share:g}", (x, y), offset, textcoords="offset points", fontsize=8, color="#374151")
        said.append(
            f"{name}: " + "; ".join(f"share {s:g}: {d:.1f} documents, {100 * e:.0f} %" for s, d, e in found) + "."
        )
        if name in points:
            x, y = points[name]
            axes.plot(x, 100 * y, "*", color=color, markersize=17, markeredgecolor=LINE, zorder=3)
            axes.annotate(f"default, {name}", (x, 100 * y), (11, -4), textcoords="offset points", fontsize=9)
            said.append(f"Sentences packed, {name}: {x:.1f} documents, {100 * y:.0f} %.")
    handles, labels = axes.get_legend_handles_labels()
    if points:
        handles.append(Line2D([], [], marker="*", linestyle="", color="white", markeredgecolor=LINE, markersize=13))
        labels.append("the default: sentences packed")
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), fontsize=9, frameon=False)
    axes.set_xlim(left=0)
    axes.set_xlabel("coverage: documents seen, mean (numbers at the points: share for text)")
    axes.set_ylabel("detail: evidence seen, %")
    axes.grid(color=PALE)
    axes.set_axisbelow(True)
    return describe(figure, "Documents seen against evidence seen. " + " ".join(said))


def share_curves(
    panels: Mapping[str, Mapping[str, Sequence[float]]],
    shares: Sequence[float],
    levels: Mapping[str, Mapping[str, float]],
) -> Figure:
    """A panel a kind of question: evidence seen by share, a line a budget, and the default's level, dotted.

    panels: kind -> budget -> evidence from 0 to 1, one for each share. levels: kind -> budget -> the default's.

    >>> share_curves({"head": {"500": [0.5, 0.6]}}, [0, 1], {}).get_label()
    'Evidence seen by share for text. head: 500: 50 % at 0, 60 % at 1.'
    """
    panels = {kind: lines for kind, lines in panels.items() if lines}
    if not panels or not len(shares):
        return nothing_to_draw()
    figure, found = new_figure(9.6, 3.5, 1, len(panels), sharey=True, squeeze=False)
    said = []
    for axes, (kind, lines) in zip(found[0], panels.items(), strict=True):
        phrases = []
        for n, ((name, values), (color, marker, line)) in enumerate(zip(lines.items(), _LINES, strict=False)):
            heights = [100 * value for value in values]
            axes.plot(shares, heights, color=color, marker=marker, linestyle=line, markersize=4, label=name)
            phrase = ", ".join(f"{h:.0f} % at {share:g}" for h, share in zip(heights, shares, strict=True))
            level = levels.get(kind, {}).get(name)
            if level is not None:
                axes.plot(
                    1.08 + 0.09 * n, 100 * level, "*", color=color, markersize=12, markeredgecolor=LINE, clip_on=False
                )
                phrase += f" (default {100 * level:.0f} %)"
            phrases.append(f"{name}: {phrase}")
        axes.set_xticks([0, 0.5, 1], ["0", "½", "1"])
        axes.set_xlim(-0.05, 1.36)
        axes.set_xlabel("share for text")
        axes.grid(axis="y", color=PALE)
        title(axes, kind)
        said.append(f"{kind}: {'; '.join(phrases)}.")
    found[0][0].set_ylabel("evidence seen, %")
    handles, labels = found[0][0].get_legend_handles_labels()
    if levels:
        handles.append(Line2D([], [], marker="*", linestyle="", color="white", markeredgecolor=LINE, markersize=11))
        labels.append("the default: sentences packed")
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), fontsize=9, frameon=False)
    return describe(figure, "Evidence seen by share for text. " + " ".join(said))
