"""Figures on measured pipelines: recall by budget with its intervals, and where the evidence went."""

from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure
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

Interval = tuple[float, float, float]  # mean, low, high; shares of 1
FATES = ("reached", "dropped", "not_routed", "split_off")
FATE_NAMES = ("reached", "dropped by the budget", "not routed", "split off")
# Fill, hatching and edge of each fate.
FATE_LOOKS = ((INCLUDED, "", "white"), (SKIPPED, HATCH, "white"), ("white", "....", MUTED), (OTHER, "xxxx", "white"))
LABELLED = 3  # percent, rounded; a narrower bar has no room for its number
_LINES = ((SKIPPED, "s", "--"), (OTHER, "^", ":"), (MUTED, "v", "-"), (EVIDENCE, "D", "-."), (INCLUDED, "o", "-"))


def measured_curves(
    recalls: Mapping[str, Sequence[Interval]],
    differences: Mapping[str, Sequence[Interval]],
    budgets: Sequence[int],
    base: str = "flat BM25",
) -> Figure:
    """Two panels over budgets in tokens: recall, and how far each pipeline is above another; with intervals.

    recalls, differences: name -> (mean, low, high) for each budget. A pipeline looks alike in both.
    base: what the differences are taken from.

    >>> measured_curves({"flat": [(0.5, 0.4, 0.6)]}, {}, [250]).get_label()
    'Evidence recall by budget. flat: 50 % at 250 tokens.'
    """
    recalls, differences = ({name: p for name, p in curves.items() if p} for curves in (recalls, differences))
    if not any(budgets) or not recalls:
        return nothing_to_draw()
    figure, (left, right) = new_figure(9.6, 4.3, 1, 2, width_ratios=[1.25, 1])
    names = list(recalls)
    for axes, curves in ((left, recalls), (right, differences)):
        for name, points in curves.items():
            place = names.index(name)
            color, marker, line = _LINES[place % len(_LINES)]
            # A little to the side, so that bars at one budget do not cover each other.
            xs = [budget * 1.085 ** (place - (len(names) - 1) / 2) for budget in budgets]
            means = [100 * mean for mean, _, _ in points]
            bars = [
                [100 * (mean - low) for mean, low, _ in points],
                [100 * (high - mean) for mean, _, high in points],
            ]
            axes.errorbar(
                xs, means, bars, color=color, marker=marker, linestyle=line, markersize=5, linewidth=1.6,
                elinewidth=1.2, capsize=2, label=name,
            )  # fmt: skip
        axes.set_xscale("log")
        axes.set_xticks(budgets, [f"{budget}" for budget in budgets])
        axes.minorticks_off()
        axes.set_xlabel("budget in tokens")
        axes.grid(axis="y", color=PALE)
    left.set_ylim(0, 103)
    left.set_ylabel("evidence in the prompt, %")
    right.axhline(0, color=LINE, linewidth=1)
    right.set_ylabel("points")
    title(left, "Evidence recall, alone")
    title(right, f"Above {base}, in pairs")
    handles, labels = left.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), fontsize=9, frameon=False)
    said = [
        f"{name}: {', '.join(f'{100 * m:.0f} % at {b}' for (m, _, _), b in zip(points, budgets, strict=True))} tokens."
        for name, points in recalls.items()
    ]
    said += [
        f"Above {base}, {name}: "
        + ", ".join(
            f"{100 * m:+.0f} ({100 * low:+.0f} to {100 * high:+.0f}) at {b}"
            for (m, low, high), b in zip(points, budgets, strict=True)
        )
        + "."
        for name, points in differences.items()
    ]
    return describe(figure, "Evidence recall by budget. " + " ".join(said))


def fate_bars(panels: Mapping[str, Mapping[str, Sequence[float]]]) -> Figure:
    """A panel a heading, in it a bar a pipeline: shares of the evidence by fate, which make up 1.

    panels: heading -> name -> a share for each of `FATES`.

    >>> fate_bars({"250 tokens": {"flat": (0.75, 0.25, 0, 0)}}).get_label()
    'Where the evidence went. 250 tokens: flat: 75 % reached, 25 % dropped by the budget.'
    """
    panels = {heading: bars for heading, bars in panels.items() if bars}
    if not panels:
        return nothing_to_draw()
    rows = max(map(len, panels.values()))
    figure, found = new_figure(9.4, 1.25 + 0.42 * rows, 1, len(panels), sharey=True, squeeze=False)
    figure.get_layout_engine().set(wspace=0.08)  # or one panel's 100 runs into the next one's 0
    said = []
    for axes, (heading, bars) in zip(found[0], panels.items(), strict=True):
        for y, shares in enumerate(bars.values()):
            left = 0.0
            for share, (face, hatch, edge) in zip(shares, FATE_LOOKS, strict=True):
                if not share:  # a bar without width would cover its neighbour's edge
                    continue
                axes.barh(y, 100 * share, 0.7, 100 * left, facecolor=face, hatch=hatch, edgecolor=edge, linewidth=0.8)
                if round(100 * share) >= LABELLED:
                    back = {"facecolor": "white", "edgecolor": "none", "pad": 0.8} if hatch else None
                    middle, ink = 100 * (left + share / 2), LINE if hatch else "white"
                    axes.text(
                        middle, y, f"{100 * share:.0f}", ha="center", va="center", fontsize=8, color=ink, bbox=back
                    )
                left += share
        axes.set_yticks(range(len(bars)), list(bars), fontsize=9)
        axes.set_ylim(len(bars) - 0.5, -0.5)
        axes.set_xlim(0, 101.5)
        axes.set_xlabel(f"evidence, % (numbers from {LABELLED} up)")
        axes.tick_params(left=False)
        title(axes, heading)
        said.append(f"{heading}: {'; '.join(f'{name}: {fates_in_words(shares)}' for name, shares in bars.items())}.")
    handles = [
        Patch(facecolor=face, hatch=hatch, edgecolor=edge, label=name)
        for name, (face, hatch, edge) in zip(FATE_NAMES, FATE_LOOKS, strict=True)
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=4, fontsize=9, frameon=False)
    return describe(figure, "Where the evidence went. " + " ".join(said))


def fates_in_words(shares: Sequence[float]) -> str:
    """Shares by fate as a phrase, those that round to 0 left out.

    >>> fates_in_words((0.75, 0.25, 0, 0))
    '75 % reached, 25 % dropped by the budget'
    """
    parts = [f"{100 * share:.0f} % {name}" for share, name in zip(shares, FATE_NAMES, strict=True)]
    return ", ".join(part for part in parts if not part.startswith("0 %"))


def nothing_to_draw() -> Figure:
    """A figure that says so where no figures were given.

    >>> nothing_to_draw().get_label()
    'Nothing to draw: no figures were given.'
    """
    figure, axes = new_figure(8, 1.5)
    no_data(axes)
    return describe(figure, "Nothing to draw: no figures were given.")
