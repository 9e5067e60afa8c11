"""Windows whose right answer can be told by looking, and what choosing them may cost."""

from types import SimpleNamespace

import pytest
from test_truncation_reference import WORTH
from texts import count_words

from rag_lessons.tokens import estimate_tokens
from rag_lessons.truncation import best_window, head, middle, sliding_window, windows

WAYS = [best_window, sliding_window, windows]
each_way = pytest.mark.parametrize("way", WAYS)


@pytest.mark.parametrize(
    ("text", "budget", "count", "kept"),
    [
        # A sentence beside a window makes no new one, on either side.
        ("W1. W8. W9. W1. W1. W7.", 3, 2, "W8. W9.\nW7."),
        ("W1. W9. W8. W1. W1. W7.", 3, 2, "W9. W8.\nW7."),
        ("W1. W1. W8. W9. W1. W1. W7.", 3, 2, "W8. W9.\nW7."),
        # One between two windows makes them one, so that there may be another.
        ("W9. W7. W8. W1. W1. W6. W1. W1. W5. W1.", 5, 3, "W9. W7. W8.\nW6.\nW5."),
        ("W9. W7. W8. W1. W1. W6. W1. W1. W5. W1. W1. W4.", 6, 3, "W9. W7. W8. W1.\nW6.\nW5."),
        ("W9. W1. W8. W1. W1. W7.", 3, 2, "W9. W1. W8."),
        ("W9. W1. W8. W1. W1. W7.", 3, 3, "W9.\nW8.\nW7."),
        # What is worth little may be a window, what is worth nothing not.
        ("W9. W0. W0. W1.", 2, 2, "W9.\nW1."),
        ("W9. W0. W0. W0.", 2, 4, "W9. W0."),
        # Of equals, the first, beside a window, too.
        ("W5. W1. W5. W1. W5.", 1, 2, "W5."),
        ("W1. W5. W1.", 2, 1, "W1. W5."),
        # One over the budget is no whole sentence, and its words are worth their share.
        ("W1 W9 W1. W3.", 2, 2, "W9\nW3."),
        # The best one beside a window has no room: the next best.
        ("W5. W20. W8 W0 W0. W0 W0 W0. W19. W3.", 3, 2, "W5. W20.\nW19."),
        ("W3. W20. W8 W0 W0. W0 W0 W0. W19. W5.", 3, 2, "W20.\nW19. W5."),
    ],
)
def test_windows(text, budget, count, kept):
    assert windows(text, "?", budget, count_words, count=count, scorer=WORTH).text == kept


def test_there_are_two_windows_where_nothing_is_said():
    assert windows("W9. W0. W0. W8. W0. W0. W7.", "?", 3, count_words, scorer=WORTH).text == "W9. W0.\nW8."


@pytest.mark.parametrize(
    ("text", "budget", "marker", "best", "sliding"),
    [
        ("W6. W1. W1. W5. W4.", 2, "", "W5. W4.", "W6. W1."),
        ("W6. W1. W1. W5. W4.", 3, "[...]", "[...] W5. W4.", "W6. W1. [...]"),
        # A window at an end pays for one marker, in the middle for two.
        ("W1. W1. W3. W4. W5. W1. W1.", 4, "[...]", "[...] W4. W5. [...]", "[...] W4. W5. [...]"),
        ("W1. W3. W4. W5. W1.", 4, "[...]", "[...] W4. W5. W1.", "[...] W4. W5. W1."),
        ("W1. W7. W4. W8. W1. W1.", 3, "[...]", "W1. W7. [...]", "[...] W8. [...]"),
        ("W1. W8. W4. W7. W1.", 3, "[...]", "W1. W8. [...]", "W1. W8. [...]"),
        # The best of one sentence that is over the budget are its words.
        ("W1. W1 W9 W8 W1 W1. W2.", 2, "", "W9 W8", "W9 W8"),
        ("W8. W1 W5 W1 W1. W2.", 2, "", "W8. W1", "W8."),
        # Equal runs: the best sentence in the middle.
        ("W0. W0. W9. W0. W0.", 3, "", "W0. W9. W0.", "W0. W9. W0."),
    ],
)
def test_one_window(text, budget, marker, best, sliding):
    found = [
        way(text, "?", budget, count_words, scorer=WORTH, marker=marker).text for way in (best_window, sliding_window)
    ]
    assert found == [best, sliding]


@each_way
@pytest.mark.parametrize(
    ("budget", "ends", "kept"),
    [
        (7, "sentence", "W9."),
        (7, "word", "W9."),
        (7, "character", "W9. W12"),
        (6, "character", "W9. W1"),
        (8, "sentence", "W9. W12."),
        (10, "word", "W9. W12."),
        (10, "character", ". W9. W12."),
    ],
)
def test_a_finer_end_goes_on_behind_the_window_and_then_before_it(way, budget, ends, kept):
    def first(texts):
        return SimpleNamespace(scores=lambda question: [float(text.startswith("W9")) for text in texts])

    scorer = SimpleNamespace(name="nine", fit=first)
    assert way("W1 W11. W9. W12.", "?", budget, len, scorer=scorer, ends=ends).text == kept


@each_way
def test_text_question_budget_and_counter_have_names_and_the_rest_have_nothing_else(way):
    assert way(text="W1. W2.", question="?", budget=1, counter=count_words, scorer=WORTH).text == "W2."
    with pytest.raises(TypeError, match="positional"):
        way("W1. W2.", "?", 1, count_words, WORTH)


class Reading:
    """Counts words, and how many texts and characters it is given."""

    def __init__(self):
        self.texts, self.characters = 0, 0

    def __call__(self, text):
        self.texts += 1
        self.characters += len(text)
        return count_words(text)


@pytest.mark.parametrize("sentences", [24, 25, 200])
@pytest.mark.parametrize("way", [best_window, sliding_window])
def test_where_costs_add_up_no_window_is_counted(way, sentences):
    text = " ".join(f"W{1 + n % 7} W1 W1 W1." for n in range(sentences))
    for budget in (2 * sentences, 2 * sentences + 1):
        reading = Reading()
        assert way(text, "?", budget, reading, scorer=WORTH).tokens == 2 * sentences // 4 * 4
        assert reading.characters < 12 * len(text)


def test_a_sliding_window_counts_nothing_that_is_far_from_its_best_sentence():
    text = " ".join(f"W{9 if n == 200 else 1} W1 W1 W1." for n in range(400))
    reading = Reading()
    kept = sliding_window(text, "?", 13, reading, scorer=WORTH)
    assert kept.tokens == 12 and "W9" in kept.text and reading.texts < 20


def test_white_space_at_the_end_costs_no_text():
    assert middle("A.   \n  ", 4, len).text == head("A.   \n  ", 4, len).text == "A."
    assert middle("\nThe.   \n  ", 3, estimate_tokens, ends="character").text.strip() == "The."
