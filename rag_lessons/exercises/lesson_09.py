"""Checks for lesson 09: the room that a window leaves, and a margin wide enough for an estimate's errors."""

from collections.abc import Callable
from fractions import Fraction

from rag_lessons.corpora import load_token_samples
from rag_lessons.exercises.feedback import Feedback, gentle
from rag_lessons.planning import message_tokens, share_of
from rag_lessons.tokens import estimate_tokens

WINDOW, RESERVE = 8192, 1024  # tokens
_SYSTEM, _QUESTION = "Answer from the lists alone, and say so where they are silent.", "Which boats left today?"
# window, margin, reserve, messages, and what each is there for
_CASES = (
    (WINDOW, 0.9, RESERVE, [_SYSTEM, _QUESTION], "the window of 8,192"),
    (WINDOW, 0.9, RESERVE, [_QUESTION], "one message in place of two"),
    (WINDOW, 0.9, RESERVE, [_SYSTEM, _QUESTION, "The Heron.", "And yesterday?"], "four messages"),
    (WINDOW, 0.9, RESERVE, ["港池里有几条船？", "码头上有谁？"], "Chinese messages"),
    (WINDOW, 1, 0, [_QUESTION], "a margin of 1 and no reserve"),
    (100, 0.29, 0, [_QUESTION], "0.29 of 100, which is 29"),
    (35, 0.8, 0, [_QUESTION], "0.8 of 35, which is 28"),
)
_TOO_SMALL = (4096, 0.9, 4096, [_SYSTEM, _QUESTION])


@gentle
def check_room(room_for: Callable[[int, float, int, list[str]], int]) -> Feedback:
    """Check the room for documents: (window, margin, reserve, messages) -> tokens, or a ValueError where there is none.

    room_for: counts the messages with `estimate_tokens`, 4 tokens more for each and 2 for the conversation.
    """
    for window, margin, reserve, messages, what in _CASES:
        room = room_for(window, margin, reserve, list(messages))
        if isinstance(room, bool) or not isinstance(room, int):
            return Feedback(False, f"it returned {room!r:.60} for {what}; return a whole number of tokens")
        wanted = share_of(window, margin) - reserve - message_tokens(messages)
        if room != wanted:
            amount = f"{abs(room - wanted)} {'too many' if room > wanted else 'too few'}"
            return Feedback(False, f"{what}: it leaves {room}, {amount}")
    try:
        room = room_for(*_TOO_SMALL)
    except ValueError:
        left = share_of(WINDOW, 0.9) - RESERVE - message_tokens(_CASES[0][3])
        return Feedback(True, f"a window of {WINDOW:,} with {RESERVE:,} for the answer leaves {left:,} for documents")
    said = f"a reserve of {_TOO_SMALL[2]} in a window of {_TOO_SMALL[0]} leaves less than nothing"
    return Feedback(False, f"{said}, and it returned {room!r:.60}; raise a ValueError, or a slice will take it")


def counted_pairs() -> list[tuple[int, int]]:
    """(estimate, exact count of o200k_base) of each sample.

    >>> len(counted_pairs())
    12
    """
    return [(estimate_tokens(sample.text), sample.o200k_base) for sample in load_token_samples()]


@gentle
def check_margin(safe_margin: Callable[[list[tuple[int, int]]], float]) -> Feedback:
    """Check a margin: the largest in hundredths, 1 at most, at which a text that seems to fill it still fits.

    safe_margin: (estimate, exact count) pairs -> margin. A text that is as dense as one of them and is
    estimated at margin x window must cost the window at most.
    """
    pairs = counted_pairs()
    cases = [
        (pairs, "the samples"),
        ([(100, 125), (90, 100)], "estimates of 100 and 90 where 125 and 100 are right"),
        ([(130, 100)], "an estimate that is too high"),
        ([(29, 100)], "an estimate of 29 where 100 are right"),
        ([(58, 200), (99, 100)], "an estimate of 58 where 200 are right"),
        ([(2, 3)], "an estimate of 2 where 3 are right"),
    ]
    for counted, what in cases:
        margin = safe_margin(list(counted))
        if isinstance(margin, bool) or not isinstance(margin, (int, float)):
            return Feedback(False, f"it returned {margin!r:.60} for {what}; return a number, 0 to 1")
        best = min(1, min(Fraction(estimate, exact) for estimate, exact in counted))
        wanted = int(100 * best) / 100
        if margin != wanted:
            way = "so large that a prompt would overflow" if margin > best else "not the largest in whole hundredths"
            return Feedback(False, f"for {what} the margin is {margin}, {way}")
    low = min(load_token_samples(), key=lambda sample: estimate_tokens(sample.text) / sample.o200k_base)
    margin = safe_margin(pairs)
    return Feedback(True, f"a margin of {margin} would be safe for all {len(pairs)} samples; {low.kind} decides")
