"""A divided window as inline SVG that reads on white and dark pages, and the states of its explorer."""

import html
from collections.abc import Mapping, Sequence

from rag_lessons.planning import COLOURS, WindowPlan
from rag_lessons.plots.window import plan_in_words

_WIDE, _TALL, _LEFT = 440, 36, 8
# Dots, lines and crosses of the parts, over their colours: told apart without the colours.
_MARKS = (
    "",
    '<circle cx="3" cy="3" r="1.2"/>',
    '<path d="M0 0L6 6M6 0L0 6"/>',
    '<path d="M0 0L6 6"/>',
    '<path d="M6 0L0 6"/>',
    "",
)
_PATTERNS = "".join(
    f'<pattern id="wp{n}" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="6" height="6" '
    f'fill="{colour}"/><g stroke="#000" stroke-width=".7">{mark}</g></pattern>'
    for n, (colour, mark) in enumerate(zip(COLOURS, _MARKS, strict=True))
)


def plan_svg(plan: WindowPlan) -> str:
    """A window as a bar, and under it what each part takes; parts that do not fit stick out beyond its end.

    >>> from rag_lessons.planning import plan_window
    >>> plan_svg(plan_window(1000, reserve=400))[:32]
    '<svg xmlns="http://www.w3.org/20'
    """
    most = max(plan.window, sum(max(0, tokens) for tokens in plan.parts.values()))
    left, bars, rows = float(_LEFT), [], []
    for n, (name, tokens) in enumerate(plan.parts.items()):
        width, y = _WIDE * max(0, tokens) / most, 92 + 22 * n
        bars.append(
            f'<rect x="{left:.1f}" y="22" width="{width:.1f}" height="{_TALL}" fill="url(#wp{n})" '
            'stroke="currentColor" stroke-width=".8"/>'
        )
        rows.append(
            f'<rect x="{_LEFT}" y="{y - 12}" width="20" height="14" fill="url(#wp{n})" stroke="currentColor" '
            f'stroke-width=".8"/><text x="36" y="{y}">{name}</text><text x="250" y="{y}" text-anchor="end">{tokens:,}'
            f'</text><text x="340" y="{y}" text-anchor="end">{100 * tokens / plan.window:.1f} %</text>'
        )
        left += width
    end = _LEFT + _WIDE * plan.window / most
    mark = f'<path d="M{end:.1f} 14v{_TALL + 16}" stroke="currentColor" stroke-width="3"/>'
    label = f'<text x="{end:.1f}" y="10" text-anchor="end">{plan.window:,} tokens</text>'
    alt = html.escape(f"How a context window is divided. {plan_in_words(plan)}", quote=True)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 460 216" role="img" aria-label="{alt}" '
        'style="width:100%;max-width:560px" font-family="sans-serif" font-size="13" fill="currentColor">'
        f"<defs>{_PATTERNS}</defs>{''.join(bars)}{mark}{label}{''.join(rows)}</svg>"
    )


def plan_states(plans: Mapping[tuple, WindowPlan], sizes: Sequence[int] = ()) -> dict[tuple, tuple[str, str]]:
    """The states of the explorer, under the keys of the plans: (SVG, caption).

    sizes: of documents, in tokens; the caption says how many of them fit, each on its own.

    >>> from rag_lessons.planning import plan_window
    >>> plan_states({(1000,): plan_window(1000, reserve=400, overhead=0)}, [9, 600])[(1000,)][1]
    'Window of 1,000: 500 for documents, 50 %. Of 2 documents 1 fits whole.'
    """
    states = {}
    for key, plan in plans.items():
        fit = sum(size <= plan.room for size in sizes)
        words = plan_in_words(plan)
        caption = f"{words[:1].upper()}{words[1:]}."
        if sizes:
            caption += f" Of {len(sizes)} documents {fit} {'fits' if fit == 1 else 'fit'} whole."
        states[key] = plan_svg(plan), caption
    return states
