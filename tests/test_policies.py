"""Each policy by hand, on pieces that are nothing but a length."""

import itertools

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
    assert not chosen and reasons[MISSES] == "none of its sentences came up in time"


def test_a_piece_without_sentences_of_its_own_says_so_where_it_would_fit():
    units = [(1.0, 0, (0, 4))]
    assert best_sentences(problem([4, 4], 9), units)[1] == {1: "its sentences stand in other chunks already"}
    assert best_sentences(problem([4, 4], 7), units)[1] == {1: "needs 4 tokens, 3 of 7 are left"}
    assert best_sentences(problem([4, 4], 9, copies={1: 0}), units)[1] == {1: "repeats the text of c0"}
