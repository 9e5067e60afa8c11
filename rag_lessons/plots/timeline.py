"""A figure of calls on a time line: a bar a call, a lane for each that may run at once."""

from collections.abc import Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from matplotlib.figure import Figure
from matplotlib.patches import Patch

from rag_lessons.plots.style import HATCH, INCLUDED, LINE, MUTED, SKIPPED, describe, new_figure, no_data, title

_FATES = {"done": (INCLUDED, ""), "retried": (SKIPPED, HATCH), "failed": ("white", "xxxx")}


class Slot(NamedTuple):
    """When a call runs, in seconds, on which lane, 0 for the first, and how it ended: "done", "retried" or "failed"."""

    start: float
    end: float
    lane: int
    fate: str = "done"


def schedule(durations: Sequence[float], concurrency: int, fates: Sequence[str] | None = None) -> list[Slot]:
    """Put calls on lanes in their order, each on the lane that is free first, as a semaphore lets them run.

    durations: in seconds. concurrency: lanes, 1 or more. fates: of each call; all "done" if None.

    >>> [slot.lane for slot in schedule([2, 1, 1], 2)], schedule([2, 1, 1], 2)[-1].end
    ([0, 1, 1], 2)
    """
    free: list[tuple[float, int]] = [(0, lane) for lane in range(concurrency)]
    slots = []
    for duration, fate in zip(durations, fates or ["done"] * len(durations), strict=True):
        start, lane = heappop(free)
        slots.append(Slot(start, start + duration, lane, fate))
        heappush(free, (start + duration, lane))
    return slots


def timeline(panels: dict[str, Sequence[Slot]], marks: Sequence[float] = ()) -> Figure:
    """Schedules one below the other on one axis of time; a retried call is hatched, a failed one hollow.

    panels: title -> slots. marks: seconds at which a dashed line stands, such as the ideal.

    >>> timeline({"one by one": schedule([1, 1], 1)}).get_label()
    'Calls on a time line. one by one: 2 calls, 2.0 seconds.'
    """
    if not any(panels.values()):
        figure, axes = new_figure(8, 2)
        no_data(axes)
        return describe(figure, "Nothing to draw: no calls were made, so the time line is empty.")
    lanes = [1 + max((slot.lane for slot in slots), default=0) for slots in panels.values()]
    heights = [max(1.6, n) for n in lanes]
    figure, rows = new_figure(
        8.6, 0.9 + 0.3 * sum(heights), len(panels), 1, squeeze=False, sharex=True, height_ratios=heights
    )
    for axes, (name, slots), count in zip(rows[:, 0], panels.items(), lanes, strict=True):
        for slot in slots:
            face, hatch = _FATES[slot.fate]
            axes.barh(
                slot.lane, slot.end - slot.start, left=slot.start, height=0.8, color=face, hatch=hatch,
                edgecolor=LINE if slot.fate != "done" else "white", linewidth=0.6,
            )  # fmt: skip
        for mark in marks:
            axes.axvline(mark, color=MUTED, linestyle="--", linewidth=1)
        axes.set_ylim(count - 0.4, -0.6)
        axes.set_yticks([])
        axes.set_ylabel(f"{count} lane{'s' if count > 1 else ''}", fontsize=9)
        title(axes, name)
    if any(slot.fate != "done" for slots in panels.values() for slot in slots):
        keys = [Patch(facecolor=f, hatch=h, edgecolor=LINE, linewidth=0.6, label=n) for n, (f, h) in _FATES.items()]
        rows[-1, 0].legend(handles=keys, loc="upper right", fontsize=9, frameon=False)
    rows[-1, 0].set_xlabel("seconds")
    rows[-1, 0].set_xlim(0, max(slot.end for slots in panels.values() for slot in slots) * 1.01)
    return describe(
        figure, "Calls on a time line. " + " ".join(f"{name}: {_said(slots)}" for name, slots in panels.items())
    )


def _said(slots: Sequence[Slot]) -> str:
    fates = [f"{n} {fate}" for fate in ("retried", "failed") if (n := sum(slot.fate == fate for slot in slots))]
    end = max((slot.end for slot in slots), default=0.0)
    return ", ".join([f"{len(slots)} calls", *fates, f"{end:.1f} seconds"]) + "."
