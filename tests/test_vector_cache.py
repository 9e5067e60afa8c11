"""Vectors on disk: a text is embedded once for each model, whatever happens in between."""

import sqlite3
import subprocess
import sys

import numpy as np
import pytest

from rag_lessons import vector_cache
from rag_lessons.embedding import Letters
from rag_lessons.vector_cache import CachedEmbedder, cache_path


class Counting(Letters):
    """Letters that keep account of what they were asked, and give up after some calls."""

    def __init__(self, letters="abc", calls=10**9):
        super().__init__(letters)
        object.__setattr__(self, "asked", [])
        object.__setattr__(self, "calls", calls)

    def __call__(self, texts):
        if len(self.asked) == self.calls:
            raise KeyboardInterrupt
        self.asked.append(list(texts))
        return super().__call__(texts)


def test_a_text_is_embedded_once(tmp_path):
    path = tmp_path / "new" / "vectors.sqlite"
    counting = Counting()
    texts = ["ab", "c", "ab", "\ud83d", ""]
    first = CachedEmbedder(counting, path)(texts)
    assert first.dtype == np.float32 and first.shape == (5, 3)
    assert [sorted(texts) for texts in counting.asked] == [["ab", "c", "\ud83d"]]
    assert not first[4].any()
    again = CachedEmbedder(counting, path)(texts[::-1])
    assert np.array_equal(again, first[::-1]) and len(counting.asked) == 1
    assert np.array_equal(CachedEmbedder(counting, path)(["a", "c"]), Letters("abc")(["a", "c"]))
    assert counting.asked[1:] == [["a"]]


def test_models_do_not_share_vectors(tmp_path):
    path = tmp_path / "vectors.sqlite"
    assert CachedEmbedder(Letters("ab"), path)(["a"]).shape == (1, 2)
    assert CachedEmbedder(Letters("abc"), path)(["a"]).shape == (1, 3)
    assert CachedEmbedder(Letters("ab"), path).name == "letters ab"


def test_an_interruption_loses_at_most_one_step(tmp_path):
    texts = [f"a{'b' * n}" for n in range(200)]
    path = tmp_path / "vectors.sqlite"
    with pytest.raises(KeyboardInterrupt):
        CachedEmbedder(Counting(calls=2), path)(texts)
    after = Counting()
    found = CachedEmbedder(after, path)(texts)
    assert sum(map(len, after.asked)) == len(texts) - 2 * vector_cache._STEP
    assert np.allclose(found, Letters("abc")(texts))


def test_more_texts_than_one_query_asks_for(tmp_path):
    texts = [f"a{'b' * (n % 40)}c{n}" for n in range(2 * vector_cache._ASKED + 1)]
    cached = CachedEmbedder(Counting(), tmp_path / "vectors.sqlite")
    assert np.array_equal(cached(texts), cached(texts))
    assert sum(map(len, cached.embedder.asked)) == len(texts)


def test_nothing_gives_nothing(tmp_path):
    assert len(CachedEmbedder(Letters(), tmp_path / "vectors.sqlite")([])) == 0


def test_a_file_of_another_kind_is_named_and_left_alone(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("Not a database, but a long enough text to be one. " * 50, encoding="utf-8")
    with pytest.raises(ValueError, match=r"notes.txt cannot be used as a file of vectors .*delete it, or name another"):
        CachedEmbedder(Letters(), path)(["a"])
    assert path.read_text(encoding="utf-8").startswith("Not a database")
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as file:
        file.execute("CREATE TABLE vectors (a)")
    file.close()
    with pytest.raises(ValueError, match=r"other.sqlite cannot be used"):
        CachedEmbedder(Letters(), other)(["a"])


def test_two_processes_may_write_at_once(tmp_path):
    path = tmp_path / "vectors.sqlite"
    code = (
        "import sys; from pathlib import Path; from rag_lessons.embedding import Letters; "
        "from rag_lessons.vector_cache import CachedEmbedder; "
        "e = CachedEmbedder(Letters('ab'), Path(sys.argv[1])); "
        "[e([f'a{sys.argv[2]}{n}', f'b{n}']) for n in range(40)]"
    )
    running = [subprocess.Popen([sys.executable, "-c", code, str(path), name]) for name in "xy"]
    assert [process.wait(60) for process in running] == [0, 0]
    counting = Counting("ab")
    CachedEmbedder(counting, path)([f"a{name}{n}" for name in "xy" for n in range(40)])
    assert not counting.asked


def test_the_usual_place_is_the_users_folder_for_caches(tmp_path, monkeypatch):
    monkeypatch.setattr(vector_cache, "user_cache_path", lambda name: tmp_path / name)
    assert cache_path() == tmp_path / "rag_lessons" / "vectors.sqlite"
    CachedEmbedder(Letters())(["a"])
    assert cache_path().exists()


def test_a_bar_shows_only_where_many_are_embedded(tmp_path, capfd):
    cached = CachedEmbedder(Letters("ab"), tmp_path / "vectors.sqlite", progress=True)
    many = [f"a{n}" for n in range(vector_cache._STEP + 1)]
    cached(many)
    assert "embed" in capfd.readouterr().err
    cached([*many, "b"])
    assert capfd.readouterr().err == ""
