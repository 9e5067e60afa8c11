"""Where the evidence went, as HTML: bars that read on white and dark pages, and the explorer's states."""

import html
from collections.abc import Mapping, Sequence
from statistics import fmean

from rag_lessons.metrics import Losses
from rag_lessons.plots.measuring import FATE_LOOKS, FATE_NAMES, FATES, LABELLED, fates_in_words
from rag_lessons.plots.style import MUTED

_LEFT, _WIDE, _ROW = 150, 470, 30
# Patterns on a clear ground, so that the page shows through; the names are this figure's own.
_PATTERNS = (
    "<defs>"
    '<pattern id="mf1" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    f'<rect width="8" height="8" fill="{FATE_LOOKS[1][0]}"/><rect width="2" height="8" fill="#fff"/></pattern>'
    '<pattern id="mf2" width="7" height="7" patternUnits="userSpaceOnUse">'
    f'<circle cx="3.5" cy="3.5" r="1.3" fill="{MUTED}"/></pattern>'
    '<pattern id="mf3" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    f'<rect width="8" height="8" fill="{FATE_LOOKS[3][0]}"/>'
    '<path d="M0 1h8M1 0v8" stroke="#fff" stroke-width="2"/></pattern></defs>'
)
_FILLS = (FATE_LOOKS[0][0], "url(#mf1)", "url(#mf2)", "url(#mf3)")


def mean_fates(found: Sequence[Losses]) -> tuple[float, ...]:
    """The mean share of the evidence by fate over some questions, in the order of `FATES`.

    >>> mean_fates([Losses(1, 0, 0, 0), Losses(0, 1, 0, 0)])
    (0.5, 0.5, 0.0, 0.0)
    """
    return tuple(fmean(getattr(each, fate) for each in found) if found else 0.0 for fate in FATES)


def fates_svg(rows: Mapping[str, Sequence[Losses]]) -> str:
    """A stacked bar a pipeline as inline SVG: where its evidence went, and for how many questions it is all in.

    rows: name -> one `Losses` a question.

    >>> fates_svg({"flat": [Losses(1, 0, 0, 0)]})[:32]
    '<svg xmlns="http://www.w3.org/20'
    """
    parts, said = [], []
    for n, (name, found) in enumerate(rows.items()):
        shares, top = mean_fates(found), n * _ROW + 22
        complete = sum(each.reached == 1 for each in found)
        parts.append(f'<text x="{_LEFT - 8}" y="{top + 15}" text-anchor="end">{html.escape(name)}</text>')
        parts.append(_bar(shares, top))
        parts.append(f'<text x="{_LEFT + _WIDE + 8}" y="{top + 15}">{complete} of {len(found)}</text>')
        said.append(f"{name}: {fates_in_words(shares)}, complete for {complete} of {len(found)}")
    bottom = len(rows) * _ROW + 30
    keys = zip((0, 100, 280, 400), FATE_NAMES, _FILLS, strict=True)
    parts += [
        f'<rect x="{_LEFT + x}" y="{bottom}" width="16" height="14" fill="{fill}" stroke="{MUTED}"/>'
        f'<text x="{_LEFT + x + 22}" y="{bottom + 11}">{name}</text>'
        for x, name, fill in keys
    ]
    alt = html.escape("Where the evidence went. " + "; ".join(said), quote=True)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 {bottom + 20}" role="img" aria-label="{alt}" '
        'style="width:100%;max-width:720px" font-family="sans-serif" font-size="12" fill="currentColor">'
        f'{_PATTERNS}<text x="{_LEFT}" y="14" opacity=".75">share of the evidence, % '
        f"(numbers from {LABELLED} up)</text>"
        f'<text x="{_LEFT + _WIDE + 8}" y="14" opacity=".75">complete for</text>{"".join(parts)}</svg>'
    )


def _bar(shares: Sequence[float], top: int) -> str:
    x, parts = float(_LEFT), []
    for share, name, fill in zip(shares, FATE_NAMES, _FILLS, strict=True):
        width = _WIDE * share
        if width < 0.05:
            continue
        parts.append(
            f'<g><title>{100 * share:.1f} % {name}</title><rect x="{x:.1f}" y="{top}" width="{width:.1f}" '
            f'height="22" fill="{fill}" stroke="{MUTED}"/>'
        )
        if round(100 * share) >= LABELLED:
            label = f"{100 * share:.0f}"
            middle, plain, wide = x + width / 2, fill.startswith("#"), 4 + 9 * len(label)
            box = f'<rect x="{middle - wide / 2:.1f}" y="{top + 3}" width="{wide}" height="16" fill="#fff"/>'
            parts.append("" if plain else box)
            ink = "#fff" if plain else "#000"
            parts.append(f'<text x="{middle:.1f}" y="{top + 15}" text-anchor="middle" fill="{ink}">{label}</text>')
        parts.append("</g>")
        x += width
    return "".join(parts)


def fate_states(
    found: Mapping[tuple[str, int], Mapping[str, Losses]], kinds: Mapping[str, Sequence[str]]
) -> dict[tuple[int, str], tuple[str, str]]:
    """The states of the explorer: (budget, kind) -> (HTML, caption).

    found: (pipeline, budget in tokens) -> question -> `Losses`. kinds: name of a kind -> its questions.

    >>> sorted(fate_states({("flat", 50): {"q1": Losses(1, 0, 0, 0)}}, {"all": ["q1"]}))
    [(50, 'all')]
    """
    names = list(dict.fromkeys(name for name, _ in found))
    states = {}
    for budget in dict.fromkeys(budget for _, budget in found):
        for kind, questions in kinds.items():
            rows = {name: [found[name, budget][question] for question in questions] for name in names}
            best = max(names, key=lambda name: fmean(each.reached for each in rows[name]))
            most = fmean(each.reached for each in rows[best])
            count = f"{len(questions)} question{'' if len(questions) == 1 else 's'}"
            caption = f"{count} at {budget} tokens. Most evidence in the prompt: “{best}”, with {most:.1%}."
            states[budget, kind] = fates_svg(rows), caption
    return states
