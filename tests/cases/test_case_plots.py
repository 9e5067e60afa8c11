"""The case of plots of nothing: each figure says so in words, with no error and no warning.

Every function of `rag_lessons.plots` that draws is listed, so that a new one cannot be forgotten.
"""

import inspect
import io
import warnings
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ids import case

from rag_lessons import Document, ask, plots, prepare_index
from rag_lessons.analysis import Analysis
from rag_lessons.budgeting import ContextBudget
from rag_lessons.long_context import LongContext
from rag_lessons.planning import plan_window
from rag_lessons.plots import Ribbon
from rag_lessons.plots.relevance import Panel
from rag_lessons.plots.style import MUTED
from rag_lessons.reduction import Node, Reduction, reduce_summaries
from rag_lessons.routing import HardRoute, SoftRoute
from rag_lessons.summarizing import CentroidSummarizer
from rag_lessons.truncation import head

FULL, EMPTY = prepare_index([Document("gates.txt", "Gates rust.")]), prepare_index([])
NO_CHUNKS = ask("Do gates rust?", EMPTY)
NO_MATCH = ask("zebra", FULL)
ALL_SKIPPED = ask("Do gates rust?", FULL, 0)
OF_0_TOKENS = ask("Do gates rust?", FULL, ContextBudget(9, lambda text: 0))
OF_0_REDUCED = Reduction(((Node("", 0), Node("", 0)), (Node("", 0, (0, 1)),)), "", False, 1)
NOTHING, TINY = Analysis(0, (), ()), Analysis(3, (), ())
NO_ANSWER = LongContext(500, reserve=9).ask("Do gates rust?")
EXACT = plan_window(10, margin=1, reserve=10, overhead=0)
TOO_SMALL = replace(EXACT, reserve=99)
NOT_REACHED = reduce_summaries(["a b", "c d"], CentroidSummarizer(), budget=0)


def views(question, index):
    routes = (HardRoute(), SoftRoute(), HardRoute(k_documents=0), SoftRoute(k=0))
    return [plots.route_view(question, index, route) for route in routes]


# name -> [arguments with nothing to draw], [arguments with little to draw: all skipped, or of 0 tokens]
DRAWN = {
    "budget_bars": (
        [[[]], [[NO_CHUNKS]], [[NO_MATCH]]],
        [[[ALL_SKIPPED]], [[OF_0_TOKENS]], [[NO_CHUNKS, ALL_SKIPPED]]],
    ),
    "recall_curves": ([[{}, []], [{"a": []}, [100]], [{}, [0]]], [[{"a": [0]}, [0]], [{"a": [0.0], "b": []}, [100]]]),
    "recall_by_candidates": ([[{}, []], [{"a": []}, [4]], [{}, [0]]], [[{"a": [0]}, [0]], [{"a": [0], "b": []}, [4]]]),
    "chunk_ribbons": (
        [[[], 0], [[Ribbon("a", [(0, 0)], [False])], 0]],
        [[[Ribbon("a", [], [])], 9, [(0, 0)]], [[Ribbon("a", [(0, 0)], [False])], 9]],
    ),
    "size_dots": (
        [[{}], [{"tokens": ({}, 9, "cap")}], [{"tokens": ({"a": []}, 9, "cap")}], [{"tokens": ({"a": [0]}, 9, "cap")}]],
        [[{"tokens": ({"a": [0, 5], "b": [0]}, 9, "cap")}], [{"tokens": ({"a": [5]}, 0, "cap")}]],
    ),
    "fate_curves": (
        [[{}, []], [{"split": {}}, [9]], [{"split": {"a": []}}, [9]]],
        [[{"split": {"a": [0], "b": []}, "lost": {}}, [9]]],
    ),
    "part_points": ([[{}], [{"all": {}}]], [[{"all": {"a": (0, 0, 0)}, "none": {}}]]),
    "two_halves": ([[[], [], 0]], [[[0], [0], 0]]),
    "measured_curves": (
        [[{}, {}, []], [{"a": []}, {}, [250]], [{"a": [(0, 0, 0)]}, {}, [0]]],
        [[{"a": [(0, 0, 0)], "b": []}, {"a": []}, [250]]],
    ),
    "gate_strips": ([[{}, 0.5], [{"far": []}, 0.5]], [[{"far": [0.0], "near": []}, 1.0]]),
    "fate_bars": ([[{}], [{"all": {}}]], [[{"all": {"a": (0, 0, 0, 0)}, "none": {}}]]),
    "reduction_trees": (
        [[Reduction((), "", True, 0), ["gate"]], [OF_0_REDUCED, []]],
        [[OF_0_REDUCED, ["gate"]], [NOT_REACHED, ["a"]]],
    ),
    "survival_points": ([[[]], [[("a", 0, 0.0)]]], [[[("a", 0, 0.0), ("b", 1, 0.0)]]]),
    "sweep_curves": ([[{}]], [[{(0, 1): (0, 0)}]]),
    "route_picture": ([[[]]], [[views("zebra", FULL)], [views("gates", EMPTY)], [views("", FULL)]]),
    "shaded_sentences": ([[[], [], 2]], [[["Gates rust."], [0], 0], [[""], [0.0], 9]]),
    "retrieval_curves": ([[{}], [{"q": ({}, 0)}], [{"q": ({"a": []}, 0.5)}]], [[{"q": ({"a": [(0, 0)]}, 0)}]]),
    "rank_panels": ([[{}]], [[{"a": {}}], [{"a": {"b": []}}], [{"a": {"b": [0]}}]]),
    "series_map": ([], [[[]]]),
    "relevance_panels": ([[[]], [[Panel("a", [], None)]]], [[[Panel("a", [0.0], [(0, 1)])]]]),
    "kept_dots": ([[{}, 0.3], [{"a": {}}, 0.3]], [[{"a": {"b": {"head": 0.0}}}, 0.0]]),
    "shape_curves": ([[{}, []], [{"a": {}}, [9]]], [[{"a": {"head": [0.0]}}, [9]]]),
    "coverage_detail": ([[{}, {}], [{"a": []}, {}]], [[{"a": [(0, 0, 0)]}, {"a": (0, 0)}]]),
    "share_curves": ([[{}, [], {}], [{"a": {}}, [0], {}]], [[{"a": {"b": [0.0]}}, [0], {}]]),
    "mix_panels": ([[{}], [{"a": []}]], []),
    "window_bars": ([[{}]], [[{"a": TOO_SMALL}], [{"": EXACT, "b": TOO_SMALL}]]),
    "count_errors": ([[{}], [{"a": {}}]], [[{"a": {"b": 0.0}}], [{"a": {"b": -1.0}, "c": {"d": 2.0}}]]),
    "timeline": ([[{}], [{"a": []}]], [[{"a": plots.schedule([1.0], 1), "b": []}], [{"a": plots.schedule([0.5], 9)}]]),
    "decision_tree": ([[NOTHING, 0], [NOTHING, 9, "Summarize it."]], [[TINY, 0], [TINY, 9, "Summarize it."]]),
    "kept_sections": (
        [[{}, []], [{"a": {}}, ["b"]], [{"a": {"hybrid": []}}, []]],
        [[{"a": {"hybrid": [0.0]}}, [""]], [{"a": {"b": [1.0]}}, ["b"], [0], {("a", "b"): 0.0}, {"a": "b"}]],
    ),
}
PAGES = {
    "ribbon_html": [["", Ribbon("a", [(0, 0)], [False])], ["abc", Ribbon("a", [], [])], ["", Ribbon("a", [], [])]],
    "tree_html": [[Reduction((), "", True, 0)], [OF_0_REDUCED], [NOT_REACHED]],
    "route_svg": [[view] for index in (FULL, EMPTY) for view in views("zebra", index)],
    "fates_svg": [[{}], [{"a": []}]],
    "gate_svg": [[{}, 0.5], [{"far": []}, 0.5]],
    "kept_html": [[[], [], ""], [[""], [False], ""]],
    "cut_html": [
        [Panel("", [], None), "", head("", 0)],
        [Panel("a", [0.0], []), "Gates rust.", head("Gates rust.", 2)],
    ],
    "mix_svg": [[[]]],
    "plan_svg": [[EXACT], [TOO_SMALL]],
    "decision_svg": [plots.decision_path(NOTHING, 0), plots.decision_path(TINY, 0)],
    "timeline_svg": [[[], 1.0], [plots.schedule([1.0, 2.0], 2), 3.0]],
    "parts_html": [[NO_ANSWER]],
}


