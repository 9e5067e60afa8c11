"""Scores of sentences and their windows, against words counted window by window."""

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from texts import PROSE, index_of, texts

from rag_lessons import Document
from rag_lessons.chunking import paragraph_spans
from rag_lessons.index import Recipe, build_index
from rag_lessons.passages import Passages
from rag_lessons.reduction import Reduction
from rag_lessons.routing import Candidate
from rag_lessons.sentences import sentence_spans
from rag_lessons.terms import terms

WORDS = ["pump", "gate", "rust", "kelp", "the", "\u6f6e\u6c50"]
STOPS = [". ", "! ", ".\n\n", "\u3002"]
sentences = st.tuples(st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join), st.sampled_from(STOPS))
corpora = st.lists(st.lists(sentences.map("".join), max_size=9).map("".join), max_size=4)
questions = st.lists(st.sampled_from([*WORDS, "zebra", "pumps"]), max_size=4).map(" ".join)
windows = st.lists(st.tuples(st.sampled_from([1, 5, 20, 30, 45, 10**12]), st.sampled_from([0, 0.5, 2])), max_size=3)
scales = st.sampled_from([0, 0.5, 1, 1.5])
passages = st.builds(
    Passages, windows.map(tuple), chunk=scales, power=scales, k1=scales, b=st.sampled_from([0, 0.6, 1])
)


def cut(index, chunk):
    """The sentences of a chunk as spans of its document, each up to where the next one starts."""
    starts = [chunk.start + start for start, _ in sentence_spans(index.text(chunk))]
    return list(zip([chunk.start, *starts[1:]], [*starts[1:], chunk.end], strict=True))


def reference(how, question, index, candidates):
    """(place of the candidate, span) -> score, counting the words of every window anew."""
    rows = [
        (chunk.doc_id, span, Counter(terms(index.documents[chunk.doc_id].text[slice(*span)])))
        for chunk in index.chunks
        for span in cut(index, chunk)
    ]
    total = sum(count.total() for _, _, count in rows)
    mean = max(1, total / max(1, len(rows)))
    density = total / max(1, sum(end - start for _, (start, end), _ in rows))

    def rarity(term):
        held = sum(term in terms(index.text(chunk)) for chunk in index.chunks)
        return math.log(1 + (len(index.chunks) - held + 0.5) / (held + 0.5)) ** how.power if held else 0.0

    def weight(term, count, usual):
        tf = count[term]
        norm = how.k1 * (1 - how.b + how.b * count.total() / usual)
        return tf * (how.k1 + 1) / (tf + norm) if tf else 0.0

    scores = {}
    for place, candidate in enumerate(candidates):
        for span in cut(index, candidate.chunk):
            own = next(count for doc_id, other, count in rows if (doc_id, other) == (candidate.chunk.doc_id, span))
            parts = [(1.0, own, mean)]
            for width, share in how.windows:
                held = Counter()
                for doc_id, other, count in rows:
                    # Twice the way between the middles, so that all is whole: 3/5 and 2/5 of the width, doubled.
                    way = sum(other) - sum(span)
                    if doc_id == candidate.chunk.doc_id and -6 * width <= 5 * way <= 4 * width:
                        held += count
                parts.append((share, held, max(1.0, density * width)))
            asked = dict.fromkeys(terms(question))
            scores[place, span] = how.chunk * candidate.score + sum(
                rarity(term) * share * weight(term, count, usual) for term in asked for share, count, usual in parts
            )
    return scores


@given(corpora, questions, passages, st.data())
def test_scores_are_those_of_a_count_window_by_window(found, question, how, data):
    index = index_of(found, lambda document: paragraph_spans(document.text))
    chunks = data.draw(st.lists(st.sampled_from(index.chunks), unique=True)) if index.chunks else []
    candidates = [Candidate(chunk, data.draw(st.sampled_from([0.0, 1.0, 7.5]))) for chunk in chunks]
    units, expected = how(question, index, candidates), reference(how, question, index, candidates)
    assert units == sorted(units, key=lambda unit: (-unit[0], unit[1], unit[2]))
    best = {}
    for (place, (start, end)), score in expected.items():
        text = " ".join(index.documents[candidates[place].chunk.doc_id].text[start:end].split())
        best[text] = max(score, best.get(text, 0.0))
    kept = {}
    for score, place, (start, end) in units:
        assert score == pytest.approx(expected[place, (start, end)], abs=1e-9, rel=0)
        kept[" ".join(index.documents[candidates[place].chunk.doc_id].text[start:end].split())] = score
    assert len(kept) == len(units) and kept == pytest.approx(best, abs=1e-9, rel=0)


@given(texts(PROSE, 12))
def test_sentences_tile_a_chunk(text):
    for chunk in (index := index_of([text])).chunks:
        found = sorted(span for _, _, span in Passages()("valve", index, [Candidate(chunk, 1.0)]))
        whole = cut(index, chunk)
        repeats = len(whole) - len({" ".join(text[start:end].split()) for start, end in whole})
        assert set(found) <= set(whole) and len(found) == len(whole) - repeats
        assert (whole[0][0], whole[-1][1]) == (0, len(text))


