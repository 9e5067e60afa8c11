"""A figure of the choice of a strategy: the tree of its questions, with a document's way through it."""

from collections.abc import Sequence
from typing import NamedTuple

from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from rag_lessons.analysis import Analysis, named_sections
from rag_lessons.planning import share_of
from rag_lessons.plots.style import INCLUDED, LINE, MUTED, describe, new_figure, no_data, title
from rag_lessons.strategies import STRATEGIES, Choice, Thresholds, asks_for_all, choose

_FULL, _SMART, _HYBRID, _MAPPED = STRATEGIES


class Fork(NamedTuple):
    """A question of the tree, the strategy that a yes leads to, and the answer: None if it was not reached."""

    asks: str
    leaf: str
    yes: bool | None


def decision_path(
    analysis: Analysis, room: int, question: str = "", thresholds: Thresholds | None = None
) -> tuple[list[Fork], Choice]:
    """The questions that `choose` decides by, in order, with the answers up to the first yes; and its choice.

    >>> path, choice = decision_path(Analysis(100, (), ()), 80)
    >>> [fork.yes for fork in path], choice.strategy
    ([False, False, False, True, None], 'smart selection')
    """
    limits = thresholds or Thresholds()
    asked = [
        (f"at most {limits.full:.0%} of the room?", _FULL, analysis.tokens <= share_of(room, limits.full)),
        ("points at a section that is there?", _SMART, bool(named_sections(question, analysis.sections))),
        ("asks for all of it?", _MAPPED, asks_for_all(question)),
        (f"at most {limits.selection:.0%} of the room?", _SMART, analysis.tokens <= share_of(room, limits.selection)),
        (
            f"at most {limits.map_reduce:.0%} of the room?",
            _HYBRID,
            analysis.tokens <= share_of(room, limits.map_reduce),
        ),
    ]
    path, open_yet = [], True
    for asks, leaf, yes in asked:
        path.append(Fork(asks, leaf, yes if open_yet else None))
        open_yet &= not yes
    return path, choose(analysis, room, question, thresholds)


def size_in_words(choice: Choice) -> str:
    """How large a document is against the room, in words.

    >>> size_in_words(Choice("hybrid", 200, 100, ""))
    '200 tokens for a room of 100: 200 %'
    """
    share = f": {100 * choice.tokens / choice.room:.0f} %" if choice.room else ""
    return f"{choice.tokens:,} tokens for a room of {choice.room:,}{share}"


def path_in_words(path: Sequence[Fork], choice: Choice) -> str:
    """The way through the tree, in words.

    >>> path_in_words(*decision_path(Analysis(10, (), ()), 80))
    'at most 80% of the room? Yes: full document.'
    """
    answered = [f"{fork.asks} {'Yes' if fork.yes else 'No'}" for fork in path if fork.yes is not None]
    return f"{', '.join(answered)}: {choice.strategy}."


def decision_tree(analysis: Analysis, room: int, question: str = "", thresholds: Thresholds | None = None) -> Figure:
    """The tree of `choose` with a document's path on it: thick, filled and with its answers in bold.

    room: in tokens.

    >>> decision_tree(Analysis(10, (), ()), 80).get_label()[:30]
    'The tree of the choice. 10 tok'
    """
    figure, axes = new_figure(8.4, 4.4)
    if not analysis.tokens:
        no_data(axes)
        return describe(figure, "Nothing to draw: there is no document to choose a strategy for.")
    path, choice = decision_path(analysis, room, question, thresholds)
    axes.set_xlim(0, 10)
    axes.set_ylim(-0.65, len(path) + 0.35)
    axes.set_axis_off()
    for n, fork in enumerate(path):
        y = len(path) - 1 - n + 0.75
        _box(axes, 0.1, y, 5.2, fork.asks, fork.yes is not None)
        _arrow(axes, (5.3, y), (7.3, y), "yes", fork.yes is True)
        _box(axes, 7.3, y, 2.6, fork.leaf, fork.yes is True, leaf=True)
        _arrow(axes, (2.7, y - 0.3), (2.7, y - 0.7), "no", fork.yes is False)
    _box(axes, 1.4, -0.25, 2.6, _MAPPED, path[-1].yes is False, leaf=True)
    title(axes, f"{size_in_words(choice)} -> {choice.strategy}")
    return describe(figure, f"The tree of the choice. {size_in_words(choice)}. {path_in_words(path, choice)}")


def _box(axes, x: float, y: float, width: float, text: str, on: bool, leaf: bool = False) -> None:
    """A box at a place, centred at height y; on the path filled and framed thickly, off it dashed."""
    fill = "white" if not on else INCLUDED if leaf else "#dbeafe"
    axes.add_patch(
        Rectangle(
            (x, y - 0.3), width, 0.6, facecolor=fill, edgecolor=LINE if on else MUTED,
            linewidth=2.2 if on else 0.8, linestyle="-" if on else "--",
        )
    )  # fmt: skip
    axes.text(
        x + width / 2, y, text, ha="center", va="center", color="white" if on and leaf else LINE if on else MUTED,
        fontweight="bold" if on else "normal", fontsize=9.5,
    )  # fmt: skip


def _arrow(axes, start: tuple, end: tuple, text: str, on: bool) -> None:
    look = {"arrowstyle": "-|>", "color": LINE if on else MUTED, "linewidth": 2.4 if on else 0.8, "shrinkA": 0}
    axes.annotate("", end, start, arrowprops=look | {"shrinkB": 0, "linestyle": "-" if on else "--"})
    x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    level = start[1] == end[1]
    axes.text(
        x if level else x + 0.15, y + (0.08 if level else 0), text, ha="center" if level else "left",
        va="bottom" if level else "center", fontsize=9,
        color=LINE if on else MUTED, fontweight="bold" if on else "normal",
    )  # fmt: skip
