"""Cases of Markdown: fences, headings, tables and front matter as a parser reads them, code as it was written.

The rules behind them are properties in tests/test_markdown.py: `test_spans_hold_every_visible_character_once`,
`test_blocks_stand_in_order_and_hold_everything`, `test_open_fence_agrees_with_the_parser`. Added here: code and
tables of any size, in lists and quotations too, and front matter that is told from a text between two rules.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ids import case
from texts import PROSE, assert_spans, index_of, pieces_of, silently, texts

from rag_lessons import Document
from rag_lessons.chunking import chunk_paragraphs
from rag_lessons.context import labelled_layout, whole
from rag_lessons.index import build_index, default_recipe
from rag_lessons.markdown import chunk_markdown, front_matter, headings

MARKS = ("```", "~~~")


def titles(text):
    return [title for _, title in headings(text)]


def written(text, target):
    """Each chunk as it would reach a model: with its lead, and its fences closed."""
    index = build_index([Document("a.md", text)], default_recipe(target))
    return [labelled_layout(index, [whole(chunk)]) for chunk in index.chunks]


def fences(piece):
    return sum(line.lstrip("> ").startswith(MARKS) for line in piece.split("\n"))


@case("MD-01")
def test_a_comment_in_code_is_no_heading():
    text = "# Setup\n\n```bash\n# not a heading\nls\n```\n\n## Next\n\nText."
    assert titles(text) == ["Setup", "Next"]
    chunks = chunk_markdown(text)
    assert [chunk.path for chunk in chunks] == [("Setup",), ("Setup", "Next")]
    assert "```bash\n# not a heading\nls\n```" in pieces_of(text, chunks)[0]


@case("MD-03")
def test_a_fence_with_text_behind_it_closes_nothing():
    assert titles("# Top\n\n```\ncode\n```js still inside\n# no\n```\n\n# Next\n\nend") == ["Top", "Next"]


@case("MD-04")
@pytest.mark.parametrize("target", [250, 100, 60])
def test_no_chunk_ends_inside_a_fence_as_a_model_reads_it(target):
    lines = [f"value_{n:02d} = compute({n}, 'x')" for n in range(8)]
    code = "\n".join(["```python", *lines, "```"])
    assert len(code) == 229
    text = "# API\n\n" + "Some prose before the code. " * 6 + f"\n\n{code}\n\nAfter."
    pieces = written(text, target)
    assert all(fences(piece) % 2 == 0 for piece in pieces)
    assert [line for piece in pieces for line in piece.split("\n") if line.startswith("value_")] == lines
    if target == 250:
        assert any(code in piece for piece in pieces_of(text, chunk_markdown(text, target)))
    else:
        assert all(piece.count("```python\n") == (fences(piece) > 0) for piece in pieces)


@case("MD-05")
def test_a_level_left_out_does_not_shift_the_next_headings():
    text = "# A\n\n### B\n\ntext b\n\n### C\n\ntext c"
    [path] = [c.path for c in chunk_markdown(text) if "text c" in text[c.start : c.end]]
    assert path == ("A", "C")


@case("MD-07")
def test_a_table_is_cut_between_rows_and_each_part_has_its_header():
    rows = [f"| item {n:02d} | {3 * n} mm |" for n in range(30)]
    text = "\n".join(["# Sizes\n", "| name | width |", "|---|---|", *rows])
    chunks = chunk_markdown(text, 200)
    pieces = pieces_of(text, chunks)
    assert [line for piece in pieces for line in piece.split("\n") if line.startswith("| item")] == rows
    for chunk, piece in zip(chunks, pieces, strict=True):
        assert len(piece) <= 200 and "| name | width |\n|---|---|" in f"{chunk.lead}\n{piece}"


@case("MD-09")
def test_front_matter_is_left_out_only_where_it_is_closed():
    closed, unclosed = "---\ntitle: Pump\n---\n\n# Head\n\nbody", "---\ntitle: Pump\n\n# Head\n\nbody"
    assert front_matter(closed)[0] == {"title": "Pump"} and titles(closed) == ["Head"]
    assert not any("title:" in piece for piece in pieces_of(closed, chunk_markdown(closed)))
    for text in (unclosed, f"{unclosed}\n\n---\n\nmore"):  # a rule further down closes nothing
        assert front_matter(text) == ({}, 0) and titles(text) == ["Head"]
        assert_spans(text, chunk_markdown(text))
    assert front_matter("---") == ({}, 0) and titles("---") == []
    assert pieces_of("---", chunk_markdown("---")) == ["---"]


@case("MD-10")
def test_code_keeps_its_white_space():
    code = "```python\nif a:\n\treturn\u00a01\n    b = 2\n```"
    [piece] = pieces_of(f"# Code\n\n{code}", chunk_markdown(f"# Code\n\n{code}"))
    assert piece.endswith(code)
    assert code in written(f"# Code\n\n{code}", 420)[0]


@case("MD-11")
def test_the_blank_line_between_paragraphs_stays():
    text = "# One\n\nFirst para.\n\nSecond para."
    [piece] = pieces_of(text, chunk_markdown(text))
    assert "First para.\n\nSecond para." in piece


@case("MD-13")
def test_a_blank_line_may_hold_spaces_and_tabs():
    text = "P one.\n   \nP two.\n\t\nP three."
    for chunk in (chunk_paragraphs, chunk_markdown):
        assert pieces_of(text, chunk(text, 8)) == ["P one.", "P two.", "P three."]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Two lines\nof title\n===\n\nbody\n\nNext #\n---", ["Two lines of title", "Next #"]),
        ("# A\u2028B\n\n#\tC ##\n\n#none\n\n## D#", ["A\u2028B", "C", "D#"]),
        ("<!--\n# no\n-->\n\n# A\n\n    # no\n\n> # no\n\n- ~~~\n  # no\n  ~~~", ["A"]),
    ],
)
def test_what_is_a_heading_and_what_its_title(text, found):
    assert titles(text) == found


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("---\ntitle: x\n...\nB", "B"),
        ("---\n# note\nkeys:\n  - a\n\nnext: 1\n---\nB", "B"),
        ("---\r\ntitle: x\r\n---\r\nB", "B"),
        ("---\n---\nB", "B"),
        *((text, text) for text in ("---\n\nIntro.\n\n---\n\nB", "---\nWords\n---\nB", "---\n# Head\n\nB\n\n---\n")),
    ],
)
def test_front_matter_and_a_text_between_two_rules(text, body):
    assert text[front_matter(text)[1] :] == body


CODE = st.lists(st.text("ab1 \t\u00a0\u2028\x0c#|=.", min_size=1, max_size=12), min_size=1, max_size=12)


@given(CODE, st.sampled_from(["```", "~~~~", "````"]), st.sampled_from(["", "  ", "> "]), st.integers(30, 60))
def test_code_of_any_size_is_cut_between_lines_only(lines, marks, prefix, target):
    quoted = [prefix + line for line in (f"{marks}py", *(f"v{line}v" for line in lines), marks)]
    text = ("- item\n\n" if prefix == "  " else "") + "\n".join(quoted) + "\n\nAfter."
    chunks = chunk_markdown(text, target)
    assert_spans(text, chunks)
    pieces = pieces_of(text, chunks)
    assert [line for piece in pieces for line in piece.split("\n") if line in quoted] == quoted
    code = range(text.index(quoted[0]) + 1, text.rindex("\n\nAfter."))
    assert [c.lead for c in chunks] == [quoted[0] if c.start in code else "" for c in chunks]


@given(texts(PROSE), st.integers(1, 60))
def test_a_text_without_structure_has_no_path_and_no_lead(text, target):
    chunks = silently(chunk_markdown, text, target)
    assert {(c.path, c.lead) for c in chunks} <= {((), "")}
    assert index_of([text]).documents["d0.md"].text == text
