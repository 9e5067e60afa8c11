"""Draw what was measured: four panels, each told apart by shape as well as by colour."""

from pathlib import Path

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, NullLocator

from rag_lessons.plots.style import (
    EVIDENCE,
    INCLUDED,
    LINE,
    MUTED,
    PALE,
    SKIPPED,
    describe,
    new_figure,
    title,
)

LOOKS = {True: ("o", INCLUDED, INCLUDED), False: ("s", SKIPPED, "white"), None: ("D", MUTED, MUTED)}
MEANT = {True: "goal met", False: "goal missed", None: "no goal set"}
PIPELINES = {"default": (INCLUDED, "o", "-"), "flat BM25": (SKIPPED, "s", "--"), "article": (EVIDENCE, "D", "-.")}
PLAIN = FuncFormatter(lambda value, _: f"{value:,g}")


def draw(results: dict, path: Path) -> Figure:
    """Draw all results, store them as a PNG, and return the figure with its description."""
    options = {"width_ratios": [1.25, 1], "height_ratios": [1.3, 1]}
    figure, panels = new_figure(12.5, 9, 2, 2, gridspec_kw=options)
    rows = [*results["contest"]["rows"], *(row for size in results["querying"] for row in size["rows"])]
    rows += results["truncating"]["rows"]
    said = [
        _speed(panels[0, 0], rows),
        _recall(panels[0, 1], results["recall"]["rows"]),
        _growth(panels[1, 0], results["growth"]),
        _ask(panels[1, 1], results["querying"]),
    ]
    # No program name or version in the file, so that the same results are the same bytes.
    figure.savefig(path, format="png", dpi=110, metadata={"Software": None})
    return describe(figure, " ".join(said))


def _speed(axes, rows: list[dict]) -> str:
    """A row a peer, under a heading for what was done: the median of the ratios, their range, the goal."""
    names, headings = [], []
    for row in rows:
        if row["what"] not in names:
            headings.append(len(names))
            names.append(row["what"])
        y, (marker, edge, face) = len(names), LOOKS[row["met"]]
        names.append(row["peer"].rsplit(" (", 1)[0])
        axes.plot([row["low"], row["high"]], [y, y], color=edge, linewidth=2)
        axes.plot(row["ratio"], y, marker=marker, color=edge, markerfacecolor=face, markersize=7)
        if row["goal"]:
            axes.plot(row["goal"], y, marker="|", color=LINE, markersize=14, markeredgewidth=1.8)
    axes.axvline(1, color=MUTED, linestyle=":", linewidth=1)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(PLAIN)
    axes.set_yticks(range(len(names)), names, fontsize=9)
    for place in headings:
        axes.get_yticklabels()[place].set_fontweight("bold")
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="y", left=False)
    axes.grid(axis="x", color=PALE)
    axes.set_axisbelow(True)
    axes.set_xlabel("times as fast as the peer: median and range")
    title(axes, "Speed")
    handles = [
        Line2D([], [], marker=marker, color=edge, markerfacecolor=face, linestyle="", label=MEANT[state])
        for state, (marker, edge, face) in LOOKS.items()
    ]
    handles.append(Line2D([], [], marker="|", color=LINE, markersize=12, linestyle="", label="goal"))
    axes.legend(handles=handles, loc="upper right", fontsize=9, frameon=True, edgecolor="white")
    states = [row["met"] for row in rows]
    return f"Speed: of {len(rows)} comparisons {states.count(True)} meet their goal and {states.count(False)} miss it."


