"""Figures on mixes of summaries and full text: what of each document is in the prompt."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from rag_lessons.chunking import Span
from rag_lessons.index import HierarchicalIndex
from rag_lessons.mixing import Mix
from rag_lessons.plots.measuring import nothing_to_draw
from rag_lessons.plots.style import (
    EVIDENCE,
    HATCH,
    INCLUDED,
    LINE,
    MUTED,
    OTHER,
    PALE,
    SKIPPED,
    describe,
    new_figure,
    title,
)
from rag_lessons.sentences import fold


class MixRow(NamedTuple):
    """A document of a mix, ready to be drawn: what of it is in, and where its evidence is.

    kept, gold: parts of the document, as shares of its length from 0 to 1. seen: whether each piece
    of `gold` is in the prompt, in the text or in the summary.
    """

    name: str
    form: str
    tokens: int
    kept: tuple[tuple[float, float], ...]
    gold: tuple[float, ...]
    seen: tuple[bool, ...]


def mix_rows(mix: Mix, index: HierarchicalIndex, evidence: Sequence[tuple[str, Span]]) -> list[MixRow]:
    """The documents of a mix, in rank order, as rows.

    evidence: as `find_evidence` returns it.

    >>> from rag_lessons.index import Document, build_index
    >>> from rag_lessons.mixing import summary_mix
    >>> index = build_index([Document("a.txt", "Gates rust.")])
    >>> mix_rows(summary_mix("What do gates do?", index, 50), index, [("a.txt", (6, 10))])[0].seen
    (True,)
    """
    rows = []
    for part in mix.parts:
        text = index.documents[part.doc_id].text
        gold = [span for doc_id, span in evidence if doc_id == part.doc_id]
        kept = [(start / len(text), end / len(text)) for start, end in part.spans]
        middles = [(start + end) / 2 / len(text) for start, end in gold]
        summary = fold(part.text) if part.form == "summary" else ""
        seen = [
            any(s <= start and end <= e for s, e in part.spans) or fold(text[start:end]) in summary
            for start, end in gold
        ]
        name = fold(part.doc_id).rsplit("/", 1)[-1].rsplit(".", 1)[0]
        rows.append(MixRow(name, part.form, part.tokens, tuple(kept), tuple(middles), tuple(seen)))
    return rows


def rows_in_words(rows: Sequence[MixRow]) -> str:
    """What a mix holds, as a phrase: documents by form, and how much of the evidence is in.

    >>> rows_in_words([MixRow("a", "text", 9, ((0, 1),), (0.5,), (True,)), MixRow("b", "nothing", 0, (), (), ())])
    '1 text, 1 nothing; evidence in the prompt: 1 of 1'
    """
    counts = [(sum(row.form == form for row in rows), form) for form in ("text", "window", "summary", "nothing")]
    plural = {"text": "texts", "window": "windows", "summary": "summaries", "nothing": "nothing"}
    said = ", ".join(f"{count} {form if count == 1 else plural[form]}" for count, form in counts if count)
    seen = [found for row in rows for found in row.seen]
    return f"{said or 'no documents'}; evidence in the prompt: {sum(seen)} of {len(seen)}"


def mix_panels(panels: Mapping[str, Sequence[MixRow]]) -> Figure:
    """A panel a heading, a line a document in rank order: what of it is in the prompt, and its evidence.

    >>> mix_panels({"half": [MixRow("a", "text", 9, ((0, 1),), (0.5,), (True,))]}).get_label()
    'What of each document is in the prompt. half: 1 text; evidence in the prompt: 1 of 1.'
    """
    panels = {heading: rows for heading, rows in panels.items() if rows}
    if not panels:
        return nothing_to_draw()
    most = max(map(len, panels.values()))
    figure, found = new_figure(9.6, 1.3 + 0.3 * most, 1, len(panels), squeeze=False)
    named: list[str] = []
    for axes, (heading, rows) in zip(found[0], panels.items(), strict=True):
        for y, row in enumerate(rows):
            _draw_row(axes, y, row)
        names = [row.name for row in rows]
        # The names stand once where a panel has those of the one before it.
        axes.set_yticks(range(len(rows)), [""] * len(rows) if names == named else names, fontsize=9)
        named = names
        axes.set_ylim(most - 0.4, -0.6)
        axes.set_xlim(-0.02, 1.42)
        axes.set_xticks([0, 0.5, 1], ["start", "", "end"], fontsize=9)
        axes.tick_params(left=False)
        axes.spines["left"].set_visible(False)
        title(axes, heading)
    handles = [
        Patch(facecolor=INCLUDED, edgecolor="white", label="text, or the window of it"),
        Patch(facecolor=OTHER, hatch="....", edgecolor="white", label="summary alone"),
        Patch(facecolor="white", hatch=HATCH, edgecolor=SKIPPED, label="nothing"),
        Line2D([], [], marker="D", linestyle="", color=EVIDENCE, markeredgecolor=LINE, label="evidence, in"),
        Line2D([], [], marker="D", linestyle="", color="white", markeredgecolor=EVIDENCE, label="evidence, not in"),
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=5, fontsize=9, frameon=False)
    said = " ".join(f"{heading}: {rows_in_words(rows)}." for heading, rows in panels.items())
    return describe(figure, f"What of each document is in the prompt. {said}")


def _draw_row(axes, y: int, row: MixRow) -> None:
    if row.form == "summary":
        axes.barh(y, 1, 0.34, facecolor=OTHER, hatch="....", edgecolor="white", linewidth=0)
    elif row.form == "nothing":
        axes.barh(y, 1, 0.34, facecolor="white", hatch=HATCH, edgecolor=SKIPPED, linewidth=0.6)
    else:
        axes.barh(y, 1, 0.6, facecolor=PALE, linewidth=0)
        for start, end in row.kept:
            axes.barh(y, end - start, 0.6, left=start, facecolor=INCLUDED, linewidth=0)
    for place, seen in zip(row.gold, row.seen, strict=True):
        edge = LINE if seen else EVIDENCE
        face = EVIDENCE if seen else "white"
        axes.plot(place, y, "D", color=face, markeredgecolor=edge, markersize=7, markeredgewidth=1.4, zorder=3)
    label = "nothing" if row.form == "nothing" else f"{row.form} {row.tokens}"
    axes.text(1.04, y, label, va="center", fontsize=8, color=MUTED if row.form == "nothing" else LINE)
