"""Choose how documents are brought into a window, and do it: whole, by section, or by section and chunk.

The choice goes by size, unless the question asks for all of a text or points at a section of it.
What each strategy returns says what it kept, what it left out and why, and how far to trust it.
The fourth strategy, for what is far too long, is `map_reduce.py`.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rag_lessons.analysis import Analysis, named_sections, section_scores
from rag_lessons.context import Piece
from rag_lessons.documents import Document, check_documents, check_text
from rag_lessons.index import HierarchicalIndex
from rag_lessons.passages import Passages
from rag_lessons.planning import share_of
from rag_lessons.policies import Problem, best_sentences
from rag_lessons.routing import SoftRoute
from rag_lessons.selection import Draft
from rag_lessons.strategy_context import StrategyContext
from rag_lessons.tokens import TokenCounter, check_count, check_weight, estimate_tokens

STRATEGIES = ("full document", "smart selection", "hybrid", "map-reduce")
_BREADTH = re.compile(
    r"\b(?:summar(?:y|i[sz]e)|overview|outline|everything|main points|(?:list|find|name) (?:all|every)"
    r"|all of (?:the|this)|what is (?:it|this) about)\b",
    re.IGNORECASE,
)
_ROUTE, _PASSAGES = SoftRoute(), Passages()


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Up to which size, in shares of the room, a strategy is chosen; the bounds themselves belong to the smaller size.

    full: full document. selection: smart selection. map_reduce: hybrid; above it, map-reduce.

    >>> Thresholds().full
    0.8
    """

    full: float = 0.8
    selection: float = 1.5
    map_reduce: float = 3.0

    def __post_init__(self) -> None:
        values = [getattr(self, name) for name in ("full", "selection", "map_reduce")]
        for name, value in zip(("full", "selection", "map_reduce"), values, strict=True):
            check_weight(name, value)
        if values != sorted(values):
            raise ValueError(f"thresholds must not fall: full, selection, map_reduce; got {values}")


@dataclass(frozen=True, slots=True)
class Choice:
    """Which strategy, for how many tokens of documents in how much room, and why."""

    strategy: str
    tokens: int
    room: int
    reason: str


def check_thresholds(thresholds: Thresholds | None) -> Thresholds:
    """Return thresholds, the published ones for None; raises TypeError for anything else.

    >>> check_thresholds(None).map_reduce
    3.0
    """
    if not isinstance(thresholds, Thresholds | None):
        raise TypeError(f"thresholds must be Thresholds(full=...), or None; got {thresholds!r:.60}")
    return thresholds or Thresholds()


def asks_for_all(question: str) -> bool:
    """Whether a question calls for all of a text, as "summarize", "find all" and "overview" do.

    >>> asks_for_all("Summarize the report."), asks_for_all("When do terns nest?")
    (True, False)
    """
    return bool(_BREADTH.search(check_text("question", question)))


def choose(analysis: Analysis, room: int, question: str = "", thresholds: Thresholds | None = None) -> Choice:
    """Choose a strategy by the documents' size against the room there is for them.

    analysis: of `analyse`. room: tokens, 0 or more, such as `plan_window(...).room`. A question that
    asks for all of a text that does not fit gets "map-reduce", one that names a section "smart
    selection". Raises TypeError or ValueError for a bad room.

    >>> choose(Analysis(80, (), ()), 100).strategy, choose(Analysis(81, (), ()), 100).strategy
    ('full document', 'smart selection')
    """
    if not isinstance(analysis, Analysis):
        raise TypeError(f"analysis must come from analyse(documents); got {analysis!r:.60}")
    check_text("question", question)
    limits, room, tokens = check_thresholds(thresholds), check_count("room", room), analysis.tokens
    size = f"{tokens:,} tokens of text for a room of {room:,}"
    bounds = [(limits.full, STRATEGIES[0]), (limits.selection, STRATEGIES[1]), (limits.map_reduce, STRATEGIES[2])]
    by_size, reason = STRATEGIES[3], f"{size}: more than {limits.map_reduce:.0%} of it"
    for bound, strategy in bounds:
        if tokens <= share_of(room, bound):
            by_size, reason = strategy, f"{size}: at most {bound:.0%} of it"
            break
    if by_size == STRATEGIES[0]:
        return Choice(by_size, tokens, room, reason)
    if named := named_sections(question, analysis.sections):
        title = analysis.sections[named[0]].title
        return Choice(STRATEGIES[1], tokens, room, f"{size}, and the question names the section {title!r}")
    if asks_for_all(question):
        return Choice(STRATEGIES[3], tokens, room, f"{size}, and the question asks for all of it")
    return Choice(by_size, tokens, room, reason)


