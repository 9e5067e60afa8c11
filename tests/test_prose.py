"""Numbers in a lesson's prose come from the lesson: each stands in its code or its outputs too."""

import json
import re
from pathlib import Path

import pytest

LESSONS = sorted((Path(__file__).parent.parent / "notebooks").glob("[0-9][0-9]_*.ipynb"))
NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?![\w])")
# Not claims: code, links, list numbers, lesson numbers, minutes, and the years of books.
ASIDE = re.compile(
    r"```.*?```|`[^`]*`|\]\([^)]*\)|^\s*\d+\. |[Ll]essons? \d+(?:(?:,| and| to) \d+)*|\*\*Time\*\*: *\d+ minutes"
    r"|\*\*Further reading\.\*\*.*?(?=\n\n|\Z)|\|[^\n]*\|",
    re.DOTALL | re.MULTILINE,
)


def numbers(text: str) -> set[str]:
    """The numbers in a text, without thousands separators."""
    return {match.replace(",", "").rstrip(".") for match in NUMBER.findall(text)}


@pytest.mark.parametrize("path", LESSONS, ids=[path.stem for path in LESSONS])
def test_numbers_in_the_prose_are_computed(path):
    prose, computed = "", ""
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            prose += "\n\n" + source
            continue
        computed += "\n" + source
        for output in cell["outputs"]:
            data = output.get("data", {})
            for part in (output.get("text", ""), data.get("text/plain", ""), data.get("text/html", "")):
                computed += "\n" + "".join(part)
    missing = numbers(ASIDE.sub(" ", prose)) - numbers(re.sub(r"(?<=\d)_(?=\d)", "", computed))
    assert not missing, f"{path.name} names {sorted(missing)}, which no cell computes"


def test_the_check_bites():
    assert numbers("It cost 1,200 tokens, 3.5 each.") == {"1200", "3.5"}
    assert numbers(ASIDE.sub(" ", "see lesson 04 and `x[7]`")) == set()
