"""`best_window`, `sliding_window` and `windows` against their rules written plainly: every run and place is tried."""

import random
import re
from types import SimpleNamespace

import pytest
from cutting import places, written
from texts import count_words

from rag_lessons.cutting import ENDS
from rag_lessons.sentences import sentence_spans, trim
from rag_lessons.tokens import quarter_length
from rag_lessons.truncation import best_window, sliding_window, windows

MARKERS = ["", "[...]", "[ cut ]"]


def worth_of(text):
    return sum(int(word.strip("W.")) for word in text.split())


def scores(texts):
    """A scorer's result: a text is worth the sum of the numbers in it."""
    return SimpleNamespace(scores=lambda question: list(map(worth_of, texts)))


WORTH = SimpleNamespace(name="worth", fit=scores)


def random_text(choose, most, nothing):
    """Sentences of words that are worth what they say, and so many per cent of them nothing."""
    sizes = [choose.choice([1, 2, 3, 3, 4, 7]) for _ in range(choose.randint(2, most))]
    least = [0 if choose.randint(1, 100) <= nothing else 1 for _ in sizes]
    rows = [[low * choose.randint(1, 999) for _ in range(size)] for size, low in zip(sizes, least, strict=True)]
    return " ".join(" ".join(f"W{value}" for value in row) + "." for row in rows)


def words(text, start, end):
    return [(start + word.start(), start + word.end()) for word in re.finditer(r"\S+", text[start:end])]


def size(spans):
    return sum(end - start for start, end in spans)


class Plain:
    """One text, budget, counter, kind of end and marker, and the rules."""

    def __init__(self, text, budget, counter, ends, mark):
        self.text, self.budget, self.counter, self.ends, self.mark = text, budget, counter, ends, mark
        self.sentences = sentence_spans(text)

    def fits(self, spans):
        return self.counter(written(self.text, spans, self.mark)) <= self.budget

    def alone(self, span):
        return self.counter(self.text[slice(*span)])

    def joined(self, spans):
        """The spans in order, those with nothing but white space between them as one."""
        made = []
        for start, end in sorted(spans):
            if made and not self.text[made[-1][1] : start].strip():
                start = made.pop()[0]
            made.append((start, end))
        return made

    def units(self):
        """The sentences, and the words of those over the budget."""
        found = [[span] if self.alone(span) <= self.budget else words(self.text, *span) for span in self.sentences]
        return [span for spans in found for span in spans]

    def value(self, span):
        return worth_of(self.text[slice(*span)])

    def best(self, units, holding=None):
        """The run of units worth most that fits; None where two are worth the same."""
        runs = [(start, end) for i, (start, _) in enumerate(units) for _, end in units[i:]]
        runs = [run for run in runs if holding is None or run[0] <= holding[0] and holding[1] <= run[1]]
        runs = sorted((run for run in runs if self.fits([run])), key=self.value, reverse=True)
        if len(runs) > 1 and self.value(runs[0]) == self.value(runs[1]):
            return None
        return runs[:1]

    def filled(self, kept, units):
        """The best unit next to a window, again and again; then words: behind each window, the last one first."""
        while True:
            beside = [unit for _, end in kept for unit in [u for u in units if u[0] >= end][:1]]
            beside += [unit for start, _ in kept for unit in [u for u in units if u[1] <= start][-1:]]
            beside.sort(key=self.value, reverse=True)
            longer = [self.joined([*kept, unit]) for unit in beside]
            longer = [spans for spans in longer if self.fits(spans)]
            if not longer:
                break
            kept = longer[0]
        if self.ends == "sentence":
            return kept
        stops = [start for start, _ in kept[1:]] + [len(self.text)]
        for span, stop in reversed([*zip(kept, stops, strict=True)]):
            kept = self.longest(kept, span, stop)
        kept = self.longest(kept, kept[0])
        return self.longest(kept, kept[-1], len(self.text))

    def longest(self, kept, span, last=None):
        """The kept spans, one drawn out as far as it fits at ends of words: up to `last` or, if None, backwards."""
        others, at = [other for other in kept if other != span], places(self.text, self.ends)
        drawn = [(place, span[1]) for place in at if place <= span[0]]
        if last is not None:
            drawn = [(span[0], place) for place in at if span[1] <= place <= last]
        drawn = [self.joined([*others, trim(self.text, *longer)]) for longer in drawn]
        return max((spans for spans in drawn if self.fits(spans)), key=size, default=kept)

    def grown(self, count):
        """The best units that make at most `count` windows, then always the best one beside a window."""
        units, order, beside = self.units(), [], []
        values = [self.value(unit) for unit in units]
        fitting = [i for i, unit in enumerate(units) if self.fits([unit])]

        def take(i):
            order.append(i)
            beside.extend((-values[j], len(order), j) for j in (i - 1, i + 1) if j in fitting)

        for i in sorted(range(len(units)), key=lambda i: -values[i]):
            if not values[i] or sum(j - 1 not in order for j in order) == count:
                break
            if i in fitting:
                take(i)
        while beside:
            beside.sort()
            if (i := beside.pop(0)[2]) not in order:
                take(i)
        starts = [self.joined([units[i] for i in order[:n]]) for n in range(1, len(order) + 1)]
        return max((spans for spans in starts if self.fits(spans)), key=size, default=[])


