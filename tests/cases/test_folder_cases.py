"""Cases of folders: which files are read, under which ids, in which order, and what is said of the rest.

Links, containment and names that cannot be printed stand in tests/test_documents.py and tests/test_folders.py.
Added here: any tree of files gives sorted POSIX ids.
"""

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ids import case

from rag_lessons import PRESETS, ask, load_documents, prepare_index


def tree(root, files):
    """Write files below a folder: path -> text or bytes."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


@case("LF-01")
def test_one_name_in_two_folders_is_two_documents(tmp_path):
    documents, _ = load_documents(tree(tmp_path, {"a/readme.md": "About apples.", "b/readme.md": "About boats."}))
    assert [d.doc_id for d in documents] == ["a/readme.md", "b/readme.md"]
    for make in PRESETS.values():
        index = prepare_index(documents, make())
        assert len(index.records) == len({chunk.chunk_id for chunk in index.chunks}) == 2
    index = prepare_index(documents)
    for question, answer in (("apples", "About apples. "), ("boats", "About boats. ")):
        assert ask(question, index).answer.text.startswith(answer)


@case("LF-03")
def test_the_order_is_that_of_the_ids(tmp_path, monkeypatch):
    tree(tmp_path, {"z.md": "z", "a.md": "a", "m/b.txt": "b", "B.md": "B"})
    first, scan = load_documents(tmp_path), os.scandir

    class Backwards:
        """What scandir gives, last name first."""

        def __init__(self, folder):
            with scan(folder) as entries:
                self.entries = sorted(entries, key=lambda entry: entry.name)

        def __enter__(self):
            return self

        def __exit__(self, *error):
            return False

        def __iter__(self):
            return self

        def __next__(self):
            if not self.entries:
                raise StopIteration
            return self.entries.pop()

    monkeypatch.setattr(os, "scandir", Backwards)
    assert load_documents(tmp_path) == first
    assert first[1].loaded == ("B.md", "a.md", "m/b.txt", "z.md")


@case("LF-04")
def test_endings_in_capitals(tmp_path):
    tree(tmp_path, {"NOTES.MD": "n", "log.Txt": "l", "x.markdown": "x", "y.py": "y"})
    assert load_documents(tmp_path)[1].loaded == ("NOTES.MD", "log.Txt", "x.markdown")


@case("LF-05")
def test_what_tools_keep_is_not_read(tmp_path):
    tools = {
        ".ipynb_checkpoints/n-checkpoint.md": "old",
        ".git/description.md": "git",
        "node_modules/p/README.md": "dep",
    }
    assert load_documents(tree(tmp_path, {"n.md": "new"} | tools))[1].loaded == ("n.md",)


@case("LF-07")
def test_a_file_that_cannot_be_read_stops_nothing_and_is_named(tmp_path, monkeypatch):
    tree(tmp_path, {"1.md": "one", "2.md": "two", "3.md": "three"})
    read = Path.read_bytes

    def denied(path):
        if path.name == "2.md":
            raise PermissionError(13, "Permission denied", str(path))
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", denied)
    documents, report = load_documents(tmp_path)
    assert [d.text for d in documents] == ["one", "three"] and report.skipped == (("2.md", "Permission denied"),)
    with pytest.raises(ValueError, match=r"2\.md: Permission denied"):
        load_documents(tmp_path, strict=True)


@case("LF-09")
def test_a_folder_may_be_named_like_a_file(tmp_path):
    assert load_documents(tree(tmp_path / "root", {"notes.md/in.txt": "inner"}))[1].loaded == ("notes.md/in.txt",)


def test_a_folder_that_cannot_be_read_stops_a_strict_load(tmp_path, monkeypatch):
    tree(tmp_path, {"a.md": "a", "shut/b.md": "b"})
    scan = os.scandir

    def denied(folder):
        if Path(folder).name == "shut":
            raise PermissionError(13, "Permission denied", str(folder))
        return scan(folder)

    monkeypatch.setattr(os, "scandir", denied)
    with pytest.raises(ValueError, match="cannot read shut: Permission denied"):
        load_documents(tmp_path, strict=True)


NAMES = st.lists(st.sampled_from(["a", "B", "a b", "\u00e9", "x.md", "node_modules", ".git"]), max_size=2)
FILES = st.sets(
    st.tuples(NAMES.map(tuple), st.sampled_from(["n.md", "N.TXT", "z.markdown", "m.py", ".h.md"])), max_size=8
)


@settings(max_examples=30)
@given(FILES)
def test_any_tree_gives_sorted_ids_of_what_is_meant_to_be_read(files):
    paths = {"/".join([*folders, name]) for folders, name in files}
    with tempfile.TemporaryDirectory() as folder:
        documents, report = load_documents(tree(Path(folder), {path: path for path in paths}), strict=True)
    wanted = [p for p in paths if not p.endswith(".py") and "node_modules" not in p and "/." not in f"/{p}"]
    assert [d.doc_id for d in documents] == list(report.loaded) == sorted(wanted)
    assert all(d.text == d.doc_id and "\\" not in d.doc_id for d in documents)
