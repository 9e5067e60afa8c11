"""The gate's strips as HTML that reads on white and dark pages, and the explorer's states."""

import html
from collections.abc import Mapping, Sequence

from rag_lessons.plots.gates import lanes, refused_in_words
from rag_lessons.plots.style import INCLUDED, SKIPPED

_LEFT, _WIDE, _ROW, _TOP = 140, 430, 46, 26


def gate_svg(scores: Mapping[str, Sequence[float]], least: float) -> str:
    """A strip for each kind, a dot or a cross a question, as inline SVG.

    >>> gate_svg({"far": [0.2]}, 0.5)[:32]
    '<svg xmlns="http://www.w3.org/20'
    """
    parts = []
    for row, (kind, found) in enumerate(scores.items()):
        middle = _TOP + row * _ROW + _ROW / 2
        parts.append(f'<text x="{_LEFT - 10}" y="{middle + 4}" text-anchor="end">{html.escape(kind)}</text>')
        parts += [_mark(_LEFT + _WIDE * score, middle - 15 * height, score >= least) for score, height in lanes(found)]
        parts.append(f'<text x="{_LEFT + _WIDE + 10}" y="{middle + 4}">{refused_in_words(found, least)}</text>')
    bottom, line = _TOP + len(scores) * _ROW, _LEFT + _WIDE * least
    parts.append(f'<path d="M{line:.1f} {_TOP}V{bottom}" stroke="currentColor" stroke-width="1.5"/>')
    parts.append(f'<path d="M{_LEFT} {bottom}H{_LEFT + _WIDE}" stroke="currentColor" opacity=".5"/>')
    parts += [
        f'<text x="{_LEFT + _WIDE * n / 10:.1f}" y="{bottom + 15}" text-anchor="middle" opacity=".75">{n / 10:g}</text>'
        for n in range(0, 11, 2)
    ]
    said = "; ".join(f"{kind}: {refused_in_words(found, least)}" for kind, found in scores.items())
    alt = html.escape(f"Evidence scores by kind of question, and a line at {least:g}. {said}", quote=True)
    key = f'{_mark(_LEFT + 6, 10, True)}<text x="{_LEFT + 16}" y="14">the model is asked</text>'
    key += f'{_mark(_LEFT + 156, 10, False)}<text x="{_LEFT + 166}" y="14">refused</text>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 {bottom + 22}" role="img" aria-label="{alt}" '
        'style="width:100%;max-width:700px" font-family="sans-serif" font-size="12" fill="currentColor">'
        f"{key}{''.join(parts)}</svg>"
    )


def _mark(x: float, y: float, asked: bool) -> str:
    if asked:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.4" fill="{INCLUDED}" stroke="#fff" stroke-width=".5"/>'
    cross = f"M{x - 3:.1f} {y - 3:.1f}l6 6m0 -6l-6 6"
    return f'<path d="{cross}" stroke="{SKIPPED}" stroke-width="2" fill="none"/>'


def gate_states(
    scores: Mapping[str, Sequence[float]], leasts: Sequence[float]
) -> dict[tuple[float], tuple[str, str]]:
    """The states of the explorer: (least score,) -> (HTML, caption).

    scores: kind -> evidence scores, 0 to 1.

    >>> gate_states({"far": [0.2]}, [0.5])[0.5,][1]
    'Below 0.5 nothing is asked: far 1 of 1 (100 %).'
    """
    states = {}
    for least in leasts:
        said = [
            f"{kind} {sum(score < least for score in found)} of {len(found)}"
            f" ({sum(score < least for score in found) / max(1, len(found)):.0%})".replace("%", " %")
            for kind, found in scores.items()
        ]
        states[least,] = gate_svg(scores, least), f"Below {least:g} nothing is asked: {', '.join(said)}."
    return states
