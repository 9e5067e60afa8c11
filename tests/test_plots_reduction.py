"""Figures and trees of lesson 03: what is drawn, how wide, and what is said about it."""

import html
import re

import pytest
from matplotlib.patches import Rectangle

from rag_lessons.plots import reduction_trees, survival_points, sweep_curves, tree_html
from rag_lessons.plots.reduction import term_path, tree_layout
from rag_lessons.plots.style import INCLUDED, PALE, SKIPPED
from rag_lessons.reduction import Node, Reduction, reduce_summaries
from rag_lessons.summarizing import CentroidSummarizer

LEVELS = (
    (Node("Gates rust.", 4), Node("Buoys & <b>drift</b>.", 3), Node("Kelp grows.", 5)),
    (Node("Gates rust.", 4, (0, 1)), Node("Kelp grows.", 5, (2,))),
    (Node("Kelp grows.", 5, (0, 1)),),
)
TREE = Reduction(LEVELS, "Kelp grows.", True, 3)
EMPTY = Reduction((), "", True, 0)


def bars(axes):
    """The rectangles of a tree: (left, width, fill as hex), in the order drawn."""
    from matplotlib.colors import to_hex

    return [(p.get_x(), p.get_width(), to_hex(p.get_facecolor())) for p in axes.patches if isinstance(p, Rectangle)]


def test_a_node_is_as_wide_as_its_tokens_and_stands_over_its_input():
    assert tree_layout(LEVELS) == [[(0, 4), (4, 3), (7, 5)], [(1.5, 4), (7.0, 5)], [(3.5, 5)]]


def test_no_node_of_a_level_covers_another():
    texts = [f"Pump {n} lifts water. Valve {n} is shut. The hall is cold." for n in range(13)]
    for row in tree_layout(reduce_summaries(texts, CentroidSummarizer(), budget=30).levels):
        assert all(left + width <= after + 1e-9 for (left, width), (after, _) in zip(row, row[1:], strict=False))


def test_a_term_is_kept_lost_or_never_there():
    assert term_path(LEVELS, "gate") == [["kept", "apart", "apart"], ["kept", "apart"], ["lost"]]
    assert term_path(LEVELS, "kelp") == [["apart", "apart", "kept"], ["apart", "kept"], ["kept"]]


def test_trees_show_each_terms_way_and_say_its_fate():
    figure = reduction_trees(TREE, ["gate", "kelp", "eel"])
    gate, kelp, eel = figure.axes
    assert [bar[2] for bar in bars(gate)] == [c.lower() for c in (INCLUDED, PALE, PALE, INCLUDED, PALE, SKIPPED)]
    assert [text.get_text() for text in gate.texts] == [" ×"]
    assert [bar[1] for bar in bars(kelp)] == [4, 3, 5, 4, 5, 5] and not kelp.texts
    assert {bar[2] for bar in bars(eel)} == {PALE}
    assert [label.get_text() for label in gate.get_yticklabels()] == [
        "level 0: 3 texts, 12 tokens", "level 1: 2 texts, 9 tokens", "level 2: 1 text, 5 tokens",
    ]  # fmt: skip
    said = figure.get_label()
    assert "gate is last seen in level 1 and not above" in said and "kelp reaches the top" in said
    assert "eel is in none of the summaries" in said


def test_no_node_is_cut_off_by_the_frame():
    high = Reduction(((Node("a", 1), Node("b", 1)), (Node("wide", 9, (0, 1)),)), "wide", True, 1)
    axes = reduction_trees(high, ["a"]).axes[0]
    left, right = axes.get_xlim()
    assert all(left < at and at + width < right for at, width, _ in bars(axes))


def test_survival_points_stand_where_they_were_measured():
    figure = survival_points([("manual", 91, 0.01), ("", 2, 1.0)], sentences=3)
    line, dots = figure.axes[0].lines
    assert dots.get_xdata().tolist() == [91, 2] and dots.get_ydata().tolist() == [1.0, 100.0]
    expected = dict(zip(line.get_xdata(), line.get_ydata(), strict=True))
    assert (expected[2], expected[3], expected[6]) == (100, 100, 50)
    assert [text.get_text() for text in figure.axes[0].texts] == ["manual"]
    said = survival_points([("", 91, 0.0), ("", 6, 0.6), ("", 6, 0.5), ("", 1, 1.0)], sentences=3).get_label()
    assert "Of 4 documents 1 lie above the falling line of 3 surviving chunks, 1 at 0 %" in said
    assert said.endswith("the longest, of 91 chunks, lies at 0 %.")


def test_sweep_curves_draw_calls_and_survivors():
    figure = sweep_curves({(40, 1): (9, 2), (60, 1): (5, 1), (40, 2): (8, 0), (60, 2): (4, 3)})
    calls, alive = figure.axes
    assert [line.get_ydata().tolist() for line in calls.lines] == [[9, 5], [8, 4]]
    assert [line.get_ydata().tolist() for line in alive.lines] == [[2, 1], [0, 3]]
    assert len({line.get_marker() for line in calls.lines}) == 2
    assert calls.lines[0].get_markersize() > calls.lines[1].get_markersize()
    assert "Calls range from 4 to 9, survivors from 0 to 3." in figure.get_label()


@pytest.mark.parametrize(
    "figure",
    [reduction_trees(TREE, []), reduction_trees(EMPTY, ["a"]), survival_points([]), sweep_curves({})],
)
def test_nothing_to_draw_is_said(figure):
    assert "no data" in [text.get_text() for text in figure.axes[0].texts]
    assert len(figure.get_label()) >= 30


def test_the_tree_as_html_has_a_box_a_node_and_escapes_texts():
    found = tree_html(TREE, frozenset({2}), rows=5)
    key = 2, 1  # boxes and diamonds that explain the rest
    assert found.count("<rect") == 6 + key[0] and found.count("l5 5l-5 5") == 1 + key[1]
    assert "<title>chunk 1: Gates rust. (4 tokens)</title>" in found and "3 texts, 12 tokens" in found
    assert "3, 2, 1 texts from the bottom up; 1 at the bottom marked" in found
    assert "<b>drift" not in found
    assert tree_html(EMPTY) == "<p>no data</p>"


def test_titles_of_made_texts_are_escaped():
    made = Reduction(((Node("a", 1),), (Node("<i>x</i> & y", 2, (0,)),)), "<i>x</i> & y", True, 1)
    found = tree_html(made)
    assert "<i>" not in found and html.escape("<i>x</i> & y") in found
    assert re.search(r'viewBox="0 0 \d+ \d+"', found)
