"""The time line of calls: no lane holds two at once, none starts before one that was asked earlier."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_lessons.plots import schedule, timeline, timeline_states, timeline_svg


@given(durations=st.lists(st.integers(0, 9), max_size=20), lanes=st.integers(1, 6))
def test_calls_run_in_order_on_as_many_lanes_as_there_are(durations, lanes):
    slots = schedule(durations, lanes)
    assert [slot.end - slot.start for slot in slots] == durations
    assert all(a.start <= b.start for a, b in zip(slots, slots[1:], strict=False))
    for lane in range(lanes):
        own = [slot for slot in slots if slot.lane == lane]
        assert all(a.end <= b.start for a, b in zip(own, own[1:], strict=False))
    end = max((slot.end for slot in slots), default=0)
    assert max(durations, default=0) <= end <= sum(durations) and end >= sum(durations) / lanes


def test_one_lane_is_one_after_the_other_and_enough_lanes_are_all_at_once():
    assert schedule([3, 1, 2], 1)[-1].end == 6
    assert max(slot.end for slot in schedule([3, 1, 2], 3)) == 3


def test_a_bar_a_call_told_apart_by_hatch():
    slots = schedule([1.0, 2.0, 1.0], 2, ["done", "retried", "failed"])
    figure = timeline({"two at once": slots, "one": schedule([1.0], 1)}, marks=[2.0])
    assert [len(axes.patches) for axes in figure.axes] == [3, 1]
    assert [bar.get_hatch() or "" for bar in figure.axes[0].patches] == ["", "////", "xxxx"]
    assert "two at once: 3 calls, 1 retried, 1 failed, 2.0 seconds." in figure.get_label()
    legend = figure.axes[1].get_legend()
    assert [text.get_text() for text in legend.get_texts()] == ["done", "retried", "failed"]
    assert [patch.get_hatch() or "" for patch in legend.get_patches()] == ["", "////", "xxxx"]


def test_no_key_where_there_is_nothing_to_tell_apart():
    assert timeline({"one": schedule([1.0, 1.0], 1)}).axes[0].get_legend() is None


def test_a_fate_for_each_call():
    with pytest.raises(ValueError):
        schedule([1.0, 2.0], 1, ["done"])


def test_states_hold_what_each_setting_costs():
    states = timeline_states({400: ([1.0] * 4, 900, 0.5), 100: ([0.5] * 16, 2000, 0.25)}, [1, 4])
    assert states[4, 400][1] == "4 calls, 4 at once: 1.0 seconds, 900 tokens sent, 50 % of the evidence seen."
    assert states[1, 100][1].startswith("16 calls, 1 at once: 8.0 seconds")
    assert (
        states[1, 100][0].count("<rect") == 16 and 'aria-label="16 calls on 1 lanes, 8.0 seconds"' in states[1, 100][0]
    )
    assert timeline_svg([], 1.0).count("<rect") == 0
    assert "15.0 seconds</text>" in timeline_svg(schedule([1.0], 1), 15.0)  # the right end of the scale
