"""Matplotlib figures: each function takes data and returns a Figure that carries its alt text."""

from rag_lessons.plots.ablation import part_points, two_halves
from rag_lessons.plots.budget import budget_bars, recall_curves, short_name
from rag_lessons.plots.chunk_curves import fate_curves
from rag_lessons.plots.chunks import Ribbon, chunk_ribbons, size_dots
from rag_lessons.plots.chunks_html import ribbon_html
from rag_lessons.plots.decision import Fork, decision_path, decision_tree
from rag_lessons.plots.decision_html import choice_state, decision_svg, parts_html, strategy_states
from rag_lessons.plots.decision_kept import kept_sections, section_shares
from rag_lessons.plots.gates import gate_strips, refused_in_words
from rag_lessons.plots.gates_html import gate_states, gate_svg
from rag_lessons.plots.kept import kept_dots
from rag_lessons.plots.measuring import FATES, fate_bars, fates_in_words, measured_curves
from rag_lessons.plots.measuring_html import fate_states, fates_svg, mean_fates
from rag_lessons.plots.mixing import MixRow, mix_panels, mix_rows, rows_in_words
from rag_lessons.plots.mixing_curves import coverage_detail, share_curves
from rag_lessons.plots.mixing_html import mix_states, mix_svg
from rag_lessons.plots.reduction import reduction_trees
from rag_lessons.plots.reduction_curves import survival_points, sweep_curves
from rag_lessons.plots.reduction_html import tree_html
from rag_lessons.plots.relevance import Panel, document_panel, made_curve, position_share, relevance_panels
from rag_lessons.plots.relevance_html import cut_caption, cut_html
from rag_lessons.plots.route_view import route_view
from rag_lessons.plots.routes import recall_by_candidates, route_picture
from rag_lessons.plots.routes_html import route_states, route_svg
from rag_lessons.plots.series import PATHS, minutes, series_map
from rag_lessons.plots.sliding import shape_curves
from rag_lessons.plots.sliding_html import window_states
from rag_lessons.plots.style import describe, new_figure, show
from rag_lessons.plots.summaries import rank_panels, retrieval_curves, shaded_sentences
from rag_lessons.plots.summaries_html import kept_html, mark_kept
from rag_lessons.plots.timeline import Slot, schedule, timeline
from rag_lessons.plots.timeline_html import timeline_states, timeline_svg
from rag_lessons.plots.window import count_errors, plan_in_words, window_bars
from rag_lessons.plots.window_html import plan_states, plan_svg

__all__ = [
    "count_errors",
    "plan_in_words",
    "plan_states",
    "plan_svg",
    "window_bars",
    "Slot",
    "schedule",
    "timeline",
    "timeline_states",
    "timeline_svg",
    "Fork",
    "choice_state",
    "decision_path",
    "decision_svg",
    "decision_tree",
    "kept_sections",
    "parts_html",
    "section_shares",
    "strategy_states",
    "shape_curves",
    "window_states",
    "MixRow",
    "coverage_detail",
    "mix_panels",
    "mix_rows",
    "mix_states",
    "mix_svg",
    "rows_in_words",
    "share_curves",
    "Panel",
    "cut_caption",
    "cut_html",
    "document_panel",
    "kept_dots",
    "made_curve",
    "position_share",
    "relevance_panels",
    "FATES",
    "fate_bars",
    "fate_states",
    "fates_in_words",
    "fates_svg",
    "mean_fates",
    "measured_curves",
    "gate_states",
    "gate_strips",
    "gate_svg",
    "refused_in_words",
    "part_points",
    "two_halves",
    "kept_html",
    "mark_kept",
    "rank_panels",
    "retrieval_curves",
    "shaded_sentences",
    "reduction_trees",
    "survival_points",
    "sweep_curves",
    "tree_html",
    "recall_by_candidates",
    "route_picture",
    "route_states",
    "route_svg",
    "route_view",
    "Ribbon",
    "chunk_ribbons",
    "fate_curves",
    "ribbon_html",
    "size_dots",
    "PATHS",
    "minutes",
    "series_map",
    "budget_bars",
    "describe",
    "new_figure",
    "recall_curves",
    "short_name",
    "show",
]
