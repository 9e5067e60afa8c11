"""What each strategy kept of a document's sections: the shares, and a figure of them at several windows."""

from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from rag_lessons.analysis import Section
from rag_lessons.plots.style import (
    EVIDENCE,
    HATCH,
    INCLUDED,
    LINE,
    PALE,
    SKIPPED,
    describe,
    new_figure,
    no_data,
    title,
)
from rag_lessons.sentences import fold, sentence_spans
from rag_lessons.strategies import STRATEGIES

_SHORT = dict(zip(STRATEGIES, ("full", "smart", "hybrid", "map"), strict=True))


def section_shares(prompt: str, sections: Sequence[Section], text: str) -> list[float]:
    """How much of each section stands in a prompt, 0 to 1: in whole sentences, by their characters.

    text: of the document that the sections are of. White space does not count.

    >>> section_shares("They say: Gates rust.", [Section("a", "", 0, 0, 23)], "Gates rust. Terns nest.")
    [0.5]
    """
    prompt, shares = fold(prompt), []
    for section in sections:
        part = text[section.start : section.end]
        found = [fold(part[start:end]) for start, end in sentence_spans(part)]
        whole = sum(map(len, found))
        shares.append(sum(len(one) for one in found if one in prompt) / whole if whole else 0.0)
    return shares


def kept_sections(
    panels: Mapping[str, Mapping[str, Sequence[float]]],
    names: Sequence[str],
    evidence: Sequence[int] = (),
    seen: Mapping[tuple[str, str], float] | None = None,
    chosen: Mapping[str, str] | None = None,
) -> Figure:
    """A panel a window, a column a strategy, a row a section: blue from the left as much of it as was kept.

    panels: window -> strategy -> share of each section, 0 to 1. names: of the sections. evidence: rows
    with a diamond, filled where (window, strategy) has all of it in `seen`. chosen: framed.

    >>> kept_sections({"1000": {"hybrid": [0.5]}}, ["1 Gates"]).get_label()
    'What each strategy kept. 1000: hybrid 1 of 1 sections, 0 of them whole.'
    """
    panels = {window: columns for window, columns in panels.items() if columns}
    if not panels or not names:
        figure, axes = new_figure(8, 1.5)
        no_data(axes)
        return describe(figure, "Nothing to draw: no strategy kept anything of a section.")
    seen, chosen = seen or {}, chosen or {}
    figure, found = new_figure(9.6, 1.7 + 0.27 * len(names), 1, len(panels), sharey=True, squeeze=False)
    said = []
    for axes, (window, columns) in zip(found[0], panels.items(), strict=True):
        for x, (strategy, shares) in enumerate(columns.items()):
            for y, share in enumerate(shares):
                axes.add_patch(Rectangle((x + 0.08, y - 0.38), 0.84, 0.76, facecolor="white", edgecolor=SKIPPED,
                                         hatch=HATCH, linewidth=0.6))  # fmt: skip
                axes.add_patch(Rectangle((x + 0.08, y - 0.38), 0.84 * share, 0.76, facecolor=INCLUDED))
            if strategy == chosen.get(window):
                axes.add_patch(Rectangle((x, -0.5), 1, len(names), fill=False, edgecolor=LINE, linewidth=2.2,
                                         clip_on=False))  # fmt: skip
            whole = seen.get((window, strategy), 0) == 1
            axes.plot([x + 0.5] * len(evidence), evidence, "D", markersize=7, markeredgewidth=1.5,
                      color=EVIDENCE if whole else "white", markeredgecolor=LINE if whole else EVIDENCE)  # fmt: skip
            share = f", evidence {100 * seen[window, strategy]:.0f} %" if (window, strategy) in seen else ""
            said.append(
                f"{window}: {strategy}{' (chosen)' if strategy == chosen.get(window) else ''} "
                f"{sum(s > 0 for s in shares)} of {len(names)} sections, {sum(s == 1 for s in shares)} of them whole"
                f"{share}."
            )
        axes.set_xlim(0, len(columns))
        axes.set_ylim(len(names) - 0.5, -0.5)
        axes.set_xticks(
            [x + 0.5 for x in range(len(columns))], [_SHORT.get(name, name) for name in columns], fontsize=9
        )
        axes.set_yticks(
            range(len(names)), [name if len(name) < 38 else name[:36] + "..." for name in names], fontsize=9
        )
        axes.tick_params(length=0)
        axes.grid(visible=False)
        for spine in axes.spines.values():
            spine.set_color(PALE)
        title(axes, window)
    return describe(figure, "What each strategy kept. " + " ".join(said))
