"""Figures and pages on the choice of a strategy: the way through the tree is the choice's own, bars are the shares."""

import html

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle

from rag_lessons import Document
from rag_lessons.analysis import Analysis, analyse
from rag_lessons.long_context import LongContext
from rag_lessons.plots import (
    decision_path,
    decision_svg,
    decision_tree,
    kept_sections,
    parts_html,
    section_shares,
    strategy_states,
)
from rag_lessons.plots.style import EVIDENCE, INCLUDED
from rag_lessons.strategies import STRATEGIES, Thresholds, choose

TEXT = "# 1 Gates <b>\n\nGates & locks rust.\n\n# 2 Terns\n\nTerns nest. Terns fly.\n\n# 3 Eels\n\nEels hide in mud."
QUESTIONS = ("Do terns nest?", "What does section 2 say?", "What does section 9 say?", "Summarize it.")
REPORT = Document("report.md", TEXT)


@given(st.integers(0, 999), st.integers(0, 999), st.sampled_from(QUESTIONS), st.permutations([0.5, 1.0, 2.0]))
def test_the_way_leads_to_what_is_chosen(tokens, room, question, bounds):
    analysis, limits = Analysis(tokens, analyse(REPORT).sections, ()), Thresholds(*sorted(bounds))
    path, choice = decision_path(analysis, room, question, limits)
    assert choice == choose(analysis, room, question, limits)
    answers = [fork.yes for fork in path]
    end = answers.index(True) if True in answers else len(path)
    assert answers[:end] == [False] * end
    assert set(answers[end + 1 :]) <= {None}
    assert (path[end].leaf if end < len(path) else STRATEGIES[3]) == choice.strategy


@pytest.mark.parametrize(
    ("room", "question", "asked", "leaf"),
    [
        (200, "", 1, "full document"),
        (90, "", 4, "smart selection"),
        (40, "", 5, "hybrid"),
        (9, "", 5, "map-reduce"),
        (90, "What does section 2 say?", 2, "smart selection"),
        (90, "Summarize it.", 3, "map-reduce"),
    ],
)
def test_the_way_is_thick_and_bold_and_the_rest_dashed(room, question, asked, leaf):
    figure = decision_tree(Analysis(100, analyse(REPORT).sections, ()), room, question)
    axes = figure.axes[0]
    boxes = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
    on = [box for box in boxes if box.get_linestyle() == "-"]
    assert len(boxes) == 11
    assert len(on) == asked + 1
    assert all(box.get_linewidth() > 2 for box in on)
    assert [to_hex(box.get_facecolor()) for box in on].count(INCLUDED.lower()) == 1
    bold = [text.get_text() for text in axes.texts if text.get_fontweight() == "bold"]
    assert [text for text in bold if text in STRATEGIES] == [leaf]
    assert figure.get_label().endswith(f": {leaf}.")
    assert axes.get_title(loc="left").endswith(leaf)


def test_an_empty_document_has_no_tree():
    figure = decision_tree(Analysis(0, (), ()), 9)
    assert figure.axes[0].texts[0].get_text() == "no data"
    assert "no document" in figure.get_label()


def test_the_svg_says_the_way_and_fills_one_strategy():
    path, choice = decision_path(Analysis(100, (), ()), 40)
    svg = decision_svg(path, choice)
    assert 'aria-label="The tree of the choice. at most 80% of the room? No, ' in svg
    assert svg.count(f'fill="{INCLUDED}"') == 1
    assert svg.index(f'fill="{INCLUDED}"') < svg.index(">hybrid</text>")
    # Four strategies and the lines to them, and the last "no" with what it leads to.
    assert svg.count("stroke-dasharray") == 10


def test_shares_count_whole_sentences_of_a_section():
    sections = analyse(REPORT).sections
    assert section_shares("Gates & locks rust. Nothing else.", sections[:0], TEXT) == []
    shares = section_shares("They\nsay: # 2 Terns Terns nest. and no more", sections, TEXT)
    assert shares[0] == shares[2] == 0
    assert 0 < shares[1] < 1
    assert section_shares(TEXT, sections, TEXT) == [1, 1, 1]


def test_a_bar_is_as_wide_as_the_share_and_a_diamond_is_filled_where_evidence_was_seen():
    panels = {"w1": {"hybrid": [0.25, 1.0], "map-reduce": [0.0, 0.5]}, "w2": {"hybrid": [1.0, 1.0]}}
    seen = {("w1", "hybrid"): 1.0, ("w1", "map-reduce"): 0.5}
    figure = kept_sections(panels, ["one", "two"], [1], seen, {"w1": "hybrid"})
    left, right = figure.axes
    blue = [p.get_width() / 0.84 for p in left.patches if to_hex(p.get_facecolor()) == INCLUDED.lower()]
    assert blue == pytest.approx([0.25, 1.0, 0.0, 0.5])
    assert sum(bool(patch.get_hatch()) for patch in left.patches) == 4
    assert [line.get_color() for line in left.lines] == [EVIDENCE, "white"]
    assert [list(line.get_ydata()) for line in left.lines] == [[1], [1]]
    frames = [patch for axes in (left, right) for patch in axes.patches if not patch.get_fill()]
    assert [(frame.get_x(), frame.get_height()) for frame in frames] == [(0, 2)]
    assert [label.get_text() for label in left.get_xticklabels()] == ["hybrid", "map"]
    assert [label.get_text() for label in left.get_yticklabels()] == ["one", "two"]
    assert "w1: hybrid (chosen) 2 of 2 sections, 1 of them whole, evidence 100 %." in figure.get_label()
    assert "w1: map-reduce 1 of 2 sections, 0 of them whole, evidence 50 %." in figure.get_label()


@pytest.mark.parametrize(("panels", "names"), [({}, ["one"]), ({"w": {}}, ["one"]), ({"w": {"hybrid": []}}, [])])
def test_nothing_kept_is_said(panels, names):
    figure = kept_sections(panels, names)
    assert figure.axes[0].texts[0].get_text() == "no data"
    assert "no strategy" in figure.get_label()


def test_each_state_shows_what_its_answer_kept_and_left_out():
    report = Document("report.md", f"{TEXT}\n\n" + "The hall is cold and the water is salt. " * 30)
    windows = (700, 500, 300, 260)
    states = strategy_states([report], windows, QUESTIONS, reserve=64)
    assert list(states) == [(window, "report.md", question) for window in windows for question in QUESTIONS]
    chosen = set()
    for (window, doc_id, question), (content, caption) in states.items():
        context = LongContext(window, reserve=64)
        context.add(report)
        answer = context.ask(question, doc_id)
        chosen.add(answer.strategy)
        assert content.endswith(parts_html(answer))
        assert f"; {answer.strategy}. Confidence {answer.confidence.level}: " in caption
        assert "<b>" not in content
        for part in getattr(answer.trace, "left_out", ()):
            assert html.escape(part.reason) in content
    assert chosen == set(STRATEGIES)


def test_what_does_not_fit_the_table_is_counted():
    text = "\n\n".join(f"# Part {n}\n\nGates rust." for n in range(30))
    context = LongContext(900, reserve=64)
    context.add(Document("long.md", text))
    answer = context.ask("Do gates rust?", strategy="smart selection")
    shown = parts_html(answer).count(">kept<") + parts_html(answer).count(">left out<")
    assert shown <= 8
    assert f"and {30 - shown} more" in parts_html(answer)
