"""The tree of a reduction: where its nodes stand, and a figure of a term's way up.

`reduction_html.py` draws the same layout for a page; curves are in `reduction_curves.py`.
"""

from collections.abc import Sequence

from matplotlib.figure import Figure
from matplotlib.patches import Patch

from rag_lessons.plots.style import (
    HATCH,
    INCLUDED,
    LINE,
    MUTED,
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
    total = max(1, _tokens(levels[0]))
    ends = [at for row in places for left, width in row for at in (left, left + width)]
    axes.set_xlim(min(0, *ends) - 0.01 * total, max(total, *ends) + 0.03 * total)  # room for a last cross
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
