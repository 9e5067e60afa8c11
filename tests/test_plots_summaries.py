"""Figures and HTML on summaries: what is drawn, and what nothing to draw looks like."""

import pytest
from matplotlib.colors import to_hex

from rag_lessons.plots import kept_html, mark_kept, rank_panels, retrieval_curves, shaded_sentences
from rag_lessons.plots.style import HATCH, INCLUDED, LINE, SKIPPED
from rag_lessons.plots.summaries import LEFT_OUT

SENTENCES = ["Gates rust.", "A motor lifts the gate, and the gate weighs a ton.", "Birds nest."]
SCORES = [0.9, 1.8, 0.9]
CURVES = {"opening": [(0.2, 0.3), (0.4, 0.5)], "centroid": [(0.3, 0.4), (0.6, 0.6)]}
RANKS = {
    "sensors": {"opening": [0, 2, 1], "centroid": [4, 1, 1]},
    "waves": {"opening": [2, 9, 20], "centroid": [0, 0, 0]},
}


def bars(figure):
    return figure.axes[0].containers


def test_a_bar_a_sentence_as_long_as_its_score():
    figure = shaded_sentences(SENTENCES, SCORES, 2, "Gates")
    assert [round(bar[0].get_width(), 6) for bar in bars(figure)] == [0.5, 1.0, 0.5]
    assert figure.axes[0].get_title(loc="left") == "Gates"


def test_kept_sentences_are_told_apart_by_colour_hatch_and_sign():
    figure = shaded_sentences(SENTENCES, SCORES, 2)
    assert [to_hex(bar[0].get_facecolor()).upper() for bar in bars(figure)] == [INCLUDED, INCLUDED, SKIPPED]
    assert [bar[0].get_hatch() for bar in bars(figure)] == [None, None, HATCH]
    signs = [text.get_text() for text in figure.axes[0].texts if text.get_text() in "\u2714\u2013"]
    assert signs == ["\u2714", "\u2714", "\u2013"]
    colours = {text.get_text(): text.get_color() for text in figure.axes[0].texts}
    assert colours[SENTENCES[0]] == LINE and colours[SENTENCES[2]] == LEFT_OUT


def test_the_shade_deepens_with_the_score():
    boxes = [p for p in shaded_sentences(SENTENCES, SCORES, 1).axes[0].patches if p.get_width() > 2]
    assert boxes[0].get_alpha() == boxes[2].get_alpha() < boxes[1].get_alpha()


def test_every_word_of_a_long_sentence_is_drawn():
    long = " ".join(f"word{n}" for n in range(90)) + " costs $5 or $6."
    drawn = " ".join(text.get_text() for text in shaded_sentences([long], [1.0], 1).axes[0].texts)
    assert all(word in drawn.replace("\\", "") for word in long.split())


def test_curves_have_their_points_their_ceiling_and_their_names():
    figure = retrieval_curves({"Questions": (CURVES, 0.8), "Held out": (CURVES, 0.2)})
    left, right = figure.axes
    for axes, ceiling in ((left, 0.8), (right, 0.2)):
        opening, centroid, top = axes.lines
        assert list(map(tuple, opening.get_xydata())) == CURVES["opening"]
        assert list(map(tuple, centroid.get_xydata())) == CURVES["centroid"]
        assert set(top.get_ydata()) == {ceiling}
    assert [text.get_text() for text in figure.legends[0].get_texts()] == list(CURVES)
    looks = {(line.get_color(), line.get_marker(), line.get_linestyle()) for line in left.lines[:2]}
    assert len({marker for _, marker, _ in looks}) == 2


def test_ranks_rise_to_the_top_and_not_found_has_its_own_place():
    figure = rank_panels(RANKS)
    sensors, waves = figure.axes
    lost = waves.lines[1].get_ydata()[0]
    assert lost > 20 and list(waves.lines[1].get_ydata()) == [lost] * 3
    assert list(sensors.lines[0].get_ydata()) == [lost, 2, 1]
    bottom, top = sensors.get_ylim()
    assert bottom > lost > 1 > top
    assert sensors.get_yticklabels()[-1].get_text() == "not found"


@pytest.mark.parametrize(
    "figure",
    [
        shaded_sentences(SENTENCES, SCORES, 2),
        retrieval_curves({"Questions": (CURVES, 0.8)}),
        rank_panels(RANKS),
        shaded_sentences([], [], 2),
        retrieval_curves({}),
        rank_panels({}),
    ],
)
def test_every_figure_says_what_it_shows(figure):
    assert len(figure.get_label()) >= 30


@pytest.mark.parametrize("figure", [shaded_sentences([], [], 1), retrieval_curves({}), rank_panels({})])
def test_nothing_to_draw_says_so(figure):
    assert [text.get_text() for text in figure.axes[0].texts] == ["no data"]


def test_marks_follow_the_summary():
    assert mark_kept(SENTENCES, "Gates rust. Birds nest.") == [True, False, True]
    assert mark_kept(["A  b.\n", "C."], "A b.") == [True, False]
    assert mark_kept(SENTENCES, "") == [False, False, False]


@pytest.mark.parametrize("summary", ["Birds nest. Gates rust.", "Eels swim.", "Gates rust. Eels swim."])
def test_a_summary_with_other_sentences_is_refused(summary):
    with pytest.raises(ValueError, match="which is none of the sentences"):
        mark_kept(SENTENCES, summary)


def test_html_is_escaped_and_says_kept_in_words():
    content = kept_html(["<script>", "b & c"], [True, False], "Why <b>?")
    assert "<script>" not in content and "&lt;script&gt;" in content and "b &amp; c" in content
    assert content.count("&#10004; kept") == 1 and content.count("left out") == 1
    assert "Why &lt;b&gt;?" in content
