"""Figures on windows and counts: how a context window is divided, and how far off estimates are by kind of text."""

from collections.abc import Mapping

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from rag_lessons.planning import COLOURS, WindowPlan
from rag_lessons.plots.style import INCLUDED, LINE, OTHER, PALE, SKIPPED, describe, new_figure, no_data, title

_HATCHES = ("", "....", "xxxx", "\\\\\\\\", "////", "")  # a part each, in the order of `WindowPlan.parts`
_MARKS = ((SKIPPED, "s"), (OTHER, "^"), (INCLUDED, "o"), (LINE, "d"))


def plan_in_words(plan: WindowPlan) -> str:
    """What is left of a window, or what is too much, in one sentence.

    >>> from rag_lessons.planning import plan_window
    >>> plan_in_words(plan_window(1000, reserve=400, overhead=0))
    'window of 1,000: 500 for documents, 50 %'
    """
    if plan.room < 0:
        return f"window of {plan.window:,}: {-plan.room:,} tokens too many, and nothing for documents"
    return f"window of {plan.window:,}: {plan.room:,} for documents, {100 * plan.room / plan.window:.0f} %"


def window_bars(plans: Mapping[str, WindowPlan]) -> Figure:
    """A bar a window, from 0 to all of it: what each part takes, as a share, and what is left for documents.

    plans: label -> plan, the first on top. Parts that do not fit stick out beyond the line of 100 %.

    >>> from rag_lessons.planning import plan_window
    >>> window_bars({"a": plan_window(1000, reserve=400, overhead=0)}).get_label()[33:]
    'a: window of 1,000: 500 for documents, 50 %.'
    """
    figure, axes = new_figure(8.6, 1.3 + 0.62 * max(1, len(plans)))
    if not plans:
        no_data(axes)
        return describe(figure, "Nothing to draw: no window was planned.")
    for row, plan in enumerate(plans.values()):
        left = 0.0
        for (name, tokens), colour, hatch in zip(plan.parts.items(), COLOURS, _HATCHES, strict=True):
            width = max(0.0, 100 * tokens / plan.window)
            axes.barh(
                row, width, left=left, height=0.62, color=colour, hatch=hatch, edgecolor="black", linewidth=0.6,
                label=name if row == 0 else None,
            )  # fmt: skip
            left += width
        said = f"{plan.room:,} left" if plan.room >= 0 else f"{-plan.room:,} too many"
        axes.text(max(left, 100) + 1.5, row, said, va="center", fontsize=10)
    most = max(sum(max(0, tokens) for tokens in plan.parts.values()) / plan.window for plan in plans.values())
    axes.axvline(100, color=LINE, linewidth=1.8)
    axes.set_xlim(0, 100 * most + 20)
    axes.set_xticks(range(0, 101, 20))
    axes.set_yticks(range(len(plans)), list(plans))
    axes.invert_yaxis()
    axes.set_xlabel("share of the window, %; the black line is its end")
    title(axes, "What the fixed parts take of a window")
    figure.legend(loc="outside lower center", ncols=6, fontsize=9, frameon=False, handlelength=1.6)
    said = "; ".join(f"{label}: {plan_in_words(plan)}" for label, plan in plans.items())
    return describe(figure, f"Stacked bars of context windows. {said}.")


def count_errors(counts: Mapping[str, Mapping[str, float]], exact: str = "o200k_base") -> Figure:
    """A line a kind of text, a mark an estimate: by how much it counts too few or too many.

    counts: kind of text -> name of an estimate -> its error as a share of the exact count, such as -0.6.
    exact: the name of what counts exactly.

    >>> count_errors({"prose": {"len // 4": 0.14}}).get_label()
    'Errors of token estimates against o200k_base, by kind of text. prose: len // 4 +14 %.'
    """
    counts = {kind: errors for kind, errors in counts.items() if errors}
    figure, axes = new_figure(8.6, 1.5 + 0.33 * max(1, len(counts)))
    if not counts:
        no_data(axes)
        return describe(figure, "Nothing to draw: no estimate was compared.")
    names = list(dict.fromkeys(name for errors in counts.values() for name in errors))
    for row, errors in enumerate(counts.values()):
        for name, error in errors.items():
            color, marker = _MARKS[names.index(name) % len(_MARKS)]
            axes.plot(100 * error, row, marker, color=color, markeredgecolor="black", markersize=8, clip_on=False)
    axes.axvline(0, color=LINE, linewidth=1.5)
    axes.axvspan(axes.get_xlim()[0], 0, color=PALE, alpha=0.6, zorder=0)
    axes.margins(x=0)
    axes.set_yticks(range(len(counts)), counts)
    axes.set_ylim(len(counts) - 0.5, -0.5)
    axes.grid(axis="y", color=PALE)
    axes.set_axisbelow(True)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel(f"error against {exact}, %")
    title(axes, "Grey: too few counted, so that the prompt overflows")
    handles = [
        Line2D([], [], color=color, marker=marker, linestyle="", markeredgecolor="black", markersize=8, label=name)
        for name, (color, marker) in zip(names, _MARKS * len(names), strict=False)
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=len(names), fontsize=9, frameon=False)
    parts = [
        f"{kind}: {', '.join(f'{name} {100 * error:+.0f} %' for name, error in errors.items())}"
        for kind, errors in counts.items()
    ]
    return describe(figure, f"Errors of token estimates against {exact}, by kind of text. {'; '.join(parts)}.")
