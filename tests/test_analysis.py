"""What kind of document it is: sections, points, and scores that count words and headings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from texts import LINES, PROSE, count_words, texts

from rag_lessons import Document
from rag_lessons.analysis import Section, analyse, named_sections, question_words, section_scores

MANUAL = """---
title: Pumps
---
Read this first.

# 1 Gates

They rust. # not a heading

```sh
# a comment
ls
```

2 Seals
-------

| part | months |
|---|---|
| seal | 12 |

### 2.1 Rings ###

Rings leak.
"""


def titles(text):
    return [(section.level, section.title) for section in analyse(Document("a.md", text)).sections]


def test_headings_are_those_of_markdown():
    assert titles(MANUAL) == [(0, ""), (1, "1 Gates"), (2, "2 Seals"), (3, "2.1 Rings")]
    assert titles("") == titles(" \n ") == []
    assert titles("no heading at all") == [(0, "")]


@given(text=texts([*LINES, *PROSE]))
def test_sections_hold_every_visible_character_behind_the_front_matter(text):
    sections = analyse(Document("a.md", text)).sections
    assert all(a.end <= b.start for a, b in zip(sections, sections[1:], strict=False))
    inside = {i for s in sections for i in range(s.start, s.end)}
    outside = [i for i, sign in enumerate(text) if not sign.isspace() and i not in inside]
    assert not outside or (text.lstrip().startswith("---") and max(outside) < min(inside, default=len(text)))


def test_points_and_complexity():
    found = analyse(Document("a.md", MANUAL), count_words)
    assert (found.reasons, found.points, found.complexity) == (("table", "code"), 2, "moderate")
    assert analyse(Document("a.md", "plain")).complexity == "simple"
    many = "\n\n".join(f"# {n}\n\ntext" for n in range(11))
    assert analyse(Document("a.md", many)).reasons == ("11 sections",)
    assert analyse(Document("a.md", many.replace("# 10", "10"))).reasons == ()
    assert analyse(Document("a.md", "w " * 50_000), count_words).reasons == ()
    assert analyse(Document("a.md", "w " * 50_001), count_words).reasons == ("50,001 tokens",)
    hard = f"{MANUAL}\n\n$$x^2$$\n\n{many}"
    assert (analyse(Document("a.md", hard)).points, analyse(Document("a.md", hard)).complexity) == (4, "complex")


@pytest.mark.parametrize(
    ("text", "mathematics"),
    [
        ("It is $$x^2$$.", True),
        (r"So \(a\) is", True),
        (r"$\alpha$ falls", True),
        ("The sum \u2211 of all", True),
        ("It costs $5, then $6.", False),
        ("```\n$$x$$\n```", False),
        ("echo $HOME and $PATH", False),
    ],
)
def test_what_is_mathematics(text, mathematics):
    assert ("mathematics" in analyse(Document("a.md", text)).reasons) is mathematics


def test_several_documents_are_counted_together():
    found = analyse([Document("a.md", "# A\n\none"), Document("b.md", "two three"), Document("c.md", "")], count_words)
    assert found.tokens == 5 and [s.doc_id for s in found.sections] == ["a.md", "b.md"]
    assert analyse([]).tokens == 0 and analyse([]).complexity == "simple"
    with pytest.raises(TypeError, match="documents must be Document objects"):
        analyse(["text"])


def test_scores_are_the_published_ones():
    text = "# Gates\n\nGates rust; a gate jams.\n\n# Conclusions\n\nAll well.\n\n# Terns and gates\n\nThey nest."
    sections = analyse(Document("a.md", text)).sections
    scores = section_scores(sections, {"a.md": text}, "How do gates fare?")
    assert scores == [3 * 0.5 + 2, 1.0, 0.5 + 2]
    assert section_scores(sections, {"a.md": text}, "") == [0.0, 1.0, 0.0]
    assert section_scores([], {}, "Why?") == []


def test_words_match_by_their_beginning_and_not_inside_others():
    assert question_words("Which pumps are companies' own?") == ["pump", "compan"]
    assert question_words("What is it of the") == [] == question_words("")
    assert question_words("\u6f6e\u6c50\u8868") == ["\u6f6e\u6c50", "\u6c50\u8868"]
    section = [Section("a", "", 0, 0, 30)]
    assert section_scores(section, {"a": "A pumpkin, a spump, the company"}, "companies' pumps")[0] == 1.0
    assert section_scores(section, {"a": "\u770b\u6f6e\u6c50\u8868"}, "\u6f6e\u6c50")[0] == 0.5


@given(st.text(max_size=40))
def test_any_question_is_a_question(question):
    assert all(
        score >= 0 for score in section_scores(analyse(Document("a.md", MANUAL)).sections, {"a.md": MANUAL}, question)
    )


def test_a_section_is_named_by_its_number():
    sections = analyse(Document("a.md", MANUAL)).sections
    assert named_sections("What does section 2 say?", sections) == [2]
    assert named_sections("See \u00a7 2.1 and chapter 1.", sections) == [1, 3]
    assert named_sections("In 2 sections", sections) == named_sections("section 9", sections) == []
    scores = section_scores(sections, {"a.md": MANUAL}, "Why do gates rust, in section 2.1?")
    assert scores.index(max(scores)) == 3
