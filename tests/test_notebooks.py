"""The frame of every lesson: its parts, its size, and outputs fit to be stored and compared.

What the outputs say is compared by nbval, which runs the lessons again.
"""

import re
from itertools import pairwise

import nbformat
import pytest
from links import broken_links, headings, markdown
from save_notebooks import lesson_paths, read, text, tidy

from rag_lessons.plots.series import LESSONS as MAP

PARTS = ["Predict", "Build", "Break", "Use", "See", "Move", "Try", "On real text", "Recap"]
OPENING = ["Prerequisites", "Time", "You will do", "You will learn"]
MACHINE = re.compile(r"(?<![\w.])/(?:home|root|Users|tmp|work|mnt)/\w|\w:\\Users|(?:site|dist)-packages")
TEXT = {"text/plain", "text/html", "text/markdown", "image/svg+xml"}
LESSONS = lesson_paths()

each_lesson = pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.name)


def code_cells(path):
    """The code cells of a lesson."""
    return [cell for cell in read(path).cells if cell.cell_type == "code"]


def outputs(path):
    """All outputs of a lesson."""
    return [output for cell in code_cells(path) for output in cell.outputs]


def sections(path, level):
    """The sections of a lesson under headings of one level: a list of (heading, cells below it)."""
    found = []
    for cell in read(path).cells:
        inside = headings(cell.source) if cell.cell_type == "markdown" else []
        if inside and inside[0][0] <= level:
            found.append((inside[0][1] if inside[0][0] == level else "", []))
        if found:
            found[-1][1].append(cell)
    return [(heading, cells) for heading, cells in found if heading]


def test_each_lesson_has_a_number_of_its_own_on_the_map():
    numbers = [int(path.name[:2]) for path in LESSONS]
    assert numbers and numbers[0] == 0
    assert len(set(numbers)) == len(numbers), numbers
    assert set(numbers) <= {number for number, *_ in MAP}


@each_lesson
def test_the_stored_form_is_clean(path):
    """Navigation, cell ids, metadata and outputs are as `python run.py notebooks` leaves them."""
    nbformat.validate(nbformat.read(path, as_version=nbformat.NO_CONVERT))
    assert path.read_bytes().decode("utf-8") == text(tidy(read(path), path))


@each_lesson
def test_every_code_cell_was_run_in_order(path):
    counts = [cell.execution_count for cell in code_cells(path)]
    assert counts and counts == list(range(1, len(counts) + 1))


@each_lesson
def test_no_errors_are_stored_but_those_a_lesson_shows_on_purpose(path):
    for cell in code_cells(path):
        kinds = {output.output_type for output in cell.outputs}
        assert "error" not in kinds or "raises-exception" in cell.metadata.get("tags", []), cell.source


@each_lesson
def test_a_cell_prints_to_standard_output_alone(path):
    for cell in code_cells(path):
        streams = [output.name for output in cell.outputs if output.output_type == "stream"]
        assert streams in ([], ["stdout"]), cell.source


@each_lesson
def test_nothing_stored_belongs_to_one_machine_or_one_run(path):
    stored = path.read_text(encoding="utf-8")
    assert not MACHINE.search(stored), MACHINE.search(stored)
    for output in outputs(path):
        data = output.get("data", {})
        texts = [output.get("text", ""), output.get("evalue", ""), *map(data.get, TEXT.intersection(data))]
        shown = "\n".join(texts)
        assert not re.search(r"\b0x[0-9a-fA-F]{6,}", shown), f"give it a __repr__ in words: {shown[:200]}"
        assert "sk-container" not in shown, f"print the estimator: its HTML changes by version: {shown[:200]}"
        assert not re.search(r"\bFigure\(|<Figure size", shown), f"end with plots.show(figure): {shown[:200]}"


@each_lesson
def test_cells_are_short(path):
    lengths = sorted(len(cell.source.splitlines()) for cell in code_cells(path))
    assert lengths[-1] <= 25
    assert sum(length <= 8 for length in lengths) >= 0.9 * len(lengths), lengths


@each_lesson
def test_a_lesson_has_every_part_in_order(path):
    found = [heading for level, heading in headings(markdown(path)) if level == 2 and heading in PARTS]
    assert found == PARTS


@each_lesson
def test_a_lesson_opens_with_its_title_and_what_it_asks_and_gives(path):
    assert [level for level, _ in headings(markdown(path))].count(1) == 1
    opening = markdown(path).split("\n## ")[0]
    places = [opening.find(f"**{word}**") for word in OPENING]
    assert all(place >= 0 for place in places), dict(zip(OPENING, places, strict=True))
    assert all(first < second for first, second in pairwise(places))
    assert re.search(r"\*\*Time\*\*:? *\d+ minutes", opening)


@each_lesson
def test_a_lesson_has_two_exercises_with_a_check_a_hint_and_a_solution(path):
    exercises = [(name, cells) for name, cells in sections(path, 3) if name.startswith("Exercise")]
    assert len(exercises) >= 2, "write '### Exercise 1: ...' and '### Exercise 2: ...' under '## Try'"
    for name, cells in exercises:
        prose = "".join(cell.source for cell in cells if cell.cell_type == "markdown")
        folded = re.findall(r"<details>\s*<summary>(\w+)", prose)
        assert {"Hint", "Solution"} <= set(folded), f"{name}: {folded}"
        assert any("check_" in cell.source for cell in cells if cell.cell_type == "code"), name


def descriptions(path):
    """The alternative text of every picture of a lesson; an empty text where one is missing."""
    for output in outputs(path):
        data = output.get("data", {})
        for kind in {"image/png", "image/jpeg", "image/svg+xml"} & set(data):
            yield output.metadata.get(kind, {}).get("alt", "")
        for tag in re.findall(r"<(?:img|svg)\b[^>]*>", data.get("text/html", "")):
            described = re.search(r'\b(?:alt|aria-label)="([^"]*)"', tag)
            yield described[1] if described else ""
    for described in re.findall(r"!\[([^\]]*)\]\(", markdown(path)):
        yield described


@each_lesson
def test_every_picture_says_in_words_what_it_shows(path):
    for described in descriptions(path):
        assert len(described) >= 20, described
        assert not described.lower().startswith(("figure", "screenshot", "image", "picture")), described


@each_lesson
def test_links_lead_somewhere(path):
    assert broken_links(path) == []