def _recall(axes, rows: list[dict]) -> str:
    """A line a pipeline with its intervals, side by side so that they do not hide each other."""
    said = []
    for i, (name, (color, marker, line)) in enumerate(PIPELINES.items()):
        found = [row for row in rows if row["pipeline"] == name]
        shares = [100 * row["recall"] for row in found]
        errors = [
            [abs(100 * row["interval"][end] - share) for row, share in zip(found, shares, strict=True)]
            for end in (0, 1)
        ]
        budgets = [row["budget"] * 1.03 ** (1 - i) for row in found]
        axes.errorbar(
            budgets, shares, errors, color=color, marker=marker, linestyle=line, elinewidth=1.2, capsize=3, label=name
        )
        said.append(f"{name} {shares[0]:.0f} to {shares[-1]:.0f} %")
    budgets = sorted({row["budget"] for row in rows})
    axes.set_xscale("log")
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xticks(budgets, [f"{budget:,}" for budget in budgets])
    axes.set_ylim(0, 103)
    axes.grid(axis="y", color=PALE)
    axes.set_xlabel("budget in tokens")
    axes.set_ylabel("% of the evidence, 95 % interval")
    axes.legend(loc="center right", fontsize=9, frameon=False)
    title(axes, "Evidence that reaches the prompt")
    return f"Evidence from {budgets[0]} to {budgets[-1]} tokens: {', '.join(said)}."


def _growth(axes, results: list[dict]) -> str:
    """Time a MB and memory a character of text, both as ratios, against the size of the text."""
    sizes = [result["characters"] / 1e6 for result in results]
    paces = [result["seconds"] / size for result, size in zip(results, sizes, strict=True)]
    paces = [pace / paces[0] for pace in paces]
    axes.plot(sizes, paces, "o-", color=INCLUDED, label="time a MB, smallest text = 1")
    said = f"Building takes {paces[-1]:.2f} times as long a MB for {sizes[-1]:.0f} MB as for {sizes[0]:.0f} MB."
    if results[0]["peak"] is not None:
        shares = [result["peak"] / result["characters"] for result in results]
        axes.plot(sizes, shares, "s--", color=SKIPPED, label="peak memory / text")
        aims = [(size, result["goal"]) for size, result in zip(sizes, results, strict=True) if result["goal"]]
        axes.plot(*zip(*aims, strict=True), color=LINE, marker="_", markersize=16, label="goal: memory below this")
        said += f" Its peak memory is {shares[-1]:.1f} times the largest text."
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xticks([round(size) for size in sizes])
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(PLAIN)
        axis.set_minor_locator(NullLocator())
    axes.grid(axis="y", color=PALE)
    axes.set_xlabel("MB of text")
    axes.set_ylabel("ratio")
    axes.legend(loc="upper right", fontsize=9, frameon=False)
    title(axes, "Building an index")
    return said


def _ask(axes, sizes: list[dict]) -> str:
    """Milliseconds of one question by the size of the index, with the span from 10 to 90 % of them."""
    chunks, times = [size["chunks"] for size in sizes], [size["ask"] for size in sizes]
    medians = [time["median"] for time in times]
    low = [time["median"] - time["low"] for time in times]
    high = [time["high"] - time["median"] for time in times]
    axes.errorbar(chunks, medians, [low, high], color=INCLUDED, marker="o", capsize=3, label="median, 10 to 90 %")
    aims = [(size["chunks"], size["ask"]["goal"]) for size in sizes if size["ask"]["goal"]]
    axes.plot(*zip(*aims, strict=True), "_", color=LINE, markersize=26, markeredgewidth=2, label="goal: at most")
    axes.set_xscale("log")
    axes.set_xticks(chunks, [f"{round(count, -3):,}" for count in chunks])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xlim(chunks[0] / 2, chunks[-1] * 2)
    axes.set_ylim(0, 1.25 * max(*(time["high"] for time in times), *(aim for _, aim in aims)))
    axes.grid(axis="y", color=PALE)
    axes.set_xlabel("chunks in the index")
    axes.set_ylabel("milliseconds, budget 500")
    axes.legend(loc="upper right", ncols=2, fontsize=9, frameon=False)
    title(axes, "One question, asked and packed")
    told = ", ".join(f"{time:.1f} ms at {count:,} chunks" for time, count in zip(medians, chunks, strict=True))
    return f"One question takes {told}."
