"""Cases of sentences: where one ends and where it only seems to, nothing lost, no quadratic time.

`test_every_visible_character_once_and_in_order` and `test_no_more_than_a_window_is_read_at_once` in
tests/test_sentences.py state the rules; tests/cases/test_unicode.py holds them for any Unicode text.
Added here: time over any run of marks.
"""

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from ids import case
from texts import assert_spans, pieces_of

from rag_lessons.sentences import sentence_spans


def assert_sentences(expected, joiner=" "):
    text = joiner.join(expected)
    spans = sentence_spans(text)
    assert pieces_of(text, spans) == list(expected)
    assert_spans(text, spans)


def seconds(text):
    start = time.process_time()
    spans = sentence_spans(text)
    taken = time.process_time() - start
    assert "".join("".join(pieces_of(text, spans)).split()) == "".join(text.split())
    return taken


@case("SE-01")
def test_latin_abbreviations_end_no_sentence():
    assert_sentences(["Use a reducer, e.g. a summary, i.e. fewer tokens.", "Kim et al. agree."])


@case("SE-03")
def test_stops_inside_addresses_versions_and_numbers_end_no_sentence():
    assert_sentences([
        "Install v2.10.3 from https://example.org/a.b?c=1.5 first.",
        "Then read setup.cfg and wait 3.5 s.",
    ])


@case("SE-04")
def test_full_width_stops_end_a_sentence_without_a_space():
    expected = ["\u732b\u306f\u5bdd\u305f\u3002", "\u72ac\u306f\u8d70\u3063\u305f\uff01", "\u9ce5\u306f\uff1f"]
    assert_sentences(expected, joiner="")


@case("SE-05")
def test_dots_that_trail_off_end_no_sentence():
    assert_sentences(["Wait... for... it.", "Done."])


@case("SE-07")
def test_a_line_end_inside_a_sentence_ends_nothing():
    assert_sentences(["The parser reads\nthe whole line\nbefore it stops.", "It then\nends."])


@case("SE-09")
@pytest.mark.parametrize(
    "text",
    [" " * 80_000 + "end", "e" * 100_000, "a." * 50_000, '"' * 20 + "A" * 100_000],
    ids=["space", "e", "a.", '"'],
)
def test_long_runs_take_no_long_time(text):
    assert seconds(text) < 2


@case("SE-11")
def test_a_closing_quotation_mark_belongs_to_its_sentence():
    assert_sentences(['She said "Stop."', "Then she left."])


@pytest.mark.parametrize(
    "expected",
    [
        ["See approx. 3 kg of it in vol. 2, Eq. 5.", "Then stop."],
        ["Add 2 tbsp. of oil to Ch. 4 (max. 5 kg), 2nd ed. of 1990.", "Stir."],
        ["Cf. Fig. 3, pp. 3-5 and No. 7.", "Dr. Moe, J. R. Ray and the U.S. Army agree."],
        ["Open ../etc/app.conf and ./run.sh first.", "Then restart."],
        ["Use .NET, .gitignore and obj.method().", "It is at v1.0.0-rc.1."],
        ["It costs $3.50 at www.example.org.", "Mail a.b@example.org now."],
        ["Well\u2026 it works.", "What...?", "Yes."],
        ["(It failed.)", "Then it worked."],
        ["[See the note.]", "(He cried \u201cGo!\u201d)", "Nobody went (see Fig. 3.) and it rained."],
        ["She said \u201cStop.\u201d", "\u201cGo!\u201d he said.", "It said 'no.'", "We left."],
        ["The value, e.g.\nthe sum, is 3.", "Dr.\nVale held\n3.5\nbar."],
    ],
)
def test_others_of_the_same_kinds(expected):
    assert_sentences(expected)


def test_other_stops_without_a_space():
    assert_sentences(
        ["\u771f\u7684\u5417\uff1f\uff01", "\u662f\u7684\u3002", "\u597d\uff61", "\u6587\uff0e"], joiner=""
    )
    assert_sentences(["\u4ed6\u8bf4\uff1a\u201c\u597d\u3002\u201d", "\u8d70\u4e86\u3002"], joiner="")


@settings(max_examples=20)
@example("`")
@example('"`"')
@given(st.text("aZ .!?\"'()[]*_`#|-\n\u3002\u2026\u201c\u0301\u00a0\u200d\U0001f1f3", min_size=1, max_size=4))
def test_any_run_of_marks_takes_time_in_proportion(unit):
    assert seconds(unit * (150_000 // len(unit))) < 2