def test_both_ends_of_a_window_are_included():
    text = "".join(f"{letter * 4} zzz. " for letter in "abcdef")  # the middles are 10 characters apart
    index = index_of([text])

    def reach(width, letter):
        scored = Passages(((width, 1.0),), chunk=0)
        units = {near: scored(near * 4, index, [Candidate(index.chunks[0], 1.0)]) for near in "abcdef"}
        return "".join(n for n in units for score, _, (start, _) in units[n] if score > 0 and text[start] == letter)

    found = [reach(width, "c") for width in (1, 16, 17, 24, 25, 33, 34, 49, 50)]
    assert found == ["c", "c", "bc", "bc", "bcd", "bcd", "abcd", "abcd", "abcde"]
    assert [reach(width, "d") for width in (49, 50)] == ["bcde", "abcdef"]


def test_the_better_copy_of_a_repeated_sentence_is_kept():
    index = index_of(["Terns nest. Terns  nest. Gulls sleep."])
    near = Passages(windows=((40, 0.5),))("gulls", index, [Candidate(index.chunks[0], 1.0)])
    assert [span for _, _, span in near] == [(25, 37), (12, 25)]
    index = index_of(["Terns nest.", "Terns nest."])
    candidates = [Candidate(chunk, score) for chunk, score in zip(index.chunks, (1.0, 2.0), strict=True)]
    assert [place for _, place, _ in Passages()("terns", index, candidates)] == [1]


def test_a_sentence_is_found_by_what_stands_before_it_and_without_windows_is_not():
    index = index_of(["The heron is a bird. It eats fish.", "Gulls dive. They sleep on the pier."])
    candidates = [Candidate(chunk, 0.0) for chunk in index.chunks]
    scores = {(place, span): score for score, place, span in Passages()("heron", index, candidates)}
    assert scores[0, (0, 21)] > scores[0, (21, 34)] > 0 == scores[1, (0, 12)] == scores[1, (12, 35)]
    alone = Passages(windows=())("heron", index, candidates)
    assert [score > 0 for score, _, _ in alone] == [True, False, False, False]


def test_chinese_is_found_by_pairs_of_characters():
    index = index_of(["\u6e2f\u53e3\u5f88\u5927\u3002\u6f6e\u6c50\u8868\u5728\u8fd9\u91cc\u3002"])
    units = Passages()("\u6f6e\u6c50", index, [Candidate(index.chunks[0], 1.0)])
    assert [span for _, _, span in units] == [(5, 12), (0, 5)] and units[0][0] > units[1][0]


def test_nothing_to_score_is_an_empty_list():
    for index in (index_of([]), index_of(["", "Gates rust."])):
        assert Passages()("gates", index, []) == []


@given(st.lists(st.integers(1, 40), min_size=2, max_size=9), st.sampled_from([1, 20, 500]), st.integers(5, 60))
def test_a_window_holds_its_sentence_where_chunks_overlap(lengths, width, step):
    names = [f"n{i}" for i in range(len(lengths))]
    text = " ".join(f"{name} {'z' * length}." for name, length in zip(names, lengths, strict=True))
    index = index_of([text], lambda document: [(at, at + 60) for at in range(0, len(text) - 60, step)])
    candidates = [Candidate(chunk, 0.0) for chunk in index.chunks]
    for name in names:
        alone = {unit[1:]: unit[0] for unit in Passages(())(name, index, candidates)}
        wide = {unit[1:]: unit[0] for unit in Passages(((width, 1.0),))(name, index, candidates)}
        assert all(wide[unit] > score for unit, score in alone.items() if score > 0 and unit in wide)


def test_a_changed_index_is_counted_anew():
    index = build_index(
        [Document("a.txt", "Terns nest.")],
        Recipe("whole", lambda d: [(0, len(d.text))], lambda text, position: "", lambda s: Reduction((), "", True, 0)),
    )
    Passages()("gulls", index, [Candidate(index.chunks[0], 0.0)])
    index.update(Document("a.txt", "Gulls sleep. Terns nest."))
    units = Passages()("gulls", index, [Candidate(index.chunks[0], 0.0)])
    assert [span for _, _, span in units] == [(0, 13), (13, 24)] and units[0][0] > 0


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"windows": ((0, 0.5),)}, ValueError, "window must be a whole number of characters, 1 or more; got 0"),
        ({"windows": ((2.5, 0.5),)}, TypeError, "window must be a whole number of characters, 1 or more; got 2.5"),
        ({"windows": ((500, -1),)}, ValueError, "window share must be a number, 0 or more; got -1"),
        ({"windows": ((500, "1"),)}, TypeError, "window share must be a number, 0 or more; got '1'"),
        ({"b": 1.5}, ValueError, "b must be a number, 0 to 1; got 1.5"),
        ({"k1": -1}, ValueError, "k1 must be a number, 0 or more; got -1"),
        ({"chunk": float("nan")}, ValueError, "chunk must be a number, 0 or more; got nan"),
        ({"power": True}, TypeError, "power must be a number, 0 or more; got True"),
    ],
)
def test_bad_settings_are_named(settings, error, message):
    with pytest.raises(error, match=message):
        Passages(**settings)
