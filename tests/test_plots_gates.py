"""The gate's figure and its explorer: which dots are there, on which side of the line, and what is said."""

import re

import pytest

from rag_lessons.plots.gates import gate_strips, lanes, refused_in_words
from rag_lessons.plots.gates_html import gate_states, gate_svg
from rag_lessons.plots.style import INCLUDED, LINE, SKIPPED
from rag_lessons.widgets import explorer_data

SCORES = {"near": [0.9, 0.5, 0.7], "far <1>": [0.49, 0.1]}


def test_a_score_at_the_line_is_let_through():
    assert refused_in_words([0.5, 0.5], 0.5) == "refused 0 of 2"
    assert refused_in_words([0.4999], 0.5) == "refused 1 of 1"
    assert refused_in_words([], 0.5) == "refused 0 of 0"


def test_every_question_has_a_place_of_its_own():
    same = lanes([0.5] * 5 + [0.1])
    assert [score for score, _ in same] == [0.1] + [0.5] * 5
    assert len(set(same)) == 6 and all(-1 <= height <= 1 for _, height in same)


def test_dots_and_crosses_stand_on_their_sides_of_the_line():
    figure = gate_strips({**SCORES, "none": []}, 0.5)
    axes = figure.axes[0]
    lines = [line for line in axes.lines if line.get_marker() in ("o", "x")]
    found = {(line.get_marker(), line.get_color(), round(float(line.get_xdata()[0]), 2)) for line in lines}
    asked, refused = {("o", INCLUDED, x) for x in (0.9, 0.5, 0.7)}, {("x", SKIPPED, x) for x in (0.49, 0.1)}
    assert found == asked | refused
    assert [line.get_xdata()[0] for line in axes.lines if line.get_color() == LINE] == [0.5]
    assert [text.get_text() for text in axes.texts] == ["refused 0 of 3", "refused 2 of 2"]
    assert [label.get_text() for label in axes.get_yticklabels()] == list(SCORES)
    assert "near: refused 0 of 3; far <1>: refused 2 of 2" in figure.get_label()


def test_the_page_shows_the_same_and_nothing_of_a_name_is_markup():
    page = gate_svg(SCORES, 0.5)
    assert page.count("<circle") == 3 + 1 and page.count(f'stroke="{SKIPPED}"') == 2 + 1  # and the key
    assert "far &lt;1&gt;" in page and "<1>" not in page
    assert re.search(r'aria-label="Evidence scores .*near: refused 0 of 3; far &lt;1&gt;: refused 2 of 2"', page)


def test_there_is_a_state_for_each_step_of_the_slider():
    leasts = [0.3, 0.5, 1]
    data = explorer_data({"least score": leasts}, gate_states(SCORES, leasts))
    assert len(data["states"]) == 3
    captions = [gate_states(SCORES, leasts)[least,][1] for least in leasts]
    assert captions[0] == "Below 0.3 nothing is asked: near 0 of 3 (0 %), far <1> 1 of 2 (50 %)."
    assert captions[2].startswith("Below 1 nothing is asked: near 3 of 3 (100 %)")


@pytest.mark.parametrize("scores", [{}, {"far": []}])
def test_nothing_to_draw_is_said(scores):
    assert gate_strips(scores, 0.5).get_label() == "Nothing to draw: no scores were given."
    assert gate_svg(scores, 0.5).startswith("<svg")
