"""Loading: what is read, what is left out and why, and what is done to the text."""

import os
from pathlib import Path

import pytest

from rag_lessons import Document, data_folder, load_documents, load_pydoc_topics
from rag_lessons.documents import check_documents, decode


def write(folder, **files):
    """Write files, "__" in a name standing for a folder and "_" for the dot before its ending."""
    for name, content in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return folder


def test_sorted_posix_ids_that_do_not_collide(tmp_path):
    write(tmp_path, north__log_md="N", south__log_md="S", Zinc_txt="Z", ash_md="A")
    documents, report = load_documents(tmp_path)
    assert [d.doc_id for d in documents] == ["Zinc.txt", "ash.md", "north/log.md", "south/log.md"]
    assert report.loaded == tuple(d.doc_id for d in documents)
    assert documents[2].source == f"{tmp_path.name}/north/log.md"


def test_order_does_not_follow_the_file_system(tmp_path, monkeypatch):
    write(tmp_path, b_md="b", a_md="a", c__d_md="d", c__B_md="B")
    before, walk = load_documents(tmp_path), os.walk

    def backwards(top, **options):
        for folder, folders, names in walk(top):
            folders.sort(reverse=True)
            yield folder, folders, sorted(names, reverse=True)

    monkeypatch.setattr(os, "walk", backwards)
    assert load_documents(tmp_path) == before


def test_endings_in_any_case_and_no_others(tmp_path):
    write(tmp_path, A_MD="a", b_Txt="b", c_markdown="c", d_py="d", e_mdx="e")
    assert load_documents(tmp_path)[1].loaded == ("A.MD", "b.Txt", "c.markdown")
    assert load_documents(tmp_path, suffixes=[".PY"])[1].loaded == ("d.py",)


def test_hidden_and_dependency_folders_are_left_out(tmp_path):
    write(tmp_path, keep_md="k")
    for folder in (".git", ".ipynb_checkpoints", "__pycache__", "node_modules"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "old.md").write_text("old", encoding="utf-8")
    (tmp_path / ".hidden.md").write_text("hidden", encoding="utf-8")
    assert load_documents(tmp_path)[1].loaded == ("keep.md",)


def test_folder_with_the_ending_of_a_file(tmp_path):
    write(tmp_path, plans_md__inner_txt="inside")
    assert load_documents(tmp_path)[1].loaded == ("plans.md/inner.txt",)


def test_unreadable_file_is_reported_and_strict_raises(tmp_path, monkeypatch):
    write(tmp_path, a_md="a", b_md="b", c_md="c")
    read = Path.read_bytes

    def guarded(path):
        if path.name == "b.md":
            raise PermissionError(13, "Permission denied", str(path))
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", guarded)
    documents, report = load_documents(tmp_path)
    assert [d.doc_id for d in documents] == ["a.md", "c.md"]
    assert report.skipped == (("b.md", "Permission denied"),)
    assert "skipped b.md: Permission denied" in str(report)
    with pytest.raises(ValueError, match="cannot read b.md: Permission denied"):
        load_documents(tmp_path, strict=True)


def test_links_that_lead_outside_or_to_themselves(tmp_path):
    inside = tmp_path / "in"
    inside.mkdir()
    write(tmp_path, secret_md="secret")
    write(inside, real_md="real")
    try:
        (inside / "out.md").symlink_to(tmp_path / "secret.md")
        (inside / "self.md").symlink_to(inside / "self.md")
        (inside / "good.md").symlink_to(inside / "real.md")
    except OSError:
        pytest.skip("links are not allowed here")
    documents, report = load_documents(inside)
    assert [d.doc_id for d in documents] == ["good.md", "real.md"]
    assert [name for name, _ in report.skipped] == ["out.md", "self.md"]
    assert "outside" in report.skipped[0][1]


def test_line_ends_and_byte_order_marks_are_gone(tmp_path):
    write(tmp_path, a_md=b"\xef\xbb\xbf# Top\r\n\r\nend\rlast", b_md="# Top\n\nend\nlast")
    first, second = load_documents(tmp_path)[0]
    assert first.text == second.text == "# Top\n\nend\nlast"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_is_decoded_and_reported(encoding):
    data = "\ufeffK\u00fcste \u6d77".encode(encoding)
    assert decode(data) == ("K\u00fcste \u6d77", ["decoded from UTF-16"])


def test_bytes_that_are_no_text_are_skipped_with_the_reason(tmp_path):
    write(tmp_path, bad_txt=b"caf\xe9 au lait", nul_txt=b"a\0b", half_txt=b"\xff\xfeA", good_txt="good")
    documents, report = load_documents(tmp_path)
    assert [d.text for d in documents] == ["good"]
    assert report.skipped == (
        ("bad.txt", "not UTF-8: byte 0xe9 at offset 3; save it as UTF-8"),
        ("half.txt", "not UTF-16: byte 0x41 at offset 2; save it as UTF-8"),
        ("nul.txt", "a binary file: it holds a NUL at offset 1"),
    )


def test_file_name_that_is_no_text_can_be_reported(tmp_path):
    try:
        (tmp_path / os.fsdecode(b"caf\xe9.md")).write_text("x", encoding="utf-8")
    except OSError:
        pytest.skip("this file system takes only UTF-8 names")
    documents, report = load_documents(tmp_path)
    assert documents == ()
    assert "not UTF-8" in str(report) and "rename it" in str(report)
    assert str(report).encode("utf-8")


def test_invisible_tag_characters_are_removed_but_flags_stay():
    wales = "\U0001f3f4\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f"
    hidden = "".join(chr(0xE0000 + ord(c)) for c in "PAY NOW")
    assert decode(f"Due {hidden}now {wales}.".encode()) == (f"Due now {wales}.", ["7 invisible characters removed"])


def test_joiners_inside_words_and_emoji_stay():
    text = "\u0645\u06cc\u200c\u0631\u0648\u0645 \U0001f469\u200d\U0001f52c"
    assert decode(text.encode()) == (text, [])


def test_a_folder_that_is_none(tmp_path):
    write(tmp_path, a_md="a")
    with pytest.raises(FileNotFoundError, match=r"no folder '.*nowhere'; check the path"):
        load_documents(tmp_path / "nowhere")
    with pytest.raises(NotADirectoryError, match=r"a\.md' is a file; give the folder"):
        load_documents(tmp_path / "a.md")
    with pytest.raises(TypeError, match=r"suffixes must be a list .* got 'md'"):
        load_documents(tmp_path, suffixes="md")
    assert load_documents(tmp_path, suffixes=[".none"])[0] == ()


def test_document_errors_name_value_and_remedy():
    with pytest.raises(ValueError, match="doc_id must be a non-empty string; got ''"):
        Document("", "text")
    with pytest.raises(TypeError, match="text of 'a' must be a string; got b'bytes'"):
        Document("a", b"bytes")
    with pytest.raises(ValueError, match=r"half a character \(U\+DC9F\) at offset 3; decode its bytes"):
        Document("a", "oh \udc9f")
    with pytest.raises(TypeError, match=r"documents must be Document objects; got .*documents, report = load"):
        check_documents(load_documents(data_folder("notes")))
    with pytest.raises(FileNotFoundError, match="no corpus 'atlas'"):
        data_folder("atlas")


def test_topics_of_python_come_in_order():
    names = [d.doc_id.removesuffix(".txt") for d in load_pydoc_topics()]
    assert names == sorted(names) and len(names) > 60
