"""The exact counts of the extra `models`, and how far the offline estimate is from them."""

import re
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_lessons import data_folder, load_documents
from rag_lessons.tokenizers import VOCABULARIES, Tokenizer
from rag_lessons.tokens import estimate_tokens

HANDBOOK = {document.doc_id: document.text for document in load_documents(data_folder("handbook"))[0]}
EAST = ("guide_visiting_scholars_zh.md", "lobster_rearing_ja.md")
PROSE = sorted(HANDBOOK.keys() - {*EAST, "inventory_instruments.md", "notice_freezer.md"})  # a table; a few lines
MODULES = sorted(Path(sys.modules["rag_lessons"].__file__).parent.glob("*.py"))


@pytest.fixture(scope="module")
def o200k():
    pytest.importorskip("splintr")
    return Tokenizer("o200k_base")


@pytest.mark.parametrize(
    ("text", "o200k_base", "cl100k_base"),
    [
        ("", 0, 0),
        ("The pump fails at low pressure.", 7, 7),
        ("\u6f6e\u6c50", 3, 5),
        ("<|endoftext|>", 7, 7),
        ("a" * 4000, 500, 500),
    ],
)
def test_counts_are_those_of_the_vocabulary(text, o200k_base, cl100k_base):
    pytest.importorskip("splintr")
    assert [Tokenizer(name)(text) for name in VOCABULARIES] == [o200k_base, cl100k_base]


def test_it_counts_any_text_and_names_itself(o200k):
    assert o200k.__name__ == "o200k_base"
    assert o200k("<|im_start|>") > 1  # text, no special token
    assert o200k("a" * 200_000) == 25_000  # linear, also without spaces
    with pytest.raises(TypeError, match="text must be a string; got None"):
        o200k(None)
    with pytest.raises(ValueError, match="half a character"):
        o200k("\ud83d")


def test_an_unknown_vocabulary_names_those_there_are():
    with pytest.raises(ValueError, match="one of o200k_base, cl100k_base; got 'gpt-9'"):
        Tokenizer("gpt-9")


def test_without_the_extra_the_error_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "splintr", None)
    with pytest.raises(ImportError, match="pip install splintr-rs"):
        Tokenizer()


@pytest.mark.parametrize("name", PROSE)
def test_the_estimate_of_english_is_at_most_15_per_cent_off(o200k, name):
    assert estimate_tokens(HANDBOOK[name]) == pytest.approx(o200k(HANDBOOK[name]), rel=0.15)


def test_the_estimate_of_code_is_at_most_15_per_cent_off(o200k):
    for path in MODULES:
        code = path.read_text(encoding="utf-8")
        if len(code) > 1000:
            assert estimate_tokens(code) == pytest.approx(o200k(code), rel=0.15), path.name


@pytest.mark.parametrize("name", EAST)
def test_no_chinese_or_japanese_line_is_estimated_too_low(o200k, name):
    lines = re.split(r"\n|(?<=[\u3002\uff01\uff1f])", HANDBOOK[name])
    lines = [line for line in lines if len(re.sub(r"[\x00-\u2fff]", "", line)) > len(line) / 2]
    low = {line: (estimate_tokens(line), o200k(line)) for line in lines if estimate_tokens(line) < o200k(line)}
    assert len(lines) > 20 and not low
    assert estimate_tokens(HANDBOOK[name]) < 1.4 * o200k(HANDBOOK[name])


@pytest.mark.parametrize(
    "text",
    [
        "\u6614\u8005\u838a\u5468\u5922\u70ba\u80e1\u8776\uff0c\u6829\u6829\u7136\u80e1\u8776\u4e5f",  # old Chinese
        "\u9955\u992e\u3001\u9b51\u9b45\u9b4d\u9b4e\u3001\u8c94\u8c85\u3001\u72fb\u730a",  # rare characters
        "\uff76\uff80\uff76\uff85 \uff83\uff7d\uff84",  # half-width kana
        "\u1112\u1161\u11ab\u1100\u116e\u11a8\u110b\u1165",  # Korean, letter by letter
        "\uac02\uac03\uac05\uac06\uac07",  # syllables that no word has
        "\u76d0\u5ea6\u4e3a 35 \u65f6\uff0c\u6bcf 9 \u5929 1 \u6b21",  # digits between spaces
        "\U00020000\U0002a6d6",
    ],
)
def test_what_is_rare_in_east_asian_text_is_not_estimated_too_low(o200k, text):
    assert o200k(text) <= estimate_tokens(text) <= 3 * o200k(text)


@pytest.mark.parametrize("name", VOCABULARIES)
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_offsets_tile_the_text_and_agree_with_the_counts_of_its_beginnings(name, text):
    pytest.importorskip("splintr")
    tokenizer = Tokenizer(name)
    spans = tokenizer.offsets(text)
    assert len(spans) == tokenizer(text)
    edges = [0, *(end for _, end in spans)]
    assert [start for start, _ in spans] == edges[:-1] and edges[-1] == len(text) and edges == sorted(edges)
    raw = [tokenizer._encoder.decode_bytes([token]) for token in tokenizer.encode(text)]
    for n, (start, end) in enumerate(spans):  # what the first n + 1 tokens hold in whole characters
        assert text[:end] == b"".join(raw[: n + 1]).decode("utf-8", "ignore") or start == end
