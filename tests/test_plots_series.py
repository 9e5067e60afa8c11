"""The map of the series agrees with the lessons and with the README."""

import json
import re
from pathlib import Path

from rag_lessons.plots.series import LESSONS, PATHS, minutes, series_map

ROOT = Path(__file__).parent.parent
WRITTEN = {int(path.name[:2]): path for path in (ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb")}


def test_minutes_are_those_of_the_lessons_and_the_readme():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    planned = {number: time for number, _, time, _ in LESSONS}
    for number, path in WRITTEN.items():
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        text = "\n".join("".join(cell["source"]) for cell in cells[:3])
        assert int(re.search(r"\*\*Time\*\*: (\d+) minutes", text)[1]) == planned[number], path.name
        row = rf"^\| {number:02d} \| \[.*?\]\(notebooks/{path.name}\) \| {planned[number]} \|"
        assert re.search(row, readme, re.MULTILINE)


def test_map_draws_a_box_a_lesson_and_dashes_what_is_not_written():
    figure = series_map([0, 5])
    boxes = figure.axes[0].patches
    assert len(boxes) == len(LESSONS) == 15
    solid = [i for i, box in enumerate(boxes) if box.get_linestyle() in ("-", "solid")]
    assert solid == [0, 5]
    assert "00, 05" in figure.get_label()


def test_paths_name_lessons_and_minutes_add_up():
    assert all(set(path) <= set(range(15)) for path in PATHS.values())
    assert minutes(PATHS["a weekend"]) == sum(time for _, _, time, _ in LESSONS)
    assert minutes(()) == 0
