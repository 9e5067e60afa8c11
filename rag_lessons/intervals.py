"""How far a mean over some questions may be off: bootstrap intervals, alone and in pairs."""

from collections.abc import Sequence
from statistics import fmean

import numpy as np

from rag_lessons.tokens import check_count, check_weight

_BLOCK = 1_000_000  # values drawn at once, about 16 MB with their places


def bootstrap_interval(
    values: Sequence[float], *, seed: int = 0, rounds: int = 2000, level: float = 0.95
) -> tuple[float, float]:
    """How far the mean of some values may be off, (low, high): a percentile bootstrap.

    Each round draws as many values as there are, with repeats, and takes their mean. level: the
    share of these means in the interval, 0 to 1. The same seed draws the same values.

    Raises ValueError for no value or one that is not finite; that or TypeError for bad rounds or level.

    >>> bootstrap_interval([0.5, 0.5, 0.5])
    (0.5, 0.5)
    """
    check_count("rounds", rounds, least=1, unit="rounds")
    check_weight("level", level, most=1)
    data = np.asarray(values, dtype=float)
    if not data.size:
        raise ValueError("values must hold at least one number; measure some questions that have evidence")
    if not np.isfinite(data).all():
        raise ValueError(f"values must be finite; leave out {data[~np.isfinite(data)][0]}")
    random = np.random.Generator(np.random.PCG64(seed))
    means, step = np.empty(rounds), max(1, _BLOCK // len(data))
    for start in range(0, rounds, step):
        part = means[start : start + step]
        part[:] = data[random.integers(len(data), size=(len(part), len(data)))].mean(axis=1)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def paired_difference(
    ours: Sequence[float], theirs: Sequence[float], *, seed: int = 0, rounds: int = 2000, level: float = 0.95
) -> tuple[float, float, float]:
    """By how much ours is above theirs, question by question: (mean, low, high).

    ours, theirs: one value a question, the questions in the same order; if not as many, ValueError.
    The rest is as in `bootstrap_interval`.

    >>> paired_difference([1.0, 0.75], [0.5, 0.25])
    (0.5, 0.5, 0.5)
    """
    if len(ours) != len(theirs):
        raise ValueError(f"ours and theirs must be of the same questions; got {len(ours)} and {len(theirs)} values")
    differences = [a - b for a, b in zip(ours, theirs, strict=True)]
    low, high = bootstrap_interval(differences, seed=seed, rounds=rounds, level=level)
    return fmean(differences), low, high
