"""`windows` and `sliding_window` against their rules written plainly, on sentences of one length and given worth."""

from types import SimpleNamespace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from texts import count_words

from rag_lessons.truncation import sliding_window, windows


def worth(texts):
    """A scorer's result: the digit behind a sentence's W, 0 for a piece of one without."""
    return SimpleNamespace(scores=lambda question: [int(text[1]) if text[:1] == "W" else 0 for text in texts])


WORTH = SimpleNamespace(name="worth", fit=worth)
VALUES = st.lists(st.integers(0, 9), min_size=2, max_size=12)


def text_of(values, words=4):
    """A sentence a value: its first word tells it, and each has the same number of words."""
    return " ".join(f"W{value}" + " seas" * (words - 1) + "." for value in values)


def places(kept, words=4):
    """Which sentences were kept, all of them whole."""
    size = len(text_of([1], words)) + 1
    assert all(start % size == 0 and (end + 1) % size == 0 for start, end in kept.spans)
    return [i for start, end in kept.spans for i in range(start // size, (end + 1) // size)]


def plain_windows(values, room, count):
    """The best sentences that make at most `count` windows, then always the best one beside a window."""
    taken, order = set(), []

    def groups(chosen):
        return sum(i - 1 not in chosen for i in chosen)

    for i in sorted(range(len(values)), key=lambda i: -values[i]):
        if values[i] <= 0 or groups(taken) == count:
            break
        taken.add(i)
        order.append(i)
    beside = []  # (worth, when it came next to a window, place): the best, then the latest
    for when, i in enumerate(order, start=1):
        beside += [(-values[j], when, j) for j in (i + 1, i - 1) if 0 <= j < len(values)]
    while beside and len(order) < room + 4:
        found = min(beside)
        beside.remove(found)
        if found[2] not in taken:
            taken.add(found[2])
            order.append(found[2])
            beside += [(-values[j], len(order), j) for j in (found[2] + 1, found[2] - 1) if 0 <= j < len(values)]
    return sorted(order[:room])


@given(values=VALUES, room=st.integers(1, 12), count=st.integers(1, 3))
@example([5, 0, 0, 5, 0, 0, 5], 3, 3)
@example([0, 3, 0, 9, 1, 0], 3, 1)
@example([0, 9, 8, 7, 0], 2, 2)
def test_windows_grow_to_the_better_side(values, room, count):
    if not any(values) or room >= len(values):
        return
    kept = windows(text_of(values), "?", 4 * room, count_words, count=count, scorer=WORTH)
    assert places(kept) == plain_windows(values, room, count)


@given(values=VALUES, room=st.integers(1, 12))
@example([0, 3, 0, 9, 1, 0], 3)
def test_a_sliding_window_holds_the_best_sentence_and_the_best_run_round_it(values, room):
    if not any(values) or room >= len(values):
        return
    kept = places(sliding_window(text_of(values), "?", 4 * room, count_words, scorer=WORTH))
    best = values.index(max(values))
    runs = [range(start, start + room) for start in range(len(values) - room + 1) if start <= best < start + room]
    assert best in kept and len(kept) == room and kept == list(range(kept[0], kept[0] + room))
    assert sum(values[i] for i in kept) == max(sum(values[i] for i in run) for run in runs)


@given(values=VALUES, budget=st.integers(1, 40), count=st.integers(1, 3), marker=st.sampled_from(["", "[...]"]))
@example([0, 0, 9, 0, 0], 6, 1, "[...]")
@example([9, 0, 0, 0, 8], 11, 2, "")
def test_where_a_cut_may_fall_at_words_no_further_word_fits(values, budget, count, marker):
    if not any(values):
        return
    text = text_of(values)
    for kept in (
        windows(text, "?", budget, count_words, count=count, scorer=WORTH, ends="word", marker=marker),
        sliding_window(text, "?", budget, count_words, scorer=WORTH, ends="word", marker=marker),
    ):
        assert kept.tokens <= budget
        inside = sum(count_words(text[start:end]) for start, end in kept.spans)
        gaps = len(kept.spans) + 1 - (kept.spans[0][0] == 0) - (kept.spans[-1][1] == len(text))
        written = bool(marker) and kept.text.count(marker) > 0
        if kept.truncated:  # else another word would fit beside what is written
            assert inside + gaps * written == kept.tokens and (kept.tokens == budget or written and budget < 4)


FIRST, LAST = "W0 alpha beta gamma.", "W0 phi chi psi."
BETWEEN = "W9 delta epsilon zeta. W0 eta theta iota. W0 kappa lambda omega. W8 sigma tau rho."


@pytest.mark.parametrize(
    ("text", "budget", "marker", "kept"),
    [
        # what is left after whole sentences goes to words: behind the last window first
        (f"{FIRST} {BETWEEN} {LAST}", 10, "", "W9 delta epsilon zeta.\nW8 sigma tau rho. W0 phi"),
        (f"{FIRST} {BETWEEN} {LAST}", 11, "", "W9 delta epsilon zeta.\nW8 sigma tau rho. W0 phi chi"),
        (f"{FIRST} {BETWEEN} {LAST}", 13, "", "W0 alpha beta gamma. W9 delta epsilon zeta.\nW8 sigma tau rho. W0"),
        # where the last window ends the text: behind the one before
        (f"{FIRST} {BETWEEN}", 9, "", "W9 delta epsilon zeta. W0\nW8 sigma tau rho."),
        (f"{FIRST} {BETWEEN}", 11, "", "W9 delta epsilon zeta. W0 eta theta\nW8 sigma tau rho."),
        (f"{FIRST} {BETWEEN}", 10, "[...]", "[...] W9 delta epsilon zeta. [...] W8 sigma tau rho."),
        (f"{FIRST} {BETWEEN}", 11, "[...]", "[...] W9 delta epsilon zeta. W0 [...] W8 sigma tau rho."),
        # a beginning that is reached spares a marker
        (f"{FIRST} {BETWEEN}", 13, "[...]", "W0 alpha beta gamma. W9 delta epsilon zeta. [...] W8 sigma tau rho."),
        (f"{BETWEEN} {LAST}", 11, "[...]", "W9 delta epsilon zeta. [...] W8 sigma tau rho. W0 [...]"),
        (f"{BETWEEN} {LAST}", 13, "[...]", "W9 delta epsilon zeta. [...] W8 sigma tau rho. W0 phi chi psi."),
        # three markers for two windows leave no room: one window
        (f"{FIRST} {BETWEEN} {LAST}", 10, "[...]", "[...] W9 delta epsilon zeta. W0 eta theta iota. [...]"),
    ],
)
def test_two_windows_and_the_words_beside_them(text, budget, marker, kept):
    found = windows(text, "?", budget, count_words, scorer=WORTH, ends="word", marker=marker)
    assert (found.text, found.tokens) == (kept, count_words(kept))
