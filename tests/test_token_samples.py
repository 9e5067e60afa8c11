"""The stored token counts are those of the real tokenizer, and the estimate is as near to them as the lesson says."""

import pytest

from rag_lessons.corpora import load_token_samples
from rag_lessons.tokenizers import VOCABULARIES, Tokenizer
from rag_lessons.tokens import estimate_tokens


def test_the_samples_are_twelve_kinds_of_some_hundred_characters():
    samples = load_token_samples()
    assert len({sample.kind for sample in samples}) == len(samples) == 12
    assert all(300 <= len(sample.text) <= 800 for sample in samples)


@pytest.mark.parametrize("name", VOCABULARIES)
def test_the_stored_counts_are_those_of_the_tokenizer(name):
    pytest.importorskip("splintr")
    count = Tokenizer(name)
    assert [getattr(sample, name) for sample in load_token_samples()] == [count(s.text) for s in load_token_samples()]


def test_the_estimate_of_english_and_code_is_near_and_of_east_asian_text_above():
    errors = {sample.kind: estimate_tokens(sample.text) / sample.o200k_base - 1 for sample in load_token_samples()}
    assert abs(errors["English prose"]) < 0.15 and abs(errors["Python code"]) < 0.15
    assert 0.2 < errors["Chinese"] < 0.4 and 0.2 < errors["Japanese"] < 0.4
