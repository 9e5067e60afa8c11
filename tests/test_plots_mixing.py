"""Figures and pages on mixes: what is drawn is what is in the prompt, told apart by more than colour."""

import re
from xml.etree import ElementTree

import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle

from rag_lessons import Document, prepare_index
from rag_lessons.evaluation import find_evidence
from rag_lessons.mixing import summary_mix
from rag_lessons.plots import (
    MixRow,
    coverage_detail,
    mix_panels,
    mix_rows,
    mix_states,
    mix_svg,
    rows_in_words,
    share_curves,
)
from rag_lessons.plots.style import EVIDENCE, INCLUDED, OTHER, SKIPPED

ROWS = [
    MixRow("whole", "text", 90, ((0.0, 1.0),), (0.5,), (True,)),
    MixRow("part", "window", 40, ((0.2, 0.4), (0.6, 0.7)), (0.3, 0.9), (True, False)),
    MixRow("short", "summary", 20, (), (), ()),
    MixRow("out", "nothing", 0, (), (0.1,), (False,)),
]


@pytest.fixture(scope="module")
def index():
    long = " ".join(["Terns nest by the wall."] + [f"The log of day {n} says little." for n in range(40)])
    other = " ".join(["Terns nest in May."] + [f"Entry {n} is about nets and ropes." for n in range(40)])
    return prepare_index([Document("a/birds.txt", long), Document("b.txt", other)])


def bars(axes):
    return [patch for patch in axes.patches if isinstance(patch, Rectangle)]


def test_rows_say_what_the_mix_holds_and_where(index):
    evidence = find_evidence(index, [("a/birds.txt", "by the wall"), ("b.txt", "in May"), ("b.txt", "Entry 39")])
    mix = summary_mix("Where do terns nest?", index, 250, share=0)
    rows = mix_rows(mix, index, evidence)
    assert [(row.form, row.tokens) for row in rows] == [(part.form, part.tokens) for part in mix.parts]
    assert {row.name for row in rows} == {"birds", "b"}
    for row, part in zip(rows, mix.parts, strict=True):
        length = len(index.documents[part.doc_id].text)
        assert [(round(s * length), round(e * length)) for s, e in row.kept] == list(part.spans)
    by_name = {row.name: row for row in rows}
    assert len(by_name["b"].gold) == 2 and by_name["b"].gold[0] < 0.1 < 0.9 < by_name["b"].gold[1]
    assert {row.form for row in rows} == {"window", "summary"}
    shown = mix.context
    assert by_name["birds"].seen == ("by the wall" in shown,)
    assert by_name["b"].seen == ("in May" in shown, "Entry 39" in shown)


def test_words_count_forms_and_evidence():
    assert rows_in_words(ROWS) == "1 text, 1 window, 1 summary, 1 nothing; evidence in the prompt: 2 of 4"
    assert rows_in_words(ROWS[2:3] * 2) == "2 summaries; evidence in the prompt: 0 of 0"
    assert rows_in_words([]) == "no documents; evidence in the prompt: 0 of 0"


def test_a_panel_draws_each_document_as_it_is_in_the_prompt():
    figure = mix_panels({"half": ROWS, "one": ROWS[:1]})
    axes = figure.axes[0]
    blue = [bar for bar in bars(axes) if to_hex(bar.get_facecolor()) == INCLUDED.lower()]
    assert [(round(bar.get_x(), 2), round(bar.get_width(), 2)) for bar in blue] == [(0, 1), (0.2, 0.2), (0.6, 0.1)]
    hatches = [bar.get_hatch() for bar in bars(axes) if bar.get_hatch()]
    assert hatches == ["....", "////"]
    summary = next(bar for bar in bars(axes) if bar.get_hatch() == "....")
    assert to_hex(summary.get_facecolor()) == OTHER.lower()
    nothing = next(bar for bar in bars(axes) if bar.get_hatch() == "////")
    assert to_hex(nothing.get_edgecolor()) == SKIPPED.lower()
    assert [label.get_text() for label in axes.get_yticklabels()] == ["whole", "part", "short", "out"]
    assert [text.get_text() for text in axes.texts] == ["text 90", "window 40", "summary 20", "nothing"]
    diamonds = [line for line in axes.lines if line.get_marker() == "D"]
    assert [(line.get_xdata()[0], line.get_ydata()[0]) for line in diamonds] == [(0.5, 0), (0.3, 1), (0.9, 1), (0.1, 3)]
    filled = [to_hex(line.get_markerfacecolor()) == EVIDENCE.lower() for line in diamonds]
    assert filled == [True, True, False, False]
    assert "half: 1 text, 1 window, 1 summary, 1 nothing; evidence in the prompt: 2 of 4." in figure.get_label()
    assert axes.get_ylim()[0] > axes.get_ylim()[1], "the first in rank stands on top"
    assert [label.get_text() for label in figure.axes[1].get_yticklabels()] == ["whole"]
    again = mix_panels({"half": ROWS, "one": ROWS}).axes[1]
    assert [label.get_text() for label in again.get_yticklabels()] == [""] * 4, "the same names stand once"


