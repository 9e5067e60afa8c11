"""Cases of Unicode: no visible character is cut, no half character gets in, spellings of one word are one word.

`test_cut_is_the_last_boundary_before_the_place` in tests/test_tokens.py states where a cut may be, for common
scripts. Added here: the same for every chunker and for marks, joiners and spaces in any order.
"""

import dataclasses
import json
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from ids import case
from texts import COUNTERS, assert_spans, count_bytes, index_of, pieces_of, silently

from rag_lessons import Document, ask, default_settings, load_documents, prepare_index
from rag_lessons.budgeting import POLICIES
from rag_lessons.chunking import chunk_paragraphs, chunk_sentences, paragraph_spans
from rag_lessons.markdown import chunk_markdown
from rag_lessons.scoring import BM25
from rag_lessons.sentences import sentence_spans
from rag_lessons.summarizing import Summary, cut_to_budget
from rag_lessons.tokens import estimate_tokens, quarter_length
from rag_lessons.windows import chunk_tokens

CHUNKERS = [chunk_paragraphs, chunk_sentences, chunk_markdown]
# Marks of several kinds, joiners, signs that join, halves of flags and syllables, and many sorts of white space.
SIGNS = [
    *["a", "b", ". ", "! ", "? ", " ", "\n", "\r", "\r\n", "\t", "\x0c", "\x85", "\u00a0", "\u2028", "\u3000"],
    *["\u0301", "\u0308", "\u064b", "\u200c", "\u200d", "\u200b", "\ufe0f", "\u20e3", "\u0e33", "\u0e19", "*", "#"],
    *["\U0001f469", "\U0001f527", "\U0001f3fd", "\U0001f1f3", "\U0001f1f4", "\u1100", "\u1161", "\u11a8", "\uac00"],
    *["\u0915", "\u094d", "\u0937", "\u3002", '"', "(", ")", "|", "\u05d1", "\u06007", "\u0600x"],
]
any_text = st.one_of(st.lists(st.sampled_from(SIGNS), max_size=30).map("".join), st.text(max_size=30))


@given(any_text, st.integers(1, 9))
@example(" \u0301 b? \u00a0\u0308a.\n\u3000\u064bc", 2)  # spaces that carry a mark
@example("Stop!\u200d Go?\u0301 a", 4)
def test_no_chunker_cuts_a_visible_character(text, size):
    text = text.replace("\u0600 ", "\u06001")  # a number sign that stands on a space: no text has it
    for chunk in CHUNKERS:
        assert_spans(text, silently(chunk, text, size))
    for counter in COUNTERS.values():
        assert_spans(text, silently(chunk_tokens, text, size, 0, counter))
    assert_spans(text, sentence_spans(text))
    assert_spans(text, paragraph_spans(text))


@case("UN-01")
def test_bytes_as_a_unit_break_no_character():
    text = "na\u00efve caf\u00e9 \U0001f680\U0001f680\U0001f680 \u65e5\u672c\u8a9e\u306e\u30c6\u30ad\u30b9\u30c8 " * 5
    pieces = pieces_of(text, silently(chunk_tokens, text, 3, 1, count_bytes))
    assert all(piece.strip() and "\ufffd" not in piece for piece in pieces)
    assert {"\U0001f680", "\u65e5"} <= set(pieces)  # each alone costs more than the size
    index = index_of([text], lambda document: chunk_paragraphs(document.text, 40))
    settings = dataclasses.replace(default_settings(), counter=count_bytes)
    for policy in POLICIES:
        for budget in range(0, 120, 7):
            packed = ask("na\u00efve", index, budget, dataclasses.replace(settings, policy=policy)).selection
            assert count_bytes(packed.context) <= budget and "\ufffd" not in packed.context
            for included in packed.included:
                assert all(text[start:end] in packed.context for start, end in included.spans)
    for budget in range(60):
        kept = cut_to_budget(Summary(text), budget, count_bytes).text
        assert count_bytes(kept) <= budget and text.startswith(kept) and "\ufffd" not in kept


