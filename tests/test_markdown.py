"""Markdown: headings, fences, tables and front matter, and chunks that respect them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from texts import LINES, PROSE, assert_spans, pieces_of, silently, texts

from rag_lessons import Document, prepare_index
from rag_lessons.markdown import chunk_markdown, front_matter, headings, markdown_blocks, open_fence

TABLE = "| gate | metres |\n|---|---|\n" + "\n".join(f"| gate {n:02d} | {n * 7} m |" for n in range(20))
CODE = "```sh\n" + "\n".join(f"pump --speed {n:02d}" for n in range(12)) + "\n```"


@given(texts(), st.integers(1, 90))
def test_spans_hold_every_visible_character_once(text, target):
    _, body = front_matter(text)
    chunks = silently(chunk_markdown, text, target)
    assert_spans(text, chunks, begin=body)
    for chunk in chunks:
        one_character = len(silently(chunk_markdown, text[chunk.start : chunk.end], 1)) == 1
        assert chunk.end - chunk.start <= target or one_character


@given(texts(), st.sampled_from(["\r", "\r\n"]), st.integers(1, 90))
def test_other_line_ends_in_a_text_made_by_hand(text, end, target):
    text = text.replace("\n", end)
    _, body = front_matter(text)
    assert_spans(text, silently(chunk_markdown, text, target), begin=body)
    index = silently(prepare_index, [Document("by-hand.md", text)])
    assert "".join("".join(map(index.text, index.chunks)).split()) == "".join(text[body:].split())


@pytest.mark.parametrize("end", ["\r", "\r\n"])
def test_other_line_ends_make_the_same_blocks(end):
    text = f"# Run\n\nFirst.\n\n{CODE}\n\n{TABLE}\n\n## Stop\n\nLast."
    other = text.replace("\n", end)
    assert headings(other) == headings(text) == [(1, "Run"), (2, "Stop")]
    found = [piece.replace(end, "\n") for piece in pieces_of(other, markdown_blocks(other))]
    assert found == pieces_of(text, markdown_blocks(text))


@given(texts())
def test_blocks_stand_in_order_and_hold_everything(text):
    _, body = front_matter(text)
    blocks = markdown_blocks(text)
    assert all(a.end <= b.start for a, b in zip(blocks, blocks[1:], strict=False))
    assert "".join("".join(pieces_of(text, blocks)).split()) == "".join(text[body:].split())
    assert all(1 <= block.level <= 6 if block.kind == "heading" else block.level == 0 for block in blocks)


@given(texts(LINES, 12))
def test_paths_follow_the_headings(text):
    titles = {title for _, title in headings(text)}
    for chunk in chunk_markdown(text, 10_000):
        assert set(chunk.path) <= titles


def test_comments_in_code_are_no_headings():
    text = "# One\n\n~~~py\n# two\n```\n# three\n~~~\n\n## Four\n\n````\n```\n# five\n````\n"
    assert headings(text) == [(1, "One"), (2, "Four")]


def test_a_fence_ends_only_at_a_bare_closer():
    assert headings("# A\n\n```\nx\n```py\n# no\n```\n\n# B") == [(1, "A"), (1, "B")]


def test_titles_lose_their_marks_only():
    assert headings("## C# and F# ##\n\nTop\n===\n\n#\n") == [(2, "C# and F#"), (1, "Top"), (1, "")]


def test_path_pops_by_level():
    text = "# A\n\n### B\n\nb\n\n### C\n\nc\n\n## D\n\nd\n\n# E\n\ne"
    paths = [chunk.path for chunk in chunk_markdown(text)]
    assert paths == [("A",), ("A", "B"), ("A", "C"), ("A", "D"), ("E",)]


def test_paragraphs_of_a_section_keep_their_blank_line():
    text = "# Rope\n\nCoil it.\n\nHang it."
    assert pieces_of(text, chunk_markdown(text)) == [text]


def test_code_that_fits_is_byte_identical():
    text = "# Run\n\n```py\nfor x in y:\n\tprint(x)\u00a0\n\n\n    z = 1\n```"
    assert pieces_of(text, chunk_markdown(text)) == [text]


def test_code_stays_whole_when_its_prose_does_not_fit_beside_it():
    text = "# Run\n\n" + "Some words on pumps. " * 6 + f"\n\n{CODE}\n\nDone."
    pieces = pieces_of(text, chunk_markdown(text, len(CODE) + 10))
    assert all(piece.count("```") % 2 == 0 for piece in pieces)
    assert sum(piece.count("pump --speed") for piece in pieces) == 12


def test_code_over_the_target_is_cut_between_lines_with_its_opening_line():
    chunks = chunk_markdown(CODE, 60)
    pieces = pieces_of(CODE, chunks)
    assert sum(line.startswith("pump --speed") for piece in pieces for line in piece.split("\n")) == 12
    assert [chunk.lead for chunk in chunks] == ["", *["```sh"] * (len(chunks) - 1)]


def test_table_over_the_target_is_cut_between_rows_with_its_header():
    text = f"# Gates\n\n{TABLE}"
    chunks = chunk_markdown(text, 150)
    rows = [line for piece in pieces_of(text, chunks) for line in piece.split("\n") if line.startswith("| gate 0")]
    assert rows == [f"| gate {n:02d} | {n * 7} m |" for n in range(10)]
    for chunk, piece in zip(chunks, pieces_of(text, chunks), strict=True):
        assert "| gate | metres |\n|---|---|" in chunk.lead + piece


def test_front_matter_counts_only_if_it_is_closed():
    assert front_matter("---\ntitle: Sluice\nno colon\n---\n# Body") == ({"title": "Sluice"}, 31)
    assert front_matter("---\ntitle: Sluice\n\n# Body") == ({}, 0)
    assert front_matter("---") == ({}, 0)
    assert front_matter("text\n---\na: b\n---\n") == ({}, 0)
    text = "---\ntitle: Sluice\n\n# Body\n\nend"
    assert headings(text) == [(1, "Body")] and "end" in pieces_of(text, chunk_markdown(text))[-1]


def test_front_matter_is_in_no_chunk_and_costs_nothing():
    text = "---\nkeys: " + "k " * 500 + "\n---\n\nA body of six short words."
    assert pieces_of(text, chunk_markdown(text, 40)) == ["A body of six short words."]
    assert chunk_markdown("---\na: b\n---\n") == []


def test_link_and_footnote_definitions_are_not_lost():
    text = "See [the plan][p].\n\n[p]: https://example.org/plan\n\nMore.\n\n[^1]: Footnote"
    joined = "\n".join(pieces_of(text, chunk_markdown(text, 30)))
    assert "[p]: https://example.org/plan" in joined and "[^1]: Footnote" in joined


def test_heading_longer_than_the_target_is_cut_and_ends():
    text = "# " + "long heading " * 30 + "\n\nbody"
    chunks = chunk_markdown(text, 50)
    assert max(chunk.end - chunk.start for chunk in chunks) <= 50
    assert text[: chunks[-1].end] == text and all(len(chunk.path) == 1 for chunk in chunks)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a\n```py\nb", ("```py", "```")),
        ("```\na\n```", ("", "")),
        ("~~~~\na\n~~~\nb", ("~~~~", "~~~~")),
        ("```\na\n````", ("", "")),
        ("```\na\n``` x", ("```", "```")),
        ("``` a`b\nno fence", ("", "")),
        ("    ```\nindented", ("", "")),
    ],
)
def test_open_fence(text, found):
    assert open_fence(text) == found


@given(st.lists(st.sampled_from([*LINES[3:7], *PROSE[:5]]), max_size=10).map("\n".join))
def test_open_fence_agrees_with_the_parser(text):
    line, marks = open_fence(text)
    closed = f"{text}\n{marks}" if marks else text
    assert open_fence(closed) == ("", "")
    assert headings(f"{closed}\n\n# Last")[-1:] == [(1, "Last")]
    if marks:
        assert headings(f"{text}\n\n# Last")[-1:] != [(1, "Last")]


@pytest.mark.parametrize(("target", "error"), [(0, ValueError), ("9", TypeError)])
def test_bad_target_is_named(target, error):
    with pytest.raises(error, match=f"target must be a whole number of characters, 1 or more; got {target!r}"):
        chunk_markdown("", target)


@pytest.mark.parametrize("opening", ["# {}\n\n", "{}\n---\n\n", "| {} | b |\n|---|---|\n", "``` {}\n"])
def test_no_chunk_carries_more_than_its_own_size(opening):
    """A heading or a header line as long as a text, repeated with each chunk, would take quadratic time."""
    text = opening.format("salt " * 400) + "| kelp | reed |\n" * 400
    chunks = chunk_markdown(text, 60)
    assert_spans(text, chunks)
    assert all(len(title) <= 60 for chunk in chunks for title in chunk.path)
    assert all(len(chunk.lead) <= 60 for chunk in chunks)
