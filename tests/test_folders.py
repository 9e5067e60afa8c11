"""Folders: what stands in them besides readable files is reported, and never waited for."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rag_lessons import load_documents

ROOT = Path(__file__).resolve().parent.parent


def put(path, text="Gates rust."):
    """Write a text below folders that need not be there; skips the test where the name is not allowed."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8"))
    except OSError:
        pytest.skip("this file system does not take such a name")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs here")
def test_a_fifo_is_skipped_and_not_waited_for(tmp_path):
    put(tmp_path / "a.md")
    os.mkfifo(tmp_path / "pipe.txt")
    code = "import sys; from rag_lessons import load_documents; print(load_documents(sys.argv[1])[1])"
    done = subprocess.run(
        [sys.executable, "-c", code, tmp_path], cwd=ROOT, capture_output=True, encoding="utf-8", timeout=60
    )
    assert done.stdout == f"1 loaded, 1 skipped from {tmp_path.name}\n  skipped pipe.txt: not a regular file\n"
    with pytest.raises(ValueError, match=r"cannot read pipe\.txt: not a regular file"):
        load_documents(tmp_path, strict=True)


def test_a_link_to_a_folder_is_reported_and_not_followed(tmp_path):
    put(tmp_path / "in" / "a.md")
    put(tmp_path / "out" / "b.md")
    try:
        (tmp_path / "in" / "other").symlink_to(tmp_path / "out", target_is_directory=True)
        (tmp_path / "in" / "round").symlink_to(tmp_path / "in", target_is_directory=True)
        (tmp_path / "in" / ".hidden").symlink_to(tmp_path / "out", target_is_directory=True)
    except OSError:
        pytest.skip("links are not allowed here")
    _, report = load_documents(tmp_path / "in")
    assert report.loaded == ("a.md",)
    assert report.skipped == tuple((name, "a link to a folder, not followed") for name in ("other", "round"))


def guard(monkeypatch, closed):
    """Let one folder be unreadable, for any user."""
    scan = os.scandir

    def guarded(folder):
        if Path(folder) == closed:
            raise PermissionError(13, "Permission denied", str(folder))
        return scan(folder)

    monkeypatch.setattr(os, "scandir", guarded)


def test_a_folder_that_cannot_be_read_is_reported(tmp_path, monkeypatch):
    put(tmp_path / "a.md")
    put(tmp_path / "shut" / "b.md")
    guard(monkeypatch, tmp_path / "shut")
    _, report = load_documents(tmp_path)
    assert report.loaded == ("a.md",) and report.skipped == (("shut", "Permission denied"),)
    assert "skipped shut: Permission denied" in str(report)


def test_a_root_that_cannot_be_read_raises(tmp_path, monkeypatch):
    put(tmp_path / "a.md")
    guard(monkeypatch, tmp_path)
    with pytest.raises(PermissionError, match="Permission denied"):
        load_documents(tmp_path)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("two\nlines.md", r"two\nlines.md"),
        ("two\u2028lines.md", r"two\u2028lines.md"),
        ("red\x1b[31m.md", r"red\x1b[31m.md"),
        ("next\x85.md", r"next\x85.md"),
        ("caf\udce9.md", r"caf\udce9.md"),  # what Python makes of a byte that is not UTF-8
        ("a\tb/inside.md", r"a\tb/inside.md"),
    ],
    ids=ascii,
)
def test_a_name_that_cannot_be_printed_is_skipped_and_named(name, shown, tmp_path):
    put(tmp_path / "good.md")
    put(tmp_path / name)
    _, report = load_documents(tmp_path)
    assert report.loaded == ("good.md",)
    assert [skipped for skipped, _ in report.skipped] == [shown]
    assert report.skipped[0][1].endswith("rename it")
    lines = str(report).splitlines()
    assert len(lines) == 2 and all(line.isprintable() for line in lines)
    with pytest.raises(ValueError, match="rename it") as caught:
        load_documents(tmp_path, strict=True)
    assert str(caught.value).isprintable()