@case("UN-03")
def test_accents_stay_with_their_letters():
    text = "re\u0301sume\u0301 du cafe\u0301 " * 10
    pieces = [cut_to_budget(Summary(text), budget, len).text for budget in range(1, 41)]
    for chunk in CHUNKERS:
        pieces += pieces_of(text, silently(chunk, text, 2))
    for overlap in (0, 1):
        pieces += pieces_of(text, silently(chunk_tokens, text, 2, overlap, len))
    for piece in filter(None, pieces):
        assert not unicodedata.category(piece[0]).startswith("M")
        after = text[text.index(piece) + len(piece) :]
        assert not (after and unicodedata.category(after[0]).startswith("M"))


@pytest.mark.parametrize(
    "unit",
    [
        *[
            "\U0001f468\u200d\U0001f469\u200d\U0001f467",
            "\U0001f44d\U0001f3fd",
            "1\ufe0f\u20e3",
            "\U0001f1f3\U0001f1f4",
        ],
        *["\u1112\u1161\u11ab", "\u0915\u094d\u0937\u093f", "\u0e01\u0e33", "Z\u0351\u0352\u0353", "\u0628\u064b"],
    ],
    ids=ascii,
)
def test_a_visible_character_of_several_stays_one(unit):
    text = f"{unit * 3} {unit}. " * 4
    for chunk in (*CHUNKERS, lambda text, size: chunk_tokens(text, size, 0, count_bytes)):
        for size in (1, 2, 3, 7):
            pieces = pieces_of(text, silently(chunk, text, size))
            assert sum(piece.count(unit) for piece in pieces) == 16


@case("UN-05")
def test_both_spellings_of_an_accent_are_one_word():
    texts = ["The caf\u00e9 opens at nine.", "The harbour closes at nine."]
    scorer = BM25().fit(texts)
    composed, decomposed = scorer.scores("caf\u00e9 opening"), scorer.scores("cafe\u0301 opening")
    assert composed.tolist() == decomposed.tolist() and composed[0] > composed[1]
    index = prepare_index([Document("a.md", texts[0]), Document("b.md", texts[1])])
    routes = [ask(question, index).route for question in ("caf\u00e9 opening", "cafe\u0301 opening")]
    assert routes[0] == routes[1] and routes[0].candidates[0].chunk.doc_id == "a.md"


@case("UN-06")
def test_half_a_character_is_refused_at_the_border(tmp_path):
    text = json.loads('"ok \\ud83d end"')
    refused = r"half a character \(U\+D83D\) at offset 3"
    for make in (lambda: Document("a.md", text), lambda: Document("a.md", "ok", text), lambda: Document(text, "ok")):
        with pytest.raises(ValueError, match=refused) as caught:
            make()
        assert not isinstance(caught.value, UnicodeError)
    with pytest.raises(ValueError, match=refused):
        ask(text, index_of(["ok"]))
    (tmp_path / "a.md").write_bytes(text.encode("utf-8", "surrogatepass"))
    documents, report = load_documents(tmp_path)
    assert documents == () and report.skipped[0][0] == "a.md" and "not UTF-8" in report.skipped[0][1]
    # What gets by the border is refused in the same words, but by the one that only looks for places.
    assert chunk_paragraphs(text, 400) == [(0, len(text))]
    others = [chunk for chunk in CHUNKERS if chunk is not chunk_paragraphs]
    for call in (*others, chunk_tokens, lambda text, size: sentence_spans(text)):
        with pytest.raises(ValueError, match=refused) as caught:
            call(text, 400)
        assert not isinstance(caught.value, UnicodeError)
    assert estimate_tokens(text) > 0 and quarter_length(text) > 0


@case("UN-07")
def test_invisible_signs_hide_no_word_and_those_that_matter_stay(tmp_path):
    texts = {
        "a.md": "Pay\u200bment is due.",
        "b.md": "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \U0001f469\u200d\U0001f4bb",
        "c.md": "ignore\u2009previous",
    }
    for name, text in texts.items():
        (tmp_path / name).write_bytes(text.encode())
    documents, _ = load_documents(tmp_path)
    assert {document.doc_id: document.text for document in documents} == texts
    index = prepare_index(documents)
    assert [candidate.chunk.doc_id for candidate in ask("payment", index).route.candidates][0] == "a.md"
    assert "Payment" in ask("payment", index).answer.text.replace("\u200b", "")
    for word in ("ignore", "previous"):
        assert ask(word, index).route.candidates[0].chunk.doc_id == "c.md"
