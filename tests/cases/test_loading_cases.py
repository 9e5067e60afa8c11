"""Cases of encodings: byte-order marks, UTF-16, other bytes, line ends, files that hold nothing.

Many rules stand in tests/test_documents.py. Added here: any bytes give a clean text or a reason.
"""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from ids import case
from test_folder_cases import tree
from test_no_network import BLOCK, in_ascii_folder, run
from texts import PROSE, pieces_of, texts

from rag_lessons import PRESETS, Document, ask, load_documents, prepare_index
from rag_lessons.chunking import chunk_paragraphs, paragraph_spans
from rag_lessons.documents import decode
from rag_lessons.index import chunk_document
from rag_lessons.markdown import chunk_markdown, front_matter, headings
from rag_lessons.plots import budget_bars
from rag_lessons.summarizing import CentroidSummarizer


@case("LE-01")
def test_a_byte_order_mark_changes_nothing(tmp_path):
    marked = {
        "bom.md": "efbbbf23205469746c650a0a426f6479",
        "bomfm.md": "efbbbf2d2d2d0a7469746c653a20540a2d2d2d0a0a426f6479",
    }
    marked = {name: bytes.fromhex(content) for name, content in marked.items()}
    loaded, _ = load_documents(tree(tmp_path / "with" / "f", marked))
    plain, _ = load_documents(tree(tmp_path / "without" / "f", {name: data[3:] for name, data in marked.items()}))
    assert loaded == plain and not any("\ufeff" in d.text + d.doc_id + d.source for d in loaded)
    assert [headings(d.text) for d in loaded] == [[(1, "Title")], []]
    assert front_matter(loaded[1].text)[0] == {"title": "T"}
    assert [pieces_of(d.text, chunk_markdown(d.text)) for d in loaded] == [["# Title\n\nBody"], ["Body"]]


def test_byte_order_marks_of_joined_files_are_gone_and_reported():
    text, notes = decode("\ufeff\ufeff# One\n\n\ufeff# Two".encode())
    assert headings(text) == [(1, "One"), (1, "Two")] and text == "# One\n\n# Two"
    assert notes == ["2 byte-order marks inside the text removed"]


@case("LE-03")
@in_ascii_folder
@pytest.mark.parametrize("locale", ["C", "en_US.ISO-8859-1"])
def test_the_locale_has_no_say(tmp_path, locale):
    data = bytes.fromhex("e2809c71756f746564e2809d20e28093206461736820e2869220e697a5e69cac")
    tree(tmp_path, {"q.md": data})
    code = BLOCK + "from rag_lessons import load_documents; print(ascii(load_documents(sys.argv[1])[0][0].text))"
    shown = run(code, str(tmp_path), LC_ALL=locale, PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert shown.decode("ascii").strip() == ascii("\u201cquoted\u201d \u2013 dash \u2192 \u65e5\u672c")


@case("LE-05")
def test_utf16_is_read_by_its_mark(tmp_path):
    files = {
        "le.txt": "fffe47007200fc00df006500200061007500730020004b00f6006c006e00",
        "be.txt": "feff0047007200fc00df0065",
    }
    documents, report = load_documents(tree(tmp_path, {name: bytes.fromhex(data) for name, data in files.items()}))
    assert [d.text for d in documents] == ["Gr\u00fc\u00dfe", "Gr\u00fc\u00dfe aus K\u00f6ln"]
    assert [name for name, _ in report.changed] == ["be.txt", "le.txt"]


@case("LE-06")
def test_bytes_that_are_not_utf8_are_skipped_by_name(tmp_path):
    tree(tmp_path, {"bad.txt": bytes.fromhex("636166e9206175206c616974"), "good.txt": "fine"})
    documents, report = load_documents(tmp_path)
    assert [(d.doc_id, d.text) for d in documents] == [("good.txt", "fine")]
    assert report.skipped == (("bad.txt", "not UTF-8: byte 0xe9 at offset 3; save it as UTF-8"),)
    with pytest.raises(ValueError, match=r"cannot read bad\.txt: not UTF-8"):
        load_documents(tmp_path, strict=True)


@case("LE-07")
@pytest.mark.parametrize("preset", PRESETS)
def test_empty_files_go_through_every_stage(tmp_path, preset):
    files = {"zero.md": b"", "blank.txt": "\n \n\t\n", "fmonly.md": "---\ntitle: x\n---\n", "ok.md": "Real text."}
    documents, report = load_documents(tree(tmp_path, files))
    assert report.loaded == ("blank.txt", "fmonly.md", "ok.md", "zero.md")
    assert report.changed == (("blank.txt", "empty"), ("zero.md", "empty"))
    counts = {d.doc_id: len(chunk_document(d)) for d in documents}
    assert counts == {"blank.txt": 0, "fmonly.md": 0, "ok.md": 1, "zero.md": 0}
    assert CentroidSummarizer()("\n \n\t\n", 2).text == CentroidSummarizer()("", 2).text == ""
    settings = PRESETS[preset]()
    for some in (documents, [d for d in documents if d.doc_id != "ok.md"]):
        index = prepare_index(some, settings)
        trace = ask("Which text is real?", index, 50, settings)
        assert ("Real text." in trace.selection.context) == (len(some) == 4)
        assert budget_bars([trace]).axes


@case("LE-09")
def test_every_line_end_is_one():
    text, _ = decode(bytes.fromhex("610d0d620d0a0d0a630a0a64"))
    for spans in (paragraph_spans(text), chunk_paragraphs(text, 1)):
        assert pieces_of(text, spans) == ["a", "b", "c", "d"]
    assert text == "a\n\nb\n\nc\n\nd"


MARKED = texts((*PROSE, "\r", "\ufeff", "\r\n"), 12)


@example(b"a\0b")
@example("UTF-16 without its mark".encode("utf-16-le"))
@given(st.binary(max_size=60) | MARKED.map(str.encode) | MARKED.map(lambda text: text.encode("utf-16")))
def test_any_bytes_give_a_clean_text_or_a_reason(data):
    try:
        text, _ = decode(data)
    except ValueError as error:
        assert not isinstance(error, UnicodeError) and str(error).startswith(("not UTF-", "a binary file: "))
    else:
        assert not set(text) & set("\r\0\ufeff") and Document("a", text).text == text
