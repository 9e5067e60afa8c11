"""Policies that choose pieces under a budget: first-fit, best value, best sentences.

Each takes a `Problem` and returns what it chose, place -> spans, and why each other piece was left
out, place -> reason. What a set of pieces costs is asked, never added up, so labels, joiners and
merged neighbours are always counted.
"""

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np

from rag_lessons.chunking import Span
from rag_lessons.context import Piece

Choice = tuple[dict[int, tuple[Span, ...]], dict[int, str]]
MISSES = 5  # sentences that may fail to fit before the search stops


@dataclass
class Problem:
    """Pieces in rank order, what each is worth, the room in tokens, and a cost for any set of them.

    copies: place of a piece -> place of an earlier one with the same text.
    """

    pieces: Sequence[Piece]
    values: Sequence[float]
    room: int
    cost: Callable[[Sequence[Piece]], int]
    copies: Mapping[int, int] = field(default_factory=dict)

    @cached_property
    def alone(self) -> list[int]:
        """What each piece costs by itself."""
        return [self.cost([piece]) for piece in self.pieces]

    def reason(self, i: int, chosen: Container[int], used: int, needs: int | None = None) -> str:
        """Why a piece is not among the chosen ones, which use some tokens; needs: what it would add."""
        if self.copies.get(i) in chosen:
            return f"repeats the text of {self.pieces[self.copies[i]].chunk.chunk_id}"
        if self.alone[i] > self.room:
            return f"needs {self.alone[i]} tokens, more than the whole budget of {self.room}"
        needs = self.alone[i] if needs is None else needs
        return f"needs {needs} tokens, {self.room - used} of {self.room} are left"


def first_fit(problem: Problem, stop: bool = False, first: Sequence[int] = ()) -> Choice:
    """Take each piece that fits beside what is taken; with `stop`, none after the first that does not.

    first: places of pieces that together fit and are taken before all others.

    >>> a, b = Piece(None, ((0, 9),)), Piece(None, ((0, 2),))
    >>> first_fit(Problem([a, b], [1, 1], 5, lambda pieces: sum(p.spans[0][1] for p in pieces)))[0]
    {1: ((0, 2),)}
    """
    chosen = {i: problem.pieces[i].spans for i in first}
    reasons: dict[int, str] = {}
    used, stopped = problem.cost([problem.pieces[i] for i in first]), False
    for i, piece in enumerate(problem.pieces):
        if i in chosen:
            continue
        if stopped:
            reasons[i] = "comes after the first that did not fit"
        elif problem.copies.get(i) in chosen:
            reasons[i] = problem.reason(i, chosen, used)
        else:
            total = problem.cost([*(problem.pieces[j] for j in chosen), piece])
            if total <= problem.room:
                chosen[i], used = piece.spans, total
            else:
                reasons[i], stopped = problem.reason(i, chosen, used, total - used), stop
    return chosen, reasons


def best_value(problem: Problem) -> Choice:
    """Take the set with the highest sum of values that fits: the 0/1 knapsack.

    >>> pieces = [Piece(None, ((0, n),)) for n in (6, 5, 5)]
    >>> sorted(best_value(Problem(pieces, [7, 5, 5], 10, lambda p: sum(x.spans[0][1] for x in p)))[0])
    [1, 2]
    """
    values = [0.0 if i in problem.copies else value for i, value in enumerate(problem.values)]
    room, kept = min(problem.room, sum(problem.alone)), []
    while room > 0:
        kept = _knapsack(values, problem.alone, room)
        used = problem.cost([problem.pieces[i] for i in kept])
        if used <= problem.room:
            break
        room, kept = room - (used - problem.room), []  # joiners took more than the blocks alone
    # Pieces that share a label or overlap cost less together than alone: fill up, and compare.
    choices = [first_fit(problem, first=kept), first_fit(problem)]
    return max(choices, key=lambda choice: sum(problem.values[i] for i in choice[0]))


