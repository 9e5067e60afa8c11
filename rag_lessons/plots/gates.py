"""Figures on the gate: how the evidence scores of kinds of questions lie, and what a least score refuses."""

from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from rag_lessons.plots.style import INCLUDED, LINE, SKIPPED, describe, new_figure, no_data, title

LANES = 5  # heights in a strip, so that like scores do not cover each other


def refused_in_words(scores: Sequence[float], least: float) -> str:
    """How many of some scores are below the least.

    >>> refused_in_words([0.2, 0.5, 0.9], 0.5)
    'refused 1 of 3'
    """
    return f"refused {sum(score < least for score in scores)} of {len(scores)}"


def lanes(scores: Sequence[float]) -> list[tuple[float, float]]:
    """Each score with a height in its strip, -1 to 1, in ascending order, neighbours at different heights.

    >>> lanes([0.5, 0.4])
    [(0.4, 0.0), (0.5, -1.0)]
    """
    order = (2, 0, 4, 1, 3)
    return [(score, order[n % LANES] / 2 - 1) for n, score in enumerate(sorted(scores))]


def gate_strips(scores: Mapping[str, Sequence[float]], least: float) -> Figure:
    """A strip for each kind of question, a dot a question at its score, and a line at the least that is let through.

    scores: kind -> evidence scores, 0 to 1. least: where the line stands.

    >>> gate_strips({"far": [0.2, 0.6]}, 0.5).get_label()
    'Evidence scores by kind of question, and a line at 0.5. far: refused 1 of 2.'
    """
    scores = {kind: found for kind, found in scores.items() if len(found)}
    if not scores:
        figure, axes = new_figure(8, 1.5)
        no_data(axes)
        return describe(figure, "Nothing to draw: no scores were given.")
    figure, axes = new_figure(9.2, 1.1 + 0.62 * len(scores))
    for row, found in enumerate(scores.values()):
        for score, height in lanes(found):
            asked = score >= least
            look = {"marker": "o", "color": INCLUDED} if asked else {"marker": "x", "color": SKIPPED}
            axes.plot(score, -row - 0.28 * height, linestyle="", markersize=5, markeredgewidth=1.6, **look)
        axes.text(1.02, -row, refused_in_words(found, least), va="center", fontsize=9)
    axes.axvline(least, color=LINE, linewidth=1.2)
    axes.set_yticks([-row for row in range(len(scores))], list(scores))
    axes.set_ylim(-len(scores) + 0.4, 0.6)
    axes.set_xlim(0, 1)
    axes.set_xlabel("evidence score")
    axes.tick_params(axis="y", length=0)
    keys = [("o", INCLUDED, "the model is asked"), ("x", SKIPPED, "refused")]
    handles = [
        Line2D([], [], marker=marker, color=color, linestyle="", markeredgewidth=1.6, label=label)
        for marker, color, label in keys
    ]
    axes.legend(handles=handles, loc="lower right", bbox_to_anchor=(1, 1), ncols=2, frameon=False, fontsize=9)
    title(axes, f"At {least:g} or more the model is asked")
    said = "; ".join(f"{kind}: {refused_in_words(found, least)}" for kind, found in scores.items())
    return describe(figure, f"Evidence scores by kind of question, and a line at {least:g}. {said}.")
