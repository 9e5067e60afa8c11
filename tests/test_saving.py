"""Saved indexes: what comes back, what is refused and why, and that a file is whole or not there."""

import hashlib
import json
import os
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from texts import LINES, PROSE, texts

from rag_lessons import PRESETS, Document, ask, prepare_index
from rag_lessons.index import Recipe, build_index, default_recipe
from rag_lessons.saving import load_index, save_index

OLD, NEW = [Document("a.md", "# Gates\n\nGates rust.")], [Document("b.txt", "Birds nest in May. They fly.")]
each_preset = pytest.mark.parametrize("make", PRESETS.values(), ids=PRESETS)
any_text = st.one_of(texts([*PROSE, *LINES], 12), st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
corpora = st.dictionaries(
    st.sampled_from(["a.md", "b.md", "c.txt", "\u6f6e \u2028\U0001f6a2.md"]), any_text, max_size=3
)


@pytest.fixture(scope="session")
def place(tmp_path_factory):
    """One file that every example of a property writes anew."""
    return tmp_path_factory.mktemp("saved") / "index.json"


@pytest.fixture
def saved(tmp_path):
    """The path of a saved index."""
    return save_index(build_index(OLD), tmp_path / "index.json")


def state(index):
    return list(index.documents.items()), list(index.records.items()), index.chunks, index.recipe


@each_preset
@given(corpus=corpora, question=texts(PROSE, 4), budget=st.integers(0, 200), text=any_text)
def test_a_loaded_index_answers_and_changes_like_the_built_one(place, make, corpus, question, budget, text):
    settings = make()
    built = prepare_index([Document(name, content) for name, content in corpus.items()], settings)
    assert save_index(built, place) == place
    loaded = load_index(place, settings)
    assert state(loaded) == state(built)
    traces = [ask(question, index, budget, settings) for index in (built, loaded)]
    assert traces[0] == traces[1] and traces[0].to_dict() == traces[1].to_dict() and str(traces[0]) == str(traces[1])
    for index in (built, loaded):
        index.update(Document("b.md", text))
        for doc_id in set(index.records) - {"b.md"}:
            index.remove(doc_id)
    assert state(loaded) == state(built)
    assert ask(question, loaded, budget, settings) == ask(question, built, budget, settings)


def test_the_recipe_may_be_given_alone_and_the_default_not_at_all(saved):
    assert state(load_index(str(saved), recipe := default_recipe())) == state(build_index(OLD, recipe))
    assert load_index(saved).chunks == build_index(OLD).chunks


def test_the_file_is_json_of_the_same_bytes_each_time(saved, tmp_path):
    again = save_index(load_index(saved), tmp_path / "again.json")
    assert again.read_bytes() == saved.read_bytes()
    assert json.loads(saved.read_text(encoding="utf-8"))["index"]["documents"][0]["text"] == OLD[0].text
    saved.write_text(json.dumps(json.loads(saved.read_bytes()), indent=2), encoding="utf-8", newline="\r\n")
    assert load_index(saved).records == load_index(again).records


def test_spans_of_numpy_numbers_are_saved(tmp_path):
    recipe = replace(default_recipe(), chunk=lambda document: [tuple(np.array([0, len(document.text)]))])
    built = build_index(OLD, recipe)
    assert load_index(save_index(built, tmp_path / "index.json"), recipe).chunks == built.chunks


def rewrite(path, change):
    """Change a saved file's entries or its content, and give it the checksum that then is right."""
    saved = json.loads(path.read_bytes())
    content = saved["index"]
    change(saved, content)
    body = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    if saved["sha256"]:
        saved["sha256"] = hashlib.sha256(body.encode("utf-8", "surrogatepass")).hexdigest()
    path.write_text(json.dumps(saved), encoding="utf-8")


def span(start, end):
    def change(saved, content):
        content["documents"][0]["chunks"][0][1:3] = [start, end]

    return change


def put(name, value):
    return lambda saved, content: content["documents"][0].update({name: value})


CHANGES = [
    (lambda saved, content: saved.update(version=2), "it is of version 2, and this package reads version 1; update"),
    (lambda saved, content: saved.update(version=None), "it is of version None"),
    (lambda saved, content: saved.update(format="other"), "save_index did not write it; check the path, or"),
    (lambda saved, content: saved.update(sha256=""), "its checksum does not match, so it was changed or damaged"),
    (lambda saved, content: saved.pop("index"), "it has no entry 'index'"),
    (lambda saved, content: content.pop("recipe"), "it has no entry 'recipe'"),
    (
        lambda saved, content: content.update(recipe="article"),
        "'article' built it, and the settings have 'default, 420",
    ),
    (lambda saved, content: content["documents"].append(content["documents"][0]), "two documents have the id 'a.md'"),
    (
        lambda saved, content: content["documents"][0]["chunks"].append(content["documents"][0]["chunks"][0]),
        "two chunks",
    ),
    (span(0, 999), "chunk 'a.md-chunk-001' spans 0 to 999 of a document of 20 characters"),
    (span(8, 7), "spans 8 to 7"),
    (span(-1, 7), "start must be a whole number of characters, 0 or more; got -1"),
    (span(0, True), "end must be a whole number of characters, 0 or more; got True"),
    (span(0, 7.0), "end must be .* got 7.0"),
    (put("text", "Gates \ud800"), r"the index holds half a character \(U\+D800\)"),
    (put("id", "\udcff"), r"half a character \(U\+DCFF\)"),
    (put("id", ""), "doc_id must be a non-empty string; got ''"),
    (put("summary", 5), "summary of 'a.md' must be a string; got 5"),
    (put("chunks", [[1, 0, 2, "", [], ""]]), "chunk 1 must be a string; got 1"),
    (put("chunks", [["a", 0, 2]]), "missing 3 required positional arguments"),
    (put("chunks", 7), "'int' object is not iterable"),
]


@pytest.mark.parametrize(("change", "what"), CHANGES, ids=[what[:30] for _, what in CHANGES])
def test_what_does_not_hold_together_is_refused(saved, change, what):
    rewrite(saved, change)
    with pytest.raises(ValueError, match=rf"^cannot load the index '.*index.json': .*{what}.*build the index again"):
        load_index(saved)


def test_a_file_cut_off_anywhere_is_refused(saved):
    data = saved.read_bytes()
    for size in range(len(data) - 2):  # the last two are the closing bracket and the line end
        saved.write_bytes(data[:size])
        with pytest.raises(ValueError, match=r"index.json': it is cut off or damaged; build the index again"):
            load_index(saved)


def test_a_file_with_any_byte_changed_is_refused(saved):
    data = saved.read_bytes()
    for place in range(len(data) - 1):
        saved.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        with pytest.raises(ValueError, match="cannot load the index"):
            load_index(saved)


@pytest.mark.parametrize("data", [b"# Notes", b"[1]", b"{}", b"null", b"\x80\x04K\x01.", b"[" * 99_999, b"9" * 9_999])
def test_another_file_is_refused(tmp_path, data):
    path = tmp_path / "other.json"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=r"other.json': save_index did not write it; check the path, or build"):
        load_index(path)


