"""Figures on a budget: which candidates it let in, and how much evidence reaches the model."""

from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure
from matplotlib.patches import Patch

from rag_lessons.chunking import Span
from rag_lessons.plots.style import (
    EVIDENCE,
    HATCH,
    INCLUDED,
    LINE,
    MUTED,
    PALE,
    SKIPPED,
    describe,
    new_figure,
    no_data,
    title,
)
from rag_lessons.routing import Candidate
from rag_lessons.trace import SHOWN, Trace


def short_name(chunk_id: str) -> str:
    """A chunk id short enough for an axis: its document's name and its number.

    >>> short_name("doc-003-large_rag_notes-chunk-004"), short_name("a/pumps.md-chunk-012")
    ('large_rag_notes 4', 'pumps 12')
    """
    document, _, number = chunk_id.rpartition("-chunk-")
    name = document.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    if name.startswith("doc-") and name[4:7].isdigit():
        name = name[8:]
    return f"{name} {int(number)}"


def budget_bars(traces: Sequence[Trace], evidence: Sequence[tuple[str, Span]] = ()) -> Figure:
    """A panel a trace: a bar a candidate in rank order, included solid, skipped hatched.

    evidence: (doc_id, span) pairs; a chunk that holds some of it gets a green diamond.

    >>> budget_bars([]).get_label()
    'Nothing to draw: no trace was given.'
    """
    if not traces:
        figure, axes = new_figure(8, 1.5)
        no_data(axes)
        return describe(figure, "Nothing to draw: no trace was given.")
    rows = max(len(_shown(trace)) for trace in traces)
    figure, panels = new_figure(9.2, 1.5 + 0.32 * max(rows, 1), 1, len(traces), sharey=True, squeeze=False)
    said = []
    for axes, trace in zip(panels[0], traces, strict=True):
        said.append(_bars(axes, trace, evidence))
    handles = [
        Patch(facecolor=INCLUDED, label="included"),
        Patch(facecolor=SKIPPED, hatch=HATCH, edgecolor="white", label="skipped"),
    ]
    if evidence:
        handles.append(_diamond())
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles), fontsize=9, frameon=False)
    return describe(figure, " ".join(said))


def _diamond():
    from matplotlib.lines import Line2D

    return Line2D([], [], color=EVIDENCE, marker="D", linestyle="", label="holds evidence")


def _shown(trace: Trace) -> list[Candidate]:
    """The candidates with a bar: the first ones, and all that are included."""
    kept = {i.candidate.chunk.chunk_id for i in trace.selection.included}
    return [c for n, c in enumerate(trace.route.candidates) if n < SHOWN or c.chunk.chunk_id in kept]


def _bars(axes, trace: Trace, evidence: Sequence[tuple[str, Span]]) -> str:
    chosen = trace.selection
    title(axes, f"budget {trace.budget}")
    if not trace.route.candidates:
        no_data(axes, "no candidates")
        return f"Budget {trace.budget}: there are no candidates."
    alone = {i.candidate.chunk.chunk_id: i.tokens for i in chosen.included}
    alone |= {s.candidate.chunk.chunk_id: s.tokens for s in chosen.skipped}
    kept = {i.candidate.chunk.chunk_id: i for i in chosen.included}
    widest = max(alone.values())
    shown = _shown(trace)
    for y, candidate in enumerate(shown):
        chunk = candidate.chunk
        tokens = alone[chunk.chunk_id]
        if chunk.chunk_id in kept:
            share = sum(e - s for s, e in kept[chunk.chunk_id].spans) / max(1, chunk.end - chunk.start)
            axes.barh(y, tokens, color=PALE, height=0.72)
            axes.barh(y, tokens * share, color=INCLUDED, height=0.72)
            axes.text(tokens * share / 2, y, f"{tokens}", va="center", ha="center", fontsize=8, color="white")
        else:
            axes.barh(y, tokens, color=SKIPPED, hatch=HATCH, edgecolor="white", height=0.72)
            box = {"facecolor": "white", "edgecolor": "none", "pad": 1.0, "alpha": 0.9}
            axes.text(tokens / 2, y, f"{tokens}", va="center", ha="center", fontsize=8, color=LINE, bbox=box)
        if any(d == chunk.doc_id and s < chunk.end and chunk.start < e for d, (s, e) in evidence):
            axes.plot(tokens + widest * 0.05, y, "D", color=EVIDENCE, markersize=7)
    names = [short_name(candidate.chunk.chunk_id) for candidate in shown]
    axes.set_yticks(range(len(names)), names, fontsize=9)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.set_xlim(0, widest * 1.15)
    hidden = len(trace.route.candidates) - len(shown)
    axes.set_xlabel(f"tokens ({chosen.tokens} used)" + (f"; {hidden} more are skipped" if hidden else ""))
    axes.tick_params(left=False)
    let_in = ", ".join(short_name(i.candidate.chunk.chunk_id) for i in chosen.included) or "nothing"
    left_out = ", ".join(short_name(s.candidate.chunk.chunk_id) for s in chosen.skipped) or "nothing"
    return f"At a budget of {trace.budget} tokens {let_in} is included and {left_out} is skipped."


def recall_curves(
    curves: Mapping[str, Sequence[float]], budgets: Sequence[int], heading: str = "Evidence that reaches the model"
) -> Figure:
    """A line a pipeline: share of the evidence in the prompt, 0 to 1, against the budget in tokens.

    curves: name -> one share for each budget.

    >>> recall_curves({"flat": [0.2, 0.6]}, [100, 200]).get_label()
    'Evidence that reaches the model, by budget. flat rises from 20 % at 100 tokens to 60 % at 200.'
    """
    figure, axes = new_figure(8, 3.6)
    curves = {name: shares for name, shares in curves.items() if len(shares)}
    if not curves or not budgets:
        no_data(axes)
        return describe(figure, "Nothing to draw: no curve was given.")
    looks = [
        (INCLUDED, "o", "-"),
        (SKIPPED, "s", "--"),
        (EVIDENCE, "D", "-."),
        ("#CC79A7", "^", ":"),
        (MUTED, "v", "-"),
    ]
    for i, (name, shares) in enumerate(curves.items()):
        color, marker, line = looks[i % len(looks)]
        axes.plot(budgets, [100 * share for share in shares], color=color, marker=marker, linestyle=line, label=name)
    axes.set_ylim(0, 103)
    axes.set_xlim(0, None)
    axes.set_xlabel("budget in tokens")
    axes.set_ylabel("%")
    title(axes, heading)
    axes.grid(axis="y", color=PALE)
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=9, frameon=False)
    ends = [
        f"{name} rises from {100 * shares[0]:.0f} % at {budgets[0]} tokens "
        f"to {100 * shares[-1]:.0f} % at {budgets[-1]}."
        for name, shares in curves.items()
    ]
    return describe(figure, f"{heading}, by budget. " + " ".join(ends))
