"""Figures on cuts that look at the question: curves stand where the shares say, and each state shows its cut."""

import html

import pytest

from rag_lessons.plots import shape_curves, window_states
from rag_lessons.truncation import best_window, sliding_window

TEXT = "Gates rust <b>. Eels hide. Eels & terns rest. Boats sink. Nets tear."
CUTS = {"best": best_window, "slide": sliding_window}


def test_a_panel_a_shape_and_a_line_a_cut_at_its_shares():
    figure = shape_curves(
        {"head": {"head": [0.5, 1.0], "best": [0.25, 0.75]}, "tail": {"head": [0.0, 0.1]}}, [125, 250]
    )
    left, right = figure.axes
    assert [line.get_label() for line in left.lines] == ["head", "best"]
    assert [list(line.get_ydata()) for line in left.lines] == [[50, 100], [25, 75]]
    assert list(right.lines[0].get_ydata()) == [0, 10]
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["head", "tail"]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["head", "best"]
    assert "tail: head 0 % at 125, 10 % at 250 tokens." in figure.get_label()


def test_a_cut_looks_alike_in_all_panels_and_six_cuts_differ_by_more_than_colour():
    names = ["head", "tail", "middle", "slide", "best", "two"]
    shares = {name: [0.1 * place] for place, name in enumerate(names)}
    left, right = shape_curves({"a": shares, "b": dict(reversed(shares.items()))}, [125]).axes
    looks = [
        {line.get_label(): (line.get_marker(), line.get_linestyle()) for line in axes.lines} for axes in (left, right)
    ]
    assert looks[0] == looks[1]
    assert len({marker for marker, _ in looks[0].values()}) == 6
    assert len({line for _, line in list(looks[0].values())[:3]} - {"-"}) == 3


@pytest.mark.parametrize(("panels", "budgets"), [({}, [125]), ({"head": {}}, [125]), ({"head": {"best": []}}, [])])
def test_nothing_to_draw_is_said(panels, budgets):
    figure = shape_curves(panels, budgets)
    assert figure.axes[0].texts[0].get_text() == "no data"
    assert figure.get_label() == "Nothing to draw: no cut was measured."


def test_each_state_shows_what_its_cut_keeps():
    asked = {"Do eels rest with terns?": ("eels.txt", TEXT, [(TEXT.index("Eels &"), TEXT.index(" Boats"))])}
    states = window_states(asked, [6, 12], CUTS)
    assert list(states) == [(budget, question, name) for budget in (6, 12) for question in asked for name in CUTS]
    for (budget, question, name), (content, caption) in states.items():
        cut = CUTS[name](TEXT, question, budget)
        assert caption.startswith(f"{name}: {cut.tokens} tokens, ")
        assert caption.endswith(" of the evidence.")
        assert html.escape("Eels & terns rest.") in content
        assert "<b>." not in content and "eels.txt" in content
    assert "characters left out" in states[6, "Do eels rest with terns?", "best"][0]


def test_where_nothing_matches_the_note_is_said_and_no_share_is_claimed():
    caption = window_states({"Zebras?": ("a", TEXT, [])}, [6], CUTS)[6, "Zebras?", "best"][1]
    assert "Nothing in the text matches the question; the head is kept." in caption
    assert "%" not in caption
