"""The look of every figure: palette, a blank figure, and how it is shown with its alt text.

A figure is made without pyplot, so nothing is left open, and `show` stores it once, as a PNG with
a description for readers who cannot see it.
"""

import io

from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

# Okabe and Ito's palette (2008), told apart also by those who see fewer colours.
INCLUDED = "#0072B2"
SKIPPED = "#E69F00"
EVIDENCE = "#009E73"
OTHER = "#CC79A7"
LINE = "#000000"
MUTED = "#6b7280"
PALE = "#e5e7eb"
HATCH = "////"
STYLE = {
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": MUTED,
    "axes.labelcolor": "#111827",
    "xtick.color": "#374151",
    "ytick.color": "#374151",
    "hatch.linewidth": 0.8,
    "svg.hashsalt": "rag_lessons",
    # Named, so that no figure depends on which fonts a system has: DejaVu comes with matplotlib.
    "font.family": "DejaVu Sans",
}


def new_figure(width: float = 8.0, height: float = 3.0, rows: int = 1, columns: int = 1, **options):
    """A figure in the series' style with its axes: one, or an array of them.

    width, height: inches. options: go to `Figure.subplots`.

    >>> figure, axes = new_figure(4, 2)
    >>> axes.get_title()
    ''
    """
    with rc_context(STYLE):
        figure = Figure(figsize=(width, height), layout="constrained", facecolor="white")
        FigureCanvasAgg(figure)
        return figure, figure.subplots(rows, columns, **options)


def title(axes, text: str) -> None:
    """Write a title over some axes, in the series' way.

    >>> title(new_figure()[1], "Chunks")
    """
    axes.set_title(text, loc="left", fontsize=11, fontweight="bold")


def describe(figure: Figure, text: str) -> Figure:
    """Give a figure its description, which is what a screen reader says; returns the figure.

    >>> describe(new_figure()[0], "A bar a chunk.").get_label()
    'A bar a chunk.'
    """
    figure.set_label(" ".join(text.split()))
    return figure


def no_data(axes, text: str = "no data") -> None:
    """Say in the middle of some axes that there is nothing to draw."""
    axes.text(0.5, 0.5, text, ha="center", va="center", transform=axes.transAxes, color=MUTED)
    axes.set_axis_off()


def show(figure: Figure, dots: int = 110) -> None:
    """Display a figure in a notebook as a PNG that carries its description as alt text.

    dots: per inch. Raises ValueError for a figure without a description.
    """
    from IPython.display import display  # wanted only in a notebook

    if not figure.get_label():
        raise ValueError("the figure has no description; give it one with describe(figure, text)")
    buffer = io.BytesIO()
    with rc_context(STYLE):
        # No version, date or program name in the file, so that the same figure is the same bytes.
        figure.savefig(buffer, format="png", dpi=dots, metadata={"Software": None})
    width = round(figure.get_figwidth() * dots / 2 * 1.6)
    metadata = {"image/png": {"alt": figure.get_label(), "width": width}}
    display({"image/png": buffer.getvalue(), "text/plain": figure.get_label()}, metadata=metadata, raw=True)
