"""The handbook and its questions are what the lessons say they are."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

DATA = Path(__file__).resolve().parent.parent / "data"
HANDBOOK = DATA / "handbook"
VERY_SHORT = "notice_freezer.md"
ONE_PARAGRAPH = "recollections_boatman.txt"
KINDS = ("head", "middle", "tail", "two_documents", "unanswerable")
POSITIONS = ("head", "middle", "tail")

FILES = sorted(path.name for path in HANDBOOK.iterdir())
QUESTIONS = json.loads((DATA / "questions.json").read_text(encoding="utf-8"))["questions"]
IDS = [question["id"] for question in QUESTIONS]


def text_of(name):
    return (HANDBOOK / name).read_bytes().decode("utf-8")


def open_fence(text):
    """Return the line number of a code fence left open at the end of text, or None.

    >>> open_fence("a\\n~~~\\n# b\\n")
    2
    """
    opener, at = None, None
    for number, line in enumerate(text.split("\n"), start=1):
        found = re.match(r" {0,3}(`{3,}|~{3,})(.*)$", line)
        if not found:
            continue
        marks, rest = found.groups()
        if opener is None:
            opener, at = marks, number
        elif marks[0] == opener[0] and len(marks) >= len(opener) and not rest.strip():
            opener, at = None, None
    return at


def share(pattern, text):
    return len(re.findall(pattern, text)) / len(text)


# The documents


def test_there_are_enough_documents():
    assert len(FILES) >= 14
    assert {Path(name).suffix for name in FILES} <= {".md", ".txt"}


@pytest.mark.parametrize("name", FILES)
def test_document_is_plain_utf8(name):
    raw = (HANDBOOK / name).read_bytes()
    text = raw.decode("utf-8")
    assert not raw.startswith(b"\xef\xbb\xbf"), "starts with a byte order mark"
    assert b"\r" not in raw, "has a carriage return"
    assert b"\x00" not in raw and "\ufffd" not in text
    assert text.endswith("\n") and not text.endswith("\n\n"), "must end in one newline"


@pytest.mark.parametrize("name", FILES)
def test_document_size(name):
    size = (HANDBOOK / name).stat().st_size
    if name == VERY_SHORT:
        assert 0 < size < 500
    else:
        assert 3_000 <= size <= 30_000


@pytest.mark.parametrize("name", FILES)
def test_fences_are_closed(name):
    at = open_fence(text_of(name))
    assert at is None, f"the code fence opened in line {at} is never closed"


def test_one_paragraph_has_no_blank_line():
    text = text_of(ONE_PARAGRAPH)
    assert len(text) >= 4_000
    assert all(line.strip() for line in text.removesuffix("\n").split("\n"))


def test_readme_has_comments_inside_fences():
    fences = re.findall(r"^```\w+\n(.*?)^```$", text_of("readme_ulsay_tools.md"), re.M | re.S)
    with_comment = [fence for fence in fences if re.search(r"^# ", fence, re.M)]
    assert len(with_comment) >= 4


def test_inventory_is_mostly_tables():
    text = text_of("inventory_instruments.md")
    rows = [line for line in text.split("\n") if line.startswith("|")]
    assert sum(map(len, rows)) > 0.6 * len(text)


@pytest.mark.parametrize("name", FILES)
def test_table_rows_have_as_many_cells_as_their_header(name):
    width = None
    for number, line in enumerate(text_of(name).split("\n"), start=1):
        if not line.startswith("|"):
            width = None
            continue
        cells = line.count("|") - 1
        width = width or cells
        assert cells == width, f"line {number} has {cells} cells, its header has {width}"


def test_chinese_and_japanese_are_written_in_their_scripts():
    chinese = text_of("guide_visiting_scholars_zh.md")
    japanese = text_of("lobster_rearing_ja.md")
    assert share(r"[\u4e00-\u9fff]", chinese) > 0.6
    assert share(r"[\u3040-\u30ff]", chinese) == 0
    assert share(r"[\u3040-\u30ff]", japanese) > 0.3
    assert share(r"[\u4e00-\u9fff]", japanese) > 0.15


@pytest.mark.parametrize(
    "name, number",
    [("manual_seawater_system.md", 12), ("scientific_report_ulsay_deep.md", 6)],
)
def test_sections_are_numbered_without_gaps_and_references_lead_somewhere(name, number):
    text = text_of(name)
    sections = re.findall(r"^#{2,3} (\d+(?:\.\d+)?)\.? ", text, re.M)
    assert [s for s in sections if "." not in s] == [str(n + 1) for n in range(number)]
    referred = re.findall(r"(?:section|part) (\d+(?:\.\d+)?)", text)
    referred += re.findall(r"\((\d+\.\d+|\d)\)", text)
    assert referred and set(referred) <= set(sections)


# The questions


def test_ids_are_unique_and_in_order():
    assert IDS == [f"q{n:03d}" for n in range(1, len(IDS) + 1)]


def test_there_are_enough_questions_of_every_kind():
    assert len(QUESTIONS) >= 84
    count = Counter(question["kind"] for question in QUESTIONS)
    assert set(count) == set(KINDS)
    assert min(count.values()) >= 15, count


def test_no_question_is_asked_twice():
    asked = Counter(question["question"] for question in QUESTIONS)
    assert [text for text, times in asked.items() if times > 1] == []


@pytest.mark.parametrize("question", QUESTIONS, ids=IDS)
def test_question_has_the_agreed_fields(question):
    assert set(question) - {"paraphrase"} == {"id", "kind", "question", "answer", "evidence"}
    assert question.get("paraphrase", True) is True
    assert question["question"].strip() == question["question"] != ""
    assert (question["answer"] == "") == (question["kind"] == "unanswerable")


@pytest.mark.parametrize("question", QUESTIONS, ids=IDS)
def test_gold_text_occurs_exactly_once(question):
    for evidence in question["evidence"]:
        assert set(evidence) == {"doc_id", "text"}
        assert evidence["doc_id"] in FILES
        assert evidence["text"].strip() == evidence["text"] != ""
        text, gold = text_of(evidence["doc_id"]), evidence["text"]
        first = text.find(gold)
        assert first >= 0, f"not in {evidence['doc_id']}: {gold!r}"
        assert text.find(gold, first + 1) < 0, f"more than once in {evidence['doc_id']}: {gold!r}"


@pytest.mark.parametrize("question", QUESTIONS, ids=IDS)
def test_evidence_stands_where_its_kind_says(question):
    documents = [evidence["doc_id"] for evidence in question["evidence"]]
    if question["kind"] == "unanswerable":
        assert documents == []
    elif question["kind"] == "two_documents":
        assert len(set(documents)) == 2
    else:
        assert len(set(documents)) == 1
        for evidence in question["evidence"]:
            text, gold = text_of(evidence["doc_id"]), evidence["text"]
            middle = text.index(gold) + len(gold) / 2
            third = POSITIONS[int(3 * middle / len(text))]
            assert third == question["kind"], f"{gold!r} stands in the {third}"


def test_every_document_is_asked_about():
    asked = Counter(doc for q in QUESTIONS for doc in {e["doc_id"] for e in q["evidence"]})
    rare = {name for name in FILES if asked[name] < (1 if name == VERY_SHORT else 2)}
    assert rare == set()


def test_about_a_fifth_of_the_answerable_questions_are_paraphrased():
    answerable = [question for question in QUESTIONS if question["evidence"]]
    paraphrased = sum(question.get("paraphrase", False) for question in answerable)
    assert 0.15 <= paraphrased / len(answerable) <= 0.30
