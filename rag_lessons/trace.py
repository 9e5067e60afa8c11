"""Keep what one question did on its way: hits, candidates, included, skipped, prompt, answer.

A `Trace` prints as text, shows as HTML in Jupyter and turns into JSON. Every figure and widget of
the series reads one. It decides nothing.
"""

import html
import re
from dataclasses import dataclass
from textwrap import wrap

from rag_lessons.answering import Answer
from rag_lessons.budgeting import Selection
from rag_lessons.routing import Route
from rag_lessons.sentences import fold

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
WIDTH = 96  # columns of a printed trace
SHOWN = 24  # hits and skipped chunks in a printed trace; what is included is always shown


@dataclass(frozen=True, slots=True, repr=False)
class Trace:
    """One question's way through all stages, and under which settings.

    texts: chunk id -> raw text of each candidate; summaries: id -> summary of each hit.
    notes: what the reader should know, such as that no term of the question was found.
    """

    question: str
    preset: str
    settings: dict[str, str]
    budget: int
    route: Route
    selection: Selection
    texts: dict[str, str]
    summaries: dict[str, str]
    prompt: str
    answer: Answer
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        chosen = self.selection
        lines = [f"Question: {fold(self.question)}"]
        lines += [f"Preset: {self.preset}", *(f"  {key}: {value}" for key, value in self.settings.items())]
        lines += [f"Note: {note}" for note in self.notes]
        for title, hits in (("Document summary hits", self.route.documents), ("Chunk summary hits", self.route.chunks)):
            lines.append(f"{title}: {len(hits)}")
            heads = [f"  {hit.score:7.3f}  {hit.id}  " for hit in hits]
            lines += _first([
                head + _short(self.summaries[hit.id], WIDTH - len(head)) for head, hit in zip(heads, hits, strict=True)
            ])
        lines.append(f"Raw chunks included: {len(chosen.included)}, {chosen.tokens} of {self.budget} tokens")
        lines += [f"  {i.spent:5d}  {i.candidate.chunk.chunk_id}{self._part(i)}" for i in chosen.included]
        lines.append(f"Raw chunks skipped: {len(chosen.skipped)}")
        lines += _first([f"  {s.tokens:5d}  {s.candidate.chunk.chunk_id}: {s.reason}" for s in chosen.skipped])
        lines += wrap(f"Answer: {self.answer.text}", WIDTH, subsequent_indent="  ", break_long_words=False)
        # No sign from a text or a name may move the cursor or begin a line.
        return "\n".join(_CONTROL.sub("\ufffd", line) for line in lines)

    def _part(self, included) -> str:
        chunk = included.candidate.chunk
        kept = sum(end - start for start, end in included.spans)
        return "" if kept == chunk.end - chunk.start else f" ({kept} of {chunk.end - chunk.start} characters)"

    def _repr_html_(self) -> str:
        chosen = self.selection
        rows = [(i.candidate, i.spent, "included" + self._part(i)) for i in chosen.included]
        rows += [(s.candidate, s.tokens, "skipped: " + s.reason) for s in chosen.skipped]
        order = {c.chunk.chunk_id: n for n, c in enumerate(self.route.candidates, start=1)}
        rows.sort(key=lambda row: order[row[0].chunk.chunk_id])
        shown = [r for r in rows if order[r[0].chunk.chunk_id] <= SHOWN or r[2].startswith("included")]
        body = "".join(
            f"<tr><td>{order[c.chunk.chunk_id]}</td><td style='text-align:left'>{html.escape(c.chunk.chunk_id)}</td>"
            f"<td>{html.escape(c.reason.split(' of ')[0])}</td><td>{tokens}</td>"
            f"<td style='text-align:left'>{'●' if fate.startswith('included') else '○'} {html.escape(fate)}</td></tr>"
            for c, tokens, fate in shown
        )
        if len(shown) < len(rows):
            more = f"and {len(rows) - len(shown)} more that are skipped"
            body += f"<tr><td></td><td style='text-align:left' colspan='4'>{more}</td></tr>"
        notes = "".join(f"<p><b>Note:</b> {html.escape(note)}</p>" for note in self.notes)
        return (
            f"<p><b>{html.escape(self.question)}</b><br>{html.escape(self.preset)} preset, "
            f"{chosen.tokens} of {self.budget} tokens used ({html.escape(self.settings['counter'])})</p>{notes}"
            "<table><thead><tr><th>rank</th><th style='text-align:left'>chunk</th><th>why</th><th>tokens</th>"
            "<th style='text-align:left'>fate</th></tr></thead>"
            f"<tbody>{body}</tbody></table><p><b>Answer:</b> {html.escape(self.answer.text)}</p>"
        )

    def to_dict(self) -> dict:
        """The trace as plain lists, numbers and strings, ready for `json.dumps`."""
        chosen = self.selection
        return {
            "question": self.question,
            "preset": self.preset,
            "settings": self.settings,
            "budget": self.budget,
            "notes": list(self.notes),
            "document_hits": [
                {"id": h.id, "score": round(h.score, 6), "summary": self.summaries[h.id]} for h in self.route.documents
            ],
            "chunk_hits": [
                {"id": h.id, "score": round(h.score, 6), "summary": self.summaries[h.id]} for h in self.route.chunks
            ],
            "candidates": [
                {"id": c.chunk.chunk_id, "score": round(c.score, 6), "reason": c.reason} for c in self.route.candidates
            ],
            "included": [
                {
                    "id": i.candidate.chunk.chunk_id,
                    "doc_id": i.candidate.chunk.doc_id,
                    "spans": [list(span) for span in i.spans],
                    "tokens": i.tokens,
                    "spent": i.spent,
                    "text": self.texts[i.candidate.chunk.chunk_id],
                }
                for i in chosen.included
            ],
            "skipped": [
                {
                    "id": s.candidate.chunk.chunk_id,
                    "doc_id": s.candidate.chunk.doc_id,
                    "spans": [[s.candidate.chunk.start, s.candidate.chunk.end]],
                    "tokens": s.tokens,
                    "reason": s.reason,
                    "text": self.texts[s.candidate.chunk.chunk_id],
                }
                for s in chosen.skipped
            ],
            "tokens": chosen.tokens,
            "context_tokens": chosen.context_tokens,
            "prompt": self.prompt,
            "answer": self.answer.text,
            "quotes": [list(quote) for quote in self.answer.quotes],
        }


def _first(lines: list[str]) -> list[str]:
    """The first lines, and how many more there are."""
    return lines if len(lines) <= SHOWN else [*lines[:SHOWN], f"         and {len(lines) - SHOWN} more"]


def _short(text: str, width: int) -> str:
    text, width = fold(text), max(width, 20)
    return text if len(text) <= width else text[: width - 1].rstrip() + "…"
