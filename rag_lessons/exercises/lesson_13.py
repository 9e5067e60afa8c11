"""Checks for lesson 13: fuse two rankings by their ranks, and catch numbers that a context does not hold."""

import random
import re
from collections.abc import Callable, Sequence

from rag_lessons.exercises.feedback import Feedback, expect_list, gentle

_CASES = (
    ([1, 0], []),
    ([], []),
    ([5], [9]),
    ([3, 1, 2], [2, 1, 3]),
    ([0, 1, 2, 3], [3, 2, 7]),
)


def _fused(ranks_a: Sequence[int], ranks_b: Sequence[int]) -> list[int]:
    """Cormack, Clarke and Büttcher (2009), with their 60."""

    def score(place: int) -> float:
        return sum(1 / (60 + ranks.index(place) + 1) for ranks in (ranks_a, ranks_b) if place in ranks)

    return sorted({*ranks_a, *ranks_b}, key=lambda place: (-score(place), place))


@gentle
def check_fusion(fuse: Callable[[list[int], list[int]], list[int]]) -> Feedback:
    """Check a reciprocal rank fusion.

    fuse: (places best first, places best first) -> the places of both, best first.
    """
    draw = random.Random(13)
    drawn = [(draw.sample(range(90), 40), draw.sample(range(90), 60)) for _ in range(5)]
    for ranks_a, ranks_b in (*_CASES, *drawn):
        answer = fuse(list(ranks_a), list(ranks_b))
        wrong = expect_list(answer, "places")
        if wrong:
            return wrong
        said = f"for {ranks_a} and {ranks_b}" if len(ranks_a) < 9 else "for two long lists"
        right = _fused(ranks_a, ranks_b)
        if len(set(answer)) < len(answer):
            return Feedback(False, f"{said} a place comes twice; add up what both lists give it")
        if set(answer) != set(right):
            odd = sorted(set(right) ^ set(answer))[0]
            there = "is missing" if odd in right else "is in neither list"
            return Feedback(False, f"{said} place {odd} {there}; return the places that stand in either list")
        if list(answer) != right:
            n = next(n for n, (a, b) in enumerate(zip(answer, right, strict=True)) if a != b)
            return Feedback(
                False,
                f"{said} place {answer[n]} comes at rank {n + 1}, where {right[n]} belongs; the best of a list has "
                "rank 1 and gives 1 / 61, and where scores tie the smaller place comes first",
            )
    return Feedback(True, f"{len(_CASES) + len(drawn)} pairs of lists fused, and no scale was needed")


_NUMBERS = (
    ("It holds 36 litres.", "A tank of 36 litres.", []),
    ("It stops below 4.5 degrees.", "It stops below 4 degrees.", ["4.5"]),
    ("About 3 of them.", "It has 31 rooms and 13 doors.", ["3"]),
    ("Some 7 degrees.", "It fell to 7.5 degrees on the 17th.", ["7"]),
    ("Built in 1987. Moved in 1996.", "It was moved in 1996, and built in 1978.", ["1987"]),
    ("5,700 or 5700, then 5,700 again", "They offered 7,840.", ["5,700", "5700"]),
    ("From 12 to 9, and 12.", "9", ["12"]),
    ("No number at all.", "12", []),
    ("13, 12", "", ["13", "12"]),
    ("", "12", []),
)


@gentle
def check_numbers(unsupported: Callable[[str, str], list[str]]) -> Feedback:
    """Check a search for numbers that an answer has and its context has not.

    unsupported: (answer, context) -> the numbers, as texts, each once, in the order of the answer.
    """
    for answer, context, right in _NUMBERS:
        found = unsupported(answer, context)
        wrong = expect_list(found, "numbers, as texts")
        if wrong:
            return wrong
        if any(not isinstance(number, str) for number in found):
            return Feedback(False, f"it returned {found!r:.80}; return the numbers as they are written, as texts")
        if list(found) != right:
            return Feedback(
                False,
                f"for the answer {answer!r} and the context {context!r} it returned {found!r:.80}, not {right!r}"
                + _why(list(found), right),
            )
    return Feedback(True, f"{len(_NUMBERS)} answers checked: no number gets past, and none is accused wrongly")


def _why(found: list[str], right: list[str]) -> str:
    if any(re.search(r"[.,]$", number) for number in found):
        return "; a point at the end of a sentence is no part of a number"
    if sorted(set(found)) == sorted(right):
        return "; each once, in the order of the answer"
    if set(right) - set(found):
        return "; compare whole numbers: one inside another does not support it"
    return ""
