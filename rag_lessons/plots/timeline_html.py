"""The states of an explorer that maps a document: how many calls at once, how large the parts."""

from collections.abc import Mapping, Sequence

from rag_lessons.plots.style import INCLUDED
from rag_lessons.plots.timeline import Slot, schedule

_HEIGHT = 120  # of every picture, so that nothing below it moves


def timeline_svg(slots: Sequence[Slot], longest: float) -> str:
    """Calls as bars on lanes, drawn to the scale of the longest schedule.

    longest: seconds at the right edge, above 0.

    >>> timeline_svg(schedule([1.0], 1), 2.0).count("<rect")
    1
    """
    lanes = 1 + max((slot.lane for slot in slots), default=0)
    height = max(1, min(16, (_HEIGHT - 20) // lanes - 2))
    bars = "".join(
        f'<rect x="{600 * slot.start / longest:.1f}" y="{slot.lane * (height + 2)}" height="{height}" '
        f'width="{max(1.0, 600 * (slot.end - slot.start) / longest - 1):.1f}" fill="{INCLUDED}"/>'
        for slot in slots
    )
    floor = _HEIGHT - 16
    scale = (
        f'<path d="M0 {floor - 3}V{floor}H599V{floor - 3}" fill="none" stroke="currentColor"/>'
        f'<text x="0" y="{_HEIGHT - 3}" font-size="11" fill="currentColor">0</text>'
        f'<text x="600" y="{_HEIGHT - 3}" font-size="11" fill="currentColor" text-anchor="end">'
        f"{longest:.1f} seconds</text>"
    )
    end = max((slot.end for slot in slots), default=0.0)
    said = f"{len(slots)} calls on {lanes} lanes, {end:.1f} seconds"
    return (
        f'<svg viewBox="0 0 600 {_HEIGHT}" width="100%" role="img" aria-label="{said}" '
        f'preserveAspectRatio="xMinYMin meet">{bars}{scale}</svg>'
    )


def timeline_states(
    costs: Mapping[int, tuple[Sequence[float], int, float]], concurrencies: Sequence[int]
) -> dict[tuple, tuple[str, str]]:
    """The states of the map explorer: (calls at once, tokens in a part) -> (HTML, caption).

    costs: tokens in a part -> (seconds of each call, tokens sent in all, share of the evidence seen, 0 to 1).

    >>> timeline_states({400: ([1.0, 1.0], 900, 0.5)}, [2])[2, 400][1]
    '2 calls, 2 at once: 1.0 seconds, 900 tokens sent, 50 % of the evidence seen.'
    """
    longest = max((sum(durations) for durations, *_ in costs.values()), default=0.0) or 1.0
    states = {}
    for size, (durations, tokens, evidence) in costs.items():
        for concurrency in concurrencies:
            slots = schedule(durations, concurrency)
            end = max((slot.end for slot in slots), default=0.0)
            rows = [("calls", f"{len(slots)}"), ("seconds, simulated", f"{end:.1f}")]
            rows += [("tokens sent", f"{tokens:,}"), ("evidence seen", f"{evidence:.0%}")]
            body = "".join(f"<tr><td style='text-align:left'>{name}</td><td>{value}</td></tr>" for name, value in rows)
            caption = (
                f"{len(slots)} calls, {concurrency} at once: {end:.1f} seconds, {tokens:,} tokens sent, "
                f"{100 * evidence:.0f} % of the evidence seen."
            )
            states[concurrency, size] = f"{timeline_svg(slots, longest)}<table><tbody>{body}</tbody></table>", caption
    return states
