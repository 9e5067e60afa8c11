"""Intervals of a mean: by hand, as theory says, the same for the same seed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_lessons import intervals
from rag_lessons.intervals import bootstrap_interval, paired_difference


def test_an_interval_by_hand():
    # Two values make three means, 0, 1/2 and 1, drawn 1 : 2 : 1; half of all rounds lie strictly inside.
    assert bootstrap_interval([0.0, 1.0]) == (0.0, 1.0)
    assert bootstrap_interval([0.0, 1.0], level=0.4) == (0.5, 0.5)
    assert bootstrap_interval([0.0, 1.0], level=0.0) == (0.5, 0.5)
    assert bootstrap_interval([3.0]) == (3.0, 3.0)


def test_an_interval_is_as_wide_as_theory_says():
    values = np.random.Generator(np.random.PCG64(7)).random(400)
    low, high = bootstrap_interval(values)
    half = 1.96 * values.std() / 20
    assert (low, high) == pytest.approx((values.mean() - half, values.mean() + half), abs=half / 10)
    narrow = bootstrap_interval(values, level=0.5)
    assert low < narrow[0] < values.mean() < narrow[1] < high


@given(st.sampled_from([0.0, 0.25, 1.0, -3.5]), st.integers(1, 30))
def test_an_interval_of_one_value_over_and_over_is_that_value(value, count):
    assert bootstrap_interval([value] * count, rounds=20) == (value, value)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20), st.integers(0, 9))
def test_an_interval_lies_among_its_values_and_repeats(values, seed):
    low, high = bootstrap_interval(values, seed=seed, rounds=50)
    assert min(values) - 1e-12 <= low <= high <= max(values) + 1e-12
    assert bootstrap_interval(values, seed=seed, rounds=50) == (low, high)


def test_another_seed_gives_another_interval():
    values = np.random.Generator(np.random.PCG64(7)).random(8)
    assert bootstrap_interval(values, seed=1) != bootstrap_interval(values, seed=2)
    assert bootstrap_interval(values, seed=0) == bootstrap_interval(values)


@pytest.mark.parametrize("block", [1, 21, 64, 10_000])
def test_blocks_bound_the_memory_and_change_nothing(monkeypatch, block):
    values, means = [0.5, 0.0, 1.0, 0.25, 0.125], []
    expected = bootstrap_interval(values, rounds=100)
    monkeypatch.setattr(intervals, "_BLOCK", block)
    generator = np.random.Generator

    class Watched:
        def __init__(self, bits):
            self.inner = generator(bits)

        def integers(self, high, size):
            means.append(size)
            return self.inner.integers(high, size=size)

    monkeypatch.setattr(np.random, "Generator", Watched)
    assert bootstrap_interval(values, rounds=100) == expected
    assert sum(rows for rows, _ in means) == 100 and max(rows * n for rows, n in means) <= max(block, 5)


def test_bad_values_rounds_and_levels_are_refused():
    with pytest.raises(ValueError, match="values must hold at least one number; measure some questions"):
        bootstrap_interval([])
    with pytest.raises(ValueError, match="values must be finite; leave out nan"):
        bootstrap_interval([0.5, float("nan")])
    with pytest.raises(ValueError, match="rounds must be a whole number of rounds, 1 or more; got 0"):
        bootstrap_interval([0.5], rounds=0)
    with pytest.raises(ValueError, match="level must be a number, 0 to 1; got 95"):
        bootstrap_interval([0.5], level=95)


def test_a_paired_difference_is_of_each_question():
    assert paired_difference([1.0, 0.5, 0.75], [0.5, 0.0, 0.25]) == (0.5, 0.5, 0.5)
    ours, theirs = [0.9, 0.1, 0.6, 0.3], [0.2, 0.0, 0.6, 0.1]
    differences = [a - b for a, b in zip(ours, theirs, strict=True)]
    expected = bootstrap_interval(differences, seed=3, rounds=500, level=0.8)
    assert paired_difference(ours, theirs, seed=3, rounds=500, level=0.8) == (pytest.approx(0.25), *expected)
    mean, low, high = paired_difference(theirs, ours)
    assert low < mean < high and mean == pytest.approx(-0.25)


def test_a_paired_difference_needs_the_same_questions():
    with pytest.raises(ValueError, match="ours and theirs must be of the same questions; got 3 and 2 values"):
        paired_difference([1, 2, 3], [1, 2])
    with pytest.raises(ValueError, match="values must hold at least one number"):
        paired_difference([], [])
