"""Matplotlib figures: each function takes data and returns a Figure that carries its alt text."""

from rag_lessons.plots.budget import budget_bars, recall_curves, short_name
from rag_lessons.plots.style import describe, new_figure, show

__all__ = ["budget_bars", "describe", "new_figure", "recall_curves", "short_name", "show"]
