"""Cases of counting tokens: offline, linear, special tokens as text, unspaced scripts never too low.

`test_estimate_is_linear` and `test_estimate_of_any_text_is_a_count` in tests/test_tokens.py and all of
tests/test_no_network.py state the same rules. Added here: a floor for every script without spaces.
"""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ids import case
from test_no_network import BLOCK, CLI, run
from texts import index_of, pieces_of

from rag_lessons import Document, ask, default_settings, prepare_index
from rag_lessons.budgeting import POLICIES
from rag_lessons.chunking import chunk_paragraphs, chunk_sentences
from rag_lessons.markdown import chunk_markdown
from rag_lessons.summarizing import Summary, cut_to_budget
from rag_lessons.tokens import estimate_tokens
from rag_lessons.windows import chunk_tokens

# Scripts without spaces, or whose letters GPT tokenizers cut into bytes: a character costs one to three tokens.
DENSE = {
    "Han": "\u6f22\u5b57\u6587\u7ae0",
    "rare Han": "\U00020000\U0002a6d6\U00030000\u3400",
    "kana": "\u3053\u3093\u306b\u30c6\u30ad\u30b9",
    "half-width kana": "\uff76\uff80\uff85",
    "Hangul": "\uc548\ub155\ud558",
    "Thai": "\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35",
    "Lao": "\u0e9e\u0eb2\u0eaa\u0eb2",
    "Khmer": "\u1797\u17b6\u179f\u17b6",
    "Burmese": "\u1019\u103c\u1014\u103a\u1019\u102c",
    "Tibetan": "\u0f56\u0f7c\u0f51",
    "Amharic": "\u1230\u120b\u121d",
    "Tamil": "\u0ba4\u0bae\u0bbf\u0bb4",
    "full-width digits": "\uff11\uff12",
    "emoji": "\U0001f680\U0001f6a2",
}


@pytest.mark.parametrize("script", DENSE)
@given(data=st.data())
def test_dense_scripts_cost_a_token_a_character(script, data):
    text = data.draw(st.text(DENSE[script], max_size=60))
    assert estimate_tokens(text) >= len(text)
    assert estimate_tokens(f"word {text} word") >= len(text)


@given(st.text("acgt", min_size=40, max_size=400) | st.text("XKQZWV", min_size=40, max_size=400))
def test_long_runs_of_letters_cost_more_than_words(text):
    assert estimate_tokens(text) >= len(text) / 5


@case("TK-01")
def test_the_special_tokens_of_models_are_plain_text():
    text = "The marker <|endoftext|> ends a sample; <|im_start|> opens a turn."
    assert estimate_tokens(text) > estimate_tokens("The marker ends a sample; opens a turn.") > 0
    for chunk in (chunk_paragraphs, chunk_sentences, chunk_markdown, chunk_tokens):
        assert pieces_of(text, chunk(text, 420)) == [text]
    index = index_of([text])
    for policy in POLICIES:
        trace = ask("Which marker ends a sample?", index, 60, dataclasses.replace(default_settings(), policy=policy))
        assert text in trace.selection.context and text in trace.prompt
    assert cut_to_budget(Summary(text), 60).text == text
    assert "<|endoftext|>" in cut_to_budget(Summary(text), estimate_tokens(text) - 1).text


def test_rare_characters_cost_more_than_common_ones():
    assert estimate_tokens("\U00020000\U0002a6d6" * 10) >= 40 > estimate_tokens("\u6f22\u5b57" * 10)
    assert estimate_tokens("\U0001f680" * 10) >= 20


@case("TK-03")
def test_a_hundred_han_characters_cost_a_hundred_tokens():
    assert estimate_tokens("\u6f22\u5b57\u6587\u7ae0" * 25) >= 60


@case("TK-05")
def test_importing_counting_and_the_command_line_need_no_network(tmp_path):
    home = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path), "TIKTOKEN_CACHE_DIR": str(tmp_path)}
    count = BLOCK + "import rag_lessons.tokens as t; print(t.estimate_tokens('The pump fails at low pressure.'))"
    assert run(count, **home).split() == [b"7"]
    assert b"--budget" in run(CLI, "--help", **home)
    assert b"estimate_tokens" in run(CLI, "--question", "Why can RAG fail?", "--json", **home)
    assert list(tmp_path.iterdir()) == []


@case("TK-06")
def test_text_without_spaces_is_cut_and_counted():
    text = "\u6771\u4eac\u306e\u4f1a\u8b70\u306f\u660e\u65e5\u3067\u3059\u3002" * 40
    for cut in (cut_to_budget(Summary(text), 10).text, *pieces_of(text, chunk_tokens(text, 10))):
        assert 0 < len(cut) < len(text) / 10 and estimate_tokens(cut) <= 10
    index = prepare_index([Document("a.md", text)])
    for policy in POLICIES:
        settings = dataclasses.replace(default_settings(), policy=policy)
        context = ask("\u6771\u4eac\u306e\u4f1a\u8b70", index, 10, settings).selection.context
        assert len(context) < len(text) / 10 and estimate_tokens(context) <= 10
