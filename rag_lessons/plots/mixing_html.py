"""What of each document a mix holds, as inline SVG that reads on white and dark pages, and the explorer's states."""

import html
from collections.abc import Mapping, Sequence

from rag_lessons.chunking import Span
from rag_lessons.index import HierarchicalIndex
from rag_lessons.mixing import Mix
from rag_lessons.plots.mixing import MixRow, mix_rows, rows_in_words
from rag_lessons.plots.style import EVIDENCE, INCLUDED, MUTED, OTHER, SKIPPED

_LEFT, _WIDE, _ROW = 220, 380, 26
# The names are this picture's own; the ground is clear, so that the page shows through.
_PATTERNS = (
    '<defs><pattern id="mx1" width="6" height="6" patternUnits="userSpaceOnUse">'
    f'<rect width="6" height="6" fill="{OTHER}"/><circle cx="3" cy="3" r="1.2" fill="#fff"/></pattern>'
    '<pattern id="mx2" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    f'<rect width="3" height="8" fill="{SKIPPED}"/></pattern></defs>'
)
_KEYS = ((0, INCLUDED, "text, or the window of it"), (190, "url(#mx1)", "summary alone"), (320, "url(#mx2)", "nothing"))


def mix_svg(rows: Sequence[MixRow], lines: int = 0) -> str:
    """A line a document, in rank order: what of it is in the prompt, and where its evidence stands.

    lines: how many to leave room for, so that pictures side by side are equally high.

    >>> mix_svg([MixRow("a", "text", 9, ((0, 1),), (0.5,), (True,))])[:32]
    '<svg xmlns="http://www.w3.org/20'
    """
    parts = [_line(row, n * _ROW + 22) for n, row in enumerate(rows)]
    bottom = max(lines, len(rows)) * _ROW + 30
    parts += [
        f'<rect x="{10 + x}" y="{bottom}" width="16" height="14" fill="{fill}" stroke="{MUTED}"/>'
        f'<text x="{32 + x}" y="{bottom + 11}">{name}</text>'
        for x, fill, name in _KEYS
    ]
    parts.append(_diamond(430, bottom + 7, True) + f'<text x="442" y="{bottom + 11}">evidence, in</text>')
    parts.append(_diamond(540, bottom + 7, False) + f'<text x="552" y="{bottom + 11}">evidence, not in</text>')
    alt = html.escape(f"What of each document is in the prompt. {rows_in_words(rows)}", quote=True)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 {bottom + 20}" role="img" aria-label="{alt}" '
        'style="width:100%;max-width:720px" font-family="sans-serif" font-size="12" fill="currentColor">'
        f'{_PATTERNS}<text x="{_LEFT}" y="14" opacity=".75">start</text><text x="{_LEFT + _WIDE}" y="14" '
        f'text-anchor="end" opacity=".75">end of the document</text><text x="{_LEFT + _WIDE + 10}" y="14" '
        f'opacity=".75">tokens</text>{"".join(parts)}</svg>'
    )


def _line(row: MixRow, top: int) -> str:
    parts = [f'<text x="{_LEFT - 8}" y="{top + 13}" text-anchor="end">{html.escape(row.name[:34])}</text>']
    if row.form in ("summary", "nothing"):
        fill = "url(#mx1)" if row.form == "summary" else "url(#mx2)"
        parts.append(f'<rect x="{_LEFT}" y="{top + 5}" width="{_WIDE}" height="8" fill="{fill}" stroke="{MUTED}"/>')
    else:
        parts.append(
            f'<rect x="{_LEFT}" y="{top}" width="{_WIDE}" height="18" fill="none" stroke="{MUTED}"/>'
            + "".join(
                f'<rect x="{_LEFT + _WIDE * start:.1f}" y="{top}" width="{_WIDE * (end - start):.1f}" height="18" '
                f'fill="{INCLUDED}"/>'
                for start, end in row.kept
            )
        )
    parts += [_diamond(_LEFT + _WIDE * place, top + 9, seen) for place, seen in zip(row.gold, row.seen, strict=True)]
    label = row.form if row.form == "nothing" else f"{row.form} {row.tokens}"
    parts.append(f'<text x="{_LEFT + _WIDE + 10}" y="{top + 13}">{label}</text>')
    return "".join(parts)


def _diamond(x: float, y: float, seen: bool) -> str:
    fill, edge = (EVIDENCE, "#000") if seen else ("#fff", EVIDENCE)
    return f'<path d="M{x:.1f} {y - 7}l7 7l-7 7l-7 -7z" fill="{fill}" stroke="{edge}" stroke-width="1.5"/>'


def mix_states(
    mixes: Mapping[tuple, Mix], index: HierarchicalIndex, evidence: Mapping[str, Sequence[tuple[str, Span]]]
) -> dict[tuple, tuple[str, str]]:
    """The states of the explorer, under the keys of the mixes: (HTML, caption).

    evidence: question -> its places, as `find_evidence` returns them.

    >>> from rag_lessons.index import Document, build_index
    >>> from rag_lessons.mixing import summary_mix
    >>> index = build_index([Document("a.txt", "Gates rust.")])
    >>> mix_states({(50,): summary_mix("Do gates rust?", index, 50)}, index, {})[(50,)][1]
    '9 of 50 tokens: 1 text; evidence in the prompt: 0 of 0.'
    """
    lines = max((len(mix.parts) for mix in mixes.values()), default=0)
    states = {}
    for key, mix in mixes.items():
        rows = mix_rows(mix, index, evidence.get(mix.question, ()))
        states[key] = mix_svg(rows, lines), f"{mix.tokens} of {mix.budget} tokens: {rows_in_words(rows)}."
    return states
