"""What the target size of chunks does to evidence, as curves."""

from collections.abc import Mapping, Sequence
from math import ceil

from matplotlib.figure import Figure

from rag_lessons.plots.style import (
    EVIDENCE,
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

LOOKS = ((SKIPPED, "s", "--"), (INCLUDED, "o", "-"), (EVIDENCE, "D", "-."), (OTHER, "^", ":"), (LINE, "v", "-"))


def fate_curves(panels: Mapping[str, Mapping[str, Sequence[float]]], targets: Sequence[int]) -> Figure:
    """A panel for each fate of evidence: a line a method, its share from 0 to 1 against the target size.

    panels: fate -> method -> one share for each target, in characters.

    >>> fate_curves({"split": {"naive": [0.5, 0.1]}}, [100, 200]).get_label()
    'Evidence by target size. split: naive from 50 % at 100 characters to 10 % at 200.'
    """
    panels = {fate: {name: s for name, s in curves.items() if len(s)} for fate, curves in panels.items()}
    if not targets or not any(panels.values()):
        figure, axes = new_figure(8, 1.5)
        no_data(axes)
        return describe(figure, "Nothing to draw: no shares were given.")
    figure, found = new_figure(9.2, 3.7, 1, len(panels), sharey=True, squeeze=False)
    most = max((share for curves in panels.values() for shares in curves.values() for share in shares), default=1)
    said = ["Evidence by target size."]
    for axes, (fate, curves) in zip(found[0], panels.items(), strict=True):
        for (name, shares), (color, marker, line) in zip(curves.items(), LOOKS, strict=False):
            look = {"color": color, "marker": marker, "linestyle": line, "markersize": 5}
            axes.plot(targets, [100 * share for share in shares], label=name, **look)
        ends = [
            f"{name} from {100 * s[0]:.0f} % at {targets[0]} characters to {100 * s[-1]:.0f} % at {targets[-1]}"
            for name, s in curves.items()
        ]
        said.append(f"{fate}: {'; '.join(ends)}.")
        axes.set_ylim(-2, 10 * ceil(10 * most) + 2)
        axes.set_xlabel("target in characters")
        axes.grid(axis="y", color=PALE)
        title(axes, fate)
    found[0][0].set_ylabel("evidence, %", color=MUTED)
    handles, labels = found[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), fontsize=9, frameon=False)
    return describe(figure, " ".join(said))
