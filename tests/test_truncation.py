"""Windows chosen by the question: worth most by brute force, within the budget, and any scorer and counter."""

import os
import random
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import hypothesis
import numpy as np
import pytest
from cutting import COUNTS, ODD, SEEING, assert_cut, assert_full, best_worth, counts, cut_by, markers, worth_of
from hypothesis import given
from hypothesis import strategies as st
from test_runs import Fixed
from texts import PROSE, count_words, texts

from rag_lessons.cuts import head
from rag_lessons.cutting import ENDS, Cutting
from rag_lessons.runs import counted_ends, relevance, units
from rag_lessons.sentences import sentence_spans
from rag_lessons.tokens import quarter_length
from rag_lessons.truncation import NO_MATCH, best_window, sliding_window, windows

ROOT = Path(__file__).resolve().parent.parent
WORDS = [
    *["pump", "seal", "gate", "tide", "rust", "Dr. Vale", "3.5 bar", "(see Fig. 2)", "is", "the", "at low pressure"],
    *["\u6f22\u5b57", "\u6e2f\u306e", "na\u00efve", "internationalization", "x", "e\u0301", "\U0001f6a2"],
]
STOPS = [". ", "? ", "! ", ".\n\n", "\u3002", ".\n- ", ". (", '." ', ".\r\n"]
SAME, SEARCH = 400, 10_000  # documents; `pytest --hypothesis-profile=search` takes the second
each_way = pytest.mark.parametrize("name", SEEING)


def random_document(choose):
    sentences = [
        " ".join(choose.choices(WORDS, k=choose.randint(1, 9))).capitalize() for _ in range(choose.randint(0, 14))
    ]
    return "".join(sentence + choose.choice(STOPS) for sentence in sentences)


def test_the_best_window_is_the_best_there_is():
    truncated = 0
    for seed in range(SAME if hypothesis.settings().max_examples < 1000 else SEARCH):
        choose = random.Random(seed)
        text, counter = random_document(choose), COUNTS[seed % len(COUNTS)]
        question = " ".join(choose.choices(WORDS, k=choose.randint(1, 3)))
        budget = choose.randint(1, max(2, int(1.2 * counter(text))))
        kept = best_window(text, question, budget, counter)
        assert_cut(text, kept, budget, counter)
        if kept.truncated:
            truncated += 1
            found, values, best = best_worth(text, question, budget, counter)
            assert best == 0 or worth_of(kept, found, values) == pytest.approx(best), seed
            assert best or not kept.text or "the head is kept" in kept.note
    assert truncated > 250


@each_way
@pytest.mark.parametrize("ends", ENDS)
@given(texts([*PROSE, *ODD], 14), st.lists(st.sampled_from(PROSE), max_size=3), st.integers(0, 60), counts, markers)
def test_the_promise(name, ends, text, asked, budget, counter, marker):
    kept = cut_by(name, text, " ".join(asked), budget, counter, ends=ends, marker=marker)
    assert_cut(text, kept, budget, counter, marker)
    fitting = all(counter(text[start:end]) <= budget for start, end in sentence_spans(text))
    if kept.spans and kept.truncated and not kept.note and name != "windows" and (fitting or ends != "sentence"):
        assert_full(text, kept, budget, counter, ends, marker)


def random_inputs(count):
    """Documents with a question that matches, a counter, and a budget that does not take all."""
    for seed in range(count):
        choose = random.Random(f"{seed}")
        text, counter, question = random_document(choose), COUNTS[seed % len(COUNTS)], choose.choice(WORDS[:5])
        spans = sentence_spans(text)
        if relevance(text, spans, question).any() and counter(text) > 4:
            yield text, question, choose.randint(2, counter(text) - 1), counter, choose.randint(1, 4)


def test_at_most_so_many_windows():
    found = set()
    for text, question, budget, counter, count in random_inputs(300):
        kept = windows(text, question, budget, counter, count=count)
        assert_cut(text, kept, budget, counter)
        assert len(kept.spans) <= count
        found.add((count, len(kept.spans)))
    assert found >= {(count, spans) for count in range(1, 5) for spans in range(1, min(count, 3) + 1)}


def test_the_sliding_window_holds_the_best_sentence():
    held = 0
    for text, question, budget, counter, _ in random_inputs(300):
        spans = sentence_spans(text)
        start, end = spans[relevance(text, spans, question).argmax()]
        kept = sliding_window(text, question, budget, counter)
        first, last = kept.spans[0] if kept.spans else (0, 0)
        if counter(text[start:end]) <= budget:
            held += 1
            assert len(kept.spans) == 1 and first <= start and end <= last
        elif kept.spans and not kept.note:
            assert start < last and first < end
    assert held > 50


def test_where_the_beginning_is_reached_the_marker_that_is_spared_makes_room():
    for text, question, budget, counter, _ in random_inputs(300):
        for name in ("sliding", "best"):
            kept = cut_by(name, text, question, budget, counter, ends="character", marker="[...]")
            if kept.spans and not kept.note:
                assert_full(text, kept, budget, counter, "character", "[...]")


@each_way
@given(texts(PROSE, 14), st.integers(1, 40), counts, markers)
def test_where_nothing_matches_the_head_is_kept_and_said(name, text, budget, counter, marker):
    kept = cut_by(name, text, "zebra", budget, counter, marker=marker)
    if kept.truncated and kept.spans:
        assert kept == head(text, budget, counter, marker=marker)._replace(note=NO_MATCH)


