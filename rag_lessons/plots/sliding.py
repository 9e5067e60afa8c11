"""A figure on cuts that look at the question: evidence kept by budget, a panel a shape of document."""

from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure

from rag_lessons.plots.style import INCLUDED, LINE, OTHER, PALE, SKIPPED, describe, new_figure, no_data, title

# Cuts that do not look at the question first: one colour, and lines broken each in its own way.
_LOOKS = (
    (SKIPPED, "s", "--"),
    (SKIPPED, "X", "-."),
    (SKIPPED, "*", ":"),
    (INCLUDED, "o", "-"),
    (LINE, "d", "-"),
    (OTHER, "^", "-"),
)


def shape_curves(panels: Mapping[str, Mapping[str, Sequence[float]]], budgets: Sequence[int]) -> Figure:
    """A panel a shape of document, a line a cut: the share of the evidence kept, 0 to 1, by budget in tokens.

    panels: shape -> cut -> a share for each budget. A cut looks alike in all panels; the first three
    are drawn broken.

    >>> shape_curves({"head": {"tail": [0.0, 0.5]}}, [125, 250]).get_label()
    'Evidence kept by budget. head: tail 0 % at 125, 50 % at 250 tokens.'
    """
    panels = {shape: cuts for shape, cuts in panels.items() if cuts}
    if not panels or not len(budgets):
        figure, axes = new_figure(8, 1.5)
        no_data(axes)
        return describe(figure, "Nothing to draw: no cut was measured.")
    figure, found = new_figure(9.6, 3.6, 1, len(panels), sharey=True, squeeze=False)
    names = list(dict.fromkeys(name for cuts in panels.values() for name in cuts))
    said = []
    for axes, (shape, cuts) in zip(found[0], panels.items(), strict=True):
        for name, shares in cuts.items():
            place = names.index(name)
            color, marker, line = _LOOKS[place % len(_LOOKS)]
            # A little to the side, so that marks at one budget do not cover each other.
            xs = [budget * 1.02 ** (place - (len(names) - 1) / 2) for budget in budgets]
            axes.plot(
                xs, [100 * share for share in shares], color=color, marker=marker, linestyle=line,
                markersize=6, linewidth=1.4, label=name, clip_on=False,
            )  # fmt: skip
        axes.set_xscale("log")
        axes.set_xticks(budgets, [f"{budget}" for budget in budgets])
        axes.minorticks_off()
        axes.set_ylim(0, 103)
        axes.set_xlabel("budget in tokens")
        axes.grid(axis="y", color=PALE)
        title(axes, shape)
        parts = [
            f"{name} {', '.join(f'{100 * share:.0f} % at {b}' for share, b in zip(shares, budgets, strict=True))}"
            for name, shares in cuts.items()
        ]
        said.append(f"{shape}: {'; '.join(parts)} tokens.")
    found[0, 0].set_ylabel("evidence kept, %")
    handles = {}
    for axes in found[0]:
        handles |= dict(zip(*axes.get_legend_handles_labels()[::-1], strict=True))
    figure.legend(
        [handles[name] for name in names],
        names,
        loc="outside lower center",
        ncols=len(names),
        fontsize=9,
        frameon=False,
    )
    return describe(figure, "Evidence kept by budget. " + " ".join(said))
