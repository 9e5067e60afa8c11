"""Figures and pages on measured pipelines: bars, points and intervals stand where the numbers say."""

import re
from xml.etree import ElementTree

import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle

from rag_lessons.metrics import Losses
from rag_lessons.plots import (
    FATES,
    fate_bars,
    fate_states,
    fates_in_words,
    fates_svg,
    mean_fates,
    measured_curves,
    part_points,
    two_halves,
)
from rag_lessons.plots.measuring import FATE_NAMES
from rag_lessons.plots.style import INCLUDED, MUTED

HALF = Losses(0.5, 0.25, 0.25, 0.0)
ALL = Losses(1.0, 0.0, 0.0, 0.0)
CURVES = {"flat": [(0.5, 0.4, 0.6), (0.75, 0.7, 0.9)], "default": [(0.8, 0.7, 0.9), (0.9, 0.8, 1.0)]}


def test_curves_stand_at_their_means_with_intervals_round_them():
    figure = measured_curves(CURVES, {"default": [(0.3, 0.1, 0.5), (0.15, -0.05, 0.3)]}, [100, 200])
    left, right = figure.axes
    flat = left.containers[0]
    assert flat.get_label() == "flat" and list(flat[0].get_ydata()) == [50, 75]
    segments = flat[2][0].get_segments()
    assert [round(y, 6) for y in segments[0][:, 1]] == [40, 60]
    assert [round(y, 6) for y in segments[1][:, 1]] == [70, 90]
    assert list(left.get_xticks()) == [100, 200]
    assert 0 in [line.get_ydata()[0] for line in right.lines]
    assert "Above flat BM25, default: +30 (+10 to +50) at 100, +15 (-5 to +30) at 200." in figure.get_label()


def test_a_pipeline_looks_alike_in_both_panels_and_unlike_the_others():
    figure = measured_curves(CURVES, {"default": CURVES["default"]}, [100, 200])
    left, right = figure.axes
    looks = {c.get_label(): c[0].get_marker() + c[0].get_linestyle() + c[0].get_color() for c in left.containers}
    assert len(set(looks.values())) == 2
    again = right.containers[0]
    assert again[0].get_marker() + again[0].get_linestyle() + again[0].get_color() == looks[again.get_label()]


def test_bars_fill_the_width_and_each_fate_has_a_look_of_its_own():
    figure = fate_bars({"100 tokens": {"flat": (0.5, 0.25, 0.25, 0.0), "default": (0.7, 0.1, 0.1, 0.1)}})
    axes = figure.axes[0]
    bars = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
    assert [round(bar.get_width()) for bar in bars] == [50, 25, 25, 70, 10, 10, 10]
    assert [round(bar.get_x()) for bar in bars[3:]] == [0, 70, 80, 90]
    assert len({(to_hex(bar.get_facecolor()), bar.get_hatch()) for bar in bars}) == 4
    assert len({bar.get_hatch() for bar in bars}) == 4, "told apart by more than colour"
    assert [label.get_text() for label in axes.get_yticklabels()] == ["flat", "default"]
    assert "default: 70 % reached, 10 % dropped by the budget, 10 % not routed, 10 % split off." in figure.get_label()


def test_a_number_stands_in_each_part_wide_enough_and_the_rule_is_written_down():
    shares = {"flat": (0.90, 0.051, 0.026, 0.023)}
    axes = fate_bars({"a": shares}).axes[0]
    assert [text.get_text() for text in axes.texts] == ["90", "5", "3"]
    assert axes.get_xlabel() == "evidence, % (numbers from 3 up)"
    svg = fates_svg({"flat": [Losses(*shares["flat"])]})
    assert re.findall(r'text-anchor="middle" fill="#\w+">(\d+)<', svg) == ["90", "5", "3"]
    assert "share of the evidence, % (numbers from 3 up)" in svg


def test_a_number_is_not_wider_than_its_part():
    svg = fates_svg({"flat": [Losses(0.8, 0.026, 0.074, 0.1)]})
    parts = [float(w) for w in re.findall(r'width="([\d.]+)" height="22"', svg)]
    boxes = [float(w) for w in re.findall(r'width="([\d.]+)" height="16"', svg)]
    assert len(boxes) == 3 and all(box <= part + 2 for box, part in zip(boxes, parts[1:], strict=True))


