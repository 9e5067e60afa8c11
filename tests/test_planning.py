"""The plan of a window: what is taken, what is left, and what is wrong with numbers that leave nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from texts import count_words

from rag_lessons.planning import message_tokens, plan_window, share_of


def test_the_published_example():
    plan = plan_window(128_000, margin=0.9, reserve=4096, system=500, question=100, overhead=50)
    assert plan.room == 110_454
    assert "110,454" in repr(plan) and "110,454" in plan._repr_html_()


@given(
    window=st.integers(1, 10**7),
    margin=st.floats(0.01, 1),
    taken=st.lists(st.integers(0, 2000), min_size=4, max_size=4),
)
def test_the_parts_are_the_window(window, margin, taken):
    reserve, system, question, overhead = taken
    try:
        plan = plan_window(window, margin=margin, reserve=reserve, system=system, question=question, overhead=overhead)
    except ValueError as error:
        assert sum(taken) > share_of(window, margin) and f"so {share_of(window, margin) - sum(taken)} are" in str(error)
    else:
        assert sum(plan.parts.values()) == window and min(plan.parts.values()) >= 0
        assert plan.parts["documents"] == plan.room == share_of(window, margin) - sum(taken)


def test_texts_are_counted_and_messages_cost_their_frame():
    plan = plan_window(100, margin=1, reserve=10, system="be brief", question="why do gates rust", counter=count_words)
    assert (plan.system, plan.question, plan.overhead, plan.room) == (2, 4, 10, 74)
    assert plan_window(100, margin=1, reserve=10, question="why", counter=count_words).overhead == 6
    assert message_tokens(["be brief", "why"], count_words) == 2 + 1 + 2 * 4 + 2
    assert message_tokens([], count_words) == 2


@pytest.mark.parametrize(("whole", "share", "part"), [(100, 0.29, 29), (35, 0.8, 28), (1000, 0.9, 900), (7, 0.5, 3)])
def test_a_share_is_exact_as_it_is_written(whole, share, part):
    assert share_of(whole, share) == part


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"window": 0}, ValueError, "window must be a whole number of tokens, 1 or more; got 0"),
        ({"window": True}, TypeError, "window must be"),
        ({"window": 100.0}, TypeError, "got 100.0"),
        ({"window": 9000, "margin": 0}, ValueError, "margin must be above 0"),
        ({"window": 9000, "margin": 1.5}, ValueError, "margin must be a number, 0 to 1; got 1.5"),
        ({"window": 9000, "margin": float("nan")}, ValueError, "got nan"),
        ({"window": 9000, "reserve": -1}, ValueError, "reserve must be a whole number of tokens, 0 or more; got -1"),
        ({"window": 9000, "system": None}, TypeError, "system must be"),
        ({"window": 9000, "overhead": 2.5}, TypeError, "overhead must be"),
        ({"window": 4000}, ValueError, r"3600 tokens of the window of 4000 .*reserve 4096, so -502 are left"),
    ],
)
def test_bad_numbers_are_named(settings, error, message):
    with pytest.raises(error, match=message):
        plan_window(**settings)


def test_one_text_is_no_list_of_messages():
    with pytest.raises(TypeError, match="messages must be a list of texts"):
        message_tokens("be brief")


def test_a_room_of_nothing_is_a_plan():
    assert plan_window(10, margin=1, reserve=10, overhead=0).room == 0
    with pytest.raises(ValueError, match="so -1 are left"):
        plan_window(10, margin=1, reserve=11, overhead=0)
