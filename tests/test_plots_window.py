"""Figures on windows and counts: what is drawn is what the plan and the counts say."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from matplotlib.colors import to_hex

from rag_lessons.planning import COLOURS, plan_window
from rag_lessons.plots import count_errors, plan_in_words, plan_states, plan_svg, window_bars

PLAN = plan_window(1000, reserve=400, system=50, question=20, overhead=10)  # 420 are left
TOO_SMALL = replace(PLAN, reserve=1000)


def widths(axes, row):
    return [round(bar.get_width(), 6) for bar in axes.patches if round(bar.get_y() + bar.get_height() / 2) == row]


def test_each_bar_is_the_plan_in_shares_and_what_does_not_fit_sticks_out():
    axes = window_bars({"good": PLAN, "bad": TOO_SMALL}).axes[0]
    assert widths(axes, 0) == [10, 40, 5, 2, 1, 42]
    assert widths(axes, 1) == [10, 100, 5, 2, 1, 0]
    assert [text.get_text() for text in axes.texts] == ["420 left", "180 too many"]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["good", "bad"]
    assert axes.get_xlim()[1] > 118 and axes.get_ylim()[0] > axes.get_ylim()[1]
    assert [line.get_xdata()[0] for line in axes.lines] == [100]


def test_parts_differ_by_more_than_colour():
    figure = window_bars({"good": PLAN})
    bars = figure.axes[0].patches
    assert [to_hex(bar.get_facecolor()) for bar in bars] == [colour.lower() for colour in COLOURS]
    hatches = [bar.get_hatch() or "" for bar in bars]
    assert len(set(hatches)) == 5 and hatches[0] == hatches[-1] == "", "the first and the last are told by their place"
    assert [text.get_text() for text in figure.legends[0].get_texts()] == list(PLAN.parts)


def test_the_bars_are_said_in_words():
    assert plan_in_words(TOO_SMALL) == "window of 1,000: 180 tokens too many, and nothing for documents"
    label = window_bars({"good": PLAN, "bad": TOO_SMALL}).get_label()
    assert label.endswith(f"good: {plan_in_words(PLAN)}; bad: {plan_in_words(TOO_SMALL)}.")
    assert len(label) >= 40


def test_errors_stand_at_their_place_on_either_side_of_the_line():
    figure = count_errors({"prose": {"a": 0.14, "b": -0.02}, "empty": {}, "table": {"b": -1.0}}, "exact")
    axes = figure.axes[0]
    points = [(line.get_xdata()[0], line.get_ydata()[0]) for line in axes.lines if line.get_marker() != "None"]
    assert points == [pytest.approx(point) for point in [(14, 0), (-2, 0), (-100, 1)]]
    looks = [(line.get_marker(), line.get_color()) for line in axes.lines[:3]]
    assert looks[1] == looks[2] and looks[0][0] != looks[1][0] and looks[0][1] != looks[1][1]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["prose", "table"]
    assert axes.get_xlim()[0] <= -100 and axes.get_xlim()[1] >= 14
    assert "against exact" in figure.get_label() and "prose: a +14 %, b -2 %; table: b -100 %." in figure.get_label()


@pytest.mark.parametrize("figure", [window_bars({}), count_errors({}), count_errors({"prose": {}})])
def test_nothing_to_draw_is_said(figure):
    assert [text.get_text() for text in figure.axes[0].texts] == ["no data"]
    assert "Nothing to draw" in figure.get_label()


def drawn(svg):
    """The bar's parts as (left, width), and where the window's end is drawn."""
    root = ElementTree.fromstring(svg)
    bars = [e for e in root.iter() if e.get("height") == "36"]
    return [(float(e.get("x")), float(e.get("width"))) for e in bars], float(re.search(r'd="M([\d.]+) 14v', svg)[1])


def test_the_page_draws_the_same():
    bars, end = drawn(plan_svg(PLAN))
    assert [width / 440 for _, width in bars] == pytest.approx([0.1, 0.4, 0.05, 0.02, 0.01, 0.42], abs=0.001)
    assert sum(bars[-1]) == pytest.approx(end, abs=0.2)
    bars, end = drawn(plan_svg(TOO_SMALL))
    assert end < sum(bars[-2]) == pytest.approx(448, abs=0.2), "what is too much sticks out"
    assert "-180" in plan_svg(TOO_SMALL) and "currentColor" in plan_svg(PLAN)
    assert plan_in_words(PLAN) in ElementTree.fromstring(plan_svg(PLAN)).get("aria-label")


def test_the_states_say_what_fits():
    states = plan_states({(1,): PLAN, (2,): TOO_SMALL}, [420, 421, 5])
    assert set(states) == {(1,), (2,)}
    assert states[1,][1] == "Window of 1,000: 420 for documents, 42 %. Of 3 documents 2 fit whole."
    assert states[2,][1].endswith("nothing for documents. Of 3 documents 0 fit whole.")
    assert plan_states({(1,): PLAN})[1,][1] == "Window of 1,000: 420 for documents, 42 %."
    assert states[1,][0] == plan_svg(PLAN)