def test_marks_at_one_budget_stand_side_by_side():
    axes = measured_curves({name: CURVES["flat"] for name in "abcde"}, {}, [100, 200]).axes[0]
    first = sorted(float(container[0].get_xdata()[0]) for container in axes.containers)
    second = sorted(float(container[0].get_xdata()[1]) for container in axes.containers)
    assert all(b / a > 1.08 for a, b in zip(first, first[1:], strict=False)) and first[-1] < second[0]


def test_points_are_solid_only_where_the_interval_leaves_zero_out():
    parts = {"a": (0.2, 0.1, 0.3), "b": (0.02, -0.01, 0.05), "c": (-0.1, -0.2, -0.05), "d": (0.0, 0.0, 0.0)}
    axes = part_points({"all": parts}).axes[0]
    marks = [line for line in axes.lines if line.get_marker() in "Do"]
    assert [round(float(line.get_xdata()[0])) for line in marks] == [20, 2, -10, 0]
    assert [line.get_marker() for line in marks] == ["D", "o", "D", "o"]
    assert [line.get_color() for line in marks] == [INCLUDED, MUTED, INCLUDED, MUTED]
    spans = [list(line.get_xdata()) for line in axes.lines if len(line.get_xdata()) == 2][1:]
    assert spans[0] == pytest.approx([10, 30]) and spans[2] == pytest.approx([-20, -5])


def test_panels_of_parts_share_one_scale():
    panels = part_points({"few": {"a": (0.01, 0, 0.02)}, "many": {"a": (0.4, 0.3, 0.5)}}).axes
    assert panels[0].get_xlim() == panels[1].get_xlim()


def test_two_halves_mark_the_chosen_one():
    figure = two_halves([0.5, 0.7, 0.6], [0.6, 0.4, 0.5], 1)
    settings, chosen = (line for line in figure.axes[0].lines if line.get_marker() in "oD")
    assert list(settings.get_xdata()) == [50, 70, 60]
    assert (chosen.get_xdata(), chosen.get_ydata()) == (pytest.approx([70]), pytest.approx([40]))
    assert "+10.0 points above the mean of all there and -10.0 on the second half" in figure.get_label()


def test_mean_fates_make_up_one_and_are_said_in_words():
    assert FATES == Losses.__slots__ and len(FATE_NAMES) == len(FATES)
    shares = mean_fates([HALF, ALL])
    assert shares == (0.75, 0.125, 0.125, 0.0)
    assert fates_in_words(shares) == "75 % reached, 12 % dropped by the budget, 12 % not routed"


def test_the_page_is_well_formed_escapes_names_and_counts_complete_questions():
    svg = fates_svg({"<b>&": [HALF, ALL], "flat": [ALL, ALL]})
    root = ElementTree.fromstring(svg)
    assert "<b>" not in svg and 'fill="currentColor"' in svg
    assert "1 of 2" in svg and "2 of 2" in svg
    assert "complete for 2 of 2" in root.get("aria-label")
    widths = [float(w) for w in re.findall(r'<rect x="[\d.]+" y="\d+" width="([\d.]+)" height="22"', svg)]
    assert sum(widths[:3]) == pytest.approx(470, abs=0.2) and widths[3:] == [470.0]
    assert all(f"url(#mf{n})" in svg for n in (1, 2, 3))


def test_states_hold_every_budget_and_kind():
    found = {
        ("flat", 50): {"q1": HALF, "q2": ALL},
        ("default", 50): {"q1": ALL, "q2": ALL},
        ("flat", 99): {"q1": ALL, "q2": ALL},
        ("default", 99): {"q1": HALF, "q2": HALF},
    }
    states = fate_states(found, {"all": ["q1", "q2"], "head": ["q1"]})
    assert sorted(states) == [(50, "all"), (50, "head"), (99, "all"), (99, "head")]
    assert states[50, "all"][1] == "2 questions at 50 tokens. Most evidence in the prompt: “default”, with 100.0%."
    assert states[99, "head"][1] == "1 question at 99 tokens. Most evidence in the prompt: “flat”, with 100.0%."


def test_nothing_to_draw():
    for figure in (
        measured_curves({}, {}, [100]),
        measured_curves(CURVES, {}, []),
        fate_bars({}),
        fate_bars({"a": {}}),
        part_points({}),
        two_halves([], [], 0),
    ):
        assert figure.get_label().startswith("Nothing to draw")
