"""Figures and pages on cuts: the bars stand where the relevance is, and what is kept is told from the rest."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle, StepPatch

from rag_lessons.cuts import head, middle, tail
from rag_lessons.plots import (
    Panel,
    cut_caption,
    cut_html,
    document_panel,
    kept_dots,
    made_curve,
    position_share,
    relevance_panels,
)
from rag_lessons.plots.relevance import left_out, pooled
from rag_lessons.plots.relevance_html import curve_svg
from rag_lessons.plots.style import EVIDENCE, HATCH, INCLUDED, SKIPPED
from rag_lessons.runs import relevance, share_kept
from rag_lessons.sentences import sentence_spans

TEXT = "Gates rust. Terns nest here. <b>Eels</b> swim & hide. Terns leave late."
ASKED = "When do terns leave?"
TWO_ENDS = Panel("ends", [4.0, 1.0, 1.0, 2.0], [(0, 1), (3, 4)], [(3.2, 3.8)])


def steps(axes):
    return [patch for patch in axes.patches if isinstance(patch, StepPatch)]


def strips(axes):
    return [patch for patch in axes.patches if isinstance(patch, Rectangle)]


def test_the_made_curve_is_strong_at_its_ends_and_highest_at_40():
    curve = made_curve()
    assert curve.shape == (100,) and curve.argmax() == 40
    assert curve[:21].min() >= 0.5 and curve[80:].min() > 0.4
    quiet = np.r_[curve[21:36], curve[45:80]]
    assert np.allclose(quiet, 0.1)


def test_kept_and_left_out_cover_all_positions_and_look_different():
    axes = relevance_panels([TWO_ENDS]).axes[0]
    looks = {(to_hex(patch.get_facecolor()).upper(), patch.get_hatch()) for patch in axes.patches}
    assert looks == {(INCLUDED, None), (SKIPPED, HATCH)}
    by_look = {INCLUDED: [], SKIPPED: []}
    for strip in strips(axes):
        by_look[to_hex(strip.get_facecolor()).upper()].append((strip.get_x(), strip.get_x() + strip.get_width()))
    assert by_look == {INCLUDED: [(0, 1), (3, 4)], SKIPPED: [(1.0, 3)]}
    assert [list(step.get_data().values) for step in steps(axes)] == [[1.0, 1.0], [4.0], [2.0]]


def test_the_share_kept_stands_over_the_panel_and_in_its_description():
    figure = relevance_panels([TWO_ENDS, TWO_ENDS._replace(title="all", kept=[(0, 4)])])
    assert [axes.get_title(loc="right") for axes in figure.axes] == ["keeps 75 %", ""]
    assert "ends: 0 to 1 and 3 to 4 is kept, 75 % of the relevance." in figure.get_label()


def test_evidence_has_a_diamond_of_its_own():
    axes = relevance_panels([TWO_ENDS]).axes[0]
    (diamond,) = axes.lines
    assert diamond.get_marker() == "D" and diamond.get_color() == EVIDENCE and diamond.get_xdata()[0] == 3.5
    assert relevance_panels([TWO_ENDS._replace(evidence=())]).axes[0].lines[:] == []


def test_many_positions_are_added_up_and_a_cut_between_bars_stays_in_place():
    panel = Panel("", [1.0] * 10, [(0, 5)])
    assert pooled(panel, 4) == ([3.0, 3.0, 3.0, 1.0], 3)
    out, kept = steps(relevance_panels([panel], bars=4).axes[0])
    assert list(kept.get_data().edges) == [0, 3, 5] and list(kept.get_data().values) == [3, 3]
    assert list(out.get_data().edges) == [5, 6, 9, 10] and list(out.get_data().values) == [3, 3, 1]


def test_empty_panels_keep_their_place_free():
    figure = relevance_panels([TWO_ENDS] * 3)
    assert [axes.axison for axes in figure.axes] == [True, True, True, False]


@pytest.mark.parametrize("cut", [head, tail, middle])
@pytest.mark.parametrize("budget", [0, 3, 7, 12, 99])
def test_a_document_panel_keeps_the_share_that_its_cut_keeps(cut, budget):
    spans, kept = sentence_spans(TEXT), cut(TEXT, budget)
    worth = relevance(TEXT, spans, ASKED)
    panel = document_panel("", TEXT, ASKED, kept.spans)
    assert list(panel.relevance) == list(worth)
    assert position_share(panel) == pytest.approx(share_kept(spans, worth, kept.spans))


def test_a_document_panel_counts_sentences():
    panel = document_panel("a", TEXT, ASKED, None, [(TEXT.index("Terns leave"), len(TEXT))])
    assert panel.kept == [(0.0, 4.0)] and panel.evidence == [(3.0, 4.0)]
    empty = document_panel("", "", ASKED)
    assert (list(empty.relevance), empty.kept, empty.evidence) == ([], [], [])


def test_what_is_left_out_is_what_is_not_kept():
    assert left_out(TWO_ENDS) == [(1, 3)]
    assert left_out(TWO_ENDS._replace(kept=[])) == [(0.0, 4.0)]
    assert left_out(TWO_ENDS._replace(kept=[(0, 4)])) == []


def page(cut, budget):
    kept = cut(TEXT, budget)
    gold = [(TEXT.index("Terns leave"), len(TEXT))]
    panel = document_panel("<Which>?", TEXT, ASKED, kept.spans, gold)
    return cut_html(panel, TEXT, kept, gold), cut_caption(cut.__name__, panel, kept, gold)


def test_the_page_shows_the_kept_text_escaped_and_its_evidence_marked():
    content, caption = page(head, 99)
    assert "&lt;b&gt;Eels&lt;/b&gt; swim &amp; hide." in content and "<b>Eels" not in content
    assert "&lt;Which&gt;?" in content
    assert re.findall(r"<u [^>]*>(.*?)</u>", content) == ["&#9670; Terns leave late."]
    assert "left out)" not in content
    assert caption == "head: 22 tokens, 100 % of the relevance, 100 % of the evidence."


def test_the_page_says_how_much_is_left_out_and_where():
    content, caption = page(head, 3)
    assert content.index("Gates rust.") < content.index(f"({len(TEXT) - 11} characters left out)")
    assert "<u " not in content and caption.endswith("0 % of the relevance, 0 % of the evidence.")
    content, _ = page(tail, 5)
    assert content.index("characters left out)") < content.index("Terns leave late.")


def test_the_curve_is_well_formed_and_says_what_is_left_out_by_more_than_colour():
    svg = curve_svg(TWO_ENDS)
    root = ElementTree.fromstring(svg)
    assert len(root.get("aria-label")) >= 40 and root.get("fill") == "currentColor"
    kept, out = re.findall(r'<path d="([^"]+)" fill="([^"]+)"/>', svg)
    assert kept[1] == INCLUDED and out[1] == "url(#rl-cut)"
    assert kept[0].count("M") == 4 and out[0].count("M") == 3, "a bar a position, and a strip a span"
    assert "M0.0 174V24.0H110.0V174z" in kept[0], "the tallest bar fills the height"
    assert curve_svg(Panel("", [], [])) == "<p>no data</p>"


def test_dots_stand_at_their_shares_and_each_cut_has_a_marker_of_its_own():
    rows = {"faq (7)": {"head": 0.14, "tail": 0.86}, "news (8)": {"head": 0.62, "tail": 0.25}}
    figure = kept_dots({"By document": rows}, 0.3)
    axes = figure.axes[0]
    found, kept, line = axes.lines
    assert list(found.get_xdata()) == pytest.approx([14, 62]) and list(kept.get_xdata()) == pytest.approx([86, 25])
    assert found.get_marker() != kept.get_marker()
    assert list(line.get_xdata()) == [30, 30]
    assert [label.get_text() for label in axes.get_yticklabels()] == list(rows)
    assert "faq (7): head 14 %, tail 86 %; news (8): head 62 %, tail 25 %." in figure.get_label()


@pytest.mark.parametrize("figure", [relevance_panels([]), relevance_panels([Panel("", [], [])]), kept_dots({}, 0.3)])
def test_nothing_to_draw(figure):
    assert [text.get_text() for text in figure.axes[0].texts] == ["no data"]
    assert figure.get_label().startswith("Nothing to draw")