@each_way
def test_a_match_that_is_too_long_is_said_too(name):
    kept = cut_by(name, "Ab cd. " + "terns" * 9, "terns" * 9, 6, len)
    assert (kept.text, kept.note) == ("Ab cd.", "nothing that matches fits into a budget of 6; the head is kept")


@each_way
def test_a_sentence_over_the_budget_is_cut_to_the_words_that_match(name):
    text = " ".join(f"w{n}" for n in range(60)) + " red gate opens " + " ".join(f"v{n}" for n in range(60)) + "."
    kept = cut_by(name, text, "red gate", 12, count_words)
    assert "red gate opens" in kept.text and kept.tokens == 12


@each_way
@given(texts(PROSE, 12), st.lists(st.floats(-5, 5), min_size=1, max_size=6), st.integers(0, 30))
def test_any_scorer(name, text, values, budget):
    kept = cut_by(name, text, "tides", budget, count_words, scorer=Fixed(*values))
    assert_cut(text, kept, budget, count_words)
    if max(values) <= 0 and kept.truncated and kept.spans:
        assert kept.note == NO_MATCH


def test_a_constant_scorer_takes_the_most_sentences_and_negative_scores_are_none():
    text = "One tide here now. Two. Three. Four. Five tides are here."
    assert best_window(text, "?", 4, count_words, scorer=Fixed(1)).text == "Two. Three. Four."
    kept = best_window(text, "?", 4, count_words, scorer=Fixed(-1, -1, -1, -1, 0.1))
    assert kept.text == "Five tides are here."


@pytest.mark.parametrize("sizes", [(5, 9), (40, 40)], ids=["few", "many"])
def test_a_counter_that_rounds_is_counted_window_by_window(sizes, monkeypatch):
    asked = []
    monkeypatch.setattr("rag_lessons.truncation.counted_ends", lambda *a: asked.append(1) or counted_ends(*a))
    # In a document of few sentences out of some hundreds, rounded costs add up where not all windows do.
    for seed in [639, 791, 1052, 1162, *range(100)]:
        choose = random.Random(seed)
        size = choose.randint(*sizes)
        text = " ".join("X" + "x" * choose.randint(3, 9) + "." for _ in range(size))
        scorer = Fixed(*(choose.randint(0, 9) for _ in range(size)))
        budget = choose.randint(3, quarter_length(text) - 1)
        kept = best_window(text, "?", budget, quarter_length, scorer=scorer)
        spans = sentence_spans(text)
        values = relevance(text, spans, "?", scorer)
        most = max(values[i:j].sum() for i, j in enumerate(counted_ends(text, spans, budget, quarter_length)))
        assert kept.truncated and len(spans) == size and (most == 0 or worth_of(kept, spans, values) == most)
    assert len(asked) >= 100


@pytest.mark.parametrize(("count", "error"), [(0, ValueError), (-1, ValueError), (True, TypeError), (1.5, TypeError)])
def test_a_count_of_windows_is_1_or_more(count, error):
    for text in ("", "Gates rust."):
        with pytest.raises(error, match=f"count must be a whole number of windows, 1 or more; got {count}"):
            windows(text, "rust", 5, count=count)


def test_hash_seeds_make_no_difference():
    code = (
        "from rag_lessons.truncation import *\n"
        "text = ' '.join(f'Gate {n % 7} rusts at tide {n % 5}. Terns nest.' for n in range(40))\n"
        "for find in (best_window, sliding_window, windows):\n"
        "    print(find(text, 'Do terns nest at tide 3 by gate 2?', 60, marker='[...]'))\n"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            cwd=ROOT,
            capture_output=True,
            encoding="utf-8",
            check=True,
            timeout=120,
        ).stdout
        for seed in "123"
    }
    assert len(printed) == 1 and printed.pop().count("Truncation(") == 3


def test_a_window_at_an_end_pays_for_one_marker():
    text = "Tern. Boat. Gate of. Hatch sink tern tern."
    assert best_window(text, "tern nest hatch", 5, count_words, marker="[...]").text == "[...] Hatch sink tern tern."


@pytest.mark.parametrize("marker", ["[...]", "\u2026"])
def test_no_window_with_its_markers_is_worth_more(marker):
    choose = random.Random(11)
    for number in range(150):
        text, counter = random_document(choose), COUNTS[number % len(COUNTS)]
        question, budget = choose.choice(WORDS), choose.randint(1, 1 + counter(text))
        kept = best_window(text, question, budget, counter, marker=marker)
        if marker not in kept.text or not kept.truncated or kept.note:
            continue
        spans, values = units(text, question, budget, counter)
        it = Cutting(text, budget, counter, "sentence", marker)
        runs = [(i, j) for i in range(len(spans)) for j in range(i + 1, len(spans) + 1)]
        fit = [(i, j) for i, j in runs if it.cost([(spans[i][0], spans[j - 1][1])]) <= budget]
        assert worth_of(kept, spans, values) == pytest.approx(max(values[i:j].sum() for i, j in fit))


@pytest.mark.parametrize("scores", [[1.0], [[1.0]] * 6, [float("nan")] * 6, [float("inf")] * 6, []])
@pytest.mark.parametrize("way", [best_window, sliding_window, windows])
def test_a_scorer_that_returns_no_score_a_text_is_named(way, scores):
    class Odd:
        name = "odd"

        def fit(self, texts):
            return SimpleNamespace(scores=lambda question: np.array(scores))

    with pytest.raises(ValueError, match="scorer 'odd' must return one finite score a text"):
        way("A b. C d. E f. G h. I j. K l.", "a", 4, count_words, scorer=Odd())