def plain(way, text, budget, counter, ends, marker, count=2):
    """What is kept: None where runs are worth the same."""
    for kind in ENDS[ENDS.index(ends) :]:
        for mark in (marker, ""):
            it = Plain(text, budget, counter, kind, mark)
            units, holding = it.units(), None
            if way is sliding_window:
                units, holding = it.sentences, max(it.sentences, key=it.value)
                if it.alone(holding) > budget:
                    units, holding = words(text, *holding), None
            kept = it.grown(count) if way is windows else it.best(units, holding)
            if kept is None:
                return None
            if kept:
                return it.filled(kept, units)
    return []


def random_case(seed, counter, nothing=0):
    """A text of few sentences or of many, a budget that does not take all, a marker no longer than a word, a count."""
    choose = random.Random(seed)
    text = random_text(choose, choose.choice([4, 9, 40]), nothing)
    marker = choose.choice(MARKERS[: {count_words: 2, len: 3}.get(counter, 1)])
    return text, choose.randint(1, counter(text) - 1), marker, choose.randint(1, 4)


@pytest.mark.parametrize(
    ("way", "counter"),
    [
        *[(way, counter) for way in (best_window, sliding_window, windows) for counter in (count_words, len)],
        *[(best_window, quarter_length), (windows, quarter_length)],
    ],
)
@pytest.mark.parametrize("ends", ENDS[:2])
def test_windows_follow_the_rules_written_plainly(way, counter, ends):
    compared = 0
    for seed in range(90):
        text, budget, marker, count = random_case(seed, counter, nothing=50 if way is windows else 0)
        named = {"count": count} if way is windows else {}
        found = plain(way, text, budget, counter, ends, marker, **named)
        if found is None or not worth_of(text):
            continue
        kept = way(text, "?", budget, counter, scorer=WORTH, ends=ends, marker=marker, **named)
        if found:
            assert list(kept.spans) == found, (text, budget, marker, named)
        else:
            assert kept.note == f"nothing that matches fits into a budget of {budget}; the head is kept"
        compared += 1
    assert compared > 80


def test_a_sliding_window_whose_cost_does_not_add_up_is_counted():
    for seed in range(90):
        text, budget, _, _ = random_case(seed, quarter_length)
        it = Plain(text, budget, quarter_length, "sentence", "")
        best = max(it.sentences, key=it.value)
        if it.fits([best]):
            kept = sliding_window(text, "?", budget, quarter_length, scorer=WORTH)
            assert kept.note == "" and len(kept.spans) == 1 and kept.tokens <= budget
            assert kept.spans[0][0] <= best[0] and best[1] <= kept.spans[0][1]