def drawn(name, arguments):
    """Call a figure's function and draw what comes back; a warning is an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure = getattr(plots, name)(*arguments)
        figure.savefig(io.BytesIO(), format="png")
    return figure


def says_no_data(figure):
    """Whether a muted note stands in the middle of some axes."""
    notes = [text for axes in figure.axes for text in axes.texts if text.get_position() == (0.5, 0.5)]
    return any(note.get_text().startswith("no ") and note.get_color() == MUTED for note in notes)


@case("WP-09")
@pytest.mark.parametrize("name", DRAWN)
def test_a_figure_of_nothing_says_so(name):
    nothing, little = DRAWN[name]
    for arguments in nothing:
        assert says_no_data(drawn(name, arguments)), arguments
    for arguments in [*nothing, *little]:
        assert len(drawn(name, arguments).get_label()) >= 30, arguments


@pytest.mark.parametrize("name", PAGES)
def test_so_does_a_piece_of_html(name):
    for arguments in PAGES[name]:
        assert getattr(plots, name)(*arguments).startswith("<"), arguments


def test_every_figure_is_listed():
    functions = {name: getattr(plots, name) for name in plots.__all__ if inspect.isfunction(getattr(plots, name))}
    figures = {name for name, call in functions.items() if "Figure" in str(inspect.signature(call).return_annotation)}
    assert figures - {"describe"} == set(DRAWN)
    assert {name for name in functions if name.endswith(("_html", "_svg"))} == set(PAGES)


sizes = st.dictionaries(st.sampled_from("abc"), st.lists(st.integers(0, 9999), max_size=5), max_size=3)
shares = st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=2, max_size=2)
curves = st.dictionaries(st.sampled_from("abc"), st.just([]) | shares, max_size=3)


@given(sizes, curves)
def test_odd_numbers_raise_nothing(sizes, curves):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figures = [
            plots.size_dots({"tokens": (sizes, 90, "cap")}),
            plots.recall_curves(curves, [0, 100]),
            plots.recall_by_candidates(curves, [1, 2]),
            plots.fate_curves({"split": curves, "lost": {}}, [100, 200]),
        ]
    assert all(figure.get_label() for figure in figures)
