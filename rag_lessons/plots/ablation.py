"""Figures on choosing: what each part of a pipeline adds, and what is left of the best of many settings."""

from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure

from rag_lessons.plots.measuring import Interval, nothing_to_draw
from rag_lessons.plots.style import INCLUDED, LINE, MUTED, PALE, describe, new_figure, title


def part_points(panels: Mapping[str, Mapping[str, Interval]]) -> Figure:
    """A panel a heading, in it a row a part: by how many points recall falls when the part is taken away.

    panels: heading -> part -> (mean, low, high). Solid where the interval leaves 0 out, else hollow.

    >>> part_points({"all": {"windows": (0.03, -0.02, 0.08)}}).get_label()
    'What taking a part away costs, in points. all: windows +3.0 (-2.0 to +8.0).'
    """
    panels = {heading: parts for heading, parts in panels.items() if parts}
    if not panels:
        return nothing_to_draw()
    rows = max(map(len, panels.values()))
    figure, found = new_figure(9.6, 1.2 + 0.34 * rows, 1, len(panels), sharex=True, sharey=True, squeeze=False)
    said = []
    for axes, (heading, parts) in zip(found[0], panels.items(), strict=True):
        axes.axvline(0, color=LINE, linewidth=1)
        for y, (mean, low, high) in enumerate(parts.values()):
            clear = low > 0 or high < 0
            look = {"color": INCLUDED, "marker": "D"} if clear else {"color": MUTED, "marker": "o"}
            axes.plot([100 * low, 100 * high], [y, y], color=look["color"], linewidth=2.4 if clear else 1.4)
            axes.plot(100 * mean, y, markersize=6, markerfacecolor=None if clear else "white", linestyle="", **look)
        axes.set_yticks(range(len(parts)), list(parts), fontsize=9)
        axes.set_ylim(len(parts) - 0.5, -0.5)
        axes.grid(axis="x", color=PALE)
        axes.tick_params(left=False)
        title(axes, heading)
        rows_said = [f"{p} {100 * m:+.1f} ({100 * a:+.1f} to {100 * b:+.1f})" for p, (m, a, b) in parts.items()]
        said.append(f"{heading}: {', '.join(rows_said)}.")
    figure.supxlabel("points lost without it; left of 0, gained", fontsize=10)
    return describe(figure, "What taking a part away costs, in points. " + " ".join(said))


def two_halves(chosen_on: Sequence[float], reported_on: Sequence[float], best: int) -> Figure:
    """A dot a setting: its share on the questions it was chosen on, and on the others.

    chosen_on, reported_on: shares of 1, the settings in the same order. best: the place of the chosen one.

    >>> two_halves([0.5, 0.7], [0.6, 0.6], 1).get_label()[:54]
    '2 settings on two halves of the questions. The one tha'
    """
    if not len(chosen_on):
        return nothing_to_draw()
    figure, axes = new_figure(6.2, 3.5)
    xs, ys = ([100 * share for share in shares] for shares in (chosen_on, reported_on))
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    axes.axvline(mean_x, color=MUTED, linewidth=1, linestyle="--")
    axes.axhline(mean_y, color=MUTED, linewidth=1, linestyle="--", label="mean of all settings")
    axes.plot(xs, ys, "o", color=MUTED, markerfacecolor="white", label="a setting")
    axes.plot(xs[best], ys[best], "D", color=INCLUDED, markersize=8, label="best on the first half")
    axes.set_xlabel("first half: chosen on it, %")
    axes.set_ylabel("second half, %")
    title(axes, f"{len(xs)} settings on two halves of the questions")
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=9, frameon=False)
    return describe(
        figure,
        f"{len(xs)} settings on two halves of the questions. The one that is best on the first half is "
        f"{xs[best] - mean_x:+.1f} points above the mean of all there and {ys[best] - mean_y:+.1f} on the second half.",
    )
