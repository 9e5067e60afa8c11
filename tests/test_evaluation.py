"""Where evidence is lost: the verdict, its shares, and evidence that cannot be found."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_lessons import PRESETS, Document, ask, data_folder, load_documents, prepare_index
from rag_lessons.evaluation import (
    VERDICTS,
    Question,
    chunks_with,
    evidence_found,
    find_evidence,
    find_ranks,
    judge,
    load_questions,
    lost_at,
    mean_reciprocal_rank,
)
from rag_lessons.index import default_recipe
from rag_lessons.routing import Candidate, HardRoute, SoftRoute
from rag_lessons.scoring import BM25, rank

TEXT = "Terns nest on the lock.\n\nA motor lifts the gate.\n\nKelp is cut in May."
SETTINGS = replace(
    PRESETS["default"](), recipe=default_recipe(target=25), policy="first-fit", route=SoftRoute(neighbours=0)
)
INDEX = prepare_index([Document("a.txt", TEXT), Document("b.txt", "Kelp floats.")], SETTINGS)
TERNS_PIECE = ("a.txt", "Terns nest")
TERNS, MOTOR, KELP = find_evidence(INDEX, [TERNS_PIECE, ("a.txt", "motor lifts"), ("a.txt", "cut in May")])


def verdict(question, budget, evidence):
    return judge(ask(question, INDEX, budget, SETTINGS), INDEX, evidence)


def test_three_verdicts():
    assert verdict("terns", 100, [TERNS]) == (verdict("terns nest", 100, [TERNS]))
    assert verdict("terns", 100, [TERNS]).text == VERDICTS[0]
    assert verdict("terns", 3, [TERNS]).text == VERDICTS[1]
    assert verdict("kelp", 100, [TERNS]).text == VERDICTS[2]


def test_shares_are_of_visible_characters():
    both = verdict("terns", 100, [TERNS, MOTOR])
    assert (both.reached, both.found) == (9 / 19, 9 / 19) and both.text == VERDICTS[2]
    dropped = verdict("terns motor", 14, [TERNS, MOTOR])
    assert dropped.found == 1.0 and dropped.reached in (9 / 19, 10 / 19) and dropped.text == VERDICTS[1]


def test_evidence_that_two_chunks_share_is_put_together():
    text = "One two three four. Five six seven eight."
    index = prepare_index([Document("a.txt", text)], replace(SETTINGS, recipe=default_recipe(target=20)))
    place = find_evidence(index, [("a.txt", "three four. Five six")])
    assert len(index.chunks) > 1
    assert judge(ask("four five seven three", index, 200, SETTINGS), index, place).reached == 1.0


def test_no_evidence_is_no_loss():
    assert verdict("terns", 0, []).text == "no evidence to look for"
    assert (verdict("terns", 0, []).reached, verdict("terns", 0, []).found) == (1.0, 1.0)


@given(st.sampled_from(["terns", "kelp motor", "gate", "zebra"]), st.integers(0, 60))
def test_no_more_reaches_than_is_found(question, budget):
    found = verdict(question, budget, [TERNS, MOTOR, KELP])
    assert 0 <= found.reached <= found.found <= 1
    assert (found.text == VERDICTS[0]) == (found.reached == 1) and (found.text == VERDICTS[2]) == (found.found < 1)


def test_evidence_is_found_in_an_index_with_other_ids():
    settings = PRESETS["article"]()
    index = prepare_index([Document("x.md", "Some text.", "folder/x.md")], settings)
    assert find_evidence(index, [("x.md", "text")]) == [("doc-001-x", (5, 9))]


def test_evidence_that_is_nowhere_is_named():
    with pytest.raises(ValueError, match="the evidence 'Whales' is not in 'a.txt'; copy the words exactly"):
        find_evidence(INDEX, [("a.txt", "Whales")])
    with pytest.raises(ValueError, match="the evidence 'Terns' is not in 'b.txt'"):
        find_evidence(INDEX, [("b.txt", "Terns")])


def test_a_document_that_is_not_there_is_told_apart_from_words_that_are_not():
    with pytest.raises(ValueError, match=r"no document 'c.txt' in the index; name one of \['a.txt', 'b.txt'\]"):
        find_evidence(INDEX, [("c.txt", "Terns")])
    many = prepare_index([Document(f"{n}.txt", "Gates rust.") for n in range(9)])
    with pytest.raises(ValueError) as error:
        find_evidence(many, [("x.txt", "rust")])
    assert str(error.value).count(".txt") == 6, "some of the known ids are named, and not all"


@pytest.mark.parametrize("piece", ["a.txt", ("a.txt",), ("a.txt", 0, 5), ("a.txt", None), ("a.txt", (0, 5)), None])
def test_evidence_that_is_no_pair_is_shown(piece):
    with pytest.raises(TypeError) as error:
        find_evidence(INDEX, [TERNS_PIECE, piece])
    message = f"evidence must be a list of (document id, exact text) pairs; got {piece!r} in it"
    assert str(error.value) == message


def test_a_pair_without_a_list_round_it_is_no_evidence():
    with pytest.raises(TypeError, match="evidence must be a list of .* pairs; got 'a.txt' in it"):
        find_evidence(INDEX, TERNS_PIECE)


def test_lists_from_a_json_file_are_evidence_too():
    assert find_evidence(INDEX, [list(TERNS_PIECE)]) == [TERNS]


def test_the_first_document_that_holds_the_words_is_taken_where_two_are_known_by_a_name():
    index = prepare_index([Document("1", "Kelp.", "x/a.md"), Document("2", "A tern.", "y/a.md")])
    assert find_evidence(index, [("a.md", "tern")]) == [("2", (2, 6))]


def test_all_questions_have_their_evidence_in_the_handbook():
    questions = load_questions()
    index = prepare_index(load_documents(data_folder("handbook"))[0])
    assert len({question.id for question in questions}) == len(questions)
    for question in questions:
        assert isinstance(question, Question)
        for doc_id, (start, end) in find_evidence(index, question.evidence):
            assert (doc_id, index.documents[doc_id].text[start:end]) in question.evidence
        assert bool(question.evidence) == (question.kind != "unanswerable")


def test_evidence_among_candidates_is_counted_as_the_verdict_counts_it():
    trace = ask("terns motor", INDEX, 100, SETTINGS)
    for places in ([TERNS], [TERNS, MOTOR], [TERNS, MOTOR, KELP], [KELP]):
        assert evidence_found(trace.route.candidates, INDEX, places) == judge(trace, INDEX, places).found
    assert evidence_found([], INDEX, [TERNS]) == 0.0 and evidence_found([], INDEX, []) == 1.0
    assert evidence_found([Candidate(INDEX.chunks[0], 1.0)], INDEX, [TERNS, MOTOR]) == 9 / 19


def test_the_level_of_loss_is_the_first_one():
    route = HardRoute(k_documents=1, k_chunks=1, neighbours=False)
    assert lost_at(route("terns", INDEX), INDEX, [TERNS]) is None
    assert lost_at(route("terns", INDEX), INDEX, [TERNS, MOTOR]) == "chunk"
    floats = find_evidence(INDEX, [("b.txt", "floats")])
    assert lost_at(route("terns", INDEX), INDEX, [MOTOR, *floats]) == "document"
    assert lost_at(route("zebra", INDEX), INDEX, [TERNS]) == "document"
    assert lost_at(route("zebra", INDEX), INDEX, []) is None


@given(st.lists(st.lists(st.sampled_from(["tern", "gate", "kelp", "eel"]), max_size=5), max_size=6), st.data())
def test_ranks_are_those_of_the_sorted_list(words, data):
    texts = [" ".join(found) for found in words]
    wanted = data.draw(st.lists(st.sampled_from(range(len(texts))), max_size=3)) if texts else []
    order = rank(BM25().fit(texts).scores("tern gate"))
    expected = min((order.index(i) + 1 for i in wanted if i in order), default=0)
    assert find_ranks(texts, [("tern gate", wanted)]) == [expected]


def test_mean_reciprocal_rank():
    assert mean_reciprocal_rank([1, 1]) == 1.0 and mean_reciprocal_rank([0, 0]) == 0.0 == mean_reciprocal_rank([])
    assert mean_reciprocal_rank([4, 0]) == 0.125


def test_a_chunk_holds_evidence_whole_or_not_at_all():
    assert chunks_with(INDEX, [TERNS, KELP]) == [0, 2]
    assert chunks_with(INDEX, [("a.txt", (0, len(TEXT)))]) == [] == chunks_with(INDEX, [])
    assert chunks_with(INDEX, [("b.txt", MOTOR[1])]) == []