def test_coverage_goes_right_and_detail_up_with_a_star_for_the_default():
    curves = {"500": [(0, 3, 0.6), (0.5, 2, 0.7), (1, 1, 0.65)], "1000": [(0, 6, 0.7), (1, 1, 0.8)]}
    figure = coverage_detail(curves, {"500": (2.5, 0.85)})
    axes = figure.axes[0]
    first, star, second = axes.lines
    assert list(first.get_xdata()) == [3, 2, 1] and list(first.get_ydata()) == [60, 70, 65]
    assert (star.get_marker(), star.get_xdata()[0], star.get_ydata()[0]) == ("*", 2.5, 85)
    looks = {(line.get_marker(), line.get_linestyle(), line.get_color()) for line in (first, second)}
    assert len(looks) == 2 and len({look[0] for look in looks}) == 2
    assert [text.get_text() for text in axes.texts] == ["0", "0.5", "1", "default, 500", "0", "1"]
    assert "Sentences packed, 500: 2.5 documents, 85 %." in figure.get_label()
    assert "star" not in coverage_detail(curves, {}).get_label() and len(coverage_detail(curves, {}).axes[0].lines) == 2


def test_curves_by_kind_stand_at_their_values_with_the_default_beside_them():
    panels = {"head": {"500": [0.5, 0.6, 0.7]}, "tail": {"500": [0.2, 0.3, 0.4]}}
    figure = share_curves(panels, [0, 0.5, 1], {"head": {"500": 0.9}})
    left, right = figure.axes
    assert list(left.lines[0].get_xdata()) == [0, 0.5, 1] and list(left.lines[0].get_ydata()) == [50, 60, 70]
    assert (left.lines[1].get_marker(), left.lines[1].get_ydata()[0]) == ("*", 90)
    assert len(right.lines) == 1
    assert [axes.get_title(loc="left") for axes in (left, right)] == ["head", "tail"]
    assert "head: 500: 50 % at 0, 60 % at 0.5, 70 % at 1 (default 90 %)." in figure.get_label()


@pytest.mark.parametrize(
    "figure",
    [
        mix_panels({}),
        mix_panels({"half": []}),
        coverage_detail({}, {}),
        coverage_detail({"500": []}, {"500": (1, 0.5)}),
        share_curves({}, [0, 1], {}),
        share_curves({"head": {"500": []}}, [], {}),
    ],
)
def test_nothing_to_draw_is_said(figure):
    assert [text.get_text() for text in figure.axes[0].texts] == ["no data"]
    assert "Nothing to draw" in figure.get_label()


def test_every_figure_describes_itself():
    curves = {"500": [(0, 3, 0.6), (1, 1, 0.65)]}
    for figure in (mix_panels({"a": ROWS}), coverage_detail(curves, {}), share_curves({"a": {"b": [0.1]}}, [1], {})):
        assert len(figure.get_label()) >= 40


def test_the_page_draws_the_same_and_escapes_what_is_not_its_own():
    svg = mix_svg([ROWS[1], MixRow("<b>&", "nothing", 0, (), (), ())])
    root = ElementTree.fromstring(svg)
    assert "&lt;b&gt;&amp;" in svg and "<b>" not in svg
    blue = [e for e in root.iter() if e.get("fill") == INCLUDED and e.get("height") == "18"]
    assert [(float(e.get("x")), float(e.get("width"))) for e in blue] == [(296, 76), (448, 38)]
    drawn = re.findall(r'fill="(#\w+)" stroke="#\w+" stroke-width', svg)
    assert drawn == [EVIDENCE, "#fff", EVIDENCE, "#fff"], "two in the line, two in the key"
    for x in (float(e.get("x")) + float(e.get("width")) for e in root.iter() if e.get("width") and e.get("x")):
        assert x <= 720
    assert "currentColor" in svg and root.get("role") == "img" and len(root.get("aria-label")) >= 40


def test_pictures_of_one_explorer_are_equally_high(index):
    evidence = {"Where do terns nest?": find_evidence(index, [("b.txt", "in May")])}
    mixes = {
        (text, budget): summary_mix(text, index, budget)
        for text in ("Where do terns nest?", "nets", "zebras")
        for budget in (0, 100)
    }
    states = mix_states(mixes, index, evidence)
    assert set(states) == set(mixes)
    assert len({re.search(r'viewBox="([^"]*)"', svg)[1] for svg, _ in states.values()}) == 1
    assert states["zebras", 100][1] == "0 of 100 tokens: no documents; evidence in the prompt: 0 of 0."
    mix = mixes["Where do terns nest?", 100]
    assert states["Where do terns nest?", 100][1].startswith(f"{mix.tokens} of 100 tokens: ")
    assert mix_states({}, index, {}) == {}
