"""Figures on reduction: the tree of levels with a term's way up, survival, and a sweep of settings."""

from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

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
from rag_lessons.reduction import Node, Reduction
from rag_lessons.terms import terms

KEPT, LOST, APART = "kept", "lost", "apart"
LOOKS = ((INCLUDED, "o", "-"), (SKIPPED, "s", "--"), (EVIDENCE, "D", "-."), (OTHER, "^", ":"))


def tree_layout(levels: Sequence[Sequence[Node]]) -> list[list[tuple[float, float]]]:
    """Where each node of a reduction stands: (left, width) in tokens, a list for each level.

    The input stands side by side; a node above is as wide as it has tokens, over the middle of
    the input that it was made from.

    >>> tree_layout([[Node("a", 4), Node("b", 2)], [Node("c", 3, (0, 1))]])
    [[(0, 4), (4, 2)], [(1.5, 3)]]
    """
    if not levels:
        return []
    edges, rows = [], []
    at = 0
    for node in levels[0]:
        edges.append((at, at + node.tokens))
        at += node.tokens
    rows.append([(left, right - left) for left, right in edges])
    for level in levels[1:]:
        edges = [(edges[node.children[0]][0], edges[node.children[-1]][1]) for node in level]
        rows.append([((e[0] + e[1]) / 2 - node.tokens / 2, node.tokens) for e, node in zip(edges, level, strict=True)])
    return rows


def term_path(levels: Sequence[Sequence[Node]], term: str) -> list[list[str]]:
    """For each node whether a term is "kept" in it, was "lost" on the way into it, or stands "apart".

    >>> term_path([[Node("gates", 1), Node("kelp", 1)], [Node("kelp", 1, (0, 1))]], "gate")
    [['kept', 'apart'], ['lost']]
    """
    states: list[list[str]] = []
    for level in levels:
        row = []
        for node in level:
            below = any(states[-1][child] == KEPT for child in node.children)
            row.append(KEPT if term in terms(node.text) else LOST if below else APART)
        states.append(row)
    return states


def reduction_trees(reduction: Reduction, marked: Sequence[str]) -> Figure:
    """A tree for each marked term: the input at the bottom, the last summary on top, widths by tokens.

    marked: terms as `scoring.terms` writes them. A node that holds the term is blue with a heavy
    edge; one made from such a node without keeping the term is hatched and crossed.

    >>> reduction_trees(Reduction((), "", True, 0), ["gate"]).get_label()
    'Nothing to draw: there is no level or no term.'
    """
    if not reduction.levels or not marked:
        figure, axes = new_figure(8, 1.5)
        no_data(axes)
        return describe(figure, "Nothing to draw: there is no level or no term.")
    height = 0.5 + (0.55 + 0.33 * len(reduction.levels)) * len(marked)
    figure, panels = new_figure(9.2, height, len(marked), 1, squeeze=False)
    said = [_tree(axes, reduction, term) for axes, term in zip(panels[:, 0], marked, strict=True)]
    handles = [
        Patch(facecolor=INCLUDED, edgecolor=LINE, linewidth=1.6, label="holds the term"),
        Patch(facecolor=SKIPPED, edgecolor="white", hatch=HATCH, label="lost it (×)"),
        Patch(facecolor=PALE, edgecolor=MUTED, label="never had it"),
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=3, fontsize=9, frameon=False)
    levels = reduction.levels
    frame = (
        f"A tree of {len(levels)} levels: {len(levels[0])} summaries of {_tokens(levels[0])} tokens at the bottom, "
        f"{len(levels[-1])} of {_tokens(levels[-1])} on top."
    )
    return describe(figure, " ".join([frame, *said]))


def _tokens(level: Sequence[Node]) -> int:
    return sum(node.tokens for node in level)


def _size(y: int, level: Sequence[Node]) -> str:
    return f"level {y}: {len(level)} text{'s' * (len(level) > 1)}, {_tokens(level):,} tokens"


def _tree(axes, reduction: Reduction, term: str) -> str:
    levels, places, states = reduction.levels, tree_layout(reduction.levels), term_path(reduction.levels, term)
    for y, level in enumerate(levels):
        for x, node in enumerate(level):
            (left, width), state = places[y][x], states[y][x]
            for child in node.children:
                below = places[y - 1][child]
                way = states[y - 1][child] == KEPT and state != APART
                axes.plot(
                    [left + width / 2, below[0] + below[1] / 2], [y - 0.3, y - 0.7],
                    color=LINE if way else MUTED, linewidth=1.8 if way else 0.5,
                )  # fmt: skip
            if state == KEPT:
                axes.barh(y, width, left=left, height=0.6, color=INCLUDED, edgecolor=LINE, linewidth=1.6)
            elif state == LOST:
                axes.barh(y, width, left=left, height=0.6, color=SKIPPED, edgecolor="white", hatch=HATCH)
                axes.text(left + width, y, " ×", va="center", fontsize=14, fontweight="bold", color=LINE)
            else:
                axes.barh(y, width, left=left, height=0.6, color=PALE, edgecolor=MUTED, linewidth=0.6)
    axes.set_yticks(range(len(levels)), [_size(y, level) for y, level in enumerate(levels)], fontsize=8)
    axes.set_ylim(-0.5, len(levels) - 0.4)
    axes.set_xlim(0, max(1, _tokens(levels[0])))
    axes.set_xticks([])
    axes.spines[["left", "bottom"]].set_visible(False)
    axes.tick_params(left=False)
    top = max((y for y, row in enumerate(states) if KEPT in row), default=None)
    if top is None:
        fate = "is in none of the summaries"
    elif top == len(levels) - 1:
        fate = "reaches the top"
    else:
        fate = f"is last seen in level {top} and not above"
    title(axes, f"“{term}” {fate}")
    return f"The term {term} {fate}."


def survival_points(points: Sequence[tuple[str, int, float]], sentences: int = 3) -> Figure:
    """A point a document: the share of its chunks that left a rare term on top, against its chunks.

    points: (name or "", number of chunks, share from 0 to 1). sentences: how many the summary
    keeps; the dashed line is what survives if each of them speaks for one chunk alone.

    >>> survival_points([]).get_label()
    'Nothing to draw: there is no document.'
    """
    figure, axes = new_figure(8, 3.6)
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
    axes.plot(sizes, shares, "o", color=INCLUDED, markersize=7, alpha=0.75, label="a document")
    for name, chunks, share in points:
        if name:
            axes.annotate(name, (chunks, 100 * share), (7, 4), textcoords="offset points", fontsize=8)
    axes.set_xscale("log", base=2)
    ticks = [2**n for n in range(9) if 2**n <= 1.5 * max(sizes)]
    axes.set_xticks(ticks, [str(tick) for tick in ticks])
    axes.set_ylim(-3, 104)
    axes.set_xlabel("chunks in the document (each step doubles)")
    axes.set_ylabel("chunks that survive, %")
    axes.grid(axis="y", color=PALE)
    axes.legend(loc="upper right", fontsize=9, frameon=False)
    title(axes, "What is left on top")
    return describe(
        figure,
        "Share of a document's chunks that leave a rare term in its summary, against its number of chunks. "
        f"The points fall with length, near the line of {sentences} surviving chunks.",
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
            axes.plot(budgets, values, color=color, marker=marker, linestyle=line, markersize=5)
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