def test_places_where_no_file_is(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no file '.*none.json'; write one with save_index"):
        load_index(tmp_path / "none.json")
    with pytest.raises(IsADirectoryError, match="is a folder; give the name of the file in it"):
        load_index(tmp_path)
    for path in (tmp_path, tmp_path / "nowhere" / "index.json"):
        with pytest.raises(OSError, match="cannot save the index to .*; check the path") as caught:
            save_index(build_index(NEW), path)
        assert repr(str(path)) in str(caught.value) and os.listdir(tmp_path) == []


def test_what_is_no_index_and_no_settings(saved):
    with pytest.raises(TypeError, match="index must come from prepare_index"):
        save_index(OLD, saved)
    with pytest.raises(TypeError, match="settings must be made by"):
        load_index(saved, "default")
    with pytest.raises(ValueError, match="'default, 420 characters' built it, .* 'article'; load it with the settings"):
        load_index(saved, PRESETS["article"]())


def test_recipes_that_build_differently_have_different_names(saved):
    for recipe in (default_recipe(sentences=3), default_recipe(target=421)):
        with pytest.raises(ValueError, match="'default, 420 characters' built it, and the settings have 'default, 42"):
            load_index(saved, recipe)


BAD_RECIPES = [
    ({"chunk": lambda document: [(0, 999)]}, "spans 0 to 999 of a document of 28 characters"),
    ({"summarize_chunk": lambda text, position: "\ud800"}, "half a character"),
    ({"summarize_chunk": lambda text, position: None}, "must be a string; got None"),
]


@pytest.mark.parametrize(("parts", "what"), BAD_RECIPES)
def test_an_index_that_could_not_be_loaded_is_not_saved(saved, parts, what):
    plain = default_recipe()
    recipe = Recipe(plain.name, plain.chunk, plain.summarize_chunk, lambda summaries: plain.summarize_document([""]))
    built, before = build_index(NEW, replace(recipe, **parts)), saved.read_bytes()
    with pytest.raises((TypeError, ValueError), match=what):
        save_index(built, saved)
    assert saved.read_bytes() == before and os.listdir(saved.parent) == ["index.json"]