def _knapsack(values: Sequence[float], costs: Sequence[int], room: int) -> list[int]:
    """Places of the items with the highest total value whose costs sum to at most `room`."""
    best = np.zeros(room + 1)
    taken = np.zeros((len(values), room + 1), bool)
    for i, (value, cost) in enumerate(zip(values, costs, strict=True)):
        if cost <= room:
            with_it = np.concatenate([np.full(cost, -1.0), best[: room + 1 - cost] + value])
            taken[i] = with_it > best
            best = np.maximum(best, with_it)
    kept = []
    for i in range(len(values) - 1, -1, -1):
        if taken[i, room]:
            kept.append(i)
            room -= costs[i]
    return kept[::-1]


def best_sentences(problem: Problem, units: Sequence[tuple[float, int, Span]]) -> Choice:
    """Take sentences in order of score while they fit, whichever piece they stand in.

    units: (score, place of its piece, span). A sentence that does not fit is passed over.

    >>> piece = Piece(None, ((0, 9),))
    >>> cost = lambda pieces: sum(end - start for p in pieces for start, end in p.spans)
    >>> best_sentences(Problem([piece], [1], 5, cost), [(1.0, 0, (0, 4)), (2.0, 0, (5, 9))])[0]
    {0: ((5, 9),)}
    """
    units = sorted(units, key=lambda unit: (-unit[0], unit[1], unit[2]))

    def spans(taken: Sequence[tuple[float, int, Span]]) -> dict[int, tuple[Span, ...]]:
        found: dict[int, list[Span]] = {}
        for _, i, (start, end) in sorted(taken, key=lambda unit: unit[1:]):
            inside = found.setdefault(i, [])
            if inside and inside[-1][1] == start:
                start = inside.pop()[0]
            inside.append((start, end))
        return {i: tuple(inside) for i, inside in found.items()}

    def cost(taken: Sequence[tuple[float, int, Span]]) -> int:
        return problem.cost([Piece(problem.pieces[i].chunk, inside) for i, inside in spans(taken).items()])

    def cost_with(taken: list, left: list, count: int) -> int:
        return cost([*taken, *left[:count]])

    taken, left, used, guess = [], units, 0, 8
    for _ in range(MISSES):  # as many as fit, then one that does not, and on
        low, total = longest_run(partial(cost_with, taken, left), len(left), problem.room, guess)
        used = total if low else used
        taken, left, guess = taken + left[:low], left[low + 1 :], 1
        if not left:
            break
    chosen, own = spans(taken), {i for _, i, _ in units}
    reasons = {}
    for i in range(len(problem.pieces)):
        if i in chosen:
            continue
        if problem.copies.get(i) in chosen:
            reasons[i] = problem.reason(i, chosen, used)
        elif i in own:
            reasons[i] = f"none of its sentences got in, {problem.room - used} of {problem.room} are left"
        else:
            reasons[i] = "its sentences stand in other chunks already"
    return chosen, reasons


def longest_run(cost: Callable[[int], int], count: int, room: int, guess: int) -> tuple[int, int]:
    """How many of the first `count` parts fit together, and what they cost.

    cost: number of parts -> tokens, hardly ever less for more. room: in tokens. guess: the number
    to begin with; the next is where a straight line through the last two costs meets the room: few
    tries, and none that is much too long. Where parts differ so much that lines creep, halving ends
    the search.

    >>> longest_run(lambda count: 3 * count, 9, room=10, guess=1)
    (3, 9)
    """
    low, used, high, over = 0, 0, count + 1, None
    at, tries = min(guess, count), 0
    while low + 1 < high:
        total = cost(at)
        tries += 1
        if total <= room:
            low, used = at, total
        else:
            high, over = at, total
        rise, run = (used, low) if over is None else (over - used, high - low)
        line = low + (room - used) * run // max(rise, 1)
        at = min(high - 1, max(low + 1, line)) if tries < 5 else (low + high) // 2
    return low, used
