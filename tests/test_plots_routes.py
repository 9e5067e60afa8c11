"""Figures and pages on routes: what they show, box by box, for small indexes that can be read."""

import re
from xml.etree import ElementTree

import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle

from rag_lessons import Document, prepare_index
from rag_lessons.plots import recall_by_candidates, route_picture, route_states, route_svg, route_view
from rag_lessons.plots.route_view import place_boxes
from rag_lessons.plots.style import INCLUDED, SKIPPED
from rag_lessons.routing import HardRoute, SoftRoute

GATES = "# Gates\n\nThe gates rust in salt water.\n\n" + "\n\n".join(
    f"## Part {n}\n\n{word.title()} {word} {word} were seen by the {word} keeper, and by nobody on the {word} quay."
    for n, word in enumerate("pumps lamps ropes nets boats".split())
)
INDEX = prepare_index([
    Document("gates.md", GATES),
    Document("birds.md", "Terns nest on the lock. <b>Kelp</b> & salt."),
])
LAMPS = [("gates.md", (GATES.index("Lamps"), GATES.index("Lamps") + 5))]
TERNS = [("birds.md", (0, 5))]


def boxes(figure):
    """The rectangles of a route's picture."""
    return [patch for axes in figure.axes for patch in axes.patches if isinstance(patch, Rectangle)]


def test_a_hard_route_shows_what_it_took_and_what_it_left():
    view = route_view("Do lamps rust?", INDEX, HardRoute(k_documents=1, neighbours=False), LAMPS)
    assert [box.state for box in view.documents] == ["taken"] and view.documents[0].gold
    assert len(view.chunks) == len(view.candidates) and all(box.parent == 0 for box in view.chunks)
    assert "found" in view.verdict


def test_a_hidden_document_is_shown_with_the_reason():
    view = route_view("Who seldom nests?", INDEX, HardRoute(k_documents=0), LAMPS)
    assert [(b.name, b.note, b.state, b.gold) for b in view.documents if b.gold] == [
        ("gates", "no word shared", "left out", True)
    ]
    assert view.verdict == "lost at the documents: none of the evidence is among 0 candidates"


def test_a_chunk_that_was_passed_over_is_shown_with_its_rank():
    question = "Which pumps, pumps and lamps were seen?"
    view = route_view(question, INDEX, HardRoute(k_documents=1, k_chunks=1, neighbours=False), LAMPS)
    assert [(box.state, box.gold) for box in view.chunks] == [("taken", False), ("left out", True)]
    assert re.fullmatch(r"rank \d+", view.chunks[1].note)
    assert view.verdict.startswith("lost at the chunks")


def test_neighbours_stand_beside_their_hit():
    view = route_view("lamps", INDEX, HardRoute(k_documents=1, k_chunks=1), LAMPS)
    words = [box.name.partition(" ")[2] for box in view.candidates]
    assert words == ["", "next", "previous"] and [box.parent for box in view.candidates] == [0, 0, 0]
    placed, lines, _ = place_boxes(view)
    row = [box for box in placed if box.width < 100]
    assert len({box.y for box in row}) == 1 and sorted(box.x for box in row) == [box.x for box in row]
    assert len(lines) == len(view.chunks) + 1


def test_a_soft_route_shuts_no_document_out():
    view = route_view("Do terns nest?", INDEX, SoftRoute(k=3), TERNS)
    assert {box.state for box in view.documents} == {"beside"} and not view.chunks
    assert [box.gold for box in view.candidates].count(True) == 1
    assert route_view("zebra", INDEX, SoftRoute(), TERNS).verdict.startswith("not ranked high enough")


def test_a_soft_queue_is_numbered_and_runs_down_two_columns():
    view = route_view("Which pumps, lamps and terns were seen?", INDEX, SoftRoute(k=5))
    names = [box.name.split(". ")[0] for box in view.candidates]
    assert len(names) >= 3 and names == [str(n) for n in range(1, len(names) + 1)]
    queue = place_boxes(view)[0][-len(names) :]
    assert [box.x for box in queue] == sorted(box.x for box in queue) and len({box.x for box in queue}) == 2
    assert queue[0].y < queue[1].y and queue[0].x == queue[1].x


@pytest.mark.parametrize("route", [HardRoute(), SoftRoute(), HardRoute(k_documents=5, k_chunks=4)])
def test_no_two_boxes_overlap_and_all_stand_inside(route):
    placed, _, height = place_boxes(route_view("Which pumps, lamps and terns were seen?", INDEX, route, LAMPS + TERNS))
    for i, a in enumerate(placed):
        assert 0 <= a.x and a.x + a.width <= 800 and 0 <= a.y and a.y + 20 <= height
        assert all(a.x + a.width <= b.x or b.x + b.width <= a.x or abs(a.y - b.y) >= 20 for b in placed[i + 1 :])


def test_the_figure_draws_each_box_and_tells_states_apart_by_more_than_colour():
    view = route_view("Which pumps and lamps?", INDEX, HardRoute(k_documents=1, k_chunks=1, neighbours=False), LAMPS)
    figure = route_picture([view, view])
    drawn = boxes(figure)
    assert len(drawn) == 2 * len(place_boxes(view)[0])
    for patch in drawn:
        left_out = patch.get_label() == "left out"
        assert bool(patch.get_hatch()) == left_out
        assert to_hex(patch.get_edgecolor()).upper() == (SKIPPED if left_out else INCLUDED).upper()
    diamonds = [line for axes in figure.axes for line in axes.lines if line.get_marker() == "D"]
    assert len(diamonds) == 2 * sum(box.gold for box in place_boxes(view)[0])
    assert figure.get_label().count(view.verdict) == 2


def test_the_page_is_well_formed_and_escapes_text():
    index = prepare_index([Document("<b>&.txt", "Terns nest here.")])
    view = route_view("terns", index, HardRoute(), [("<b>&.txt", (0, 5))])
    svg = route_svg(view)
    root = ElementTree.fromstring(svg)
    assert root.get("aria-label").startswith("Route hard") and "<b>" not in svg
    assert "currentColor" in svg and svg.count("<rect") == len(place_boxes(view)[0]) + 4 + 1  # a key, a hatch
    assert all(word in svg for word in ("taken", "neighbour, or a hint", "left out", "holds evidence"))


def test_states_give_both_routes_the_same_number_of_candidates():
    states = route_states(INDEX, {"Which pumps and lamps?": LAMPS}, [1, 2], [1, 2])
    assert len(states) == 2 * 2 * 2 * 2
    for key, (svg, caption) in states.items():
        ElementTree.fromstring(svg)
        other = states[key[0], "hard", *key[2:]][1]
        assert re.search(r"\d+ candidate", caption)[0] == re.search(r"\d+ candidate", other)[0]


def test_recall_lines():
    figure = recall_by_candidates({"soft": [0.5, 1], "hard": [0, 0.25]}, [4, 8])
    lines = figure.axes[0].lines
    assert [list(line.get_ydata()) for line in lines] == [[50, 100], [0, 25]]
    assert len({(line.get_marker(), line.get_linestyle()) for line in lines}) == 2
    assert "hard: 0 % at 4, 25 % at 8" in figure.get_label()


def test_nothing_to_draw():
    for figure in (route_picture([]), recall_by_candidates({}, [4]), recall_by_candidates({"flat": []}, [])):
        assert figure.get_label().startswith("Nothing to draw")
    empty = route_view("zebra", INDEX, HardRoute())
    assert empty.verdict == "no evidence to look for among 0 candidates"
    assert not boxes(route_picture([empty])) and len(route_picture([empty]).get_label()) >= 40
