"""Saved indexes as files: whole or not there, whatever fails, and whoever else writes."""

import io
import os
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from test_saving import NEW, OLD

from rag_lessons.index import build_index, default_recipe
from rag_lessons.saving import load_index, save_index

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def saved(tmp_path):
    """The path of a saved index."""
    return save_index(build_index(OLD), tmp_path / "index.json")


def failing(error):
    def fail(*arguments):
        raise error

    return fail


@pytest.mark.parametrize("step", ["replace", "fsync"])
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), OSError("gone"), KeyboardInterrupt()])
def test_a_save_that_fails_leaves_the_old_file_and_no_litter(saved, monkeypatch, step, error):
    monkeypatch.setattr(os, step, failing(error))
    expected = "^.*cannot save the index to .*; what was there before still is" if isinstance(error, OSError) else None
    with pytest.raises(type(error), match=expected) as caught:
        save_index(build_index(NEW), saved)
    assert getattr(caught.value, "errno", None) == getattr(error, "errno", None)
    assert load_index(saved).records == build_index(OLD).records
    assert os.listdir(saved.parent) == ["index.json"]


class FullDisk(io.FileIO):
    """A file of which the first bytes can be written and no more."""

    def write(self, data):
        super().write(data[:100])
        raise OSError(28, "No space left on device")


def test_a_save_to_a_full_disk(saved, monkeypatch):
    monkeypatch.setattr("builtins.open", FullDisk)
    with pytest.raises(OSError, match="No space left on device; what was there before still is"):
        save_index(build_index(NEW), saved)
    monkeypatch.undo()
    assert load_index(saved).records == build_index(OLD).records and os.listdir(saved.parent) == ["index.json"]


def test_a_build_that_fails_half_way_touches_no_file(saved):
    before = saved.read_bytes()
    recipe = replace(default_recipe(), summarize_chunk=failing(KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        save_index(build_index(NEW, recipe), saved)
    assert saved.read_bytes() == before and os.listdir(saved.parent) == ["index.json"]


def test_the_file_is_closed_before_it_takes_its_name(saved, monkeypatch):
    """On Windows an open file can be neither renamed nor deleted."""
    files, opened, replaced = [], open, os.replace

    def note(*arguments, **options):
        files.append(opened(*arguments, **options))
        return files[-1]

    def move(source, target):
        assert [file.closed for file in files] == [True] and Path(source).parent == Path(target).parent
        replaced(source, target)

    monkeypatch.setattr("builtins.open", note)
    monkeypatch.setattr(os, "replace", move)
    save_index(build_index(NEW), saved)
    assert len(files) == 1


def test_a_link_is_written_through(saved, tmp_path):
    link = tmp_path / "link.json"
    try:
        link.symlink_to(saved)
    except OSError:
        pytest.skip("this system lets no link be made")
    assert save_index(build_index(NEW), link) == link
    assert link.is_symlink() and load_index(saved).records == build_index(NEW).records


SAVER = """
import os, sys
from contextlib import suppress
from rag_lessons import Document
from rag_lessons.index import build_index
from rag_lessons.saving import save_index
index = build_index([Document(f"{sys.argv[2]}{n}.txt", f"{sys.argv[2]} gates rust. " * 50) for n in range(20)])
print("ready", flush=True)
sys.stdin.readline()
for _ in range(40):
    with suppress(*([PermissionError] if os.name == "nt" else [])):  # there, a file in use cannot be replaced
        save_index(index, sys.argv[1])
"""


def test_two_processes_that_save_at_once_leave_one_whole_file(tmp_path):
    path = tmp_path / "index.json"
    savers = [
        subprocess.Popen(
            [sys.executable, "-c", SAVER, path, name], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        for name in "ab"
    ]
    for saver in savers:
        assert saver.stdout.readline().strip() == b"ready"
    for saver in savers:
        saver.stdin.write(b"\n")
        saver.stdin.flush()
    loads = 0
    while any(saver.poll() is None for saver in savers):
        with suppress(FileNotFoundError, *([PermissionError] if os.name == "nt" else [])):
            assert {doc_id[0] for doc_id in load_index(path).records} in ({"a"}, {"b"})
            loads += 1
    for saver in savers:
        saver.communicate()
        assert saver.returncode == 0
    assert loads and len(load_index(path).records) == 20 and os.listdir(tmp_path) == ["index.json"]
