"""Curves on reductions: what survives against length, and a sweep of settings."""

from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from rag_lessons.plots.style import (
    EVIDENCE,
    INCLUDED,
    LINE,
    OTHER,
    PALE,
    SKIPPED,
    describe,
    new_figure,
    no_data,
    title,
)

LOOKS = ((INCLUDED, "o", "-"), (SKIPPED, "s", "--"), (EVIDENCE, "D", "-."), (OTHER, "^", ":"))


def survival_points(points: Sequence[tuple[str, int, float]], sentences: int = 3) -> Figure:
    """A point a document: the share of its chunks that left a rare term on top, against its chunks.

    points: (name or "", number of chunks, share from 0 to 1). sentences: how many the summary
    keeps; the dashed line is what survives if each of them speaks for one chunk alone.

    >>> survival_points([]).get_label()
    'Nothing to draw: there is no document.'
    """
    figure, axes = new_figure(8, 3.6)
    points = [point for point in points if point[1]]  # without chunks, nothing was there to survive
    if not points:
        no_data(axes)
        return describe(figure, "Nothing to draw: there is no document.")
    sizes = [chunks for _, chunks, _ in points]
    line = sorted({sentences, *range(max(1, min(sizes)), max(sizes) + 1)})
    axes.plot(
        line, [100 * min(1, sentences / n) for n in line], color=LINE, linestyle="--",
        label=f"{sentences} chunks survive",
    )  # fmt: skip
    shares = [100 * share for _, _, share in points]
    axes.plot(sizes, shares, "o", color=INCLUDED, markersize=7, alpha=0.75, label="a document", clip_on=False)
    for name, chunks, share in (point for point in points if point[0]):
        # Away from the line, and on the left: the longest documents stand at the right edge.
        above = share >= min(1, sentences / chunks)
        at, side = ((7, 4), "left") if above else ((-7, -3), "right")
        axes.annotate(name, (chunks, 100 * share), at, textcoords="offset points", ha=side, fontsize=8)
    axes.set_xscale("log", base=2)
    ticks = [2**n for n in range(9) if 2**n <= 1.5 * max(sizes)]
    axes.set_xticks(ticks, [str(tick) for tick in ticks])
    axes.set_ylim(-3, 104)
    axes.set_xlabel("chunks in the document (each step doubles)")
    axes.set_ylabel("chunks that survive, %")
    axes.grid(axis="y", color=PALE)
    axes.legend(loc="upper right", fontsize=9, frameon=False)
    title(axes, "What is left on top")
    longest = shares[sizes.index(max(sizes))]
    above = sum(share > min(1, sentences / n) for _, n, share in points)
    return describe(
        figure,
        "Share of a document's chunks that leave a rare term in its summary, against its number of chunks. "
        f"Of {len(points)} documents {above} lie above the falling line of {sentences} surviving chunks, "
        f"{shares.count(0)} at 0 %; the longest, of {max(sizes)} chunks, lies at {longest:.0f} %.",
    )


def sweep_curves(results: Mapping[tuple[int, int], tuple[int, int]]) -> Figure:
    """Two panels against the input budget: calls, and surviving chunks; a line for each sentence count.

    results: (budget in tokens, sentences) -> (calls, survivors).

    >>> sweep_curves({}).get_label()
    'Nothing to draw: there is no result.'
    """
    figure, panels = new_figure(9.2, 3.2, 1, 2)
    if not results:
        for axes in panels:
            no_data(axes)
        return describe(figure, "Nothing to draw: there is no result.")
    budgets = sorted({budget for budget, _ in results})
    counts = sorted({sentences for _, sentences in results})
    for axes, part, name in zip(panels, (0, 1), ("Calls", "Chunks that survive"), strict=True):
        for i, count in enumerate(counts):
            color, marker, line = LOOKS[i % len(LOOKS)]
            values = [results[budget, count][part] for budget in budgets]
            slim = i / max(1, len(counts) - 1)  # later lines are slimmer, so that equal ones show each other
            axes.plot(
                budgets, values, color=color, marker=marker, linestyle=line,
                markersize=9 - 5 * slim, linewidth=3.2 - 2 * slim,
            )  # fmt: skip
        axes.set_ylim(0, None)
        axes.set_xlabel("input budget, tokens")
        axes.grid(axis="y", color=PALE)
        title(axes, name)
    handles = [
        Line2D([], [], color=c, marker=m, linestyle=s, label=f"{count} sentence{'s' * (count > 1)}")
        for count, (c, m, s) in zip(counts, LOOKS * len(counts), strict=False)
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=4, fontsize=9, frameon=False)
    calls, alive = zip(*results.values(), strict=True)
    return describe(
        figure,
        f"Calls and surviving chunks against input budgets of {budgets[0]} to {budgets[-1]} tokens. "
        f"Calls range from {min(calls)} to {max(calls)}, survivors from {min(alive)} to {max(alive)}.",
    )