def full_document(
    documents: Document | Iterable[Document],
    question: str,
    room: int,
    counter: TokenCounter = estimate_tokens,
    *,
    analysis: Analysis | None = None,
) -> StrategyContext:
    """Bring in everything, one document after the other; where it does not fit, cut the last that does at its end.

    room: in the counter's tokens, 0 or more; labels count. analysis: of these documents, if it is known.

    >>> full_document(Document("a.txt", "Gates rust."), "Why?", 20).text
    '=== a.txt ===\\nGates rust.'
    """
    draft = Draft(_documents(documents), question, room, counter, analysis)
    if (over := draft.add_documents()) is not None:
        draft.add_head(over)
    return draft.finish(STRATEGIES[0])


def smart_selection(
    documents: Document | Iterable[Document],
    question: str,
    room: int,
    counter: TokenCounter = estimate_tokens,
    *,
    least_part: int = 500,
    analysis: Analysis | None = None,
) -> StrategyContext:
    """Bring in the sections that score highest for the question, in their order in the text.

    A section that does not fit is passed over. least_part: if so many tokens are left, or nothing
    was taken, the best section that was passed over is cut to a window round what matches.

    >>> text = "# Gates\\n\\nGates rust.\\n\\n# Terns\\n\\nTerns nest."
    >>> smart_selection(Document("a.md", text), "When do terns nest?", 20).text
    '=== a.md ===\\n# Terns\\n\\nTerns nest.'
    """
    draft = Draft(_documents(documents), question, room, counter, analysis)
    _add_sections(draft, draft.room)
    if draft.left >= check_count("least_part", least_part) or not draft.kept:
        draft.add_window()
    return draft.finish(STRATEGIES[1])


def hybrid(
    documents: Document | Iterable[Document],
    question: str,
    room: int,
    index: HierarchicalIndex,
    counter: TokenCounter = estimate_tokens,
    *,
    share: float = 0.7,
    analysis: Analysis | None = None,
) -> StrategyContext:
    """Bring in key sections in a share of the room, and what the index finds elsewhere in what is left.

    index: one that holds these documents; from what its route finds, sentences are packed. share: 0 to 1.

    >>> from rag_lessons import Document, prepare_index
    >>> text = "# Gates\\n\\nGates rust.\\n\\n# Terns\\n\\nTerns nest."
    >>> document = Document("a.md", text)
    >>> hybrid(document, "When do terns nest?", 20, prepare_index([document])).kept[0].label
    'a.md, Terns'
    """
    check_weight("share", share, most=1)
    if not isinstance(index, HierarchicalIndex):
        raise TypeError(f"index must come from prepare_index(documents); got {index!r:.60}")
    draft = Draft(_documents(documents), question, room, counter, analysis)
    _add_sections(draft, share_of(draft.room, share))
    ids = tuple(document.doc_id for document in draft.documents)
    part = index.keep(("only", ids), lambda: index.only(ids))
    candidates = [c for c in _ROUTE(question, part).candidates if not draft.holds(c.chunk)]
    pieces = [Piece(c.chunk, ((c.chunk.start, c.chunk.end),)) for c in candidates]
    cost = draft.cost_of_more
    problem = Problem(pieces, [c.score for c in candidates], draft.left, cost)
    chosen, _ = best_sentences(problem, _PASSAGES(question, part, candidates))
    draft.add_pieces([Piece(candidates[i].chunk, spans) for i, spans in sorted(chosen.items())])
    if not chosen:  # the index found nothing, or nothing that fits: a section that was passed over, cut
        draft.add_window()
    return draft.finish(STRATEGIES[2])


def _documents(documents: Document | Iterable[Document]) -> tuple[Document, ...]:
    return check_documents([documents] if isinstance(documents, Document) else documents)


def _add_sections(draft: Draft, room: int) -> None:
    """Sections best first, of equals the earlier; where nothing matches, spread over the text."""
    sections = draft.sections
    scores = section_scores(sections, draft.texts, draft.question)
    order = sorted(range(len(sections)), key=lambda i: -scores[i])
    draft.add_sections(order if any(scores) else _spread(len(sections)), room)


def _spread(count: int) -> Sequence[int]:
    """Places from 0 to `count`, the first, the one in the middle, those between, and so on.

    >>> _spread(5)
    [0, 4, 2, 1, 3]
    """
    steps = [1 << power for power in range(max(0, count - 1).bit_length(), -1, -1)]
    return list(dict.fromkeys(i for step in steps for i in range(0, count, step)))
