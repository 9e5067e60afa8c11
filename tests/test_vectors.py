"""Vectors of sentences, chunks and windows, against sums of vectors made anew."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from texts import index_of, texts

from rag_lessons import Document
from rag_lessons.embedding import Letters
from rag_lessons.index import build_index
from rag_lessons.sentence_counts import SentenceCounts
from rag_lessons.vectors import SentenceVectors, sentence_vectors

LETTERS = Letters("aeinst")


def unit(total):
    length = np.linalg.norm(total)
    return total / length if length > 1e-6 else total * 0


def reference(index, question, width=None):
    """The cosine of each chunk, or of the window round each sentence, each text embedded by itself."""
    counts = SentenceCounts(index)
    asked = LETTERS([question])[0]
    rows = []  # (document, middle, vector), one a sentence
    for place, chunk in enumerate(index.chunks):
        for row in range(counts.ends[place] - counts.sizes[place], counts.ends[place]):
            start, end = counts.spans[:, row]
            text = index.documents[chunk.doc_id].text[start:end].strip()
            rows.append((place, chunk.doc_id, (start + end) / 2, LETTERS([text])[0] if text else np.zeros(6)))
    if width is None:
        groups = [[r for r in rows if r[0] == place] for place in range(len(index.chunks))]
    else:
        groups = [
            [r for r in rows if r[1] == doc and -0.6 * width <= r[2] - middle <= 0.4 * width]
            for _, doc, middle, _ in rows
        ]
    return [float(unit(np.sum([r[3] for r in group], axis=0)) @ asked) if group else 0.0 for group in groups]


@given(st.lists(texts(size=8), min_size=1, max_size=3), st.sampled_from([1, 20, 60, 10**12]))
def test_chunks_and_windows_are_sums_of_their_sentences(parts, width):
    index = index_of(parts)
    vectors = SentenceVectors(index, LETTERS)
    cosines = vectors.cosines("tins")
    assert vectors.chunks(cosines) == pytest.approx(reference(index, "tins"), abs=1e-4)
    assert vectors.windows(cosines, width) == pytest.approx(reference(index, "tins", width), abs=1e-4)


def test_a_blank_passage_is_like_nothing():
    index = build_index([Document("a.txt", "\n\n \n")])
    vectors = SentenceVectors(index, LETTERS)
    assert not vectors.chunks(vectors.cosines("tin")).any()
    empty = SentenceVectors(build_index([]), LETTERS)
    assert empty.cosines("tin").shape == empty.chunks(empty.cosines("tin")).shape == (0,)


def test_vectors_are_made_once_for_each_model_and_again_after_a_change():
    index = build_index([Document("a.txt", "Gates rust. Terns nest.")])
    first = sentence_vectors(index, LETTERS)
    assert sentence_vectors(index, Letters("aeinst")) is first  # an equal embedder
    assert sentence_vectors(index, Letters("ab")) is not first
    index.update(Document("b.txt", "Seals sing."))
    assert len(sentence_vectors(index, LETTERS).cosines("tin")) == 3


def test_a_window_has_a_width():
    vectors = SentenceVectors(build_index([Document("a.txt", "Gates rust.")]), LETTERS)
    with pytest.raises(ValueError, match="width must be a whole number of characters, 1 or more; got 0"):
        vectors.windows(vectors.cosines("tin"), 0)
