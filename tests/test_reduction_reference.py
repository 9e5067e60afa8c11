"""`reduce_summaries` against its rules written plainly: every run of neighbours is tried, and nothing is guessed."""

import random
from dataclasses import FrozenInstanceError

import pytest
from texts import COUNTERS, count_words

from rag_lessons.reduction import Node, Reduction, reduce_summaries
from rag_lessons.summarizing import CentroidSummarizer, Summary, cut_to_budget
from rag_lessons.tokens import quarter_length
from rag_lessons.windows import chunk_tokens

WORDS = ["a", "of", "the", "tide", "gates", "seawater"]


def rounded_up(text):
    """A token for each four characters begun: joined, texts may cost less than one by one."""
    return -(-len(text) // 4)


COUNTS = [*COUNTERS.values(), quarter_length, rounded_up]


class Keeper:
    """Keeps the first words, so many as sentences are asked for, and remembers what it read."""

    def __init__(self):
        self.read = []

    def __call__(self, text, sentences):
        self.read.append((text, sentences))
        return Summary(" ".join(text.split()[:sentences]))


def plain_batches(texts, budget, counter):
    """As many neighbours together as fit, one at least."""
    batches, start = [], 0
    while start < len(texts):
        ends = range(start + 2, len(texts) + 1)
        end = max((end for end in ends if counter(" ".join(texts[start:end])) <= budget), default=start + 1)
        batches.append(list(range(start, end)))
        start = end
    return batches


def plain_reduction(texts, summarize, budget, sentences, counter, shrink):
    """The levels as (text, children) and the text on top, all of what is asked of the summarizer in order."""
    levels = [[(text, ()) for text in texts]]
    half = max(0, (budget - counter(" ")) // 2)

    def read(batch, room):
        source = " ".join(texts[i] for i in batch)
        if shrink and counter(source) > budget:
            parts = [source[start:end] for start, end in chunk_tokens(source, budget, 0, counter)] if budget else []
            parts = parts if len(parts) > 1 else []
            source = plain_reduction(parts, summarize, budget, sentences, counter, True)[1] if parts else ""
        summary = summarize(source, sentences)
        return cut_to_budget(summary, room, counter).text if shrink else summary.text

    over = [text for text in texts if counter(text) > (budget if len(texts) == 1 else half)]
    batches = [[i] for i in range(len(texts))] if shrink and over else None
    while batches or len(texts) > 1:
        if not batches:
            batches = plain_batches(texts, budget, counter)
            if len(batches) == len(texts):  # none fit together: two and two
                batches = [list(range(len(texts)))[i : i + 2] for i in range(0, len(texts), 2)]
        room = budget if len(batches) == 1 else half
        texts = [read(batch, room) for batch in batches]
        levels.append(list(zip(texts, map(tuple, batches), strict=True)))
        batches = None
    return levels, texts[0] if shrink else summarize(texts[0], sentences).text


@pytest.mark.parametrize("shrink", [True, False])
@pytest.mark.parametrize("counter", COUNTS)
def test_reductions_follow_the_rules_written_plainly(counter, shrink):
    for seed in range(60):
        choose = random.Random(seed)
        sizes = [choose.choice([1, 1, 2, 5, 9]) for _ in range(choose.randint(1, 12))]
        texts = [" ".join(choose.choices(WORDS, k=size)) for size in sizes]
        budget, sentences = choose.randint(8, 40), choose.choice([1, 3, 20])
        asked, plainly_asked = Keeper(), Keeper()
        made = reduce_summaries(texts, asked, budget=budget, sentences=sentences, counter=counter, shrink=shrink)
        levels, top = plain_reduction(texts, plainly_asked, budget, sentences, counter, shrink)
        assert [[(node.text, node.children) for node in level] for level in made.levels] == levels, (texts, budget)
        assert all(node.tokens == counter(node.text) for level in made.levels for node in level)
        assert asked.read == plainly_asked.read and made.calls == len(asked.read)
        assert (made.summary, made.reached) == (top, bool(top) and counter(top) <= budget)
        assert made.rounds == len(levels) - 1


def test_two_rounds_by_hand():
    read = Keeper()
    made = reduce_summaries(["a b", "c d", "e f", "g h"], read, budget=5, sentences=1, counter=count_words)
    below = [Node(text, 2) for text in ("a b", "c d", "e f", "g h")]
    pairs, top = [Node("a", 1, (0, 1)), Node("e", 1, (2, 3))], [Node("a", 1, (0, 1))]
    assert made == Reduction((tuple(below), tuple(pairs), tuple(top)), "a", True, 3)
    assert read.read == [("a b c d", 1), ("e f g h", 1), ("a e", 1)] and made.rounds == 2
    with pytest.raises(FrozenInstanceError):
        made.summary = "b"


def test_what_is_over_half_the_budget_is_cut_to_half_of_it_less_a_joiner():
    made = reduce_summaries(["aaaa bbbb", "cc"], lambda text, sentences: Summary(text), budget=9, counter=len)
    # Of 9 characters one joins two texts, so that each may have 4; the last one may have all 9.
    assert [[node.text for node in level] for level in made.levels[1:]] == [["aaaa", "cc"], ["aaaa cc"]]
    assert made.calls == 3 and made.reached


@pytest.mark.parametrize(("length", "rounds"), [(4, 1), (5, 2)])
def test_exactly_half_is_not_cut(length, rounds):
    made = reduce_summaries(["x" * length, "y"], lambda text, sentences: Summary(text), budget=9, counter=len)
    assert made.rounds == rounds


def test_the_published_loop_reads_more_than_the_budget_and_says_whether_it_was_reached():
    def whole(text, sentences):
        return Summary(text)

    for budget, reached in ((6, False), (7, True)):
        made = reduce_summaries(["a b c d", "e f g"], whole, budget=budget, counter=count_words, shrink=False)
        assert (made.summary, made.reached, made.calls, made.rounds) == ("a b c d e f g", reached, 2, 1)
    alone = reduce_summaries(["a b c d"], whole, budget=2, counter=count_words, shrink=False)
    assert (alone.summary, alone.reached, alone.calls, alone.rounds) == ("a b c d", False, 1, 0)


def test_a_step_reads_90_tokens_and_keeps_3_sentences_where_nothing_is_said():
    assert reduce_summaries([" ".join(["tide"] * 90)], Keeper(), counter=count_words).calls == 0
    read = Keeper()
    made = reduce_summaries([" ".join(["tide"] * 91)], read, counter=count_words)
    # two windows of it, what is left of both, and the text that this makes of the first
    assert [(count_words(text), sentences) for text, sentences in read.read] == [(90, 3), (1, 3), (4, 3), (3, 3)]
    assert (made.summary, made.calls, made.rounds) == ("tide tide tide", 4, 1)


def counted(texts, budget, counter):
    """The first batches of a reduction, and how many different texts were counted beside its nodes."""
    seen = set()

    def count(text):
        seen.add(text)
        return counter(text)

    made = reduce_summaries(texts, lambda text, sentences: Summary("x"), budget=budget, counter=count, shrink=False)
    return [len(node.children) for node in made.levels[1]], len(seen - set(texts))


def test_texts_that_cost_far_less_together_are_found_in_ever_longer_steps():
    # Alone 1 token each, together free up to 700 words: the guess by sums is 5 at most.
    texts = [f"w{n}" for n in range(1_000)]
    sizes, tries = counted(texts, 5, lambda text: max(1, len(text.split()) - 700))
    assert sizes == [705, 295] and tries < 40  # some steps that double and halve, not 705 of one
    sizes, tries = counted(texts, 5, lambda text: 1)
    assert sizes == [1_000] and tries < 20


def test_texts_that_cost_far_more_together_are_found_by_halves():
    # Alone free, together the square of their number: the guess by sums is all of them.
    texts = [f"w{n}" for n in range(1_000)]
    sizes, tries = counted(texts, 700, lambda text: len(text.split()) ** 2 // 16)
    assert sizes == [105] * 9 + [55] and tries < 140  # nine times some halvings, not steps of one


@pytest.mark.parametrize("sizes", [range(1, 9), range(5, 30), range(50, 61)])
def test_where_costs_add_up_the_sums_tell_the_batches_and_two_counts_a_batch_are_enough(sizes):
    choose = random.Random(3)
    texts = [f"{n:04}" + "x" * choose.choice(sizes) for n in range(200)]
    for budget in (120, 121, 300):
        found, tries = counted(texts, budget, len)
        assert found == list(map(len, plain_batches(texts, budget, len)))
        # One that fits and one that does not, but for the last batch; the joiner, a summary and all summaries joined.
        assert tries <= 2 * len(found) - 1 + 3


def test_white_space_at_the_end_of_a_text_does_not_count_as_text():
    found = reduce_summaries(["abc   "], CentroidSummarizer(), budget=3, counter=len)
    assert (found.summary, found.reached) == ("abc", True)
