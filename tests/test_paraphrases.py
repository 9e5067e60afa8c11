"""The small sets of questions are what their loaders say: asked in other words, with a phrase, without an answer."""

import re
from collections import Counter

import numpy as np
import pytest

from rag_lessons.corpora import data_folder, load_paraphrases, load_phrases, load_unanswerable
from rag_lessons.evaluation import find_ranks, load_questions
from rag_lessons.terms import terms

PARAPHRASES, PHRASES, UNANSWERABLE = load_paraphrases(), load_phrases(), load_unanswerable()
PASSAGES = [text for item in PARAPHRASES for text in (item.passage, *item.distractors)]
QUESTIONS = {question.id: question for question in load_questions()}
HANDBOOK = {term for path in data_folder("handbook").iterdir() for term in terms(path.read_text(encoding="utf-8"))}
WITHOUT_A_PHRASE = set("am are can did do does had has have is may must should was were will would why".split())


def shares(question, text):
    return set(terms(question)) & set(terms(text))


def wants_a_phrase(question):
    last = re.split(r"(?<=[.?!]) ", question.text)[-1]
    return last.isascii() and last.split()[0].casefold() not in WITHOUT_A_PHRASE


# Asked in other words


def test_there_are_forty_paraphrases_and_no_text_stands_twice():
    assert len(PARAPHRASES) == 40 and len(set(PASSAGES)) == len(PASSAGES) == 120
    assert [item.id for item in PARAPHRASES] == [f"p{n:02d}" for n in range(1, 41)]
    assert len({item.question for item in PARAPHRASES}) == 40


@pytest.mark.parametrize("item", PARAPHRASES, ids=lambda item: item.id)
def test_the_answer_shares_a_term_at_most_and_each_distractor_two_at_least(item):
    assert len(shares(item.question, item.passage)) <= 1
    assert min(len(shares(item.question, text)) for text in item.distractors) >= 2


def test_a_search_by_words_finds_hardly_an_answer():
    ranks = np.array(find_ranks(PASSAGES, [(item.question, [3 * i]) for i, item in enumerate(PARAPHRASES)]))
    assert ((1 <= ranks) & (ranks <= 3)).sum() <= 2


# With a phrase


def test_the_phrases_are_for_the_questions_that_the_rule_names():
    drawn, seen, count = [], set(), Counter()
    for question in QUESTIONS.values():
        if question.kind not in {"head", "middle", "tail"} or len(question.evidence) != 1:
            continue
        place = (question.evidence[0][0], question.kind)
        if wants_a_phrase(question) and place not in seen and count[question.kind] < 10:
            drawn.append(question.id)
            seen.add(place)
            count[question.kind] += 1
    assert list(PHRASES) == drawn and len(drawn) == 30


@pytest.mark.parametrize("name", PHRASES)
def test_the_phrase_is_in_the_evidence_and_in_the_answer_but_not_in_the_question(name):
    question, phrase = QUESTIONS[name], PHRASES[name]
    whole = re.compile(rf"(?<!\w){re.escape(phrase)}(?!\w)", re.IGNORECASE)
    assert phrase in question.evidence[0][1] and 1 <= len(phrase.split()) <= 5
    assert whole.search(question.evidence[0][1]) and whole.search(question.answer)
    assert not whole.search(question.text)


# Without an answer


def test_there_are_twenty_unanswerable_questions_of_each_kind_and_all_are_new():
    assert Counter(item.kind for item in UNANSWERABLE) == {"off": 20, "missing": 20}
    assert [item.id for item in UNANSWERABLE] == [f"u{n:02d}" for n in range(1, 41)]
    asked = [item.question for item in (*UNANSWERABLE, *PARAPHRASES)] + [q.text for q in QUESTIONS.values()]
    assert [text for text, times in Counter(asked).items() if times > 1] == []


@pytest.mark.parametrize("item", UNANSWERABLE, ids=lambda item: item.id)
def test_each_asks_for_something_that_the_handbook_never_names(item):
    assert set(terms(item.question)) - HANDBOOK
    assert item.kind == "off" or "station" in terms(item.question) or "Hall" in item.question
