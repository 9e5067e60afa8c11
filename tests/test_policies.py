"""Each policy by hand, on pieces that are nothing but a length."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_lessons.context import Piece
from rag_lessons.index import ChunkRecord
from rag_lessons.policies import MISSES, Problem, best_sentences, best_value, first_fit


def problem(lengths, room, values=None, joiner=0, copies=None):
    """Pieces of some lengths; what stands between two of them costs `joiner`."""
    pieces = [Piece(ChunkRecord(f"c{i}", "d", i + 1, 0, n, ""), ((0, n),)) for i, n in enumerate(lengths)]

    def cost(chosen):
        return sum(end - start for piece in chosen for start, end in piece.spans) + joiner * max(0, len(chosen) - 1)

    return Problem(pieces, values or [1.0] * len(lengths), room, cost, copies or {})


def test_first_fit_passes_over_what_does_not_fit():
    chosen, reasons = first_fit(problem([50, 8, 7, 6], 20))
    assert sorted(chosen) == [1, 2]
    assert reasons == {0: "needs 50 tokens, more than the whole budget of 20", 3: "needs 6 tokens, 5 of 20 are left"}


def test_equal_fits_and_joiners_count():
    assert sorted(first_fit(problem([5, 5], 10))[0]) == [0, 1]
    chosen, reasons = first_fit(problem([5, 5], 10, joiner=1))
    assert sorted(chosen) == [0] and reasons == {1: "needs 6 tokens, 5 of 10 are left"}


def test_stop_takes_none_after_the_first_that_does_not_fit():
    chosen, reasons = first_fit(problem([4, 9, 1], 10), stop=True)
    assert sorted(chosen) == [0]
    assert reasons[2] == "comes after the first that did not fit"


def test_a_copy_is_left_out_but_does_not_stop_the_rest():
    for stop in (False, True):
        chosen, reasons = first_fit(problem([4, 4, 2], 20, copies={1: 0}), stop)
        assert sorted(chosen) == [0, 2] and reasons == {1: "repeats the text of c0"}


def test_a_copy_of_what_did_not_fit_is_no_repeat():
    chosen, reasons = first_fit(problem([9, 8, 7], 5, copies={1: 0}))
    assert not chosen and reasons[1] == "needs 8 tokens, more than the whole budget of 5"
    assert sorted(first_fit(problem([9, 4], 5, copies={1: 0}))[0]) == [1]


def test_best_value_beats_first_fit_where_it_can():
    case = problem([6, 5, 5], 10, [7.0, 5.0, 5.0])
    assert sorted(first_fit(case)[0]) == [0]
    chosen, reasons = best_value(case)
    assert sorted(chosen) == [1, 2] and reasons == {0: "needs 6 tokens, 0 of 10 are left"}


def test_best_value_uses_the_room_that_a_shared_label_saves():
    case = problem([6, 6, 6], 14, joiner=-3)  # together 6 + 3 + 3 + ...
    assert sorted(best_value(case)[0]) == [0, 1, 2]


def test_best_value_falls_back_on_first_fit_where_pieces_save_each_other_room():
    case = problem([6, 6, 10], 10, [5.0, 5.0, 9.0], joiner=-2)
    assert sorted(best_value(case)[0]) == [0, 1]


def test_best_value_of_a_huge_room_takes_all_without_a_huge_table():
    assert sorted(best_value(problem([3, 4], 10**12))[0]) == [0, 1]


@given(
    st.lists(st.tuples(st.integers(1, 9), st.integers(0, 9)), max_size=7),
    st.integers(0, 30),
    st.integers(-1, 2),
)
def test_best_value_is_best_and_never_below_first_fit(items, room, joiner):
    lengths, values = [n for n, _ in items], [float(v) for _, v in items]
    case = problem(lengths, room, values, joiner)
    chosen, reasons = best_value(case)
    assert sorted([*chosen, *reasons]) == list(range(len(items)))
    assert not chosen or case.cost([case.pieces[i] for i in chosen]) <= room
    worth = sum(values[i] for i in chosen)
    assert worth >= sum(values[i] for i in first_fit(case)[0])
    if joiner == 0:
        sets = itertools.chain.from_iterable(
            itertools.combinations(range(len(items)), n) for n in range(len(items) + 1)
        )
        assert worth == max(sum(values[i] for i in s) for s in sets if sum(lengths[i] for i in s) <= room)


def test_sentences_are_taken_by_score_and_touching_ones_are_joined():
    case = problem([12, 8], 10)
    units = [(1.0, 0, (0, 4)), (3.0, 0, (4, 8)), (2.0, 1, (0, 3)), (0.5, 0, (8, 12))]
    chosen, reasons = best_sentences(case, units)
    assert chosen == {0: ((4, 8),), 1: ((0, 3),)} and reasons == {}
    assert best_sentences(problem([12, 8], 11), units)[0] == {0: ((0, 8),), 1: ((0, 3),)}


def test_a_sentence_that_does_not_fit_is_passed_over_a_few_times():
    few = [(2.0, 0, (0, 9)), (1.0, 1, (0, 2))]
    assert best_sentences(problem([9, 2], 5), few)[0] == {1: ((0, 2),)}
    many = [(2.0, i, (0, 9)) for i in range(MISSES)] + [(1.0, MISSES, (0, 2))]
    chosen, reasons = best_sentences(problem([9] * MISSES + [2], 5), many)
    assert not chosen and reasons[MISSES] == "none of its sentences got in, 5 of 5 are left"


def test_a_piece_of_which_nothing_is_chosen_says_why():
    units = [(1.0, 0, (0, 4))]
    assert best_sentences(problem([4, 4], 9), units)[1] == {1: "its sentences stand in other chunks already"}
    assert best_sentences(problem([4, 4], 9, copies={1: 0}), units)[1] == {1: "repeats the text of c0"}
    both = [*units, (0.5, 1, (0, 4))]
    late = "none of its sentences got in, 3 of 7 are left"
    assert best_sentences(problem([4, 4], 7), both)[1] == {1: late}


def counted(case):
    """A problem that notes down every set whose cost is asked for."""
    asked, cost = [], case.cost
    case.cost = lambda pieces: asked.append(pieces) or cost(pieces)
    return asked


def one_by_one(case, units):
    """The longest run that fits, every length tried, then what fits after it; and how many came after."""

    def cost(taken):
        places = sorted({i for _, i, _ in taken})
        return case.cost([Piece(None, tuple(span for _, i, span in taken if i == place)) for place in places])

    units = sorted(units, key=lambda unit: (-unit[0], unit[1], unit[2]))
    run = max(n for n in range(len(units) + 1) if cost(units[:n]) <= case.room)
    taken, misses = units[:run], 0
    for unit in units[run:]:
        if misses < MISSES and cost([*taken, unit]) <= case.room:
            taken.append(unit)
        else:
            misses += 1
    return {(i, at) for _, i, (start, end) in taken for at in range(start, end)}, len(taken) - run


# Sentences of like length, and sentences of which some are a hundred times as long as others.
sizes = st.lists(st.lists(st.integers(1, 9) | st.sampled_from([1, 2, 100, 900]), max_size=8), max_size=8)


@st.composite
def sentence_problems(draw):
    lengths = draw(sizes)
    units = []
    for i, inside in enumerate(lengths):
        ends = list(itertools.accumulate(inside))
        units += [
            (draw(st.sampled_from([0.5, 1.0, 2.0, 3.0])), i, (end - n, end))
            for n, end in zip(inside, ends, strict=True)
        ]
    room = draw(st.integers(0, 60) | st.integers(0, 5000))
    return problem(list(map(sum, lengths)), room, joiner=draw(st.integers(0, 3))), draw(st.permutations(units))


@given(sentence_problems())
def test_the_run_of_sentences_is_the_longest_and_found_in_few_tries(drawn):
    case, units = drawn
    expected, later = one_by_one(case, units)
    asked = counted(case)
    chosen, reasons = best_sentences(case, units)
    assert {(i, at) for i, spans in chosen.items() for start, end in spans for at in range(start, end)} == expected
    assert sorted([*chosen, *reasons]) == list(range(len(case.pieces)))
    assert len(asked) <= 12 + MISSES + later


@pytest.mark.parametrize(
    ("lengths", "room", "run"),
    [([1] * 100 + [10**6] * 900, 150, 100), ([1000] * 8 + [1] * 992, 8100, 108), ([30] * 1000, 10**400, 1000)],
)
def test_uneven_sentences_take_few_tries_too(lengths, room, run):
    case = problem(lengths, room)
    asked = counted(case)
    chosen, _ = best_sentences(case, [(1.0, i, (0, n)) for i, n in enumerate(lengths)])
    assert sorted(chosen) == list(range(run))
    assert len(asked) <= 5 + 10 + MISSES  # a thousand is halved ten times


@given(sentence_problems(), st.integers(2, 40))
def test_sentences_never_cost_more_than_the_room_however_costs_jump(drawn, jump):
    case, units = drawn
    plain = case.cost
    case.cost = lambda pieces: plain(pieces) * 7919 % jump if pieces else 0
    chosen, _ = best_sentences(case, units)
    assert case.cost([Piece(None, spans) for spans in chosen.values()]) <= case.room
