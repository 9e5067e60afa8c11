"""Figures and HTML on chunks: what is drawn, and what nothing to draw looks like."""

import re
from html.parser import HTMLParser

import pytest
from matplotlib.colors import to_hex

from rag_lessons.plots import Ribbon, chunk_ribbons, fate_curves, ribbon_html, size_dots
from rag_lessons.plots.chunks import SHADES, is_whole, shared
from rag_lessons.plots.style import EVIDENCE, HATCH, INCLUDED, MUTED, OTHER, SKIPPED

NAIVE = Ribbon("naive", [(0, 40), (42, 140)], [False, True])
WINDOWS = Ribbon("windows", [(0, 60), (50, 110), (100, 140)], [False, False, False])
PIECES = [(4, 20), (58, 70)]


def boxes(figure):
    return [patch for patch in figure.axes[0].patches if patch.get_width()]


def test_a_ribbon_has_a_box_a_chunk_in_its_place():
    figure = chunk_ribbons([NAIVE], 140)
    assert [(b.get_x(), b.get_x() + b.get_width()) for b in boxes(figure)] == NAIVE.spans
    assert [to_hex(b.get_facecolor()).upper() for b in boxes(figure)] == [SHADES[0].upper(), SKIPPED]
    assert [b.get_hatch() for b in boxes(figure)] == [None, HATCH]


def test_shared_text_is_marked_and_shades_alternate():
    assert shared(WINDOWS.spans) == [(50, 60), (100, 110)]
    figure = chunk_ribbons([WINDOWS], 140)
    colours = [to_hex(b.get_facecolor()).upper() for b in boxes(figure)]
    assert colours == [SHADES[0].upper(), SHADES[1].upper(), SHADES[0].upper(), OTHER, OTHER]


def test_a_piece_that_no_chunk_holds_whole_gets_an_open_diamond():
    figure = chunk_ribbons([NAIVE, WINDOWS], 140, [*PIECES, (38, 46)], heading="a.md")
    fills = [to_hex(line.get_markerfacecolor()).upper() for line in figure.axes[0].lines]
    assert fills == [EVIDENCE, EVIDENCE, "#FFFFFF", EVIDENCE, EVIDENCE, EVIDENCE]
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == ["naive", "windows"]
    assert "naive: 2 in all, 1 over the cap, 1 of 3 pieces of evidence split" in figure.get_label()
    legend = {text.get_text() for text in figure.legends[0].get_texts()}
    assert legend >= {"over the cap", "in two chunks", "evidence, split"}


def test_dots_are_as_many_as_chunks_and_triangles_as_many_as_are_over():
    figure = size_dots({"characters": ({"naive": [90, 420, 421, 5000], "capped": [1, 90]}, 420, "target")})
    counts = [len(found.get_offsets()) for found in figure.axes[0].collections]
    assert counts == [2, 2, 2, 0]
    assert figure.axes[0].lines[0].get_xdata()[0] == 420
    assert "naive: 4 chunks, largest 5000, 2 over." in figure.get_label()


def test_dots_of_one_size_do_not_hide_one_another():
    places = size_dots({"tokens": ({"same": [100] * 30}, 250, "budget")}).axes[0].collections[0].get_offsets()
    assert len({tuple(place) for place in places.tolist()}) == 30


def test_a_neutral_row_has_no_triangles():
    sizes = {"naive": [90, 500], "windows": [90, 500]}
    panels = {"characters": (sizes, 420, "target"), "tokens": (sizes, 420, "budget")}
    left, right = size_dots(panels, neutral=[("characters", "windows")]).axes
    colours = [[to_hex(found.get_facecolor()[0]).upper() for found in axes.collections] for axes in (left, right)]
    assert colours == [[INCLUDED, SKIPPED, MUTED.upper(), MUTED.upper()], [INCLUDED, SKIPPED, INCLUDED, SKIPPED]]
    shapes = [len(found.get_paths()[0].vertices) for found in left.collections]
    assert shapes[0] == shapes[2] == shapes[3] != shapes[1]


def test_curves_have_a_line_a_method_in_each_panel():
    panels = {"split": {"a": [0.5, 0.1], "b": [0, 0]}, "too large": {"a": [0, 1], "b": [0, 0.25]}}
    figure = fate_curves(panels, [100, 200])
    assert [len(axes.lines) for axes in figure.axes] == [2, 2]
    assert list(figure.axes[1].lines[1].get_ydata()) == [0, 25]
    assert [axes.get_ylim()[1] for axes in figure.axes] == [102, 102]
    assert fate_curves({"split": {"a": [0.15, 0.1]}}, [100, 200]).axes[0].get_ylim()[1] == 22
    assert "too large: a from 0 % at 100 characters to 100 % at 200" in figure.get_label()


@pytest.mark.parametrize(
    "figure",
    [chunk_ribbons([], 0), chunk_ribbons([NAIVE], 0), size_dots({}), size_dots({"tokens": ({"a": []}, 9, "budget")})]
    + [fate_curves({}, [100]), fate_curves({"split": {"a": []}}, [])],
)
def test_nothing_to_draw_says_so(figure):
    assert [text.get_text() for text in figure.axes[0].texts] == ["no data"]
    assert figure.get_label().startswith("Nothing to draw: no ")


def area(page, fill):
    """How wide the boxes of one colour are together, in parts of 1,000."""
    found = re.search(rf'd="([^"]*)" fill="{re.escape(fill)}"', page)
    return sum(float(width) for width in re.findall(r"\dh([\d.]+)v", found[1])) if found else 0


def test_the_html_draws_each_chunk_to_scale():
    text = "x" * 140
    page = ribbon_html(text, NAIVE, PIECES)
    assert area(page, SHADES[0]) == pytest.approx(1000 * 40 / 140, abs=0.2)
    assert area(page, "url(#rl-over)") == pytest.approx(1000 * 98 / 140, abs=0.2)
    page = ribbon_html(text, WINDOWS, PIECES)
    assert area(page, SHADES[0]) + area(page, SHADES[1]) == pytest.approx(1000, abs=0.5)
    assert area(page, OTHER) == pytest.approx(1000 * 20 / 140, abs=0.2)


def test_the_html_shows_split_evidence_open_and_says_what_it_shows():
    page = ribbon_html("x" * 140, NAIVE, [(4, 20), (38, 46)])
    assert page.count(f'fill="{EVIDENCE}"') == 1 and page.count('fill="none"') == 1
    assert 'aria-label="A document of 140 characters in chunks, 2 in all, 1 over the cap"' in page
    assert not is_whole((38, 46), NAIVE.spans)


class Reader(HTMLParser):
    """Collects the tags and the text of a page."""

    def __init__(self):
        super().__init__()
        self.tags, self.words = [], ""

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)

    def handle_data(self, data):
        self.words += data


def test_the_html_shows_cuts_and_escapes_the_text():
    text = "Say <b>one</b>. Say <script>two."
    page = ribbon_html(text, Ribbon("s", [(0, 15), (16, len(text))], [False, False]))
    reader = Reader()
    reader.feed(page)
    assert "script" not in reader.tags and reader.tags.count("li") == 1
    assert "Say <b>one</b>. ‖ Say <script>two." in reader.words
    assert "‖ the end of one chunk, the start of the next" in reader.words


def test_the_html_of_one_chunk_and_of_none():
    assert "there is no cut" in ribbon_html("One.", Ribbon("s", [(0, 4)], [False]))
    assert "no data" in ribbon_html("", Ribbon("s", [], []))
