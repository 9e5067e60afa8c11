"""Vectors from a server: order, batches, length, and replies that are no vectors."""

import math

import numpy as np
import pytest
from model_server import Reply, refusal, serve
from models import need_models

from rag_lessons.embedding import embed
from rag_lessons.endpoint import ModelError
from rag_lessons.endpoint_embedder import OpenAIEmbedder
from rag_lessons.vector_cache import CachedEmbedder

need_models()


def vectors(rows):
    data = [{"object": "embedding", "index": i, "embedding": row} for i, row in enumerate(rows)]
    return Reply({"object": "list", "model": "m", "data": data, "usage": {"prompt_tokens": 1, "total_tokens": 1}})


def by_length(request):
    """A vector for each text from its length, the last one first."""
    reply = [{"object": "embedding", "index": i, "embedding": [len(t), 1]} for i, t in enumerate(request["input"])]
    return Reply({"object": "list", "model": "m", "data": reply[::-1]})


@pytest.fixture
def embedder():
    made = []

    def make(url):
        made.append(OpenAIEmbedder("m", url, retries=0))
        return made[-1]

    yield make
    for one in made:
        one.close()


def test_each_text_gets_its_own_vector_in_batches(embedder):
    texts = ["x" * n for n in range(1, 151)]
    with serve(by_length) as (url, asked):
        found = embedder(url)(texts)
        assert [len(request["input"]) for request in asked] == [64, 64, 22]
        assert asked[0]["_path"] == "/v1/embeddings" and asked[0]["encoding_format"] == "float"
        assert embed(embedder(url), texts).shape == (150, 2)
    assert found.dtype == np.float32
    for text, row in zip(texts, found, strict=True):
        assert row == pytest.approx([len(text) / math.hypot(len(text), 1), 1 / math.hypot(len(text), 1)], abs=1e-6)


def test_nothing_asks_for_nothing(embedder):
    with serve(by_length) as (url, asked):
        assert len(embedder(url)([])) == 0 and not asked


def test_its_name_tells_servers_apart_in_a_cache(embedder, tmp_path):
    with serve(by_length) as (one, _), serve(vectors([[0, 1]])) as (other, _):
        found = [CachedEmbedder(embedder(url), tmp_path / "v.sqlite")(["xx"])[0].tolist() for url in (one, other)]
        assert found[0] != found[1] == [0, 1]
        assert embedder(one).name == f"m at {one}"


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (vectors([[1, 0]]), "returned 1 vectors for 2 texts"),
        (vectors([[1, 0], [0, 1], [1, 1]]), "returned 3 vectors for 2 texts"),
        (vectors([[1, 0], [0, 0]]), "length 0, or with a number that is not finite"),
        (vectors([[1, 0], [1, 0, 0]]), r"vectors of different sizes: \[2, 3\]"),
        (Reply(b'{"data": [{"index": 0, "embedding": [NaN]}, {"index": 1, "embedding": [1]}]}'), "not finite"),
        (Reply({"data": []}), "returned 0 vectors|no answer"),
        (Reply({"detail": "ok"}), "returned 0 vectors|no answer"),
        (Reply({"data": [{"index": 0, "embedding": [1.0]}, {"index": 0, "embedding": [1.0]}]}), "returned 2 vectors"),
        (Reply(b"a web page", headers=[("Content-Type", "text/html")]), "returned 0 vectors|no answer"),
        (refusal(404, "no such model"), "has no model 'm' .no such model.; it has m$"),
        (refusal(400, "maximum context length is 512 tokens, however you requested 600 tokens"), "takes 600 tokens"),
    ],
)
def test_what_are_no_vectors_is_an_error(embedder, reply, message):
    with serve(reply) as (url, _), pytest.raises(ModelError, match=message):
        embedder(url)(["a", "b"])


def test_only_text_is_sent(embedder):
    with serve(by_length) as (url, asked):
        with pytest.raises(TypeError, match="text must be a string; got 7"):
            embedder(url)(["a", 7])
        assert not asked
