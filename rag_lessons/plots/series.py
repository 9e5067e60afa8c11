"""Figures on the series itself: the map of the lessons and the paths through it."""

from collections.abc import Sequence

from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

from rag_lessons.plots.style import EVIDENCE, INCLUDED, LINE, MUTED, PALE, SKIPPED, describe, new_figure, no_data

LESSONS = (
    (0, "start here", 20, "one question, two budgets"),
    (1, "split", 45, "chunks with a hard cap"),
    (2, "summarize", 45, "for finding, not answering"),
    (3, "reduce", 40, "level by level"),
    (4, "route", 60, "two searches, hard or soft"),
    (5, "spend", 45, "a budget: the slider"),
    (6, "head or tail", 40, "cut a document"),
    (7, "window", 55, "keep what matters"),
    (8, "mix", 45, "summaries and full text"),
    (9, "count", 40, "plan the window"),
    (10, "choose", 50, "a strategy"),
    (11, "map, reduce", 50, "many calls"),
    (12, "measure", 60, "what reaches the model"),
    (13, "real models", 60, "from packages"),
    (14, "scale", 60, "beyond one machine"),
)
PATHS = {"an afternoon": (0, 1, 4, 5), "a weekend": tuple(range(15)), "only truncation": (0, 6, 7, 8)}
_LOOKS = {"an afternoon": (INCLUDED, "o"), "a weekend": (MUTED, "s"), "only truncation": (EVIDENCE, "D")}
_COLUMNS = 5


def minutes(path: Sequence[int]) -> int:
    """How long some lessons take together, in minutes.

    >>> minutes((0, 5))
    65
    """
    return sum(time for number, _, time, _ in LESSONS if number in path)


def series_map(written: Sequence[int]) -> Figure:
    """The lessons as boxes in order, with a mark on each for every path that it is on.

    written: numbers of the lessons that exist; the others are drawn pale and dashed.

    >>> series_map(range(6)).get_label()[:40]
    'A map of 15 lessons in three rows of fiv'
    """
    figure, axes = new_figure(9.2, 4.3)
    axes.set_axis_off()
    if not LESSONS:
        no_data(axes)
    for number, name, time, what in LESSONS:
        row, column = divmod(number, _COLUMNS)
        x, y, there = column * 2.0, -row * 1.3, number in written
        edge = {"edgecolor": LINE if there else MUTED, "linestyle": "-" if there else "--"}
        face = "white" if there else PALE
        axes.add_patch(
            FancyBboxPatch((x, y), 1.75, 0.95, boxstyle="round,pad=0,rounding_size=0.06", facecolor=face, **edge)
        )
        axes.text(x + 0.08, y + 0.78, f"{number:02d}  {name}", fontsize=9.5, fontweight="bold", va="center")
        axes.text(x + 0.08, y + 0.49, what, fontsize=8, va="center", color="#374151")
        axes.text(x + 0.08, y + 0.2, f"{time} min", fontsize=8, va="center", color="#374151")
        for i, (path, numbers) in enumerate(PATHS.items()):
            if number in numbers:
                color, marker = _LOOKS[path]
                axes.plot(x + 1.2 + 0.2 * i, y + 0.2, marker, color=color, markersize=7, markeredgecolor="white")
        if column + 1 < _COLUMNS and number + 1 < len(LESSONS):
            axes.annotate(
                "", (x + 1.99, y + 0.48), (x + 1.76, y + 0.48), arrowprops={"arrowstyle": "->", "color": SKIPPED}
            )
    rows = (len(LESSONS) - 1) // _COLUMNS
    for i, (path, numbers) in enumerate(PATHS.items()):
        color, marker = _LOOKS[path]
        x = 0.1 + 3.3 * i
        axes.plot(x, -rows * 1.3 - 0.3, marker, color=color, markersize=8, markeredgecolor="white")
        hours = minutes(numbers) / 60
        axes.text(
            x + 0.15, -rows * 1.3 - 0.3, f"{path}: {len(numbers)} lessons, {hours:.1f} hours", fontsize=9, va="center"
        )
    axes.set_xlim(-0.1, _COLUMNS * 2.0 - 0.15)
    axes.set_ylim(-rows * 1.3 - 0.55, 1.1)
    paths = "; ".join(
        f"{path}, lessons {', '.join(f'{n:02d}' for n in numbers)}"
        if len(numbers) < len(LESSONS)
        else f"{path}, all of them"
        for path, numbers in PATHS.items()
    )
    return describe(
        figure,
        f"A map of {len(LESSONS)} lessons in three rows of five, each a box with its name and minutes. "
        f"Written so far: {', '.join(f'{n:02d}' for n in written)}; the others are dashed. Paths: {paths}.",
    )
