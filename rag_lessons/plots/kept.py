"""A figure on cuts of many documents: how much of the evidence each cut keeps, beside how much text it keeps."""

from collections.abc import Mapping

from matplotlib.figure import Figure

from rag_lessons.plots.style import INCLUDED, LINE, OTHER, PALE, SKIPPED, describe, new_figure, no_data, title

_LOOKS = ((INCLUDED, "<"), (SKIPPED, ">"), (OTHER, "s"))


def kept_dots(panels: Mapping[str, Mapping[str, Mapping[str, float]]], share: float) -> Figure:
    """A panel a heading, a row a kind of document or question, a mark a cut: the evidence kept, 0 to 1.

    panels: heading -> row -> cut -> share of the evidence. share: of each document that is kept,
    drawn as a line: a cut that keeps as much of everything stands on it.

    >>> kept_dots({"By kind": {"head": {"head": 1.0, "tail": 0.0}}}, 0.3).get_label()
    'Evidence kept, where 30 % of each document is. By kind: head: head 100 %, tail 0 %.'
    """
    panels = {heading: rows for heading, rows in panels.items() if rows}
    if not panels:
        figure, axes = new_figure(8, 1.5)
        no_data(axes)
        return describe(figure, "Nothing to draw: no shares were given.")
    most = max(map(len, panels.values()))
    figure, found = new_figure(9.4, 1.3 + 0.28 * most, 1, len(panels), squeeze=False)
    said = [_draw(axes, heading, rows, share) for axes, (heading, rows) in zip(found[0], panels.items(), strict=True)]
    handles, labels = found[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), fontsize=9, frameon=False)
    return describe(figure, f"Evidence kept, where {100 * share:.0f} % of each document is. " + " ".join(said))


def _draw(axes, heading: str, rows: Mapping[str, Mapping[str, float]], share: float) -> str:
    cuts = list(dict.fromkeys(cut for shares in rows.values() for cut in shares))
    for n, cut in enumerate(cuts):
        color, marker = _LOOKS[n % len(_LOOKS)]
        lower = 0.18 * (n - 1)  # so that marks at one share do not cover each other
        at = [(100 * shares[cut], y + lower) for y, shares in enumerate(rows.values()) if cut in shares]
        axes.plot(*zip(*at, strict=True), marker, color=color, markersize=7, label=cut, linestyle="", clip_on=False)
    axes.axvline(100 * share, color=LINE, linestyle="--", linewidth=1, label="share of the text that is kept", zorder=0)
    axes.set_yticks(range(len(rows)), list(rows), fontsize=9)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlim(0, 100)
    axes.set_xlabel("evidence kept, %")
    axes.grid(axis="y", color=PALE)
    axes.set_axisbelow(True)
    axes.tick_params(left=False)
    title(axes, heading)
    parts = [
        f"{row}: {', '.join(f'{cut} {100 * kept:.0f} %' for cut, kept in shares.items())}"
        for row, shares in rows.items()
    ]
    return f"{heading}: {'; '.join(parts)}."
